#!/bin/sh
# python.sh - compare the times of transforms that Python calls and that C calls: in turns, with the same plans. Run it in the
# build folder.
#
# usage: [SUBX_PYTHON=PYTHON] sh perf/fft/python.sh [ROUNDS [RANKS [PROBLEM PASSESxPAIRS]..]]
#            For each problem it prints the least times for a pair of transforms, and their ratio. PYTHON has NumPy and an
#            mpi4py for the MPI of this build. $MPIEXEC starts the programs; each rank must have a free core.
rounds=${1:-7}
ranks=${2:-2}
test $# -lt 2 || shift
test $# -lt 1 || shift
test $# -gt 1 || set -- r2c:128x128x128 10x5 r2c:16x16x16 10x1000
top=$(cd "$(dirname "$0")/../.." && pwd)
launch=$top/tests/common/launch
# In both programs, backward divides by N. Neither reads plans from a file.
export SUBX_LIBDIR="$PWD/.libs" PYTHONPATH="$PWD/bindings/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
export SUBX_SCALING=backward SUBX_WISDOM=none

while test $# -gt 1; do
    i=0
    while test "$i" -lt "$rounds"; do
        i=$((i + 1))
        "$launch" -t 120 -n "$ranks" ./subx-fft "$1" --repeat "$2" --csv |
            awk -F, '{ for (k = 1; k <= NF; k++) { if (NR == 1 && $k == "min_s") at = k; if (NR > 1 && k == at) print "C", $k } }'
        "$launch" -t 120 -n "$ranks" "${SUBX_PYTHON:-python3}" "$top/perf/fft/python.py" "$1" "${2%x*}" "${2#*x}" |
            sed 's/^/Python /'
    done | awk -v problem="$1" '
        !($1 in least) || $2 < least[$1] { least[$1] = $2 }
        END {
            c = least["C"] * 1e6
            p = least["Python"] * 1e6
            if (c == 0 || p == 0)
                exit 1
            printf "%s: a pair takes %.2f us from C, %.2f us from Python: %.3f times, %.2f us a call\n", problem, c, p, p / c, (p - c) / 2
        }' || exit 1
    shift 2
done
