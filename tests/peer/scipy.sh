#!/bin/sh
# scipy.sh - compare subx-fft with scipy.fft, with all kinds, by .npy files. Skipped without SciPy.

. "$(dirname "$0")/../common/shell.sh"

# The first python3 in PATH may lack SciPy, although the system's own python3 has it.
for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
    "$python" -c 'import scipy.fft' 2>/dev/null && break
done
test "$python" != none || skip "no Python with SciPy"
"$python" -B "$top/tests/peer/kinds.py" "$top/tests/common/launch" "${SUBX_FFT:-./subx-fft}" "$scratch"
