#!/bin/sh
# moving.sh - the manual shows pairs of programs that do the same: one for another library, one for ours. Both programs of a
# pair must print the same numbers. A pair is left out if its other library is missing. SUBX_PYTHON names
# another Python, SUBX_P3DFFT2 the prefix of P3DFFT 2.7.

. "$(dirname "$0")/../common/shell.sh"

CC=${CC:-mpicc}
build=${top_builddir:-.}
examples=$top/doc/examples/moving
test -f "$build/.libs/libsubx_fft.so" || skip "no shared libraries in $build"
LD_LIBRARY_PATH=$(cd "$build" && pwd)/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# setting NAME: print the value of a variable in the build's Makefile.
setting() {
    sed -n "s/^$1 = //p" "$build/Makefile"
}

# compile FILE COMPILER FLAG ...: compile the example FILE. COMPILER may have options.
compile() {
    file=$1
    compiler=$2
    shift 2
    # shellcheck disable=SC2086
    $compiler -Wall -Wextra -Werror "$examples/$file" -o "$scratch/${file%.*}" "$@" -lm >"$scratch/log" 2>&1 ||
        fail "$file does not compile: $(head -n 10 "$scratch/log")"
}

# compile_ours NAME: compile the C program for our library.
compile_ours() {
    compile "$1_ours.c" "$CC -std=c99" -I"$top/include" -L"$build/.libs" -lsubx_fft -lsubx
}

# has OPTION VARIABLE: returns 0 if configure has found the library of --with-OPTION.
has() {
    case " $(setting NEIGHBOURS_CPPFLAGS) " in
    *" -DSX_PERF_FFT_$2 "*) return 0 ;;
    esac
    echo "left out: $1, which configure has not found (--with-$1=DIR)"
    return 1
}

# compare RANKS LINES PROGRAM_A PROGRAM_B: both programs must print the same LINES lines of numbers. The sign of zeros is
# ignored.
compare() {
    ranks=$1
    lines=$2
    shift 2
    for program in "$@"; do
        launch -n "$ranks" "$scratch/$program" >"$scratch/log" 2>&1 || fail "$program on $ranks ranks: $(head "$scratch/log")"
        grep -E '^ *[0-9]+ -?[0-9.]+ -?[0-9.]+$' "$scratch/log" | sed 's/-\(0*\.0*\)\( \|$\)/\1\2/g' | sort >"$scratch/$program.out"
    done
    if test "$(wc -l <"$scratch/$1.out")" -eq "$lines" && cmp -s "$scratch/$1.out" "$scratch/$2.out"; then
        passed
    else
        fail "$ranks ranks: $(diff "$scratch/$1.out" "$scratch/$2.out" | head)"
    fi
}

fftw=$(setting FFTW3_MPI_LIBS)
if test -n "$fftw"; then
    # shellcheck disable=SC2086,SC2046
    compile fftw_theirs.c "$CC -std=c99" $fftw $(setting FFTW3_MPI_CFLAGS) -lfftw3
    compile_ours fftw
    for ranks in 1 3; do compare $ranks 16 fftw_theirs fftw_ours; done
else
    echo "left out: FFTW's MPI transforms, which are not there for this MPI"
fi

# pair NAME VARIABLE SUFFIX COMPILER LINES RANKS ...: compile the two programs for a library of configure, and compare them.
pair() {
    name=$1 variable=$2 suffix=$3 compiler=$4 lines=$5
    shift 5
    has "$name" "$variable" || return 0
    # shellcheck disable=SC2046
    compile "${name}_theirs.$suffix" "$compiler" $(setting "${variable}_CPPFLAGS") $(setting "${variable}_LIBS")
    compile_ours "$name"
    for ranks in "$@"; do compare "$ranks" "$lines" "${name}_theirs" "${name}_ours"; done
}
pair heffte HEFFTE cc "$(setting CXX)" 30 1 3
pair pfft PFFT c "$CC -std=c99" 15 1 4
pair p3dfft P3DFFT3 c "$CC -std=c99" 15 1 4
# P3DFFT 2 is written in Fortran. Its module can only be read by the compiler that compiled it, and none of our other
# programs needs it.
if test -f "${SUBX_P3DFFT2:-none}/lib/libp3dfft.a" && test -f "$build/.libs/libsubx_fortran.so"; then
    # shellcheck disable=SC2046
    compile p3dfft2_theirs.f90 "$(setting FC)" -I"$SUBX_P3DFFT2/include" "$SUBX_P3DFFT2/lib/libp3dfft.a" $(setting FFTW3_LIBS)
    compile p3dfft2_ours.f90 "$(setting FC)" -I"$build/bindings/fortran" -L"$build/.libs" -lsubx_fortran -lsubx_fft -lsubx
    for ranks in 1 4; do compare $ranks 15 p3dfft2_theirs p3dfft2_ours; done
else
    echo "left out: P3DFFT 2.7 (SUBX_P3DFFT2=PREFIX), or the Fortran modules"
fi
# shellcheck disable=SC2046
if has 2decomp DECOMP2D; then
    if test -f "$build/.libs/libsubx_fortran.so"; then
        compile 2decomp_theirs.f90 "$(setting FC)" $(setting DECOMP2D_CPPFLAGS) $(setting DECOMP2D_LIBS)
        compile 2decomp_ours.f90 "$(setting FC)" -I"$build/bindings/fortran" -L"$build/.libs" -lsubx_fortran -lsubx_fft -lsubx
        for ranks in 1 4; do compare $ranks 15 2decomp_theirs 2decomp_ours; done
    else
        echo "left out: 2decomp, whose counterpart needs the Fortran modules"
    fi
fi

# mpi4py must load the MPI of this build. The test imports it under the launcher, which gives ranks what MPI needs.
SUBX_LIBDIR=$(cd "$build" && pwd)/.libs
PYTHONPATH=$(cd "$build" && pwd)/bindings/python${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1
export SUBX_LIBDIR PYTHONPATH PYTHONDONTWRITEBYTECODE
for python in "${SUBX_PYTHON:-${PYTHON3:-python3}}" /usr/bin/python3 none; do
    launch -n 1 "$python" -c 'import mpi4py_fft, subarray_x' >"$scratch/log" 2>&1 && break
done
if test "$python" != none; then
    for name in mpi4py_fft_theirs mpi4py_fft_ours; do
        printf '#!/bin/sh\nexec "%s" "%s"\n' "$python" "$examples/$name.py" >"$scratch/$name"
        chmod +x "$scratch/$name"
    done
    for ranks in 1 3; do compare $ranks 16 mpi4py_fft_theirs mpi4py_fft_ours; done
else
    echo "left out: no Python with mpi4py-fft and an mpi4py for this MPI"
fi
test "$checks$failures" != 00 || skip "none of the other libraries is here"
finish
