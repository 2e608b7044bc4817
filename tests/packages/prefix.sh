#!/bin/sh
# prefix.sh - an installation is moved; programs are then built with it, by pkg-config and by CMake, and run. CMake must
# refuse another MPI, and versions and components that do not exist. In the end make uninstall must leave no file.

. "$(dirname "$0")/../common/shell.sh"
. "$(dirname "$0")/project/build.sh"

case $libdir in
"$prefix"/*) ;;
*) skip "libdir, $libdir, is not below the prefix, $prefix" ;;
esac
step $MAKE -C "$top_builddir" install DESTDIR="$scratch/staged" || finish
cp -R "$scratch/staged$prefix" "$scratch/moved"
moved=$scratch/moved${libdir#"$prefix"}

# A moved library must load the libraries beside it, even if the prefix has libraries of the same names. Therefore $ORIGIN must
# come first in the RUNPATH of the library.
if grep -q 'LIBRARY_LDFLAGS.*ORIGIN' "$top_builddir/config.status" && command -v readelf >/dev/null; then
    for library in "$moved"/libsubx*.so; do
        readelf -d "$library" >"$scratch/dynamic"
        grep -q "NEEDED.*libsubx" "$scratch/dynamic" || continue
        grep -q "RUNPATH.*\[\$ORIGIN" "$scratch/dynamic" || fail "$library: \$ORIGIN is not first in RUNPATH"
    done
    passed
fi

libraries="subx fft io pmpi"
test ! -f "$moved/pkgconfig/subx_fftw3mpi.pc" || libraries="$libraries fftw3mpi"
pkg_config_project "$moved" --define-prefix

# check_cmake: check the options that a project can give to CMake.
check_cmake() {
    cmake_project "$moved"
    libraries="subx fft"
    cmake_project "$moved" -DCMAKE_C_COMPILER="$compiler"
    cmake_project "$moved" -DLANGUAGE=CXX -DVERSION="${version%.*}"
    for wanted in "$version;EXACT" "${version%.*}...99"; do
        if configure_project "$moved" -DVERSION="$wanted"; then passed; else fail "version $wanted is refused"; fi
    done
    for wanted in 0.1 99 "0.1...<$version" "${version}.1"; do
        refused "were considered but not accepted" "$moved" -DVERSION="$wanted"
    done
    refused "no library of the component cuda" "$moved" -DLIBRARIES="subx;cuda"
    case $compiler in
    *mpich*) other=mpicc.openmpi ;;
    *) other=mpicc.mpich ;;
    esac
    if command -v $other >/dev/null; then
        refused "were built with another MPI" "$moved" -DMPI_C_COMPILER=$other
    else
        echo "another MPI: not checked, $other is not here"
    fi
}
version=$($PKG_CONFIG --modversion "$moved/pkgconfig/subx.pc")
if command -v cmake >/dev/null; then
    check_cmake
else
    echo "CMake: not checked, cmake is not here"
fi

step $MAKE -C "$top_builddir" uninstall DESTDIR="$scratch/staged"
left=$(find "$scratch/staged" ! -type d)
test -z "$left" || fail "make uninstall leaves $left"
finish
