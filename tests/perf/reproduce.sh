#!/bin/sh
# reproduce.sh - perf/reproduce/report makes a figure from tiny runs, does not repeat runs that it has made, and says what is
# missing. Skipped without a Python that has Matplotlib.

. "$(dirname "$0")/../common/shell.sh"

MPLCONFIGDIR=$scratch
export MPLCONFIGDIR PYTHONDONTWRITEBYTECODE=1
for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
    "$python" -c 'import matplotlib' 2>/dev/null && break
done
test "$python" != none || skip "no Python with Matplotlib"
out=$scratch/out

# report ARGUMENT ...: make figures for 2 ranks, with the launcher of the tests.
report() {
    "$python" "$top/perf/reproduce/report" --size tiny --ranks 2 --out "$out" --launch "$top/tests/common/launch -t 60 -n {ranks}" \
        "$@" >"$scratch/log" 2>&1
}

# expect WHAT FILE PATTERN: FILE must have a line that matches PATTERN. WHAT is for messages.
expect() {
    if grep -q "$3" "$2" 2>/dev/null; then passed; else fail "$1: no $3 in $2: $(cat "$scratch/log")"; fi
}

programs=$(cd "${top_builddir:-.}" && pwd)
if report --build "$programs" yan-1b; then passed; else fail "report exits with $?: $(cat "$scratch/log")"; fi
expect progress "$scratch/log" '^\[1/1\] yan-1b-2: 2 ranks: subx-perf-order'
expect "a row" "$out/yan-1b.csv" '^exchange,"\?subarray_x, engine shm"\?,2,[0-9]'
expect "where it was measured" "$out/yan-1b.csv" '^# .*measured: .*MPI'
expect "the paper's numbers" "$out/yan.md" '^| 512 | 0.39 | 0.52 | 33.33 |'
expect "what the paper says" "$out/yan.md" '^- The exchange that reorders takes 5-33 %'
test "$(head -c 4 "$out/yan-1b.png" | tail -c 3)" = PNG && passed || fail "yan-1b.png is no PNG"
expect "a picture as text" "$out/yan-1b.svg" '<svg'
expect "a picture in the page" "$out/yan.md" '^!\[.*\](yan-1b.png)'

# A run must not be repeated, unless its command has changed.
if report --build "$programs" yan-1b && ! grep -q '^\[' "$scratch/log"; then passed; else fail "again: $(cat "$scratch/log")"; fi
if report --build "$programs" --repeat 1 yan-1b && grep -q -- '--repeat 1' "$scratch/log"; then
    passed
else
    fail "another command: $(cat "$scratch/log")"
fi

# If a program fails, the page must say so, and the other figures must be made.
mkdir "$scratch/broken"
# Only one rank fails, after the others have ended: if several fail at the same time, MPICH's mpiexec sometimes dies of SIGPIPE.
cat >"$scratch/broken/subx-perf-order" <<'END'
#!/bin/sh
test "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" = 0 || exit 0
sleep 0.1
exit 7
END
cp "$scratch/broken/subx-perf-order" "$scratch/broken/subx-perf-fft"
chmod +x "$scratch/broken/"*
report --build "$scratch/broken" yan-1a yan-1b --repeat 1
test $? -eq 1 && passed || fail "a run that fails: $(cat "$scratch/log")"
expect "a run without a result" "$out/yan.md" 'Runs without a result: yan-1a: exit status 7'
expect "the other figure" "$out/yan.md" '^| 512 | 0.39'
report --build "$programs" --limit 0.0001 yan-1a yan-1b
test $? -eq 2 && passed || fail "a limit that is no whole number: $(cat "$scratch/log")"
report --build "$programs" oval
grep -q 'called oval' "$scratch/log" && passed || fail "a figure that does not exist: $(cat "$scratch/log")"
finish
