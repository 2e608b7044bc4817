#!/bin/sh
# features.sh - doc/features names a test or an example for each feature that we have, and these exist; it also explains the
# letters in its table. All files name the same version of the library.

. "$(dirname "$0")/../common/shell.sh"

features=$top/doc/features

# The heading of the table names the libraries; the first one is ours. A row begins with two blanks. It has the name of the
# feature, a cell per library, and the test that shows our feature. Titles are not indented. The table ends with a blank
# line; the notes follow.
awk '
    function check(what, is_right) { print (is_right ? "passed " : "wrong ") what }
    length($0) > 110 { check("line " NR " has at most 110 columns", 0) }
    /^ +sx FW / { part = "rows"; column = index($0, "sx"); libraries = split($0, word, " ") - 2; next }
    part == "rows" && /^$/ { part = "notes"; next }
    part == "notes" && /^$/ { part = "end" }
    part == "rows" && /^  [^ ]/ {
        name = substr($0, 3, column - 3)
        n = split(substr($0, column), cell, " ")
        check(name ": a cell per library", n == libraries || n == libraries + 1)
        check(name ": ours and shown by a test, or neither", (cell[1] != "-") == (n > libraries))
        for (i = 1; i <= libraries; i++)
            check(name ": " cell[i], cell[i] ~ /^([y.?~a-z0-9]|-)$/)
        if (cell[1] ~ /^[a-x]$/)
            used[cell[1]]
        if (n > libraries)
            print "shown", cell[n]
        rows++
    }
    part == "notes" && /^  [a-z]  / { note[$1] }
    END {
        check("it has a table", rows > 50)
        for (letter in used)
            check("a note for " letter, letter in note)
        for (letter in note)
            check("a cell for the note " letter, letter in used)
    }' "$features" >"$scratch/checks"

while read -r outcome what; do
    case $outcome in
    passed) passed ;;
    shown) if test -f "$top/tests/$what"; then passed; else fail "doc/features names tests/$what, which does not exist"; fi ;;
    *) fail "doc/features, $what" ;;
    esac
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
expect_version "$version" doc/features 's/^The table compares version \([0-9.]*\) of this library.*/\1/p'
expect_version "$version" packaging/debian/changelog '1s/^subarray-x (\([0-9.]*\)-.*/\1/p'
expect_version "$version" packaging/spack/package.py \
    's/^ *url = .*subarray_x-\([0-9.]*\)\.tar.*/\1/p; s/^ *version("\([0-9.]*\)".*/\1/p'
expect_version "$minor" doc/manual/install.md 's/^ *find_package(subarray_x \([0-9.]*\) .*/\1/p'
expect_version "$minor" packaging/README 's/^ *find_package(subarray_x \([0-9.]*\) .*/\1/p'
finish
