#!/bin/sh
# moving.sh - the manual shows programs for other libraries beside their counterparts here. Both print the same numbers.
# If another library is missing, its part is left out. SUBX_PYTHON names another Python.

. "$(dirname "$0")/../common/shell.sh"

CC=${CC:-mpicc}
build=${top_builddir:-.}
examples=$top/doc/examples/moving
test -f "$build/.libs/libsubx_fft.so" || skip "no shared libraries in $build"
LD_LIBRARY_PATH=$(cd "$build" && pwd)/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# compile NAME FLAG ...: compile the example.
compile() {
    name=$1
    shift
    # CC is a list of words.
    # shellcheck disable=SC2086
    $CC -std=c99 -Wall -Wextra -Werror "$examples/$name.c" -o "$scratch/$name" "$@" -lm >"$scratch/log" 2>&1 ||
        fail "$name.c does not compile: $(head -n 10 "$scratch/log")"
}

# compare RANKS LINES PROGRAM_A PROGRAM_B: both print the same LINES lines of numbers. The sign of zeros is ignored.
compare() {
    ranks=$1
    lines=$2
    shift 2
    for program in "$@"; do
        launch -n "$ranks" "$scratch/$program" >"$scratch/log" 2>&1 || fail "$program on $ranks ranks: $(head "$scratch/log")"
        grep -E '^ *[0-9]+ -?[0-9.]+ -?[0-9.]+$' "$scratch/log" | sed 's/-\(0\.0*\)\( \|$\)/\1\2/g' | sort >"$scratch/$program.out"
    done
    if test "$(wc -l <"$scratch/$1.out")" -eq "$lines" && cmp -s "$scratch/$1.out" "$scratch/$2.out"; then
        passed
    else
        fail "$ranks ranks: $(diff "$scratch/$1.out" "$scratch/$2.out" | head)"
    fi
}

fftw=$(sed -n 's/^FFTW3_MPI_LIBS = //p' "$build/Makefile")
if test -n "$fftw"; then
    # shellcheck disable=SC2086
    compile fftw_theirs $fftw $(sed -n 's/^FFTW3_MPI_CFLAGS = //p' "$build/Makefile") -lfftw3
    compile fftw_ours -I"$top/include" -L"$build/.libs" -lsubx_fft -lsubx
    for ranks in 1 3; do compare $ranks 16 fftw_theirs fftw_ours; done
else
    echo "left out: FFTW's MPI transforms, which are not there for this MPI"
fi

# mpi4py must load the MPI of this build. It is imported under the launcher, which gives the ranks what MPI needs.
SUBX_LIBDIR=$(cd "$build" && pwd)/.libs
PYTHONPATH=$top/bindings/python${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1
export SUBX_LIBDIR PYTHONPATH PYTHONDONTWRITEBYTECODE
for python in "${SUBX_PYTHON:-${PYTHON3:-python3}}" /usr/bin/python3 none; do
    launch -n 1 "$python" -c 'import mpi4py_fft, subarray_x' >"$scratch/log" 2>&1 && break
done
if test "$python" != none; then
    for name in mpi4py_fft_theirs mpi4py_fft_ours; do
        printf '#!/bin/sh\nexec "%s" "%s"\n' "$python" "$examples/$name.py" >"$scratch/$name"
        chmod +x "$scratch/$name"
    done
    for ranks in 1 3; do compare $ranks 16 mpi4py_fft_theirs mpi4py_fft_ours; done
else
    echo "left out: no Python with mpi4py-fft and an mpi4py for this MPI"
fi
test "$checks$failures" != 00 || skip "none of the other libraries is here"
finish
