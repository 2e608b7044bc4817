#!/bin/sh
# published.sh - compare predictions with published times, in a table in Markdown: sh perf/predict/published.sh [SUBX_FFT].
# SUBX_FFT is the program, by default ./subx-fft, as in the build folder.

here=$(dirname "$0")
subx_fft=${1:-./subx-fft}

# predict MACHINE PROBLEM RANKS OPTION ...: print the grid, the seconds of a forward transform, and the share of the limit.
predict() {
    machine=$1 problem=$2 ranks=$3
    shift 3
    "$subx_fft" "$problem" --predict "$ranks" --machine "$here/$machine" --csv "$@" | tail -n 1 |
        awk -F, '{ print $4, $5, $9 }'
}

echo "| run | problem | ranks | grid | published, s | the same way, s | error | ours, s | best grid | share of the limit |"
echo "|---|---|---|---|---|---|---|---|---|---|"
grep -v '^#' "$here/published.csv" | while IFS=';' read -r name machine problem ranks grid hints transforms seconds; do
    # shellcheck disable=SC2086 # a list of words
    theirs=$(SUBX_TUNE="strategy stride1" predict "$machine" "$problem" "$ranks" --grid "$grid" $hints) || exit 1
    # Our plan has as many threads as the published run; the library chooses strategy, engine and grid.
    threads=$(echo "$hints" | sed -n 's/.*--threads \([0-9]*\).*/\1/p')
    ours=$(predict "$machine" "$problem" "$ranks" --threads "${threads:-1}") || exit 1
    echo "$name;$problem;$ranks;$grid;$seconds;$transforms;$theirs;$ours"
done | awk -F'[; ]' '{
    theirs = $6 * $8
    printf "| %s | %s | %d | %s | %.4g | %.3g | %+.0f %% | %.3g | %s | %.0f %% |\n", $1, $2, $3, $4, $5, theirs,
        100 * (theirs / $5 - 1), $6 * $11, $10, 100 * $12
}'
