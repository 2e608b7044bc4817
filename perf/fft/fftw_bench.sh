#!/bin/sh
# fftw_bench.sh - times FFTW's own mpi-bench: FFTW's MPI library alone, and with libsubx_fftw3mpi preloaded.
#
# usage: CC=mpicc top_builddir=FOLDER fftw_bench.sh [--source TARBALL] [--tools FOLDER] [OPTION ...]
#   --sizes "..."         sizes in the notation of mpi-bench    --kinds "icf irf ocf orf"
#   --ranks "2 4"         --precision s, d or l                 --rounds N
#   --options "..."       for mpi-bench: "-o patient"           --time S    for at least S seconds per timing
# TARBALL is FFTW's source package, or FFTW_SOURCE names it; the FOLDER of --tools keeps the programs that are built.
# A round starts each program once, so that both run under the same conditions. mpi-bench plans, then makes 8 timings, each of
# executions for at least S seconds, and prints the shortest time per execution, on the slowest rank. A ratio is our time /
# FFTW's time: below 1 we are faster.

. "$(dirname "$0")/../../tests/common/shell.sh"
. "$top/tests/peer/fftw_tools.sh"

tools=$scratch/tools
tarball=${FFTW_SOURCE:-}
sizes="32x32x32 128x128x128 256x256x256 1024x1024"
kinds="icf irf ocf orf"
rank_list="2 4"
precision=d
rounds=5
options=
time=0.2
seconds=300
while test $# -gt 0; do
    test $# -gt 1 || { echo "usage: see the first lines of $0" >&2; exit 2; }
    case $1 in
    --source) tarball=$2 ;;
    --tools) tools=$2 ;;
    --sizes) sizes=$2 ;;
    --kinds) kinds=$2 ;;
    --ranks) rank_list=$2 ;;
    --precision) precision=$2 ;;
    --rounds) rounds=$2 ;;
    --options) options=$2 ;;
    --time) time=$2 ;;
    *) echo "$0: unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
test -n "${CC:-}" || skip "CC names no compiler for MPI"
test -f "$ours/libsubx_fftw3mpi.so" || skip "no libsubx_fftw3mpi"
fftw_source "$tarball"
fftw_stock "$precision" || exit 1

# measure MODE PROBLEM: append a line to $scratch/MODE: the seconds of an execution, or "failed".
measure() {
    # shellcheck disable=SC2086
    fftw_run "$ranks" "$1" "$precision" $options -t "$time" --report-benchmark -s "$2" >"$scratch/out" 2>"$scratch/err" ||
        { cat "$scratch/out" "$scratch/err" >&2; echo failed >"$scratch/out"; }
    awk 'END { print NF == 3 ? $2 : "failed" }' "$scratch/out" >>"$scratch/$1"
}

# median FILE, least FILE
median() {
    sort -g "$1" | awk '{ t[NR] = $1 } END { print (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}
least() {
    sort -g "$1" | head -n 1
}

echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
echo "# MPI: $(${MPIEXEC:-mpiexec} --version 2>&1 | grep -i -e version -e 'open mpi' | head -n 1)"
echo "# mpi-bench: precision $precision, options ${options:-none}, $rounds rounds, date $(date -u +%Y-%m-%dT%H:%MZ)"
printf '%-5s %-18s %12s %12s %12s %12s %9s %12s\n' \
    ranks problem fftw_min_s ours_min_s fftw_median ours_median ratio_min ratio_median
for ranks in $rank_list; do
    for size in $sizes; do
        for kind in $kinds; do
            : >"$scratch/stock"
            : >"$scratch/preloaded"
            round=0
            while test $round -lt "$rounds"; do
                case $((round % 2)) in 0) turn="stock preloaded" ;; *) turn="preloaded stock" ;; esac
                for mode in $turn; do
                    measure "$mode" "$kind$size"
                done
                round=$((round + 1))
            done
            if grep -q -v '^[0-9.e+-]*$' "$scratch/stock" "$scratch/preloaded"; then
                fail "$kind$size on $ranks ranks"
                continue
            fi
            passed
            echo "$ranks $kind$size $(least "$scratch/stock") $(least "$scratch/preloaded")" \
                "$(median "$scratch/stock") $(median "$scratch/preloaded")" | tee -a "$scratch/rows" | awk '{
                printf "%-5s %-18s %12.3e %12.3e %12.3e %12.3e %9.3f %12.3f\n", $1, $2, $3, $4, $5, $6, $4 / $3, $6 / $5 }'
        done
    done
done
test ! -f "$scratch/rows" || awk '{ least += log($4 / $3); median += log($6 / $5) }
    END { printf "geometric mean of %d: ratio_min %.3f, ratio_median %.3f\n", NR, exp(least / NR), exp(median / NR) }' \
    "$scratch/rows"
finish
