#!/bin/sh
# headers.sh - each public header includes only the headers that it may include, and compiles alone as C99 and as C++.
# subx.h has the version of the package.

. "$(dirname "$0")/../common/shell.sh"

CC=${CC:-mpicc}
# clang would warn of libraries among the flags of MPI's compiler, because compiling does not need libraries.
strict="-Wall -Wextra -pedantic -Werror -Wno-unused-command-line-argument"

# compile LANGUAGE STANDARD HEADER: compile a program that only includes HEADER. The two macros leave out MPI's C++
# bindings, which are not tested.
compile() {
    printf '#include <%s>\nint main(void) { return SUBX_VERSION_MAJOR; }\n' "$3" >"$scratch/alone.${1%++}"
    # Not quoted: CC and the flags are lists of words.
    # shellcheck disable=SC2086
    if $CC -x "$1" -std="$2" $strict -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I"$top/include" -fsyntax-only \
        "$scratch/alone.${1%++}" >"$scratch/log" 2>&1; then
        passed
    else
        fail "<$3> does not compile alone as $2:"
        head -n 20 "$scratch/log"
    fi
}

echo 'int main() { return 0; }' >"$scratch/probe.cc"
# shellcheck disable=SC2086
if $CC -x c++ -fsyntax-only "$scratch/probe.cc" 2>/dev/null; then cxx=yes; else cxx=no; fi
echo "C++ compiler: $cxx"

package=$(sed -n 's/^AC_INIT(\[subarray_x\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
version=$(sed -n 's/^#define SUBX_VERSION_[A-Z]* //p' "$top/include/subx.h" | tr '\n' . | sed 's/\.$//')
if test "$package" = "$version"; then passed; else fail "the package is $package, subx.h is $version"; fi

for header in subx.h subx_boxes.h subx_io.h subx_fft.h subx_tune.h; do
    compile c c99 $header
    compile c gnu11 $header
    if test $cxx = yes; then
        compile c++ c++11 $header
        compile c++ c++17 $header
    fi
done

check_includes() {
    header=$1
    shift
    for included in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$top/include/$header"); do
        case " $* " in
        *" $included "*) passed ;;
        *) fail "$header includes $included" ;;
        esac
    done
}
check_includes subx.h mpi.h stddef.h
check_includes subx_boxes.h subx.h
check_includes subx_io.h subx.h
check_includes subx_fft.h subx_boxes.h
check_includes subx_tune.h subx_fft.h
finish
