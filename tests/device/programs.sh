#!/bin/sh
# programs.sh - subx-fft, subx-perf-fft and subx-perf-order with arrays on a device. The programs are linked with the fake device (start.c),
# whose memory the host cannot touch. The installed programs know no such device, and have no GPU on most machines.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
fft=$build/tests/device/subx_fft
perf=$build/tests/device/subx_perf_fft
export LD_LIBRARY_PATH="$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# run STATUS RANKS PROGRAM ARGUMENT ...: the program must end with this status. Its output is in $scratch/out and err.
run() {
    wanted=$1 ranks=$2
    shift 2
    launch -t 120 -n "$ranks" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    if test "$status" -eq "$wanted"; then
        passed
        return
    fi
    fail "$* on $ranks ranks: exit status $status"
    cat "$scratch/out" "$scratch/err"
}

# says FILE TEXT: the last run has printed this text.
says() {
    if grep -qF -e "$2" "$scratch/$1"; then passed; else fail "no \"$2\" in:" && cat "$scratch/$1"; fi
}

for ranks in 1 2 3; do
    run 0 $ranks "$fft" --memory-kind fake:device --verify --grid 0 c2c:6x5x7
    says out "forward = definition"
    says out "strategy device"
    run 0 $ranks "$fft" --memory-kind fake:device --verify=properties --repeat 2x2 2*r2c.f32:9x4x6
    says out "backward(forward(x)) = factor x"
    says out "2x2 forward and backward"
done
run 0 2 "$fft" --memory-kind fake:device --backward --verify --output-order transposed r2c:8x6x4
says out "backward = definition"

# A file that is transformed on the device and back is unchanged.
run 0 1 "$fft" --output "$scratch/spectrum.npy" r2c:5x4x6
run 0 2 "$fft" --memory-kind fake:device --backward --scaling backward --input "$scratch/spectrum.npy" --output \
    "$scratch/field.npy" r2c:5x4x6
run 0 2 "$fft" --memory-kind fake:device --input "$scratch/field.npy" --output "$scratch/again.npy" r2c:5x4x6
run 0 2 "$fft" --csv --memory-kind fake:device --input "$scratch/field.npy"
says out ",yes"

# A calibration of the device, and a plan that is predicted by it.
for ranks in 1 2; do
    run 0 $ranks "$fft" --memory-kind fake:device --calibrate=1 --wisdom "$scratch/wisdom"
    says out ", device_memory "
    says out ", device_link "
    run 0 $ranks "$fft" --memory-kind fake:device --wisdom "$scratch/wisdom" --explain c2c:8x6x4
    says out "calibrated: flops "
    run 0 $ranks "$fft" --memory-kind fake:device --wisdom "$scratch/wisdom" --effort measure --explain c2c:8x6x4
    says out "strategy device"
done

# subx-perf-fft.
if test -x "$perf"; then
    for ranks in 1 2 3; do
        run 0 $ranks "$perf" --memory device --hint subx_memory_kind=fake:device --problems c2c:6x5x4,r2c:4x6x7 --repeat 2 \
            --variants device/natural,device/transposed --csv "$scratch/rows.csv"
        says rows.csv "# device: a fake device"
        says rows.csv ",subx,device/transposed,"
        if grep -qE ',(fftw|dalcin|fftw-mpi),' "$scratch/rows.csv"; then fail "a row of a library of the host"; else passed; fi
    done
    for ranks in 1 3; do
        run 0 $ranks "$perf" --memory device --hint subx_memory_kind=fake:device --problems c2c.f32:6x5x4,r2c:4x6x7 --repeat 2 \
            --variants device/natural,device/transposed --direction pair --place in --csv "$scratch/rows.csv"
        says rows.csv ",subx,device/transposed,r2c:4x6x7,pair,in,"
    done
    run 2 0 "$build/subx-perf-exch" --memory device
    says err "huge"
    run 2 1 "$build/subx-perf-fft" --memory device --hint subx_memory_kind=fake:device
    says err "fake:device"
fi

# subx-perf-order: a row for the copy on the device, and one for the engine.
order=$build/tests/device/subx_perf_order
for ranks in 1 2 3; do
    run 0 $ranks "$order" --memory device --hint subx_memory_kind=fake:device --shape 6x4x5 --pairs 012:210,021:102 --repeat 2 \
        --engines pairwise --csv "$scratch/rows.csv"
    says rows.csv "# device: a fake device"
    if test "$(grep -c ',pairwise,' "$scratch/rows.csv")" -eq 2; then passed; else fail "rows of subx-perf-order" && cat "$scratch/rows.csv"; fi
done

# The installed program.
run 2 0 "$build/subx-fft" --memory-kind fake:device c2c:4x4
says err "subx_memory_kind"
if nvidia-smi -L >"$scratch/gpus" 2>/dev/null; then
    echo "this machine has a GPU: $(head -n 1 "$scratch/gpus")"
else
    run 2 0 "$build/subx-fft" --memory-kind cuda:device c2c:4x4
    if test "$(wc -l <"$scratch/err")" -eq 1; then passed; else fail "not one line" && cat "$scratch/err"; fi
    if test -x "$perf"; then
        run 2 0 "$build/subx-perf-fft" --memory device
        if test "$(wc -l <"$scratch/err")" -eq 1; then passed; else fail "not one line" && cat "$scratch/err"; fi
    fi
fi
finish
