#!/bin/sh
# pmpi_random.sh - random MPI calls on 1 to 5 ranks, with the interposer preloaded on all ranks, on some, or on none. The
# interposer takes over all messages that it can, or only those that become faster. PMPI_SEED and PMPI_COUNT choose the
# calls and their number. Numbers of ranks that are not in TEST_RANKS are left out, except in the last case.

. "$(dirname "$0")/../common/shell.sh"

program=${top_builddir:-$PWD}/tests/compat/pmpi_random
library=${top_builddir:-$PWD}/.libs/libsubx_pmpi.so
test -f "$library" || skip "no shared libsubx_pmpi"

# run RANKS PRELOADED RULE COUNT [SHORT]: make COUNT random calls; if SHORT is 1, receive messages that end within an
# element.
run() {
    if SUBX_PMPI_RULE=$3 SUBX_PMPI_REPORT="$scratch/report" launch -n "$1" sh "$top/tests/compat/pmpi/preload" "$2" \
        "$library" "$program" --seed "${PMPI_SEED:-20190607}" --count "${PMPI_COUNT:-$4}" --short "${5:-0}" \
        >"$scratch/out" 2>&1; then
        passed
    else
        fail "$1 ranks, preloaded: $2, rule: ${3:-default}, short: ${5:-0}"
        cat "$scratch/out"
    fi
}

# check RANKS PRELOADED RULE COUNT: as run, if TEST_RANKS has this number of ranks.
check() {
    case " ${TEST_RANKS:-$1} " in *" $1 "*) run "$@" ;; esac
}

check 1 all all 200
check 2 all all 200
check 2 all "" 200
check 2 1 all 100
check 3 "0 2" all 100
check 4 all all 100
check 4 "1 2 3" "" 50
check 5 all all 50
check 2 none all 50
check 1 all all 50 1
check 2 all all 50 1
check 3 "0 2" "" 50 1

# The interposer must take over some messages: otherwise the test would show nothing.
rm -f "$scratch"/report*
run 2 all all 100
for function in MPI_Pack MPI_Unpack MPI_Send MPI_Recv MPI_Isend MPI_Irecv MPI_Alltoallw; do
    taken=$(sed -n "s/^ *$function  *\([0-9]*\) .*/\1/p" "$scratch/report.0")
    if test "${taken:-0}" -gt 0; then passed; else fail "no $function was taken over"; fi
done
finish
