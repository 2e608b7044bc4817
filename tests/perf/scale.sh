#!/bin/sh
# scale.sh - how much memory a plan and a redistribution hold on 131,072 ranks: there is a limit in bytes per rank and per
# partner. Skipped if perf/scale was not built, or if the C library does not tell how much memory is held.

. "$(dirname "$0")/../common/shell.sh"

scale=perf/scale/scale
test -x "$scale" || skip "perf/scale was not built"

# expect BYTES_A_RANK BYTES_A_PARTNER PARTNERS ARGUMENT ...: measure, and compare the bytes that are held (column 4) with
# the limit.
expect() {
    rank=$1 partner=$2 partners=$3
    shift 3
    if ! launch -t 120 -n 0 "$scale" "$@" >"$scratch/out" 2>"$scratch/err"; then
        fail "scale $*: $(cat "$scratch/err")"
        return
    fi
    held=$(awk -F, 'END { print $4 }' "$scratch/out")
    test "${held:-0}" -gt 0 || skip "the C library tells nothing: $held bytes"
    if awk -F, -v r="$rank" -v b="$partner" -v n="$partners" '{ exit !($4 <= r * $2 + b * n) }' "$scratch/out"; then
        passed
    else
        fail "scale $*: $held bytes held"
    fi
}

expect 48 6000 768 plan
expect 48 6000 768 plan subx_engine=pairwise
expect 260 0 0 boxes subx_engine=alltoallv "subx_tune=check no"
finish
