#!/bin/sh
# pmpi_cases.sh - run pmpi_cases with the interposer on all ranks, or on some; also if only one rank promises, by
# SUBX_PMPI_ALL, that all ranks have the interposer.

. "$(dirname "$0")/../common/shell.sh"

program=${top_builddir:-$PWD}/tests/compat/pmpi_cases
library=${top_builddir:-$PWD}/.libs/libsubx_pmpi.so
test -f "$library" || skip "no shared libsubx_pmpi"

# check RANKS PRELOADED RULE PROMISING CASE ...: run these cases. PROMISING is the rank that promises that all ranks have
# the interposer; empty: no rank.
check() {
    ranks=$1
    preloaded=$2
    rule=$3
    promising=$4
    shift 4
    rm -f "$scratch"/report*
    # shellcheck disable=SC2016
    if SUBX_PMPI_RULE=$rule SUBX_PMPI_REPORT="$scratch/report" launch -t 30 -n "$ranks" sh -c '
        rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}
        test "$rank" != "$0" || export SUBX_PMPI_ALL=1
        exec sh "$@"' "$promising" "$top/tests/compat/pmpi/preload" "$preloaded" "$library" "$program" "$@" \
        >"$scratch/out" 2>&1; then
        passed
    else
        fail "$ranks ranks, preloaded: $preloaded, rule: ${rule:-default}, promising: ${promising:-none}: $*"
        cat "$scratch/out"
    fi
}

check 2 all "" "" elements buffered commits
check 2 0 "" "" elements
check 2 all all "" elements buffered freed
check 2 0 "" 0 team
check 3 all "" "" team
if grep -q 'MPI_Alltoallw, shared  *[1-9]' "$scratch/report.0"; then passed; else fail "ranks of one node do not share"; fi
finish
