#!/bin/sh
# predict.sh - predictions of subx-fft: they equal the manual's table; the JSON is valid; a million ranks do not take long.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}
machines=$top/perf/predict

sh "$machines/published.sh" "$subx_fft" >"$scratch/table"
grep '^|' "$top/doc/manual/prediction.md" >"$scratch/manual"
if diff "$scratch/manual" "$scratch/table"; then passed; else fail "doc/manual/prediction.md has another table"; fi

# predict OPTION ...: print a prediction. It may take at most 60 seconds, because the machine may be busy.
predict() {
    launch -t 60 -n 0 "$subx_fft" --machine "$machines/stampede" "$@"
}

if predict c2c,dct2,r2c:60x48x40 --predict 1,7,64 --json >"$scratch/json" &&
    "${PYTHON3:-python3}" -c 'import json, sys
rows = json.load(open(sys.argv[1]))["predictions"]
assert [r["ranks"] for r in rows] == [1, 7, 64] and rows[0]["link"] == "none" and rows[2]["nodes"] == 32
assert all(abs(r["passes_s"] + r["exchanges_s"] - r["time_s"]) < 1e-5 * r["time_s"] for r in rows)' "$scratch/json"; then
    passed
else
    fail "JSON: $(cat "$scratch/json")"
fi

if predict r2c:8192x8192x8192 --predict 720720,1000000,1048576 --csv >"$scratch/csv" && test "$(grep -c , "$scratch/csv")" -eq 4
then passed; else fail "a million ranks: $(cat "$scratch/csv")"; fi

# On two ranks, the prediction must be printed only once.
launch -t 30 -n 2 "$subx_fft" c2c:64x64x64 --predict 64 --machine "$machines/stampede" >"$scratch/two" 2>&1
if test "$(grep -c ' 64 .* \(node\|group\)$' "$scratch/two")" -eq 1; then passed; else fail "two ranks: $(cat "$scratch/two")"; fi
finish
