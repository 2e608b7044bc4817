# build.sh - build the project for ./demo and ./check: install packages, copy the source, configure, make.
#
# Sourced from the top of the source tree. MPI=openmpi (default) or mpich chooses. Everything is done in
# build/$MPI; only missing packages are installed outside of it, and only as root on Debian. CONFIGURE_FLAGS are further
# options for configure.
# Sets top, obj (the build folder) and launch (runs MPI programs).

set -eu

say() { printf '== %s\n' "$*"; }
die() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

MPI=${MPI:-openmpi}
case $MPI in
openmpi) mpi_packages="openmpi-bin libopenmpi-dev libfftw3-mpi-dev libhdf5-openmpi-dev" ;;
mpich) mpi_packages="mpich libmpich-dev libhdf5-mpich-dev" ;;
*) die "MPI is openmpi or mpich, not '$MPI'" ;;
esac

top=$(pwd)
build=$top/build/$MPI
src=$build/src
obj=$build/obj
log=$build/log
mkdir -p "$src" "$obj"
: >"$log"

# Run a step quietly; if it fails, show its output.
quietly() {
    if ! "$@" >>"$log" 2>&1; then
        tail -n 30 "$log" >&2
        die "failed: $* (all of it in $log)"
    fi
}

missing_packages() {
    for package in gcc g++ gfortran libc6-dev make autoconf automake libtool pkg-config libfftw3-dev libhwloc-dev check \
        python3-numpy python3-scipy python3-h5py python3-mpi4py python3-matplotlib iproute2 $mpi_packages; do
        status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) || status=
        [ "$status" = "install ok installed" ] || printf '%s ' "$package"
    done
}

# On systems other than Debian, the user installs the tools, and configure says which are missing.
install_packages() {
    command -v apt-get >/dev/null 2>&1 || return 0
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        printf '%s needs some packages. As root, run this line and try again:\n' "$0" >&2
        printf '  apt-get update && apt-get install -y --no-install-recommends %s\n' "$missing" >&2
        exit 1
    fi
    say "installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    quietly apt-get update
    # shellcheck disable=SC2086 # a list of words
    quietly apt-get install -y --no-install-recommends $missing
}

# configure would look for a shell with more features than /bin/sh has, and libtool would use it; it is often slower.
export CONFIG_SHELL="${CONFIG_SHELL:-/bin/sh}"

# Autotools write into the source tree they are run in, so they get a copy of it. Times are kept, so that only changed files
# are built again. Files that an earlier build left in the user's tree are not copied.
copy_source() {
    (cd "$top" && tar -cf - --exclude=./build --exclude=./.git --exclude='*.o' --exclude='*.lo' --exclude='*.la' \
        --exclude=.libs --exclude=.deps --exclude=.dirstamp --exclude=./autom4te.cache --exclude=./configure \
        --exclude=./aclocal.m4 --exclude=./config.status --exclude=./config.h --exclude='./config.h.in*' \
        --exclude=./Makefile --exclude=./Makefile.in .) | tar -xf - -C "$src"
    # Files that were removed from the tree are removed from the copy. Nothing is generated in these folders.
    (cd "$src" && find include lib io fft compat perf bindings doc packaging tests -type f) | while read -r file; do
        [ -e "$top/$file" ] || rm -f "$src/$file"
    done
}

mpi_compiler() {
    if command -v "mpicc.$MPI" >/dev/null 2>&1; then echo "mpicc.$MPI"; else echo mpicc; fi
}

install_packages
say "building with $MPI in $build"
copy_source
[ -f "$src/configure" ] || (cd "$src" && quietly autoreconf -fi)
[ -f "$obj/config.status" ] ||
    (cd "$obj" && quietly ../src/configure "CC=$(mpi_compiler)" "--prefix=$build/prefix" --with-fftw3=yes \
        --with-hwloc=yes --with-check=yes --with-hdf5=yes --with-fortran=yes --enable-werror ${CONFIGURE_FLAGS:-})
quietly make -C "$obj" -j "$(nproc)"
# Each MPI has a launcher of its own. configure has found the one that goes with the compiler.
MPIEXEC=$(sed -n 's/^MPIEXEC = //p' "$obj/Makefile")
TEST_YIELD=$obj/tests/common/.libs/libyield.so
export MPIEXEC TEST_YIELD
launch=$src/tests/common/launch
