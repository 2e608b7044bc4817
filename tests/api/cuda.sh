#!/bin/sh
# cuda.sh - no library of ours except libsubx_cuda.so is linked with CUDA. If libsubx_cuda.so was built, it has the table of
# its device, and is loaded when a plan asks for the device. If it cannot be loaded, or the machine has no driver, the
# creation of such a plan fails and says why in one line.

. "$(dirname "$0")/../common/shell.sh"

NM=${NM:-nm}
build=${top_builddir:-.}
subx_fft=${SUBX_FFT:-./subx-fft}
cuda=$build/libsubx_cuda.so

# needs FILE: print the CUDA libraries that FILE is linked with.
needs() {
    ldd "$1" | awk '{ print $1 }' | grep -iE 'cuda|cufft|nvidia'
}

for library in libsubx libsubx_io libsubx_fft libsubx_pmpi; do
    file=$build/.libs/$library.so
    test -f "$file" || continue
    if needs "$file" >"$scratch/needed"; then fail "$library needs $(head -n 1 "$scratch/needed")"; else passed; fi
done

if test -f "$cuda"; then
    needs "$cuda" >/dev/null || fail "ldd sees no CUDA in $cuda: the check above finds nothing"
    symbols=$($NM -D --defined-only "$cuda" | awk '{ print $3 }')
    if test "$symbols" = sx_device_cuda; then passed; else fail "libsubx_cuda.so exports $symbols"; fi
    # libsubx_cuda.so is compiled by MPI's compiler, but must not be linked with MPI.
    if ldd "$cuda" | grep -q libmpi; then fail "libsubx_cuda.so needs MPI"; else passed; fi
else
    echo "built without CUDA"
fi

# refuse WHERE REASON: on 3 ranks, with libraries from WHERE first, the creation of a plan on device memory fails with one
# line of text that contains REASON.
refuse() {
    if LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        launch -n 3 "$subx_fft" c2c:8x8x8 --memory-kind cuda:device >"$scratch/out" 2>&1; then
        fail "there is a plan on a device"
    fi
    grep 'subx_memory_kind\|subx: device' "$scratch/out" | tee "$scratch/said"
    if test "$(wc -l <"$scratch/said")" -eq 1 && grep -qE "$2" "$scratch/said"; then
        passed
    else
        fail "the reason is not said in one line:"
        head -n 20 "$scratch/out"
    fi
}

# The libraries' run path may lead to a libsubx_cuda.so that was installed earlier. So put a file of this name first, which
# cannot be loaded.
: >"$scratch/libsubx_cuda.so"
refuse "$scratch" 'libsubx_cuda.so'
if test -f "$cuda" && ! test -e /dev/nvidiactl; then refuse "$build" 'device cuda: .*(driver|device)'; fi
finish
