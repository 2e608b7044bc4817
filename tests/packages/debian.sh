#!/bin/sh
# debian.sh - the distribution gives Debian packages for both MPIs, which pass lintian. They are unpacked into a folder,
# and programs are built with them there and run.
#
# make check-packages gives MAKE, PKG_CONFIG and top_builddir. DEBIAN_OUT names a folder in which the packages stay.

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
    # MAKEFLAGS are for make check-packages.
    unset MAKEFLAGS MFLAGS CC
    dpkg-checkbuilddeps >"$scratch/missing" 2>&1 || skip "$(cat "$scratch/missing")"
    step dpkg-buildpackage -us -uc -b || finish
    cd "$scratch" || exit 99
    test -z "${DEBIAN_OUT:-}" || { mkdir -p "$DEBIAN_OUT" && cp ./*.deb ./*.changes "$DEBIAN_OUT"; }
}

# check_tags: lintian reports no errors and no warnings. Two are ignored: no bug report of Debian asks for this package,
# and the programs have --help instead of manual pages.
check_tags() {
    if lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,no-manual-page ./*.changes \
        >tags 2>&1; then passed; else fail "lintian"; fi
    cat tags
}

# check_mpi MPI: use the packages as if they were installed, in the folder $scratch/root.
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
# The packages that they depend on can be installed.
step apt-get install --simulate $(ls ./*.deb | grep -v dbgsym)
for mpi in openmpi mpich; do
    check_mpi $mpi
done
finish
