#!/bin/sh
# static.sh - programs are built with static libraries, by pkg-config --static and by CMake, and run.
#
# make check-packages sets CC, MAKE, MPIEXEC and PKG_CONFIG.

. "$(dirname "$0")/../common/shell.sh"
. "$(dirname "$0")/project/build.sh"

mkdir "$scratch/build"
cd "$scratch/build" || exit 99
step "$top/configure" CC="$CC" --disable-shared --enable-static --with-check=no --prefix="$scratch/static" || finish
# Build and install without our programs, which are not needed here.
step $MAKE -j "$(nproc)" bin_PROGRAMS= noinst_PROGRAMS= install || finish
cd "$scratch" || exit 99
static=$scratch/static/lib

libraries="subx fft io pmpi"
test ! -f "$static/pkgconfig/subx_fftw3mpi.pc" || libraries="$libraries fftw3mpi"
pkg_config_project "$static" --static
if command -v cmake >/dev/null; then
    cmake_project "$static"
    cmake_project "$static" -Dsubarray_x_USE_STATIC_LIBS=ON
else
    echo "CMake: not checked, cmake is not here"
fi
finish
