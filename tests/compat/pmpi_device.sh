#!/bin/sh
# pmpi_device.sh - the interposer leaves buffers in a GPU's memory to MPI. Runs pmpi_device with the interposer and, behind
# it, a library that opens such memory while MPI works (pmpi_device.c). Messages before CUDA is loaded are taken over.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
program=$build/tests/compat/pmpi_device
library=$build/.libs/libsubx_pmpi.so
aware=$build/tests/compat/cuda/.libs/libaware.so
cuda=$build/tests/compat/cuda/.libs/libcuda.so.1
for each in "$library" "$aware" "$cuda"; do
    test -f "$each" || skip "no shared library $each"
done

# check RANKS PLACE: run with the buffers in this place. The report of rank r is $scratch/report.r.
check() {
    rm -f "$scratch"/report*
    if SUBX_PMPI_RULE=all SUBX_PMPI_REPORT="$scratch/report" launch -n "$1" sh -c \
        'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"' "$library:$aware" "$program" "$cuda" "$2" >"$scratch/out" 2>&1; then
        passed
    else
        fail "$1 ranks, buffers in place $2"
        cat "$scratch/out"
    fi
}

# count FUNCTION COLUMN: print how many of its calls rank 0 has taken over (column 2) or passed on (column 3).
count() {
    awk -v name="$1" -v column="$2" '$1 == name { n += $column } END { print n + 0 }' "$scratch/report.0"
}

# expect FUNCTION TAKEN: the interposer has taken over TAKEN calls of this function, and has passed on others.
expect() {
    if test "$(count "$1" 2)" = "$2" && test "$(count "$1" 3)" -gt 0; then
        passed
    else
        fail "$1: $2 calls must be taken over, and some passed on, but the report says"
        cat "$scratch/report.0"
    fi
}

for ranks in 1 2 4; do
    check $ranks host
    for function in MPI_Send MPI_Recv MPI_Isend MPI_Irecv MPI_Pack MPI_Unpack MPI_Ialltoallv; do
        if test "$(count $function 2)" -gt 1; then passed; else fail "on the host, $function is not taken over"; fi
    done
    for place in device managed; do
        check $ranks $place
        for function in MPI_Send MPI_Recv MPI_Isend MPI_Irecv MPI_Issend MPI_Mrecv MPI_Recv_init MPI_Send_init; do
            expect $function 1
        done
        for function in MPI_Alltoallv MPI_Alltoallw MPI_Ialltoallv; do
            expect $function 0
        done
        if grep -E 'shared|Pack|Unpack' "$scratch/report.0"; then fail "$place: taken over"; else passed; fi
    done
    check $ranks mixed
done
finish
