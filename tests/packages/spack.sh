#!/bin/sh
# spack.sh - check the recipe for Spack: its version must be right, and the options that it gives to configure must exist.
# If Spack is installed, it installs the distribution with the libraries of this system, and programs are built with that
# installation.
#
# make check-packages sets MAKE, PKG_CONFIG, MPIEXEC and top_builddir. The user's settings of Spack are not changed.

. "$(dirname "$0")/../common/shell.sh"
. "$(dirname "$0")/project/build.sh"

recipe=$top/packaging/spack/package.py
version=$(sed -n 's/^AC_INIT(\[subarray_x\], \[\(.*\)\])/\1/p' "$top/configure.ac")
grep -qF "version(\"$version\")" "$recipe" && grep -qF "subarray_x-$version.tar.xz" "$recipe" && passed ||
    fail "the recipe is for another version than $version"
(cd "$top" && ./configure --help) >"$scratch/help"
for option in $(grep -o -- '--with-[a-z0-9-]*' "$recipe") $(sed -n 's/.*with_or_without("\([a-z0-9]*\)".*/--with-\1/p' "$recipe"); do
    if grep -q -- "$option\>" "$scratch/help"; then passed; else fail "configure has no option $option"; fi
done

# write_settings: write settings by which Spack uses the compiler, MPI and libraries of the system.
write_settings() {
    mkdir -p "$scratch/settings" "$scratch/repo/packages/subarray-x"
    cp "$recipe" "$scratch/repo/packages/subarray-x/"
    printf 'repo:\n  namespace: subarray_x_check\n' >"$scratch/repo/repo.yaml"
    printf 'repos:\n- %s\n' "$scratch/repo" >"$scratch/settings/repos.yaml"
    printf 'bootstrap:\n  enable: false\n' >"$scratch/settings/bootstrap.yaml"
    printf 'mirrors:: {}\n' >"$scratch/settings/mirrors.yaml"
    printf 'config:\n  install_tree:\n    root: %s\n  build_stage:\n  - %s\n' "$scratch/tree" "$scratch/stage" \
        >"$scratch/settings/config.yaml"
    {
        printf 'packages:\n  all:\n    buildable: false\n    providers:\n      mpi: [openmpi]\n  subarray-x:\n    buildable: true\n'
        external openmpi "$(mpirun.openmpi --version | sed -n '1s/.* //p')"
        external hwloc "$($PKG_CONFIG --modversion hwloc)"
        external fftw "$($PKG_CONFIG --modversion fftw3)"
        external hdf5 "$($PKG_CONFIG --modversion hdf5-openmpi) +mpi"
        external check "$($PKG_CONFIG --modversion check)"
        external pkgconf "$($PKG_CONFIG --version)"
        external gmake "$(make --version | sed -n '1s/.* //p')"
        external gnuconfig "$(date +%Y)"
        external glibc "$(ldd --version | sed -n '1s/.* //p')"
    } >"$scratch/settings/packages.yaml"
    export SPACK_USER_CONFIG_PATH="$scratch/settings" SPACK_SYSTEM_CONFIG_PATH="$scratch/none"
    export SPACK_USER_CACHE_PATH="${SPACK_USER_CACHE_PATH:-$scratch/cache}"
}

# external NAME VERSION_AND_VARIANTS: print the settings for a package that the system has.
external() {
    printf '  %s:\n    externals:\n    - {spec: "%s@%s", prefix: /usr}\n' "$1" "$1" "$2"
}

# install_by_spack WORD ...: install with these variants, and build programs with the installation.
install_by_spack() {
    step spack install --no-checksum "subarray-x@$version" "$@" || return
    installed=$(spack location -i "subarray-x@$version" "$@") || fail "spack location"
    libraries="subx fft io"
    CC=mpicc.openmpi MPIEXEC=mpirun.openmpi pkg_config_project "$installed/lib"
}

if command -v spack >/dev/null && command -v mpirun.openmpi >/dev/null; then
    write_settings
    step $MAKE -C "$top_builddir" dist || finish
    mv "$top_builddir/subarray_x-$version.tar.xz" "$scratch/"
    cd "$scratch" || exit 99
    step spack compiler find
    step spack spec subarray-x ~fftw ~hdf5
    install_by_spack +fftw +hdf5
else
    echo "spack: not run, it is not here"
fi
finish
