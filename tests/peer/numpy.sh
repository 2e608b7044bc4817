#!/bin/sh
# numpy.sh - compare subx-fft with numpy.fft, by .npy files that NumPy writes and reads. Skipped without NumPy.

. "$(dirname "$0")/../common/shell.sh"

# The first python3 in PATH may lack NumPy, although the system's own python3 has it.
for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
    "$python" -c 'import numpy' 2>/dev/null && break
done
test "$python" != none || skip "no Python with NumPy"
"$python" -B "$top/tests/peer/compare.py" "$top/tests/common/launch" "${SUBX_FFT:-./subx-fft}" "$scratch"
