#!/bin/sh
# plain.sh - a few programs on two ranks that do not yield while they wait, since yielding might hide an error. If there are
# two cores, each rank has its own.

. "$(dirname "$0")/../common/shell.sh"

TEST_YIELD= TEST_CORES=
for program in exch_random pipe fft_single; do
    if launch -n 2 "$top_builddir/tests/mpi/$program" >"$scratch/out" 2>&1; then
        passed
    else
        fail "$program: exit status $?"
        cat "$scratch/out"
    fi
done
finish
