#!/bin/sh
# pmpi_survive.sh - run pmpi_survive without and with the interposer, then with a profiler before or behind the interposer.
# The profiler must see every call, and the interposer must still take calls over.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
program=$build/tests/compat/pmpi_survive
library=$build/.libs/libsubx_pmpi.so
profiler=$build/tests/compat/pmpi/.libs/libprofiler.so
test -f "$library" || skip "no shared libsubx_pmpi"
test -f "$profiler" || skip "no shared profiler"

# check RANKS LIBRARY ...: run with these libraries preloaded. Writes the output to $scratch/out.
check() {
    ranks=$1
    shift
    list=$(echo "$*" | tr ' ' ':')
    rm -f "$scratch"/report*
    if SUBX_PMPI_RULE=all SUBX_PMPI_REPORT="$scratch/report" launch -n "$ranks" sh -c \
        'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"' "$list" "$program" "$scratch/file" >"$scratch/out" 2>&1; then
        passed
    else
        fail "$ranks ranks, preloaded: $list"
        cat "$scratch/out"
    fi
}

# check_profile: on every rank the profiler must count as many calls as the program says.
check_profile() {
    program_says=$(grep -c '^sends [1-9]' "$scratch/out")
    for line in $(sed -n 's/^\(sends .*\)/\1/p' "$scratch/out" | sort -u | tr ' ' _); do
        text=$(echo "$line" | tr _ ' ')
        if test "$(grep -c "^$text\$" "$scratch/out")" = "$(grep -c "^profiler: $text\$" "$scratch/out")"; then
            passed
        else
            fail "the profiler counts other calls than the program makes: $text"
            cat "$scratch/out"
        fi
    done
    test "$program_says" -gt 0 || fail "the program sends nothing"
    if grep -q 'MPI_Send  *[1-9]' "$scratch/report.0" && grep -q 'MPI_Alltoallw[^0-9]*[1-9]' "$scratch/report.0"; then
        passed
    else
        fail "with a profiler, calls are not taken over"
    fi
}

for ranks in 1 2 3 4; do
    check "$ranks"
    check "$ranks" "$library"
done
check 3 "$profiler" "$library"
check_profile
check 3 "$library" "$profiler"
check_profile
finish
