#!/bin/sh
# fftw_local.sh - libsubx_fftw3mpi finds FFTW's libraries also if they are visible to nobody but the module that is linked with
# them. Python loads its modules in this way.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
ours=$build/.libs/libsubx_fftw3mpi.so
test -f "$ours" || skip "no libsubx_fftw3mpi"
CC=${CC:-mpicc}
sources=$top/tests/compat/local
mpi_libs=$(sed -n 's/^FFTW3_MPI_LIBS = //p' "$build/Makefile")
cflags=$(pkg-config --cflags fftw3 2>/dev/null)

# module NAME LETTER LIBRARY ...: compile a module in the precision of this letter, and link it with these libraries. Fails if a
# library is for another MPI: then the module would load two.
module() {
    source=$1 letter=$2
    shift 2
    # shellcheck disable=SC2086 # lists of words
    (cd "$scratch" && $CC -I"$build" $cflags -DLETTER="$letter" -fPIC -shared -Wl,-z,defs \
        -o "$source$letter.so" "$sources/$source.c" "$@" -lm) \
        >"$scratch/$source$letter.log" 2>&1 &&
        test "$(ldd "$scratch/$source$letter.so" | grep -c 'libmpi\(ch\)\?\.so')" -le 1
}

(cd "$scratch" && $CC -I"$build" -o host "$sources/host.c" -ldl) >"$scratch/host.log" 2>&1 || {
    cat "$scratch/host.log"
    skip "no compiler for this MPI"
}
modules=
compared=0
for letter in "" f l; do
    if module threads "$letter" "-lfftw3${letter}_threads" "-lfftw3$letter"; then
        modules="$modules ./threads$letter.so"
    else
        echo "left out: threads, precision '$letter'"
    fi
    # shellcheck disable=SC2046 # a list of words
    if test -n "$mpi_libs" &&
        module plans "$letter" $(echo "$mpi_libs" | sed "s/-lfftw3_mpi/-lfftw3${letter}_mpi/g") "-lfftw3$letter"; then
        modules="$modules ./plans$letter.so"
        compared=$((compared + 1))
    else
        echo "left out: plans, precision '$letter'"
    fi
done
test -n "$modules" || skip "no library of FFTW to find"

preload=$ours
test ! -f "${TEST_YIELD:-}" || preload=$ours:$TEST_YIELD
for ranks in 1 2 3; do
    : >"$scratch/report"
    # shellcheck disable=SC2086 # a list of words
    if (cd "$scratch" && SUBX_FFTW3MPI_REPORT=$scratch/report \
        launch -t 60 -n "$ranks" env LD_PRELOAD="$preload" ./host $modules) >"$scratch/out" 2>&1; then
        passed
    else
        fail "$ranks ranks"
        cat "$scratch/out"
    fi
    if test "$(grep -c 'when compared' "$scratch/report")" -eq "$compared"; then
        passed
    else
        fail "$ranks ranks: plans were not compared with FFTW's: $(cat "$scratch/report")"
    fi
done
finish
