#!/bin/sh
# mpich_suite.sh - run MPICH's own tests of datatypes, messages and collectives, without and with libsubx_pmpi. Not in
# ./check.
#
# usage: SUBX_MPICH_SOURCE=mpich-4.0.2.tar.xz [SUBX_MPICH_BUILD=FOLDER] sh tests/peer/mpich_suite.sh [FOLDER ...]
#            in the build folder. FOLDERs of the suite: pt2pt datatype attr coll threads/pt2pt (default: all five).
#            SUBX_MPICH_BUILD keeps what is built. $CC is MPI's compiler, $MPIEXEC its launcher.
#
# A test fails here if it passes without libsubx_pmpi and fails with it.

. "$(dirname "$0")/../common/shell.sh"

source=${SUBX_MPICH_SOURCE:-}
test -f "$source" || skip "SUBX_MPICH_SOURCE names no sources of MPICH"
library=${top_builddir:-$PWD}/.libs/libsubx_pmpi.so
build=${SUBX_MPICH_BUILD:-$scratch/suite}
test $# -gt 0 || set -- pt2pt datatype attr coll threads/pt2pt

# prepare FOLDER ...: build these folders of the suite, without tests that do not compile. Replaces functions that MPI 3.0
# has removed.
prepare() {
    mkdir -p "$build/src" && tar xf "$source" -C "$build/src" --strip-components=1 --wildcards '*/test/mpi' || return 1
    sed -i 's/MPI_Type_h\(vector\|indexed\)(/MPI_Type_create_h\1(/; s/MPI_Type_struct(/MPI_Type_create_struct(/' \
        "$build"/src/test/mpi/dtpools/src/*.c
    cd "$build" && src/test/mpi/configure MPICC="${CC:-mpicc}" CC=cc --with-mpi=/usr --disable-fortran --disable-cxx \
        --disable-spawn --disable-romio >configure.log 2>&1 || return 1
    for folder in util dtpools "$@"; do
        make -C "$folder" -k check TESTS= >"make.log" 2>&1
    done
    touch built
}

# outcome RANKS PRELOAD PROGRAM ARGUMENT ...: print pass or fail. A test of the suite passes if it prints " No Errors".
outcome() {
    ranks=$1
    preload=$2
    shift 2
    if launch -t 60 -n "$ranks" env LD_PRELOAD="$preload" "$@" >"$scratch/out" 2>&1 && grep -q 'No Errors' "$scratch/out"
    then
        echo pass
    else
        echo fail
    fi
}

test -f "$build/built" || (prepare "$@") || skip "MPICH's tests cannot be built"
plain_failures=0
for folder in "$@"; do
    cd "$build/$folder" || continue
    for list in testlist "$build/src/test/mpi/$folder/testlist"; do
        test ! -f "$list" || break
    done
    # A line has the program, the number of ranks, and further words: arguments (arg=VALUE), and conditions that only
    # MPICH's own runner reads.
    grep -v '^#' "$list" | while read -r program ranks rest; do
        test -x "$program" || continue
        arguments=$(echo "$rest" | tr ' ' '\n' | sed -n 's/^arg=//p' | tr '\n' ' ')
        # shellcheck disable=SC2086
        plain=$(outcome "$ranks" "" "./$program" $arguments)
        # shellcheck disable=SC2086
        test "$plain" = fail || plain=$plain,$(outcome "$ranks" "$library" "./$program" $arguments)
        echo "$plain $folder/$program $ranks $arguments"
    done
done >"$scratch/outcomes"
while read -r outcome test; do
    case $outcome in
    pass,pass) passed ;;
    pass,fail) fail "$test passes plainly and fails preloaded" ;;
    *) plain_failures=$((plain_failures + 1)) ;;
    esac
done <"$scratch/outcomes"
echo "$plain_failures left out, as they fail plainly"
finish
