#!/bin/sh
# plain.sh - run a few of the test programs without yielding: ranks that wait keep their cores. Yielding might hide an error.

. "$(dirname "$0")/../common/shell.sh"

# launch makes ranks yield if there are fewer cores than ranks. TEST_CORES tells launch that there are three cores.
export TEST_YIELD= TEST_CORES=3
# check RANKS PROGRAM: run PROGRAM on RANKS ranks. The program must succeed.
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
# With more ranks than cores this program would take long.
check 2 pipe
finish
