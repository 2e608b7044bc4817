#!/bin/sh
# plot.sh - subx-perf-plot draws the rows of every measuring program as PNG and SVG. Skipped without a Python that has
# Matplotlib.

. "$(dirname "$0")/../common/shell.sh"

programs=$(cd "${top_builddir:-.}" && pwd)
MPLCONFIGDIR=$scratch
export MPLCONFIGDIR TEST_SECONDS=60

# The first python3 in PATH may lack Matplotlib, although the system's own python3 has it.
for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
    "$python" -c 'import matplotlib, numpy' 2>/dev/null && break
done
test "$python" != none || skip "no Python with Matplotlib and NumPy"

# look NAME: check the pictures that were drawn from NAME.csv.
look() {
    if test "$(head -c 4 "$scratch/$1.png" | tail -c 3)" != PNG; then
        fail "$1.png is no PNG"
    elif ! head -c 400 "$scratch/$1.svg" | grep -q '<svg\|DOCTYPE svg'; then
        fail "$1.svg is no SVG"
    elif test "$1" = order && ! grep -q '<!-- (0,2,1) -->' "$scratch/$1.svg"; then
        fail "$1.svg names no orders"
    else
        passed
    fi
}

# draw NAME: add NAME.csv to the files that are drawn by one call at the end.
names=
draw() { names="$names $1"; }

# rows RANKS NAME PROGRAM ARGUMENT ...: measure with subx-perf-PROGRAM on RANKS ranks, and draw NAME.csv.
rows() {
    ranks=$1 name=$2 program=$programs/subx-perf-$3
    shift 3
    test -x "$program" || return 0
    launch -n "$ranks" "$program" "$@" --repeat 2 --csv "$scratch/$name.csv" >/dev/null 2>"$scratch/err" ||
        fail "$program exits with $?: $(cat "$scratch/err")"
    draw "$name"
}

rows 2 order order --shape 4x6x5
rows 2 exch exch --to 1K --hint a=1 --hint a=2
rows 2 fft fft --problems c2c:4x6x5,r2c:6x5
rows 0 efforts fft --problems c2c:4x6x5 --efforts estimate --grids free
rows 0 stride stride --length 8 --size 4K --from 4 --to 32 --effort estimate
rows 0 errors stride serial --lengths 4-9 --backends naive --caches 1 --accuracy
rows 2 serial stride serial --lengths 4-9 --backends naive --kinds c2c,r2c,c2r --caches 4K --time 20
if test -f "$scratch/serial.csv"; then
    { cat "$scratch/serial.csv" && sed 's/,naive,/,other,/' "$scratch/serial.csv"; } >"$scratch/both.csv"
    draw both
fi

# shellcheck disable=SC2086 # a list of words
if (cd "$scratch" && "$python" "$top/perf/plot/subx-perf-plot" $(printf '%s.csv ' $names)) >"$scratch/out" 2>&1; then
    for name in $names; do look "$name"; done
    for name in naive other; do
        test ! -f "$scratch/both.csv" || grep -q "<!-- $name -->" "$scratch/both.svg" || fail "both.svg does not name $name"
    done
else
    fail "something is not drawn: $(cat "$scratch/out")"
fi

printf 'a,b\n1,2\n' >"$scratch/other.csv"
if "$python" "$top/perf/plot/subx-perf-plot" "$scratch/other.csv" 2>/dev/null; then
    fail "other columns are drawn"
else
    passed
fi
finish
