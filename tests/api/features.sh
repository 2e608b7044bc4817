#!/bin/sh
# features.sh - doc/features names a test or an example for each feature that we have, and these exist; it also explains the
# letters in its tables. All files name the same version of the library.

. "$(dirname "$0")/../common/shell.sh"

features=$top/doc/features

for file in $(grep -oE '(tests|doc/examples)/[a-z0-9_/]+\.[a-z]+' "$features" | sort -u); do
    if test -f "$top/$file"; then passed; else fail "doc/features names $file, which does not exist"; fi
done

# A table consists of rows, then notes, then the tests that show our features. The first column is about this library.
awk '
    function check(what, is_right) { print (is_right ? "passed " : "wrong ") title ": " what }
    function end_table() {
        for (letter in used)
            check("a note for " letter, letter in note)
        for (letter in note)
            check("a cell for the note " letter, letter in used)
        for (n in ours)
            check("row " n " is ours and shown by a test, or neither", ours[n] == (n in shown))
        split("", used); split("", note); split("", ours); split("", shown)
        part = ""
    }
    length($0) > 122 { check("line " NR " has at most 122 columns", 0) }
    /^-+$/ { if (part) end_table(); title = previous }
    /^ +subx  FFTW / { part = "rows"; column = index($0, "subx") }
    /^Shown by$/ { part = "shown" }
    part == "rows" && /^[ 0-9][0-9]  / {
        n = split(substr($0, column), cell, " ")
        check("row " $1 " has twelve cells", n == 12)
        ours[$1] = cell[1] != "-" && title " " cell[1] != "Use BSD-3"
        for (i = 1; i <= n; i++) {
            split(cell[i], half, "/")
            for (k in half)
                if (half[k] ~ /^[a-z]$/)
                    used[half[k]]
        }
    }
    part == "rows" && /^  [a-z]  / { note[$1] }
    part == "shown" && /^ +[0-9]+  (tests|doc)/ { shown[$1] }
    { previous = $0 }' "$features" >"$scratch/checks"

while read -r outcome what; do
    if test "$outcome" = passed; then passed; else fail "doc/features, $what"; fi
done <"$scratch/checks"

# ---- the version, in the files that HACKING lists under "To make a release"

# expect_version VERSION FILE SCRIPT: each line that the sed script prints of FILE is VERSION.
expect_version() {
    found=$(sed -n "$3" "$top/$2" | sort -u)
    if test "$found" = "$1"; then passed; else fail "$2 names the version \"$found\", configure.ac $version"; fi
}

version=$(sed -n 's/^AC_INIT(\[subarray_x\], \[\([0-9.]*\)\].*/\1/p' "$top/configure.ac")
patch=${version##*.}
minor=${version%.*}
expect_version "${version%%.*}" include/subx.h 's/^#define SUBX_VERSION_MAJOR //p'
expect_version "${minor#*.}" include/subx.h 's/^#define SUBX_VERSION_MINOR //p'
expect_version "$patch" include/subx.h 's/^#define SUBX_VERSION_PATCH //p'
expect_version "$version" NEWS '1s/^Version //p'
expect_version "$version" doc/features 's/^The tables compare version \([0-9.]*\) of this library.*/\1/p'
expect_version "$version" packaging/debian/changelog '1s/^subarray-x (\([0-9.]*\)-.*/\1/p'
expect_version "$version" packaging/spack/package.py \
    's/^ *url = .*subarray_x-\([0-9.]*\)\.tar.*/\1/p; s/^ *version("\([0-9.]*\)".*/\1/p'
expect_version "$minor" doc/manual/install.md 's/^ *find_package(subarray_x \([0-9.]*\) .*/\1/p'
expect_version "$minor" packaging/README 's/^ *find_package(subarray_x \([0-9.]*\) .*/\1/p'
finish
