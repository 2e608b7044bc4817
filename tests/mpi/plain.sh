#!/bin/sh
# plain.sh - a few programs whose ranks do not yield while they wait, since yielding might hide an error.

. "$(dirname "$0")/../common/shell.sh"

# Ranks yield where there are fewer cores than ranks; so launch is told of three.
export TEST_YIELD= TEST_CORES=3
# check RANKS PROGRAM
check() {
    if launch -n "$1" "$top_builddir/tests/mpi/$2" >"$scratch/out" 2>&1; then
        passed
    else
        fail "$2 on $1 ranks: exit status $?"
        cat "$scratch/out"
    fi
}

check 3 exch_random
check 3 fft_single
# On more ranks than cores it takes long.
check 2 pipe
finish
