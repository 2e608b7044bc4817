#!/bin/sh
# plan.sh - the printed plans of three fixed runs must not change. The text after the plans (checks and times) is not
# compared.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}
# Environment variables of the user must not change the plans.
unset SUBX_GRID SUBX_OUTPUT_ORDER SUBX_SCALING SUBX_EFFORT SUBX_ENGINE SUBX_THREADS
SUBX_TUNE="serial naive"
export SUBX_TUNE

# plain FILE: print the plan without text that depends on the machine, and with one blank between columns.
plain() {
    sed -E -e '/^input/,$d' -e '/^(warning|lost|wisdom) /d' -e 's/[[:space:]]+/ /g' -e 's/ $//' "$1"
}

check() {
    name=$1
    shift
    launch -n 4 "$subx_fft" "$@" >"$scratch/out" 2>"$scratch/err" || fail "$*: exit status $?"
    plain "$scratch/out" >"$scratch/$name"
    grep -q '^ [1-9] exchange' "$scratch/$name" || fail "$*: no exchange in the plan"
    if diff "$top/tests/golden/$name.txt" "$scratch/$name"; then passed; else fail "$* prints something else"; fi
}

check fused c2c:6x10x8 --grid 2x2 --tuning "strategy fused" --engine pairwise
check stride1 r2c:6x10x8 --grid 2x2 --tuning "strategy stride1" --output-order transposed --engine alltoallv
check natural c2c:6x10x8 --grid 4 --tuning "strategy natural" --engine alltoallw --scaling symmetric
finish
