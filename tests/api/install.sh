#!/bin/sh
# install.sh - build a ten-line program against what is installed, with nothing but pkg-config to say where that is, and
# run it. Called by make installcheck with CC, PKG_CONFIG, LIBDIR and BINDIR in the environment.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PKG_CONFIG_PATH="$LIBDIR/pkgconfig"
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
"$BINDIR/subx-fft" --version >/dev/null
echo "installcheck: a program built with pkg-config runs"
