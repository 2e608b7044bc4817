#!/bin/sh
# dist.sh - make release must write the same bytes each time, whatever the umask and the times of files are. The
# distribution must have all files of the repository, except files that only the repository needs.
#
# make check-packages sets MAKE and top_builddir.

. "$(dirname "$0")/../common/shell.sh"

# release: make a tarball, and print its checksum.
release() {
    rm -f "$top_builddir"/subarray_x-[0-9]*.tar.xz
    $MAKE -C "$top_builddir" release >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; return 1; }
    cp "$top_builddir"/subarray_x-[0-9]*.tar.xz "$scratch/tarball.xz"
    rm -f "$top_builddir"/subarray_x-[0-9]*.tar.xz
    cksum <"$scratch/tarball.xz"
}

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
umask 022
first=$(release) || fail "make release"
umask 077
second=$(release) || fail "make release"
if test -n "$first" && test "$first" = "$second"; then passed; else fail "the tarballs differ"; fi

# This part runs only in a repository, or in the copy of its sources that ./check makes.
tree=$(git -C "$top" rev-parse --show-toplevel 2>/dev/null)
if test -f "$tree/include/subx.h"; then
    xz -dc "$scratch/tarball.xz" | tar -tf - | sed 's,^[^/]*/,,' | sort >"$scratch/in"
    git -C "$tree" ls-files | grep -vE '^(\.ci/|\.gitignore$)' | sort >"$scratch/all"
    missing=$(comm -13 "$scratch/in" "$scratch/all")
    test -z "$missing" && passed || fail "the distribution lacks $missing"
fi
finish
