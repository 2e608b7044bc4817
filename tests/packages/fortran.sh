#!/bin/sh
# fortran.sh - a Fortran compiler that the MPI was not built with, flang (Debian: flang-22), compiles the Fortran modules
# and their test f08.f90. The MPI has no modules for flang, so mpi_f08.f90 replaces them. Skipped without flang, or if flang
# does not have assumed rank, which came after version 16.
#
# make check-packages sets CC and top_builddir. FLANG names the compiler.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
for flang in ${FLANG:-flang-22 flang-21 flang-20 flang-new flang none}; do
    command -v "$flang" >/dev/null 2>&1 && break
done
test "$flang" != none || skip "no flang"
binding=$(dirname "$(readlink -f "$(command -v "$flang")")")/../include/flang/ISO_Fortran_binding.h
test -f "$binding" || skip "no ISO_Fortran_binding.h of $flang"
test -f "$build/bindings/fortran/subx_mpi.f90" || skip "no Fortran modules"

cat >"$scratch/probe.f90" <<'END'
subroutine probe(a)
    use, intrinsic :: iso_c_binding
    type(*), target :: a(..)
    print *, c_associated(c_loc(a))
end subroutine
END
(cd "$scratch" && "$flang" -c probe.f90) >/dev/null 2>&1 || skip "$flang does not know assumed rank"

# Copy mpif.h. An empty file replaces mpif-sizeof.h, which has procedures for kinds that not every compiler distinguishes.
fortran=$(echo "${CC:-mpicc}" | sed 's/mpicc/mpifort/')
mkdir "$scratch/include"
for option in $(${CC:-mpicc} -show) $($fortran -show); do
    folder=${option#-I}
    test ! -f "$folder/mpif.h" || { cp "$folder"/mpif*.h "$scratch/include"; break; }
done
: >"$scratch/include/mpif-sizeof.h"
printf '#define _GNU_SOURCE 1\n#define SUBX_FORTRAN_BINDING "%s"\n' "$binding" >"$scratch/include/config.h"

# compile FILE.f90 ...: compile the files in this order, because files use modules of earlier files.
compile() {
    for file in "$@"; do
        (cd "$scratch" && "$flang" -Iinclude -c "$file") >"$scratch/log" 2>&1 || { fail "$file: $(cat "$scratch/log")"; finish; }
        passed
    done
}
cd "$scratch" || exit 99
copy_modules "$scratch/modules"
compile "$top/tests/packages/mpi_f08.f90" "$build/bindings/fortran/subx_mpi.f90"
for module in subx_c subx_boxes_c subx_fft_c subx_tune_c subx_io_c subx_support subx_fft_extra \
    subx subx_fft subx_io; do
    compile "$scratch/modules/$module.f90"
done
for file in handles arrays operation; do
    ${CC:-mpicc} -std=gnu99 -fPIC -I"$scratch/include" -I"$top/include" -c "$top/bindings/fortran/$file.c" || fail "$file.c"
done

# MPI's own Fortran compiler tells which libraries must be linked.
link=
for option in $($fortran -show); do
    case $option in -L* | -l* | -Wl,*) link="$link $option" ;; esac
done
for program in "$top/tests/fortran/f08.f90" "$top/doc/examples/fortran/transform.f90"; do
    name=$(basename "$program" .f90)
    # shellcheck disable=SC2086 # lists of words
    if "$flang" -Iinclude -o "$name" "$program" ./*.o -L"$build/.libs" "-Wl,-rpath,$build/.libs" -lsubx_fft -lsubx_io -lsubx \
        $link >log 2>&1; then
        passed
    else
        fail "$name: $(cat log)"
        continue
    fi
    for ranks in 1 2 3 4; do
        if launch -n $ranks "./$name" >out 2>&1; then passed; else fail "$name on $ranks ranks: $(cat out)"; fi
    done
done
finish
