#!/bin/sh
# debian.sh - build Debian packages for both MPIs from the distribution, and check them by lintian. Then unpack the packages
# into a folder; programs are built with them there, and run.
#
# make check-packages sets MAKE, PKG_CONFIG and top_builddir. If DEBIAN_OUT is set, the packages are kept in this folder.

. "$(dirname "$0")/../common/shell.sh"
. "$(dirname "$0")/project/build.sh"

for tool in dpkg-buildpackage dh lintian; do
    command -v $tool >/dev/null || skip "$tool is not here"
done

# build_packages: build the packages in $scratch.
build_packages() {
    step $MAKE -C "$top_builddir" distdir || finish
    mv "$top_builddir"/subarray_x-[0-9]* "$scratch/" || exit 99
    cd "$scratch"/subarray_x-[0-9]* || exit 99
    cp -R packaging/debian .
    # MAKEFLAGS were meant for make check-packages, not for this build.
    unset MAKEFLAGS MFLAGS CC
    dpkg-checkbuilddeps >"$scratch/missing" 2>&1 || skip "$(cat "$scratch/missing")"
    step dpkg-buildpackage -us -uc -b || finish
    cd "$scratch" || exit 99
    test -z "${DEBIAN_OUT:-}" || { mkdir -p "$DEBIAN_OUT" && cp ./*.deb ./*.changes "$DEBIAN_OUT"; }
}

# check_tags: lintian must report no errors and no warnings. Two warnings are ignored: Debian has no bug report that asks
# for this package, and the programs have --help instead of manual pages.
check_tags() {
    if lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,no-manual-page ./*.changes \
        >tags 2>&1; then passed; else fail "lintian"; fi
    cat tags
}

# check_mpi MPI: unpack the packages for MPI into $scratch/root, and use them as if they were installed.
check_mpi() {
    root=$scratch/root
    lib=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    CC=mpicc.$1 compiler=mpicc.$1 MPIEXEC=mpirun.$1 LD_LIBRARY_PATH=$lib loaded_from=$lib
    export CC MPIEXEC LD_LIBRARY_PATH
    libraries="subx fft io pmpi fftw3mpi"
    PKG_CONFIG_SYSROOT_DIR=$root
    export PKG_CONFIG_SYSROOT_DIR
    pkg_config_project "$lib/subarray_x/$1"
    unset PKG_CONFIG_SYSROOT_DIR
    cmake_project "$lib/subarray_x/$1"
    step launch -n 2 "$root/usr/bin/subx-fft.$1" r2c:16x12x10 --grid 2x1 --verify
}

version=$(sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p' "$top/packaging/debian/changelog")
test "$version" = "$(sed -n 's/^AC_INIT(\[subarray_x\], \[\(.*\)\])/\1/p' "$top/configure.ac")" ||
    fail "packaging/debian/changelog is for version $version"
build_packages
check_tags
mkdir root
for package in *.deb; do
    case $package in
    *-dbgsym_*) ;;
    *) dpkg -x "$package" root ;;
    esac
done
# The packages on which ours depend must be installable.
step apt-get install --simulate $(ls ./*.deb | grep -v dbgsym)
for mpi in openmpi mpich; do
    check_mpi $mpi
done
finish
