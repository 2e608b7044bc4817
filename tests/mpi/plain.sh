#!/bin/sh
# plain.sh - a few programs on three ranks that do not yield while they wait, since yielding might hide an error.

. "$(dirname "$0")/../common/shell.sh"

# Ranks yield where there are fewer cores than ranks; so launch is told of three.
export TEST_YIELD= TEST_CORES=3
for program in exch_random pipe fft_single; do
    if launch -n 3 "$top_builddir/tests/mpi/$program" >"$scratch/out" 2>&1; then
        passed
    else
        fail "$program: exit status $?"
        cat "$scratch/out"
    fi
done
finish
