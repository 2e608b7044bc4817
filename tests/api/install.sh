#!/bin/sh
# install.sh - build and run small programs with the installed libraries: one of ten lines, one that writes a file, one with
# wisdom. pkg-config alone says where the headers and libraries are. Called by make installcheck with CC, FC, PKG_CONFIG,
# LIBDIR and BINDIR in the environment.
set -eu
MPIEXEC=${MPIEXEC:-mpiexec}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PKG_CONFIG_PATH="$LIBDIR/pkgconfig" MPIEXEC
export LD_LIBRARY_PATH="$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

cat >"$folder/ten.c" <<'END'
#include <subx_fft.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    ptrdiff_t sizes[2] = {8, 6}, bytes;
    subx_fft_plan plan;
    MPI_Init(&argc, &argv);
    if (subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 2, sizes, MPI_INFO_NULL, &plan)) return 1;
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &bytes);
    printf("%td\n", bytes);
    subx_fft_plan_free(&plan);
    return MPI_Finalize();
}
END

# shellcheck disable=SC2046,SC2086 # lists of words
$CC -o "$folder/ten" "$folder/ten.c" $($PKG_CONFIG --cflags --libs subx_fft)
bytes=$("$folder/ten" | tail -n 1)
[ "$bytes" -eq $((8 * 4 * 16)) ] || { echo "installcheck: the program printed $bytes" >&2; exit 1; }
cat >"$folder/file.c" <<'END'
#include <subx_io.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    ptrdiff_t n = 3, zero = 0, found = 0;
    double u[3] = {1, 2, 3};
    MPI_Init(&argc, &argv);
    if (subx_file_write(MPI_COMM_WORLD, argv[1], 1, &n, &n, &zero, NULL, MPI_DOUBLE, u, MPI_INFO_NULL)) return 1;
    if (subx_file_get(MPI_COMM_WORLD, argv[1], MPI_INFO_NULL, 1, NULL, &found, NULL, NULL)) return 1;
    printf("%td\n", found);
    return MPI_Finalize();
}
END
# shellcheck disable=SC2046,SC2086 # lists of words
$CC -o "$folder/file" "$folder/file.c" $($PKG_CONFIG --cflags --libs subx_io)
found=$("$folder/file" "$folder/u.npy" | tail -n 1)
[ "$found" = 3 ] || { echo "installcheck: the program found $found numbers in its file" >&2; exit 1; }
cat >"$folder/wisdom.c" <<'END'
#include <subx_tune.h>
#include <stdio.h>
int main(void)
{
    subx_fft_wisdom wisdom;
    char path[1024];
    if (subx_fft_wisdom_create(&wisdom)) return 1;
    if (subx_fft_wisdom_get_path("auto", sizeof path, path, NULL)) return 1;
    puts(path);
    return subx_fft_wisdom_free(&wisdom);
}
END
# shellcheck disable=SC2046,SC2086 # lists of words
$CC -o "$folder/wisdom" "$folder/wisdom.c" $($PKG_CONFIG --cflags --libs subx_fft)
found=$(XDG_CACHE_HOME=/cache "$folder/wisdom" | tail -n 1)
[ "$found" = /cache/subarray_x/wisdom ] || { echo "installcheck: wisdom is said to be in $found" >&2; exit 1; }

# The ten-line program in Fortran, if the Fortran modules are installed.
if test -f "$LIBDIR/pkgconfig/subx_fortran.pc"; then
    cat >"$folder/ten.f90" <<'END'
program ten
    use mpi_f08
    use subx_fft
    type(subx_fft_plan) :: plan
    complex(kind(1d0)), allocatable :: uh(:,:)
    call MPI_Init()
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [6, 8], MPI_INFO_NULL, plan)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    print "(i0, a, i0)", size(uh, 1), "x", size(uh, 2)
    call subx_fft_plan_free(plan)
    call MPI_Finalize()
end program
END
    # shellcheck disable=SC2046,SC2086 # lists of words
    $FC -o "$folder/tenf" "$folder/ten.f90" $($PKG_CONFIG --cflags --libs subx_fortran)
    shape=$("$folder/tenf" | tail -n 1)
    [ "$shape" = 4x8 ] || { echo "installcheck: the Fortran program printed $shape" >&2; exit 1; }
fi
"$BINDIR/subx-fft" --version >/dev/null
"$BINDIR/subx-wisdom" --version >/dev/null
"$(dirname "$0")/tutorial.sh"
echo "installcheck: programs built with pkg-config run"
