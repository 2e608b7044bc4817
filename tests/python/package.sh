#!/bin/sh
# package.sh - the Python package with the libraries of the build folder: its tests on 1 to 7 ranks, its examples, and its
# messages if a library is missing or the process has loaded another MPI. Skipped without NumPy, SciPy, or an mpi4py for the
# MPI of the build. SUBX_PYTHON names another Python, for example of a virtual environment.

. "$(dirname "$0")/../common/shell.sh"

libraries=${top_builddir:-$PWD}/.libs
package=${top_builddir:-$PWD}/bindings/python
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 SUBX_LIBDIR="$libraries"

# The first python3 in PATH may lack these modules, although the system's own python3 has them.
for python in "${SUBX_PYTHON:-${PYTHON3:-python3}}" /usr/bin/python3 none; do
    "$python" -c 'import numpy, scipy, mpi4py' 2>/dev/null && break
done
test "$python" != none || skip "no Python with NumPy, SciPy and mpi4py"
test -f "$libraries/libsubx.so" || skip "no shared libraries were built"

# alone COMMAND ...: run COMMAND without MPI's launcher, with its own TMPDIR (see launch).
alone() {
    launch -t 60 -n 0 "$@"
}

# expect_refusal WORDS: importing the package must fail, with a message that contains WORDS.
expect_refusal() {
    if alone "$python" -c 'import subarray_x' >"$scratch/out" 2>&1; then
        fail "an import succeeds that should say: $1"
    elif grep '^ImportError: subarray_x: ' "$scratch/out" | grep -q "$1"; then
        passed
    else
        fail "$1: $(tail -n 2 "$scratch/out")"
    fi
}

if ! alone "$python" -c 'import subarray_x' >"$scratch/out" 2>&1; then
    if grep -q 'two MPI libraries\|mpi4py/MPI.*cannot open shared object\|cannot load MPI' "$scratch/out"; then
        skip "the mpi4py of $python is for another MPI: $(grep Error "$scratch/out" | tail -n 1)"
    fi
    fail "subarray_x cannot be imported: $(tail -n 3 "$scratch/out")"
    finish
fi

# The package must look for the names that the libraries have in the build.
for name in $(sed -n 's/^SONAMES = //p' "$package/subarray_x/_library.py" | tr -d '{}",' | tr ' ' '\n' | grep '\.so'); do
    if test -e "$libraries/$name"; then passed; else fail "_library.py wants $name, which the build has not"; fi
done

# Each kind of operation on spectra must have a method. Methods are written by hand, because generate.py writes only
# _raw.py.
for function in $(sed -n 's/^\(subx_fft_operation_create_[a-z_]*\) = .*/\1/p' "$package/subarray_x/_raw.py"); do
    if grep -q "_raw\.$function(" "$package"/subarray_x/[a-z]*.py; then passed; else fail "no module of the package calls $function"; fi
done

mkdir "$scratch/none" "$scratch/other"
SUBX_LIBDIR=$scratch/none
expect_refusal 'none has no libsubx.so'
CC=${CC:-mpicc}
echo 'int MPI_Initialized(int *flag) { return *flag = 0; }' >"$scratch/mpi.c"
echo 'int MPI_Initialized(int *); int subx_version_get(int *a) { return MPI_Initialized(a); }' >"$scratch/subx.c"
soname=$(sed -n 's/.*"subx": "\([^"]*\)".*/\1/p' "$package/subarray_x/_library.py")
# shellcheck disable=SC2086 # a list of words
if $CC -shared -fPIC "$scratch/mpi.c" -o "$scratch/other/libmpi_other.so.7" -Wl,-soname,libmpi_other.so.7 2>/dev/null &&
    gcc -shared -fPIC "$scratch/subx.c" "$scratch/other/libmpi_other.so.7" -o "$scratch/other/$soname" \
        -Wl,-rpath,"$scratch/other" 2>/dev/null; then
    SUBX_LIBDIR=$scratch/other
    expect_refusal 'two MPI libraries are in this process: .*libmpi_other.so.7.* mpi4py has loaded .*libmpi'
else
    echo "left out: no second MPI can be made"
fi
SUBX_LIBDIR=$libraries

for ranks in 1 2 3 4 5 7; do
    case " ${TEST_RANKS:-1 2 3 4 5 7} " in *" $ranks "*) ;; *) continue ;; esac
    launch -t 120 -n "$ranks" "$python" "$top/bindings/python/tests/all.py" >"$scratch/out" 2>&1
    status=$?
    if test $status -eq 0; then
        passed
        cat "$scratch/out"
    else
        fail "tests on $ranks ranks: exit status $status"
        head -n 60 "$scratch/out"
    fi
done

# run_example RANKS WORDS PROGRAM [ARGUMENT ...]: the program must succeed, and print WORDS.
run_example() {
    ranks=$1 words=$2
    shift 2
    if launch -t 120 -n "$ranks" "$python" "$@" >"$scratch/out" 2>&1 && grep -q "$words" "$scratch/out"; then
        passed
    else
        fail "$1 on $ranks ranks: $(tail -n 5 "$scratch/out")"
    fi
}
examples=$top/doc/examples/python
run_example 3 'give the field again: True' "$examples/transform.py"
run_example 2 'right' "$examples/poisson.py" 24
run_example 2 'the same to 7 places' "$examples/navier_stokes.py"
if "$python" -c 'import matplotlib' 2>/dev/null; then
    export MPLCONFIGDIR="$scratch"
    run_example 1 '2 figures' "$top/bindings/python/tests/notebook.py" "$examples/plans.ipynb"
else
    echo "left out: the notebook, without matplotlib"
fi

# Objects that still exist are freed before MPI_Finalize, because they have handles of MPI: if the program calls it, and if
# mpi4py calls it at the end. Later they must do no harm.
cat >"$scratch/end.py" <<'END'
import atexit
import sys
from mpi4py import MPI
import subarray_x as subx
def look(*deleted):  # MPI and Python call such functions in the reverse order
    if rank == 0:
        print(f"left {len(subx._lifetime._with_handles)}", flush=True)
comm, rank = MPI.COMM_WORLD, MPI.COMM_WORLD.rank
if sys.argv[1] == "finalize":
    MPI.COMM_SELF.Set_attr(MPI.Comm.Create_keyval(delete_fn=look), 1)
else:
    atexit.register(look)
plan, d = subx.FFT(comm, (6, 5), "r2c", keep=100000000), subx.Distribution(comm, (6, 5))
u = plan.zeros()
uh = plan.forward(u)
turned = uh.redistribute(0)
shared, halo, boxes = d.zeros(shared=True), subx.Halo(d, 1, 1), subx.Boxes((4, 4))
exchange = subx.Redistribution(d, d, engine="types")
if sys.argv[1] != "finalize":
    sys.exit()
MPI.Finalize()
plan.free()
boxes.free()
shared += 1
u += 1
calls = [lambda: plan.forward(u), plan.info, plan.laplacian, lambda: exchange.execute(u, u), lambda: halo.execute(halo.zeros()),
         lambda: subx.FFT(comm, (4, 4)), lambda: uh.redistribute(1), lambda: uh.redistribute(0), uh.get,
         lambda: uh.write("u.npy"), lambda: subx.read("u.npy", d), lambda: subx.info("u.npy", comm),
         lambda: subx.Halo(d, 1, 1), lambda: subx.Exchange(comm, [], []), lambda: d.zeros(shared=True),
         lambda: subx.Distribution(comm, (4, 4)), lambda: subx.types.describe(MPI.DOUBLE), lambda: boxes.check(comm),
         lambda: subx.calibrate(comm, 1.0)]
for call in calls:
    try:
        call()
        print("not refused:", call)
    except RuntimeError as error:  # subx.Error is one
        assert "has been freed" in str(error) or "MPI is not running" in str(error), error
if rank == 0:
    print(f"the end {u.sum() == u.size and shared.sum() == shared.size} {plan!r}")
END
run_example 2 'the end True <FFT r2c:6x5 on 2 ranks, freed>' "$scratch/end.py" finalize
for way in finalize exit; do
    run_example 2 '^left 0$' "$scratch/end.py" $way
    if grep 'leaked\|not refused' "$scratch/out"; then fail "end.py $way"; else passed; fi
done

# A program for mpi4py-fft must run unchanged.
cat >"$scratch/program.py" <<'END'
import sys
import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
from mpi4py_fft.pencil import Subcomm
fft = PFFT(MPI.COMM_WORLD, (8, 9, 10))
u = newDistArray(fft, False)
u[:] = 1
print("mean", np.asarray(fft.forward(u)).sum().real, sys.argv[1])
END
run_example 1 'mean 1.0 x' -m subarray_x.mpi4py_fft "$scratch/program.py" x
finish
