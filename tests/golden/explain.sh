#!/bin/sh
# explain.sh - explanations of fixed plans must not change, except times, sizes, and text that depends on the machine. The
# JSON must be valid, and have the members that subx_tune.h lists.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}
# Environment variables and the wisdom of the user must not change the explanations.
unset SUBX_GRID SUBX_SEQUENCE SUBX_OUTPUT_ORDER SUBX_SCALING SUBX_INPUT_ARRAY SUBX_EFFORT SUBX_ENGINE
unset SUBX_THREADS SUBX_RANKS SUBX_TIME_LIMIT SUBX_VERBOSE SUBX_TUNE
SUBX_WISDOM=none
export SUBX_WISDOM

# plain FILE: print the explanation without the text that follows it. Numbers, and the signs for unknown numbers, become #.
plain() {
    sed -E -e '/^input/,$d' -e '/MPICH|Open MPI/d' -e '/^(machine|ranks|warning|lost|wisdom) /d' -e '/^$/d' \
        -e 's/^(chosen|sum|memory) .*/\1/' -e 's/[0-9.]+ (ms|B|[KM]iB)/#/g' -e ':a' -e 's/ -( |$)/ #\1/' -e 'ta' \
        -e 's/[[:space:]]+/ /g' "$1"
}

# check RANKS ARGUMENT ...: explain a plan, and compare the text with stdin.
check() {
    ranks=$1
    shift
    cat >"$scratch/expected"
    launch -t 60 -n "$ranks" "$subx_fft" "$@" --explain >"$scratch/out" 2>"$scratch/err" || fail "$*: exit status $?"
    plain "$scratch/out" >"$scratch/got"
    if diff "$scratch/expected" "$scratch/got"; then passed; else fail "$* on $ranks ranks prints something else"; fi
    test "$(sed '/^input/,$d' "$scratch/out" | awk '/^ / && length > 130' | wc -l)" -eq 0 || fail "$*: lines are too long"
}

check 1 r2c:6x10x8 --grid 1 --tuning "strategy stride1" --scaling symmetric --engine alltoallv <<'END'
plan r2c:6x10x8 on 1 rank, grid 1, strategy stride1
chosen
 stage stored engine slices inside between memory predicted last
 1 serial fft, axes 0,1,2 (2,1,0) # # #
 2 scale # # #
sum
memory
forward pass 1; scale
backward pass 1; scale
hints has no effect here: engine alltoallv
END

check 2 dct2,c2c,r2hc:6x10x8 --grid 2 --tuning "strategy fused, slices 1" --engine pairwise <<'END'
plan dct2,c2c,r2hc:6x10x8 on 2 ranks, grid 2, strategy fused
chosen
 stage stored engine slices inside between memory predicted last
 1 pass, axes 1,2 (2,1,0) # # #
 2 exchange, axes 1 and 0, 2 ranks (2,1,0) pairwise 1 # # # #
 3 pass, axes 0 (2,1,0) # # #
sum
memory
forward area 2; pass 1; post 2.1; start 2.1; pass 3; complete 2; end 2
backward area 2; pass 3; post 2.1; start 2.1; pass 1; complete 2; end 2
END

check 4 c2c:6x10x8 --grid 2x2 --tuning "strategy stride1" --engine alltoallw <<'END'
plan c2c:6x10x8 on 4 ranks, grid 2x2, strategy stride1
chosen
 stage stored engine slices inside between memory predicted last
 1 serial fft, axes 2 (2,1,0) # # #
 2 exchange, axes 2 and 1, 2 ranks (2,1,0) to (1,2,0) alltoallw 1 # # # #
 3 serial fft, axes 1 (1,2,0) # # #
 4 exchange, axes 1 and 0, 2 ranks (1,2,0) to (0,1,2) alltoallw 1 # # # #
 5 serial fft, axes 0 (0,1,2) to (2,1,0) # # #
sum
memory
forward pass 1; exchange 2; arrive 2; pass 3; exchange 4; arrive 4; pass 5
backward pass 5; exchange 4; arrive 4; pass 3; exchange 2; arrive 2; pass 1
END

# If the axis is factored, the plan begins and ends with an edge: the arrays of both sides are boxes of the caller.
check 4 'c2c:60*2' --grid 4 --tuning "strategy fused, slices 1" --engine alltoallv <<'END'
plan c2c:60*2 on 4 ranks, grid 4, strategy fused
chosen
 stage stored engine slices inside between memory predicted last
 1 copy the caller's boxes # # #
 2 exchange, from the caller's boxes the caller's boxes alltoallv 1 # # # #
 3 pass, axes 0 (2,1,0) # # #
 4 exchange, axes 0 and 1, 4 ranks (2,1,0) alltoallv 1 # # # #
 5 pass, axes 1 (2,1,0) # # #
 6 exchange, to the caller's boxes the caller's boxes alltoallv 1 # # # #
 7 copy the caller's boxes # # #
sum
memory
forward area 2; pass 1; post 2.1; area 4; start 2.1; pass 3; post 4.1; complete 2; end 2; area 6; start 4.1
 pass 5; post 6.1; complete 4; end 4; start 6.1; pass 7; complete 6; end 6
backward area 6; pass 7; post 6.1; area 4; start 6.1; pass 5; post 4.1; complete 6; end 6; area 2; start 4.1
 pass 3; post 2.1; complete 4; end 4; start 2.1; pass 1; complete 2; end 2
END

# If a grid has a dimension for each axis, it describes the caller's bricks. The plan itself uses another grid.
check 2 c2c:6x10x8 --grid 1x1x2 --tuning "strategy fused, slices 1" --engine alltoallv <<'END'
plan c2c:6x10x8 on 2 ranks, grid 1x1x2, strategy fused
chosen
 stage stored engine slices inside between memory predicted last
 1 copy the caller's boxes # # #
 2 exchange, from the caller's boxes the caller's boxes alltoallv 1 # # # #
 3 pass, axes 1,2 (2,1,0) # # #
 4 exchange, axes 1 and 0, 2 ranks (2,1,0) alltoallv 1 # # # #
 5 pass, axes 0 (2,1,0) # # #
 6 exchange, to the caller's boxes the caller's boxes alltoallv 1 # # # #
 7 copy the caller's boxes # # #
sum
memory
forward area 2; pass 1; post 2.1; area 4; start 2.1; pass 3; post 4.1; complete 2; end 2; area 6; start 4.1
 pass 5; post 6.1; complete 4; end 4; start 6.1; pass 7; complete 6; end 6
backward area 6; pass 7; post 6.1; area 4; start 6.1; pass 5; post 4.1; complete 6; end 6; area 2; start 4.1
 pass 3; post 2.1; complete 4; end 4; start 2.1; pass 1; complete 2; end 2
END

# The library treats the four ranks as two nodes of two ranks. With --backward there are no measured times of forward.
check 4 r2c:6x10x8 --grid 2x2 --tuning "strategy fused, slices 1, node_ranks 2" --engine node --backward <<'END'
plan r2c:6x10x8 on 4 ranks, grid 2x2, strategy fused
chosen
 stage stored engine slices inside between memory predicted last
 1 pass, axes 2 (2,1,0) # # #
 2 exchange, axes 2 and 1, 2 ranks (2,1,0) node 1 # # # #
 3 pass, axes 1 (2,1,0) # # #
 4 exchange, axes 1 and 0, 2 ranks (2,1,0) node 1 # # # #
 5 pass, axes 0 (2,1,0) # # #
sum
memory
forward area 2; pass 1; post 2.1; area 4; start 2.1; pass 3; post 4.1; complete 2; end 2; start 4.1; pass 5
 complete 4; end 4
backward area 4; pass 5; post 4.1; area 2; start 4.1; pass 3; post 2.1; complete 4; end 4; start 2.1; pass 1
 complete 2; end 2
END

# ---- JSON

python=${PYTHON3:-python3}
if "$python" -c 'import json' 2>/dev/null; then
    for ranks in 1 4; do
        launch -t 60 -n "$ranks" "$subx_fft" 'r2c.f32:6x10x8' --explain --json >"$scratch/json" 2>"$scratch/err" ||
            fail "--json on $ranks ranks: exit status $?"
        if "$python" - "$scratch/json" "$top/include/subx_tune.h" <<'END'
import json, re, sys
e = json.load(open(sys.argv[1]))["explanation"]
stage = "name kind axes from_order to_order engine slices bytes_inside bytes_between bytes_sent memory_bytes predicted_s last_s"
candidate = "name predicted_s measured_s ratio outcome executions chosen"
assert list(e) == ("problem ranks nodes grid strategy hints source planning stages predicted_s last_s work_bytes events candidates "
                   "machine layout warnings wire no_effect lost wisdom").split(), list(e)
for s in e["stages"]:
    assert list(s) == stage.split(), s
for c in e["candidates"]:
    assert list(c) == candidate.split(), c
assert list(e["events"]) == ["forward", "backward"] and e["events"]["forward"].startswith("area 2; pass 1") == (e["ranks"] > 1)
assert list(e["planning"]) == ["seconds", "executions"]
assert list(e["wire"]) == ["exchanges", "forward", "forward_least", "backward", "backward_least"] and e["wire"]["exchanges"] == 0
documented = re.findall(r"\w+", open(sys.argv[2]).read())
for name in list(e) + stage.split() + candidate.split() + list(e["planning"]) + list(e["wire"]) + list(e["machine"]):
    assert name in documented, name
assert e["problem"] == "r2c.f32:6x10x8" and e["stages"][0]["axes"][0] == 2 and e["last_s"] > 0
assert e["hints"]["wisdom"] == "none" and e["work_bytes"] >= 0
END
        then passed; else fail "the members of --json on $ranks ranks are others"; fi
    done
fi

# ---- times

# A search executes the plan many times. The printed seconds of the stages must be the seconds of the one execution that
# follows the search.
if launch -n 2 "$subx_fft" c2c:24x20x16 --effort measure --csv >"$scratch/out" 2>"$scratch/err" &&
    tail -n 1 "$scratch/out" | tr ',' '\n' | tail -n 8 | tr '\n' ' ' |
    awk '{ found = NF >= 5 && $1 > 0; if ($2 + $3 + $4 > 1.01 * $1) exit 1 } END { exit !found }'; then
    passed
else
    fail "stages take longer than the execution: $(cat "$scratch/out" "$scratch/err")"
fi

# ---- calibration

if launch -t 60 -n 2 "$subx_fft" --calibrate=1 --wisdom "$scratch/wisdom" >"$scratch/out" 2>"$scratch/err" &&
    grep -q '^flops ' "$scratch/out" && grep -q "^stored in $scratch/wisdom" "$scratch/out" && test -s "$scratch/wisdom"; then
    passed
else
    fail "--calibrate prints: $(cat "$scratch/out" "$scratch/err")"
fi
finish
