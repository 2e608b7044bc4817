#!/bin/sh
# errors.sh - if subx-fft is invoked wrongly, one rank alone prints one line, and the exit status is 2. If a check of results
# fails, the exit status is 1.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}

# refuse RANKS WORD ARGUMENT ...: subx-fft must print one line with WORD. Most invocations run without MPI's launcher (RANKS
# 0), because the launcher may print lines of its own, and takes some time to notice a failure.
wanted=2
refuse() {
    ranks=$1 word=$2
    shift 2
    launch -t 30 -n "$ranks" "$subx_fft" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    lines=$(grep -c '^subx-fft: ' "$scratch/err")
    if test $status -ne $wanted; then
        fail "$* on $ranks ranks: exit status $status"
    elif test "$lines" -ne 1; then
        fail "$* on $ranks ranks: $lines lines"
        cat "$scratch/err"
    elif ! grep '^subx-fft: ' "$scratch/err" | grep -qF -e "$word"; then
        fail "$* on $ranks ranks: no \"$word\" in: $(grep '^subx-fft: ' "$scratch/err")"
    else
        passed
    fi
}

printf 'this is no array' >"$scratch/text.npy"
printf '\223NUMPY\001\000\166\000{' >"$scratch/short.npy"
: >"$scratch/empty.npy"

# npy FILE HEADER BYTES: write a .npy file of version 1.0 with this header and BYTES zeros.
npy() {
    printf '\223NUMPY\001\000\166\000' >"$1"
    printf '%-117s\n' "$2" >>"$1"
    head -c "$3" /dev/zero >>"$1"
}
npy "$scratch/good.npy" "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }" 96
head -c 96 /dev/zero >"$scratch/good.raw"
npy "$scratch/cut.npy" "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }" 95
npy "$scratch/ints.npy" "{'descr': '<i8', 'fortran_order': False, 'shape': (4, 3), }" 96
npy "$scratch/line.npy" "{'descr': '<f8', 'fortran_order': False, 'shape': (12,), }" 96
npy "$scratch/none.npy" "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 0), }" 0
npy "$scratch/nan.npy" "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }" 88
printf '\000\000\000\000\000\000\370\177' >>"$scratch/nan.npy"
mkfifo "$scratch/pipe.npy"
npy "$scratch/broken.npy" "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (4, 3), }" 96

# The damaged files are made from a good file. First check that this file can be read.
if launch -n 2 "$subx_fft" --input "$scratch/good.npy" >/dev/null 2>"$scratch/err"; then
    passed
else
    fail "the good file is refused: $(cat "$scratch/err")"
fi

refuse 2 problem
refuse 0 "--nonsense" c2c:4x4 --nonsense
refuse 0 "r2r:4x4" r2r:4x4
refuse 0 "c2c:4x0" c2c:4x0
refuse 0 "c2c:5x5" c2c:4x4 c2c:5x5
refuse 0 "--grid" c2c:4x4 --grid
refuse 2 "grid" c2c:4x4 --grid 3
refuse 0 "two" c2c:4x4 --grid two
refuse 0 "--sequence 1,1" c2c:4x4 --sequence 1,1
refuse 0 "luck" c2c:4x4 --tuning="strategy luck"
SUBX_EFORT=measure
export SUBX_EFORT
refuse 2 "environment variable SUBX_EFORT: nothing reads it; did you mean SUBX_EFFORT?" c2c:4x4
unset SUBX_EFORT
refuse 0 "sideways" c2c:4x4 --output-order sideways
refuse 0 "alltoallw" c2c:4x4 --tuning "strategy fused" --engine alltoallw
refuse 0 "--repeat" c2c:4x4 --repeat 5x-3
refuse 0 "--seed" c2c:4x4 --seed 1e3
refuse 0 "--verify" c2c:4x4 --verify=luck
refuse 0 "--csv" c2c:4x4 --csv --json
refuse 0 "--explain" c2c:4x4 --csv --explain
refuse 0 "--calibrate" --calibrate=0
refuse 0 "--calibrate" --calibrate=1.5s
refuse 0 "--calibrate" --calibrate c2c:4x4

# The description of a machine. Each wrong line must get its own message.
cat >"$scratch/machine" <<END
ranks_per_node = 4
cores_per_node = 4 # a comment
flops = 1e10
memory_bandwidth = 1e11
link_bandwidth = 1e10
latency = 1e-6
overhead = 1e-6
topology = switch
END
if launch -n 2 "$subx_fft" c2c:64x64x64 --predict 8,64 --machine "$scratch/machine" >"$scratch/out" 2>"$scratch/err" &&
    test "$(grep -c ' node$' "$scratch/out")" -eq 2; then
    passed
else
    fail "the good machine: $(cat "$scratch/out" "$scratch/err")"
fi

# refuse_machine WORD SCRIPT: subx-fft must refuse the description above after SCRIPT of sed has changed it.
refuse_machine() {
    sed "$2" "$scratch/machine" >"$scratch/wrong"
    refuse 0 "$1" c2c:64x64x64 --predict 8 --machine "$scratch/wrong"
}
refuse_machine "line 3: flopps is not known" s/flops/flopps/
refuse_machine "line 3: flops must be a positive number" s/1e10/fast/
refuse_machine "line 3: flops must be a positive number" s/1e10/-1/
refuse_machine "line 3: flops must be a positive number" "s/1e10/1e10 GHz/"
refuse_machine "line 4: flops is there twice" "s/memory_bandwidth/flops/"
refuse_machine "flops is missing" /flops/d
refuse_machine "topology is missing" /topology/d
refuse_machine "line 8: topology must be" s/switch/torus/
refuse_machine "nodes_per_group is missing" s/switch/fat_tree/
refuse_machine "line 1: ranks_per_node must be a whole number" s/ranks_per_node.*/ranks_per_node=1.5/
refuse_machine "ranks_per_node exceeds cores_per_node" "s/ranks_per_node.*/ranks_per_node = 5/"
refuse_machine "line 2: must be name = value" "s/cores_per_node.*/cores/"
refuse_machine "line 3: calibrated must be" "s/flops.*/calibrated = flops 1/"
refuse_machine "line 9: tapering must be at least 1" '$a\
tapering = 0.5'
refuse 0 "threads" c2c:64x64x64 --predict 8 --machine "$scratch/machine" --threads 2
refuse 0 "one axis" c2c:64 --predict 8 --machine "$scratch/machine"
refuse 0 "brick" c2c:64x64x64 --predict 8 --machine "$scratch/machine" --grid 2x2x2
refuse 0 "--predict 8,,9" c2c:64x64x64 --predict 8,,9 --machine "$scratch/machine"
refuse 0 "--predict 0" c2c:64x64x64 --predict 0 --machine "$scratch/machine"
refuse 0 "16777216" c2c:64x64x64 --predict 16777217 --machine "$scratch/machine"
refuse 0 "need each other" c2c:64x64x64 --predict 8
refuse 0 "need each other" c2c:64x64x64 --machine "$scratch/machine"
refuse 0 "needs a problem" --predict 8 --machine "$scratch/machine"
refuse 0 "transforms nothing" c2c:64x64x64 --predict 8 --machine "$scratch/machine" --verify
refuse 2 "cannot be opened" c2c:64x64x64 --predict 8 --machine "$scratch/nothing"
refuse 0 "cannot be read" c2c:64x64x64 --predict 8 --machine "$scratch"
refuse 0 "is no text" c2c:64x64x64 --predict 8 --machine "$scratch/short.npy"
refuse 0 "--ranks some" c2c:4x4 --ranks some
refuse 0 "subx_tune" c2c:4x4 --tuning slices=2
refuse 0 "--slices" c2c:4x4 --slices 2
refuse 0 "--time-limit -1" c2c:4x4 --time-limit=-1
refuse 0 "--forward" c2c:4x4 --forward --backward
refuse 0 "transposed" c2c:4x4 --tuning "strategy natural" --output-order transposed
refuse 2 "missing.npy" --input "$scratch/missing.npy"
refuse 0 "text.npy" --input "$scratch/text.npy"
refuse 0 "empty.npy" --input "$scratch/empty.npy"
refuse 0 "short.npy" --input "$scratch/short.npy"
refuse 2 "cut.npy" --input "$scratch/cut.npy"
refuse 0 "ints.npy" --input "$scratch/ints.npy"
refuse 2 "r2c:12" --input "$scratch/line.npy"
refuse 0 "none.npy" --input "$scratch/none.npy"
refuse 0 "broken.npy" --input "$scratch/broken.npy"
refuse 2 "good.npy" c2c:4x4 --input "$scratch/good.npy"
refuse 0 "4x3; the physical side of the problem is 2x4x3" "2*r2c:4x3" --input "$scratch/good.npy"
refuse 0 "4x3; the spectral side of the problem is 4x4" r2c:4x6 --backward --input "$scratch/good.npy"
refuse 0 "good.npy" --input "$scratch/good.npy" --backward
refuse 0 "needs a problem" --input "$scratch/good.raw"
refuse 0 "96 bytes; the physical side of the problem has 48" r2c.f32:4x3 --input "$scratch/good.raw"
refuse 2 "scrambled" c2c:12 --output-order transposed --output "$scratch/out.npy"
test ! -e "$scratch/out.npy" || fail "an output that is refused leaves a file"
refuse 0 "pipe.npy: subx: the path is a folder, a pipe or a device" --input "$scratch/pipe.npy"
refuse 0 "pipe.npy: subx: the path is a folder, a pipe or a device" c2c:4x4 --output "$scratch/pipe.npy"
refuse 0 "/dev/null: subx: the path is a folder, a pipe or a device" c2c:4x4 --output /dev/null
refuse 2 "nowhere" c2c:4x4 --output "$scratch/nowhere/out.npy"
wanted=1
refuse 0 "nan.npy: no check can pass, because 1 of its elements are NaN or infinite" --input "$scratch/nan.npy"

# On one rank no axis is divided, so the spectrum is not scrambled and can be written.
if launch -n 0 "$subx_fft" r2c:16 --ranks 1 --output-order transposed --output "$scratch/out.npy" >/dev/null 2>"$scratch/err" &&
    test "$(wc -c <"$scratch/out.npy")" -eq $((128 + 9 * 16)); then
    passed
else
    fail "a transposed spectrum of one rank is not written: $(cat "$scratch/err")"
fi
finish
