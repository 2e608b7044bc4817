#!/bin/sh
# files.sh - files of libsubx_io against those of NumPy and h5py. Skipped without NumPy; without h5py HDF5 is left out.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}
recode=${top_builddir:-.}/tests/peer/recode

# The first python3 may lack these modules although the system's own has them.
for modules in "numpy, h5py" numpy; do
    for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
        "$python" -c "import $modules" 2>/dev/null && break 2
    done
done
test "$python" != none || skip "no Python with NumPy"

# Is our library built with HDF5? Only then it notices that text.h5 is damaged.
hdf5=no
echo "no array" >"$scratch/text.h5"
case "$modules,$("$recode" "$scratch/text.h5" "$scratch/out.npy" 2>&1)" in
*h5py*damaged*) hdf5=yes ;;
*) echo "left out: HDF5" ;;
esac
"$python" "$top/tests/peer/files.py" "$top/tests/common/launch" "$recode" "$subx_fft" "$scratch" $hdf5
