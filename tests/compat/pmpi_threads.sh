#!/bin/sh
# pmpi_threads.sh - run pmpi_threads with the interposer on all ranks, on some, and on none.

. "$(dirname "$0")/../common/shell.sh"

program=${top_builddir:-$PWD}/tests/compat/pmpi_threads
library=${top_builddir:-$PWD}/.libs/libsubx_pmpi.so
test -f "$library" || skip "no shared libsubx_pmpi"

for case in "1 all" "2 all" "3 0 2" "2 none"; do
    SUBX_PMPI_RULE=all launch -n "${case%% *}" sh "$top/tests/compat/pmpi/preload" "${case#* }" "$library" "$program" \
        >"$scratch/out" 2>&1
    status=$?
    test $status -ne 77 || skip "MPI has no threads"
    if test $status -eq 0; then
        passed
    else
        fail "ranks, and those preloaded: $case"
        cat "$scratch/out"
    fi
done
finish
