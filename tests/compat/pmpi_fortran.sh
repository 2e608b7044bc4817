#!/bin/sh
# pmpi_fortran.sh - Fortran programs with mpif.h, mpi and mpi_f08 run without and with the interposer, which must take some
# calls over. Skipped without a Fortran compiler for this MPI.

. "$(dirname "$0")/../common/shell.sh"

library=${top_builddir:-$PWD}/.libs/libsubx_pmpi.so
test -f "$library" || skip "no shared libsubx_pmpi"
compiler=$(echo "${CC%% *}" | sed 's/mpicc/mpif90/')
command -v "$compiler" >/dev/null 2>&1 || skip "no $compiler"

for binding in 0 1 2; do
    program=$scratch/fortran$binding
    if ! "$compiler" -cpp -DBINDING=$binding "$top/tests/compat/pmpi_fortran.f90" -o "$program" >"$scratch/log" 2>&1; then
        echo "left out: binding $binding, which $compiler does not compile"
        continue
    fi
    for ranks in 1 2 3; do
        if launch -n $ranks "$program" >"$scratch/out" 2>&1; then passed; else fail "plain: binding $binding, $ranks ranks"; fi
        if SUBX_PMPI_RULE=all SUBX_PMPI_REPORT="$scratch/report" launch -n $ranks sh "$top/tests/compat/pmpi/preload" all \
            "$library" "$program" >"$scratch/out" 2>&1; then
            passed
        else
            fail "preloaded: binding $binding, $ranks ranks"
            cat "$scratch/out"
        fi
    done
    for function in MPI_Isend MPI_Irecv MPI_Sendrecv MPI_Pack MPI_Unpack MPI_Alltoallw; do
        taken=$(sed -n "s/^ *$function  *\([0-9]*\) .*/\1/p" "$scratch/report.0")
        if test "${taken:-0}" -gt 0; then passed; else fail "binding $binding: no $function was taken over"; fi
    done
done
finish
