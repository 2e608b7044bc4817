#!/bin/sh
# cuda.sh - no library of ours except libsubx_cuda.so is linked with CUDA. If libsubx_cuda.so was built, it has the table of
# its device, and is loaded when a plan asks for the device. If it cannot be loaded, or the machine has no driver, the
# creation of such a plan fails and says why in one line. The names of HIP for those of CUDA (fft/cuda/hip.h) are complete.

. "$(dirname "$0")/../common/shell.sh"

NM=${NM:-nm}
build=${top_builddir:-.}
subx_fft=${SUBX_FFT:-./subx-fft}
cuda=$build/libsubx_cuda.so

# needs FILE: print the CUDA libraries that FILE is linked with.
needs() {
    ldd "$1" | awk '{ print $1 }' | grep -iE 'cuda|cufft|nvidia|nccl'
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

# Compile cuda.cu with the names of HIP, against declarations (tests/api/hip), and expect that it calls nothing of CUDA but what
# nvcc itself needs to start kernels.
nvcc=$(command -v "${NVCC:-nvcc}" || echo /usr/local/cuda/bin/nvcc)
if test -f "$cuda" && test -x "$nvcc"; then
    if "$nvcc" -std=c++17 -ccbin "${CC:-mpicc}" -w -Xcompiler -fPIC -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -DSX_DEVICE_HIP \
        -I"$top/tests/api/hip" -I"$build" -I"$top/include" -I"$top/lib" -I"$top/fft" -c -o "$scratch/hip.o" \
        "$top/fft/cuda/cuda.cu" >"$scratch/said" 2>&1; then
        passed
    else
        fail "cuda.cu is not compiled with the names of HIP:"
        head -n 20 "$scratch/said"
    fi
    if $NM -u "$scratch/hip.o" | grep -E ' (cuda|cufft)' >"$scratch/said"; then
        fail "fft/cuda/hip.h lacks a name: $(head -n 1 "$scratch/said")"
    else
        passed
    fi
fi

# The interface of NCCL (fft/cuda/nccl.h) against nccl.h, where it is installed.
if test -x "$nvcc" && echo '#include <nccl.h>' >"$scratch/has.cu" && "$nvcc" -c -o "$scratch/has.o" "$scratch/has.cu" 2>"$scratch/said"; then
    if "$nvcc" -std=c++17 -ccbin "${CC:-mpicc}" -w -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I"$build" -I"$top/include" \
        -I"$top/lib" -I"$top/fft" -o "$scratch/nccl" "$top/tests/api/nccl.cu" -ldl >"$scratch/said" 2>&1 &&
        "$scratch/nccl"; then
        passed
    else
        fail "fft/cuda/nccl.h does not suit nccl.h:"
        head -n 20 "$scratch/said"
    fi
fi

# The libraries' run path may lead to a libsubx_cuda.so that was installed earlier. So put a file of this name first, which
# cannot be loaded.
: >"$scratch/libsubx_cuda.so"
refuse "$scratch" 'libsubx_cuda.so'
if test -f "$cuda" && ! test -e /dev/nvidiactl; then refuse "$build" 'device cuda: .*(driver|device)'; fi
finish
