#!/bin/sh
# pingpong.sh - time small messages with libsubx_pmpi and without it, in turns. Run it in the build folder.
#
# usage: sh perf/dropin/pingpong.sh [ROUNDS]
#            Prints the least and the median time of both, and their ratios. $MPIEXEC starts the programs; the machine
#            must have two free cores.
rounds=${1:-10}
top=$(cd "$(dirname "$0")/../.." && pwd)
library=$PWD/.libs/libsubx_pmpi.so
i=0
while test "$i" -lt "$rounds"; do
    for preload in "" "$library"; do
        "$top/tests/common/launch" -t 60 -n 2 env LD_PRELOAD="$preload" perf/dropin/pingpong | sed "s|^|${preload:+with}${preload:-plain} |; s|^with[^ ]*|with|"
    done
    i=$((i + 1))
done | awk '
    { n[$1]++; if (!($1 in least) || $2 < least[$1]) least[$1] = $2; medians[$1, n[$1]] = $3 }
    function median(who, i, j, x) {
        for (i = 1; i <= n[who]; i++)
            for (j = i + 1; j <= n[who]; j++)
                if (medians[who, j] < medians[who, i]) {
                    x = medians[who, i]
                    medians[who, i] = medians[who, j]
                    medians[who, j] = x
                }
        return medians[who, int((n[who] + 1) / 2)]
    }
    END {
        p = median("plain")
        w = median("with")
        printf "%-8s %10s %10s   microseconds per message of 8 bytes\n", "", "least", "median"
        printf "%-8s %10.4f %10.4f\n", "plain", least["plain"], p
        printf "%-8s %10.4f %10.4f\n", "with", least["with"], w
        printf "%-8s %10.4f %10.4f\n", "ratio", least["with"] / least["plain"], w / p
    }'
