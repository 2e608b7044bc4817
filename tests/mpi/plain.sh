#!/bin/sh
# plain.sh - a few programs on three ranks, without the library that makes MPICH yield, which might hide an error.

. "$(dirname "$0")/../common/shell.sh"

TEST_YIELD=
for program in exch_random pipe fft_single; do
    if launch -n 3 "$top_builddir/tests/mpi/$program" >"$scratch/out" 2>&1; then
        passed
    else
        fail "$program: exit status $?"
        cat "$scratch/out"
    fi
done
finish
