#!/bin/sh
# dry.sh - the script for machines with a GPU (run) goes through all its steps without one, finds all programs, and can pack
# them. The programs that measure and check run on the fake device, where they can.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
run=$top/tests/device/run

if sh "$run" --dry --out "$scratch/out" "$build" >"$scratch/said" 2>&1; then
    passed
else
    fail "run --dry: exit status $?"
    cat "$scratch/said"
fi
# Each program must be in a command.
for program in tests/mpi/fft_device tests/mpi/exch_random tests/mpi/exch_device tests/mpi/halo tests/mpi/fft_stream \
    tests/mpi/fft_derivative tests/mpi/fft_operation \
    tests/mpi/fft_device_search tests/mpi/fft_device_wire tests/mpi/fft_device_keep \
    doc/examples/19_navier_stokes subx-perf-fft subx-perf-order subx-fft; do
    if grep -q "would run on [0-9]* ranks: .*\./$program" "$scratch/said"; then passed; else fail "run --dry: no $program"; fi
done
steps=$(grep -c '^== ' "$scratch/said")
rows=$(grep -cE '  (not run|left out: .*)$' "$scratch/out/table")
if test "$steps" -gt 15 && test "$rows" -eq $((steps - 1)); then passed; else fail "$steps steps, $rows in the table"; fi

# A program that is missing is found.
mkdir "$scratch/empty"
if sh "$run" --dry --out "$scratch/out" "$scratch/empty" >"$scratch/said" 2>&1; then fail "nothing is missing?"; else passed; fi
if grep -q 'missing: subx-fft' "$scratch/said"; then passed; else fail "run --dry does not say what is missing"; fi

# Without a GPU nothing runs.
if ! nvidia-smi -L >/dev/null 2>&1; then
    sh "$run" --out "$scratch/out" "$build" >"$scratch/said" 2>&1
    status=$?
    if test $status -eq 77; then passed; else fail "run without a GPU: exit status $status" && cat "$scratch/said"; fi
fi

# All steps on the simulated device, with few plans and small sizes.
if DEVICE_KIND=fake:device RANDOM_COUNT=3 SIZES="8 6" sh "$run" --out "$scratch/fake" "$build" >"$scratch/said" 2>&1; then
    passed
else
    fail "the steps on the simulated device"
    cat "$scratch/said"
fi
for line in '^the simulated device' 'pass$' 'left out: it is for CUDA$' '^  subx .* c2c:6x6x6 .*ms, ratio' '^  alone: 36 pairs, 1 ranks: ' '^  direct: 36 pairs, 4 ranks: ' '^  staged: 36 pairs, 2 ranks: '; do
    if grep -q "$line" "$scratch/fake/table"; then passed; else fail "no \"$line\" in the table" && cat "$scratch/fake/table"; fi
done
if grep -q 'FAIL' "$scratch/fake/table"; then fail "a step failed" && cat "$scratch/said"; else passed; fi

# The packed programs go through the same steps, and start.
if test -f "$build/libsubx_cuda.so"; then
    sh "$run" --pack "$scratch/pack" "$build" >"$scratch/said" 2>&1 || fail "run --pack: $(cat "$scratch/said")"
    if sh "$scratch/pack/tests/device/run" --dry "$scratch/pack/build" >"$scratch/said" 2>&1; then
        passed
    else
        fail "the packed script: $(cat "$scratch/said")"
    fi
    if launch -n 1 env LD_LIBRARY_PATH="$scratch/pack/build:$scratch/pack/build/lib" "$scratch/pack/build/subx-fft" \
        --verify c2c:4x6 >"$scratch/said" 2>&1; then
        passed
    else
        fail "the packed subx-fft: $(cat "$scratch/said")"
    fi
fi

# An MPI from a wheel, whose files have no modes, is packed and found. The wheel here has the names of files only.
if command -v python3 >/dev/null && test -d "$scratch/pack"; then
    (
        cd "$scratch" && mkdir -p mpich-1.data/data/bin mpich-1.data/data/lib && echo "exit 0" >mpich-1.data/data/bin/mpiexec &&
            : >mpich-1.data/data/lib/libmpi.so.12 && python3 -m zipfile -c mpich-1.whl mpich-1.data
    )
    sh "$run" --pack "$scratch/pack" --mpi "$scratch/mpich-1.whl" "$build" >"$scratch/said" 2>&1 &&
        sh "$scratch/pack/tests/device/run" --dry --out "$scratch/out" "$scratch/pack/build" >>"$scratch/said" 2>&1
    if test -x "$scratch/pack/mpi/bin/mpiexec" && grep -q "^MPI: $scratch/pack/mpi/bin/mpiexec\$" "$scratch/said" &&
        test -f "$scratch/out/lib/libmpich.so.12" -o -L "$scratch/out/lib/libmpich.so.12"; then
        passed
    else
        fail "the packed MPI: $(cat "$scratch/said")"
    fi
    if sh "$run" --dry --mpi "$scratch/none" "$build" >"$scratch/said" 2>&1; then fail "an MPI that is missing"; else passed; fi
fi

finish
