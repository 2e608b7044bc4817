# fftw_tools.sh - functions that build mpi-bench, FFTW's own test program, from FFTW's sources. To be sourced after
# shell.sh.
#
# FFTW's sources are under the GPL. They are compiled in their own folder and used for tests only; nothing of them is
# copied. Needs CC, a compiler for MPI. The caller sets tools, the folder to build in, and first calls fftw_source.

ours=${top_builddir:-$PWD}/.libs

# fftw_source TARBALL: unpack the sources, and write a short config.h, which is enough for today's systems.
fftw_source() {
    test -f "$1" || skip "no source package of FFTW (FFTW_SOURCE=fftw-3.3.10.tar.gz or fftw3_3.3.10.orig.tar.gz)"
    mkdir -p "$tools"
    tools=$(cd "$tools" && pwd)
    test -d "$tools/source" || {
        mkdir "$tools/source.new" && tar -xf "$1" -C "$tools/source.new" --strip-components=1 &&
            mv "$tools/source.new" "$tools/source" || exit 99
    }
    for name in STDDEF_H STDLIB_H STRING_H STDINT_H INTTYPES_H MALLOC_H UNISTD_H SYS_TIME_H SYS_TYPES_H \
        GETTIMEOFDAY SNPRINTF DRAND48 POSIX_MEMALIGN ISNAN COSL UINTPTR_T; do
        echo "#define HAVE_$name 1"
    done >"$tools/config.h"
    cat >>"$tools/config.h" <<END
#define TIME_WITH_SYS_TIME 1
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_UNSIGNED_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_UNSIGNED_LONG __SIZEOF_LONG__
#define SIZEOF_UNSIGNED_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_PTRDIFF_T __SIZEOF_PTRDIFF_T__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
END
    # These hooks read data of FFTW's planner, which our library does not use. Empty functions replace them.
    echo 'void install_hook(void) {} void uninstall_hook(void) {}' >"$tools/hook.c"
}

# fftw_letter PRECISION: print the last letter in the names of FFTW's libraries.
fftw_letter() {
    case $1 in s) echo f ;; l) echo l ;; esac
}

# fftw_macro PREFIX PRECISION: print the compiler's option that selects the precision.
fftw_macro() {
    case $2 in s) echo "-D$1_SINGLE" ;; l) echo "-D$1_LDOUBLE" ;; esac
}

# fftw_compile ARGUMENT ...: compile. If that fails, print the compiler's output.
fftw_compile() {
    $CC -O1 -w -I"$tools" -I"$tools/source" -I"$tools/source/api" "$@" >"$tools/log" 2>&1 || {
        cat "$tools/log"
        return 1
    }
}

# fftw_bench PRECISION NAME LIBRARY ...: build $tools/mpi-bench-PRECISION-NAME, and link it with these libraries.
fftw_bench() {
    bench=$tools/mpi-bench-$1-$2
    letter=$(fftw_letter "$1")
    macro=$(fftw_macro BENCHFFT "$1")
    shift 2
    # mpi-bench itself defines the functions of the files that are left out here.
    test -x "$bench" || fftw_compile $macro ${fftw_threads:+-DHAVE_THREADS} -o "$bench" \
        $(find "$tools/source/libbench2" -name '*.c' ! -name useropt.c ! -name bench-exit.c ! -name 'after-*.c' \
            ! -name bench-cost-postprocess.c) \
        "$tools/source/mpi/mpi-bench.c" "$tools/source/tests/fftw-bench.c" "$tools/hook.c" "$@" \
        ${fftw_threads:+"-lfftw3${letter}_threads"} "-lfftw3$letter" -lm
}

# fftw_linked PRECISION: build mpi-bench with our library alone.
fftw_linked() {
    fftw_bench "$1" linked -L"$ours" "-Wl,-rpath,$ours" -lsubx_fftw3mpi
}

# fftw_stock PRECISION: build mpi-bench with FFTW's own MPI library. This is the system's library, if it is for this MPI.
# Otherwise it is built from these sources, which must have the version of the system's serial library.
fftw_stock() {
    letter=$(fftw_letter "$1")
    fftw_bench "$1" stock "-lfftw3${letter}_mpi" && test "$(ldd "$bench" | grep -c 'libmpi\(ch\)\?\.so')" -eq 1 && return
    rm -f "$bench"
    mkdir -p "$tools/lib"
    library=$tools/lib/libfftw3${letter}_mpi.so
    # shellcheck disable=SC2046,SC2086
    test -f "$library" || fftw_compile $(fftw_macro FFTW "$1") -I"$tools/source/mpi" -fPIC -shared \
        "-Wl,-soname,libfftw3${letter}_mpi.so" -o "$library" \
        $(find "$tools/source/mpi" -name '*.c' ! -name mpi-bench.c ! -name testsched.c) "-lfftw3$letter" -lm || return
    fftw_bench "$1" stock -L"$tools/lib" "-Wl,-rpath,$tools/lib" "-lfftw3${letter}_mpi"
}

# fftw_run RANKS MODE PRECISION ARGUMENT ...: run mpi-bench. In mode preloaded, run the program with FFTW's library, and
# preload ours. If launch preloads a library (TEST_YIELD), LD_PRELOAD must name both.
fftw_run() {
    ranks=$1 mode=$2 bench=$tools/mpi-bench-$3-$2
    shift 3
    case $mode in
    preloaded)
        preload=$ours/libsubx_fftw3mpi.so
        test ! -f "${TEST_YIELD:-}" || preload=$preload:$TEST_YIELD
        launch -t "${seconds:-60}" -n "$ranks" env LD_PRELOAD="$preload" "${bench%preloaded}stock" "$@"
        ;;
    *) launch -t "${seconds:-60}" -n "$ranks" "$bench" "$@" ;;
    esac
}
