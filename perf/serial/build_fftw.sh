#!/bin/sh
# build_fftw.sh - builds FFTW from source with every instruction set of this machine, for subx-perf-serial --fftw.
#
# usage: build_fftw.sh TARBALL PREFIX
#   TARBALL   FFTW's source package, such as fftw-3.3.10.tar.gz
#   PREFIX    where the libraries go: PREFIX/lib/libfftw3.so (double) and libfftw3f.so (float)
# In the environment: CC, CFLAGS (default -O3 -march=native), JOBS for make (default 1).
set -eu
test $# -eq 2 || { sed -n '4,7s/^# //p' "$0"; exit 2; }
tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2/build"
prefix=$(cd "$2" && pwd)

# The processor's instruction sets: Linux's names, and the names in the options of FFTW's configure.
flags=" $(sed -n 's/^\(flags\|Features\)[^:]*://p' /proc/cpuinfo | head -n 1) "
options=
for pair in sse2:sse2 avx:avx avx2:avx2 avx512f:avx512 fma:fma asimd:neon; do
    case $flags in *" ${pair%:*} "*) options="$options --enable-${pair#*:}" ;; esac
done

test -d "$prefix/source" || {
    mkdir -p "$prefix/source.new"
    tar -xf "$tarball" -C "$prefix/source.new" --strip-components=1
    mv "$prefix/source.new" "$prefix/source"
}

# build NAME OPTION ...: one precision, in a folder of its own.
build() {
    mkdir -p "$prefix/build/$1"
    cd "$prefix/build/$1"
    shift
    # shellcheck disable=SC2086 # a list of options
    test -f config.status || "$prefix/source/configure" --prefix="$prefix" --enable-shared --disable-static \
        --disable-fortran --disable-doc $options "$@" CC="${CC:-gcc}" CFLAGS="${CFLAGS:--O3 -march=native}"
    nice make -j "${JOBS:-1}"
    make install
}

echo "what make says is in $prefix/build/double.log and float.log" >&2
build double >"$prefix/build/double.log" 2>&1
build float --enable-float >"$prefix/build/float.log" 2>&1
echo "$prefix/lib/libfftw3.so"
echo "$prefix/lib/libfftw3f.so"
