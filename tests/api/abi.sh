#!/bin/sh
# abi.sh - the interface of the libraries equals the record in tests/api/abi. libabigail compares symbols, their versions
# and types. A list has the numbers of enumerators and macros, which libraries do not contain.
#
# usage: abi.sh [--record]   --record writes the record anew, as make abi-record does
#
# The record is made with Open MPI and 64-bit addresses, because it contains the types of MPI's handles. With another MPI,
# or without libabigail 2, only the numbers are compared.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-.}
folder=$top/tests/api/abi
libraries="libsubx libsubx_fft libsubx_io"

# constants: print a line for each enumerator and each macro that is a number. Leaves out the version, which changes with
# each release.
constants() {
    cat "$top"/include/subx*.h | sed -n 's/^#define \(SUBX_[A-Z0-9_]*\) \([0-9]*\)$/\1 \2/p' | grep -v '^SUBX_VERSION_'
    cat "$top"/include/subx*.h | awk '/^enum/, /};/' | grep -oE 'SUBX_[A-Z0-9_]+ = -?[0-9]+' | sed 's/ = / /'
}

# describe LIBRARY FILE: write the library's symbols and their types to FILE, without private types and without paths. The
# functions of subx_lowlevel.h are left out: no program may be linked with them.
describe() {
    abidw --headers-dir "$top/include" --drop-private-types --exported-interfaces-only --type-id-style hash \
        --no-show-locs --no-parameter-names --no-architecture --no-corpus-path --no-comp-dir-path --no-elf-needed \
        "$build/.libs/$1.so" >"$scratch/described" || return 1
    sed -E -e "s, path='([^']*/)?(lib|fft|io)/, path='\2/," -e "/<elf-symbol .*'SUBX_PRIVATE/d" \
        -e "/<function-decl .*@@SUBX_PRIVATE/,/<.function-decl>/d" "$scratch/described" >"$2"
}

# obstacle: print why the types cannot be compared here, or nothing if they can be. Examines only the first library, which
# was built as all others.
obstacle() {
    test -f "$build/.libs/libsubx.so" || { echo "no shared libraries in $build"; return; }
    case $(sed -n 's/^SUBX_MPI_VERSION = //p' "$build/Makefile") in
    "Open MPI"*) ;;
    *) echo "the record of types is of Open MPI"; return ;;
    esac
    case $(sed -n 's/^VERSION_SCRIPT = //p' "$build/Makefile") in
    yes) ;;
    *) echo "the symbols have no versions here"; return ;;
    esac
    case $(abidw --version 2>/dev/null) in
    *" "[2-9].*) ;;
    *) echo "no libabigail 2 (abidw, abidiff)"; return ;;
    esac
    describe libsubx "$scratch/first" || { echo "abidw cannot read libsubx"; return; }
    grep -q '<function-decl' "$scratch/first" || { echo "the libraries have no debug information (-g)"; return; }
    grep -q "address-size='64'" "$scratch/first" || echo "the record is of 64-bit addresses"
}

check_constants() {
    comm -23 "$folder/constants" "$scratch/constants" >"$scratch/gone"
    while read -r name number; do
        fail "$name was $number, and is $(sed -n "s/^$name //p" "$scratch/constants" | grep . || echo "no more")"
    done <"$scratch/gone"
    for name in $(comm -13 "$folder/constants" "$scratch/constants" | sed 's/ .*//'); do
        grep -q "^$name " "$folder/constants" || fail "$name is new, and the record is out of date (HACKING, After an edit)"
    done
    comm -12 "$folder/constants" "$scratch/constants" >"$scratch/same"
    while read -r name number; do passed; done <"$scratch/same"
}

# compare LIBRARY OPTION ...: returns 0 if the library equals the record, else a sum of abidiff's bits: 4 and 8 mean
# differences, others errors. Writes the report to diff.
compare() {
    library=$1
    shift
    abidiff --harmless "$@" "$folder/$library.abi" "$scratch/now" >"$scratch/diff" 2>&1
}

# New functions do not harm programs, but must be recorded. All other differences may break programs.
check_library() {
    describe "$1" "$scratch/now" || { fail "abidw cannot read $1"; return; }
    compare "$1" --no-added-syms
    case $? in
    0) ;;
    4 | 8 | 12) fail "$1 is no longer what programs were linked with (HACKING, Numbers of the interface):" && cat "$scratch/diff"; return ;;
    *) fail "abidiff cannot compare $1:" && cat "$scratch/diff"; return ;;
    esac
    compare "$1" && passed && return
    fail "$1 has more than the record, which is out of date (HACKING, After an edit)"
    cat "$scratch/diff"
}

constants | sort >"$scratch/constants"
test -s "$scratch/constants" || fail "the headers have no constants"
why=$(obstacle)
case ${1:-} in
--record)
    test -z "$why" || { echo "abi.sh: $why" >&2; exit 1; }
    mkdir -p "$folder" && cp "$scratch/constants" "$folder/constants" || exit 1
    for library in $libraries; do describe $library "$folder/$library.abi" || exit 1; done
    echo "written: $folder"
    exit
    ;;
esac
check_constants
test -z "$why" || test "$failures" -gt 0 || skip "$checks numbers are as on record; types are not compared: $why"
test -n "$why" || for library in $libraries; do check_library $library; done
finish
