#!/bin/sh
# table.sh - print a table of the bytes and seconds that objects take on 131,072 ranks: sh perf/scale/table.sh [SCALE]. SCALE
# is the program, by default perf/scale/scale in the build folder.

scale=${1:-perf/scale/scale}
{
    for engine in auto alltoallv pairwise kway; do
        "$scale" plan subx_engine=$engine || exit 1
    done
    for engine in auto alltoallv kway; do
        "$scale" boxes subx_engine=$engine "subx_tune=check no" || exit 1
    done
} | awk -F, '
    BEGIN {
        printf "%-8s %-9s %6s  %9s %9s %9s %8s %6s %9s %9s\n", "object", "engine", "ranks", "held, MB", "work, MB",
            "peak, MB", "seconds", "calls", "MB", "messages"
    }
    {
        printf "%-8s %-9s %6d  %9.2f %9.1f %9.1f %8.3f %6d %9.2f %9d\n", $1, $3, $2, $4 / 1e6, $5 / 1e6, $6 / 1e6, $7,
            $8, $9 / 1e6, $10
    }'
