#!/bin/sh
# table.sh - print a table of the bytes and seconds that objects take on 1,024, 16,384 and 131,072 ranks:
# sh perf/scale/table.sh [SCALE]. SCALE is the program, by default perf/scale/scale in the build folder. With --csv as the second
# argument the lines of the program are printed instead.

scale=${1:-perf/scale/scale}

# all RANKS_OF_A_NODE GRID LENGTHS: each object with each engine.
all() {
    for engine in auto alltoallv pairwise kway; do
        "$scale" plan "$1" "$2" "$3" subx_engine=$engine || exit 1
    done
    for engine in auto alltoallv kway; do
        "$scale" boxes "$1" "$2" "$3" subx_engine=$engine subx_check=no || exit 1
    done
}

rows() {
    all 64 32x32 1024x1024x1024
    "$scale" plan 64 1024 1024x1024x1024 || exit 1
    "$scale" realign 64 1024 1024x1024x1024 subx_check=no || exit 1
    all 64 128x128 2048x2048x2048
    all 64 256x512 4096x4096x4096
}

if test "${2:-}" = --csv; then
    echo "object,ranks,ranks_per_node,grid,lengths,hints,engine,held_bytes,work_bytes,peak_bytes,seconds,calls,call_bytes,messages"
    rows
    exit
fi
rows | awk -F, '
    BEGIN {
        printf "%-8s %-9s %6s  %-8s %-15s %9s %9s %9s %8s %6s %9s %9s\n", "object", "engine", "ranks", "grid", "array",
            "held, MB", "work, MB", "peak, MB", "seconds", "calls", "MB", "messages"
    }
    {
        printf "%-8s %-9s %6d  %-8s %-15s %9.2f %9.1f %9.1f %8.3f %6d %9.2f %9d\n", $1, $7, $2, $4, $5, $8 / 1e6, $9 / 1e6,
            $10 / 1e6, $11, $12, $13 / 1e6, $14
    }'
