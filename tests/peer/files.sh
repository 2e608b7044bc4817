#!/bin/sh
# files.sh - NumPy and h5py read files of libsubx_io, and libsubx_io reads theirs. Skipped without NumPy. Without h5py, HDF5
# is left out.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}
recode=${top_builddir:-.}/tests/peer/recode

# The first python3 in PATH may lack these modules, although the system's own python3 has them.
for modules in "numpy, h5py" numpy; do
    for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
        "$python" -c "import $modules" 2>/dev/null && break 2
    done
done
test "$python" != none || skip "no Python with NumPy"

# Find out whether our library was built with HDF5: only then does it notice that text.h5 is damaged.
hdf5=no
echo "no array" >"$scratch/text.h5"
case "$modules,$("$recode" "$scratch/text.h5" "$scratch/out.npy" 2>&1)" in
*h5py*damaged*) hdf5=yes ;;
*) echo "left out: HDF5" ;;
esac
"$python" "$top/tests/peer/files.py" "$top/tests/common/launch" "$recode" "$subx_fft" "$scratch" $hdf5
