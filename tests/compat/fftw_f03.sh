#!/bin/sh
# fftw_f03.sh - a Fortran 2003 program runs with libsubx_fftw3mpi, once linked and once preloaded. Skipped without FFTW's
# Fortran interface.

. "$(dirname "$0")/../common/shell.sh"

ours=${top_builddir:-$PWD}/.libs
test -f "$ours/libsubx_fftw3mpi.so" || skip "no libsubx_fftw3mpi"
# The Fortran compiler of an MPI is in the folder of its C compiler.
set -- ${CC:-mpicc}
compiler=${MPIFC:-$(echo "$1" | sed 's/mpicc\([^/]*\)$/mpif90\1/')}
include=$(pkg-config --variable=includedir fftw3 2>/dev/null)
include=${include:-/usr/include}
test -f "$include/fftw3-mpi.f03" || skip "no fftw3-mpi.f03"
printf 'program a\nuse mpi\nend program\n' >"$scratch/a.f90"
(cd "$scratch" && "$compiler" -o a a.f90 >a.log 2>&1) || skip "no Fortran compiler for this MPI, $compiler"

# build NAME LIBRARY ...: compile the program as NAME, and link it with these libraries.
build() {
    name=$1
    shift
    (cd "$scratch" && "$compiler" -w -I"$include" -o "$name" "$top/tests/compat/fftw_f03.f90" "$@" -lfftw3) \
        >"$scratch/$name.log" 2>&1
}

# check NAME "RANKS" COMMAND ...: run the command on each of these numbers of ranks. NAME is for messages.
check() {
    name=$1
    rank_list=$2
    shift 2
    for ranks in $rank_list; do
        if launch -t 60 -n "$ranks" "$@" >"$scratch/out" 2>&1; then
            passed
        else
            fail "$name on $ranks ranks: exit status $?"
            cat "$scratch/out"
        fi
    done
}

if build linked -L"$ours" "-Wl,-rpath,$ours" -lsubx_fftw3mpi; then
    check linked "1 2 3" "$scratch/linked"
else
    fail "the program cannot be linked with libsubx_fftw3mpi"
    cat "$scratch/linked.log"
fi

# Preload only if FFTW's own library was built for this MPI. Otherwise the program would load two MPIs.
preload=$ours/libsubx_fftw3mpi.so
test ! -f "${TEST_YIELD:-}" || preload=$preload:$TEST_YIELD
if build stock -lfftw3_mpi && test "$(ldd "$scratch/stock" | grep -c 'libmpi\(ch\)\?\.so')" -eq 1; then
    check preloaded 3 env LD_PRELOAD="$preload" "$scratch/stock"
else
    echo "left out: preloaded, since there is no FFTW for this MPI"
fi
finish
