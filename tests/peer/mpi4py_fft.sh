#!/bin/sh
# mpi4py_fft.sh - run the tests of mpi4py-fft on 1, 2 and 4 ranks, without and with libsubx_pmpi. Not in ./check.
#
# usage: SUBX_MPI4PY_FFT=FOLDER [PYTHON3=PYTHON] sh tests/peer/mpi4py_fft.sh
#            in the build folder. FOLDER has the sources of mpi4py-fft; PYTHON has it installed, with an mpi4py for the
#            MPI of this build.

. "$(dirname "$0")/../common/shell.sh"

folder=${SUBX_MPI4PY_FFT:-}
python=${PYTHON3:-python3}
library=${top_builddir:-$PWD}/.libs/libsubx_pmpi.so
test -d "$folder/tests" || skip "SUBX_MPI4PY_FFT names no sources of mpi4py-fft"
"$python" -c 'import mpi4py_fft' 2>/dev/null || skip "$python has no mpi4py-fft"

cd "$folder/tests" || exit 99
for test in test_pencil test_fftw test_libfft test_mpifft test_darray; do
    for ranks in 1 2 4; do
        if ! launch -t 600 -n $ranks "$python" "$test.py" >"$scratch/plain" 2>&1; then
            echo "left out: $test on $ranks ranks fails plainly"
        elif launch -t 600 -n $ranks env LD_PRELOAD="$library" SUBX_PMPI_REPORT=1 "$python" "$test.py" \
            >"$scratch/out" 2>&1; then
            passed
            sed -n '/libsubx_pmpi on rank/,$p' "$scratch/out"
        else
            fail "$test on $ranks ranks"
            tail -n 20 "$scratch/out"
        fi
    done
done
finish
