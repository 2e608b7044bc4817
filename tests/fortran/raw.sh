#!/bin/sh
# raw.sh - the raw Fortran modules and the headers must declare the same functions. gfortran writes the interface bodies as
# C prototypes, and a C compiler reads the prototypes after the headers. To test the check itself, the test also plants
# differences, which must be found. Skipped without gfortran.

. "$(dirname "$0")/../common/shell.sh"

build=${top_builddir:-$PWD}
echo 'end' >"$scratch/probe.f90"
${FC:-gfortran} -fc-prototypes -fsyntax-only "$scratch/probe.f90" >/dev/null 2>&1 || skip "no compiler with -fc-prototypes"
test -f "$build/bindings/fortran/subx_mpi.f90" || skip "no Fortran modules"

# prototypes FILE: print the functions of FILE as C prototypes. gfortran writes a procedure argument as a function that
# returns int, so its type is replaced.
prototypes() {
    (cd "$scratch" && ${FC:-gfortran} -fc-prototypes -fsyntax-only "$1") 2>"$scratch/log" |
        sed -n 's/int (\*function)()/subx_fft_operation_function function/; /^int subx_/p'
}

# constants FILE: print the named constants of FILE as static assertions of C.
constants() {
    sed -n 's/^ *integer(c_int), parameter :: \([A-Z_0-9]*\) = \(-*[0-9]*\)$/_Static_assert(\1 == \2, "\1");/p' "$1"
}

# gfortran writes type(c_ptr) as void *, even if it is passed by reference. Copies of the headers are changed accordingly.
mkdir "$scratch/include"
for header in "$top"/include/*.h; do
    sed 's/const char \*\*/void */; s/void \*\*/void */' "$header" >"$scratch/include/${header##*/}"
done

# head: print C code before the prototypes, in which MPI's types have the names in the raw modules, or are types of equal
# length, and const is left out.
head() {
    cat <<'END'
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
_Static_assert(sizeof(MPI_Count) == sizeof(int64_t) && sizeof(MPI_Aint) == sizeof(intptr_t), "lengths");
#define MPI_Count int64_t
#define MPI_Aint intptr_t
struct of_comm;
struct of_datatype;
struct of_info;
#define MPI_Comm struct of_comm *
#define MPI_Datatype struct of_datatype *
#define MPI_Info struct of_info *
#define subx_mpi_comm MPI_Comm
#define subx_mpi_datatype MPI_Datatype
#define subx_mpi_info MPI_Info
#define size_t ptrdiff_t
#define const
#include <subx_tune.h>
#include <subx_io.h>
END
}

# compare FOLDER: returns 0 if the modules in FOLDER declare what the headers declare.
compare() {
    head >"$scratch/all.c"
    for module in subx_c subx_boxes_c subx_fft_c subx_tune_c subx_io_c; do
        prototypes "$1/$module.f90"
        constants "$1/$module.f90"
    done >>"$scratch/all.c"
    ${CC:-mpicc} -std=c11 -I"$scratch/include" -fsyntax-only "$scratch/all.c" >"$scratch/log" 2>&1
}

# plant WHAT SED-COMMAND FILE: change a copy of FILE. The difference must be found.
plant() {
    rm -rf "$scratch/copy"
    cp -r "$scratch/modules" "$scratch/copy"
    sed -i.bak "$2" "$scratch/copy/$3"
    cmp -s "$scratch/copy/$3" "$scratch/copy/$3.bak" && fail "$1: nothing is planted"
    if compare "$scratch/copy"; then fail "$1 is not found"; else passed; fi
}

(cd "$scratch" && ${FC:-gfortran} -fsyntax-only "$build/bindings/fortran/subx_mpi.f90") || fail "subx_mpi.f90 does not compile"
copy_modules "$scratch/modules"
if compare "$scratch/modules"; then passed; else fail "$(grep -m 5 error "$scratch/log")"; fi
# The modules must have as many functions as the headers.
declared=$(cat "$top"/include/*.h | grep -c '^SUBX_EXPORT int ')
found=$(sed -n 's/^int \(subx_[a-z_]*\).*/\1/p' "$scratch/all.c" | sort -u | wc -l)
if test "$found" -eq "$declared" && test "$found" -gt 60; then passed; else fail "$found functions, of $declared"; fi
if test "$(grep -c _Static_assert "$scratch/all.c")" -gt 60; then passed; else fail "hardly any constants"; fi

plant "an int for a length" '/function subx_block_get(/,/end function/s/integer(c_ptrdiff_t), value :: n/integer(c_int), value :: n/' subx_c.f90
plant "an exchange for a halo" '/function subx_halo_wait(/,/end function/s/type(subx_halo)/type(subx_exch)/' subx_boxes_c.f90
plant "an info for a communicator" '/function subx_fft_plan_create(/,/end function/s/subx_mpi_comm/subx_mpi_info/' subx_fft_c.f90
plant "an argument by reference" '/function subx_mem_alloc(/,/end function/s/, value :: bytes/ :: bytes/' subx_c.f90
plant "another number" 's/SUBX_FFT_R2C = 2/SUBX_FFT_R2C = 3/' subx_fft_c.f90
finish
