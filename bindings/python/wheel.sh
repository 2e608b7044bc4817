#!/bin/sh
# wheel.sh - write a wheel of the Python package with builds of the C libraries for several MPIs.
#
# usage: wheel.sh [FOLDER [CC ...]]
#            FOLDER is the folder for the wheel (default: dist). Each CC is an MPI compiler whose programs load libmpi.so.40
#            (Open MPI 4 and 5), libmpi.so.12 (MPICH, Intel MPI, MVAPICH), or libmpi_abi.so.0 or .1 (the standard
#            interface). Of each kind take the oldest MPI that the wheel must work with. Without any CC, the compilers are
#            the system's mpicc.openmpi, and the mpicc of PyPI's mpich, which is installed in a temporary folder.
# The package chooses one of the builds when it is imported. The wheel contains neither MPI, FFTW, HDF5 or hwloc, nor the engine
# persistent.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON3:-python3}
folder=${1:-dist}
test $# -eq 0 || shift
if test $# -eq 0; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/subx-wheel.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    "$python" -m venv "$work/mpich"
    "$work/mpich/bin/pip" install -q 'mpich<5.1'
    set -- mpicc.openmpi "$work/mpich/bin/mpicc"
fi
"$python" -B "$here/build_backend.py" "$folder" "$@"
