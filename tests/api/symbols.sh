#!/bin/sh
# symbols.sh - shared libraries export exactly the functions that public headers and subx_lowlevel.h declare, each with a
# version. All other functions have the names of their rooms. Only the listed variables belong to no object.

. "$(dirname "$0")/../common/shell.sh"

NM=${NM:-nm}
build=${top_builddir:-.}
private=../lib/lowlevel/subx_lowlevel.h

# declared HEADER ...: print the functions that these headers declare.
declared() {
    (cd "$top/include" && sed -n 's/^SUBX_EXPORT .*[ *]\(subx_[a-z0-9_]*\)(.*/\1/p' "$@") | sort
}

# with_versions LIBRARY: print each exported function as NAME@@VERSION. Leaves out the absolute symbols, which are the
# versions themselves.
with_versions() {
    $NM -D --defined-only "$1" | awk '$2 ~ /[B-TV-Z]/ { print $3 }' | sort
}

# exported LIBRARY: print the names of the exported functions, without versions.
exported() {
    with_versions "$1" | sed 's/@.*//'
}

# check_versions NAME LIBRARY: functions of subx_lowlevel.h have a version node of their own, because their interface may
# change.
check_versions() {
    declared $private >"$scratch/lowlevel"
    for symbol in $(with_versions "$2"); do
        node=SUBX
        if grep -qx "${symbol%%@*}" "$scratch/lowlevel"; then node=SUBX_PRIVATE; fi
        case $symbol in
        *@@"$node"_[0-9]*.[0-9]*) passed ;;
        *@*) fail "$1: the version of $symbol is not ${node}_RELEASE" ;;
        *) fail "$1: $symbol has no version" ;;
        esac
    done
}

check_library() {
    library=$build/.libs/$1.so
    test -f "$library" || skip "no shared library $library"
    # shellcheck disable=SC2086 # a list of headers
    declared $2 >"$scratch/declared"
    exported "$library" >"$scratch/exported"
    test -s "$scratch/declared" || fail "$2 declares nothing"
    for symbol in $(comm -13 "$scratch/declared" "$scratch/exported"); do
        fail "$1 exports $symbol, which $2 does not declare"
    done
    for symbol in $(comm -23 "$scratch/declared" "$scratch/exported"); do
        fail "$2 declares $symbol, which $1 does not export"
    done
    for symbol in $(comm -12 "$scratch/declared" "$scratch/exported"); do
        case $symbol in
        subx_*) passed ;;
        *) fail "$symbol does not start with subx_" ;;
        esac
    done
    case $has_versions in yes) check_versions "$1" "$library" ;; esac
}

# Some linkers take no version maps. Then the symbols have no versions.
has_versions=$(sed -n 's/^VERSION_SCRIPT = //p' "$build/Makefile")
echo "versions: ${has_versions:-unknown}"
test -n "$has_versions" || fail "$build/Makefile does not say whether the linker takes maps"

# Every declaration must have SUBX_EXPORT, because this script only sees functions that have it.
for header in subx.h subx_boxes.h $private subx_io.h subx_fft.h subx_tune.h; do
    if grep -nE '^[a-z].*\<subx_[a-z0-9_]*\(' "$top/include/$header" | grep -v SUBX_EXPORT; then
        fail "$header declares a function without SUBX_EXPORT"
    else
        passed
    fi
done
check_library libsubx "subx.h subx_boxes.h $private"
check_library libsubx_io subx_io.h
check_library libsubx_fft "subx_fft.h subx_tune.h"

# libsubx_fftw3mpi exports FFTW's names: in each precision the 71 functions of FFTW's MPI library (with those for Fortran),
# and those functions of FFTW's serial library that take a plan. They have no versions, because FFTW's have none: so a
# program runs with either library, whichever it was linked with. The same holds for libsubx_pmpi and MPI.
library=$build/.libs/libsubx_fftw3mpi.so
if test -f "$library"; then
    exported "$library" >"$scratch/exported"
    for symbol in $(cat "$scratch/exported"); do
        case $symbol in
        fftw_* | fftwf_* | fftwl_* | [dsl]fftw_*_) passed ;;
        *) fail "libsubx_fftw3mpi exports $symbol" ;;
        esac
    done
    for name in fftw fftwf fftwl; do
        count=$(grep -c "^${name}_mpi_" "$scratch/exported")
        case $count in
        0 | 71) passed ;;
        *) fail "libsubx_fftw3mpi exports $count functions ${name}_mpi_*" ;;
        esac
    done
fi

# Private functions that several files call must be named after their room: sx_<room>_<verb>.
for archive in libsubx_core libsubx_io_core libsubx_fft_core libsubx_fftw3mpi_core; do
    test "$archive" != libsubx_fftw3mpi_core || test -f "$library" || continue # built without FFTW
    test -f "$build/.libs/$archive.a" || { fail "no $archive.a"; continue; }
    for symbol in $($NM -g --defined-only "$build/.libs/$archive.a" | awk 'NF == 3 { print $3 }' | sort -u); do
        case $symbol in
        subx_* | sx_*) passed ;;
        fftw* | [dsl]fftw_*) passed ;; # of libsubx_fftw3mpi
        *) fail "$archive shares $symbol between its files" ;;
        esac
    done
done

# Variables that can change and belong to no object must be in this list. The drop-ins have more, because they
# replace libraries whose functions have no object. Inside a function, gcc names a variable name.NUMBER, clang
# FUNCTION.name. Why each exists:
#   keyval             attribute keys, by which MPI keeps our objects (lib/comm, lib/type)
#   codes once         error codes and their texts are registered with MPI once (lib/base/error.c)
#   list lock          segments of subx_mem_alloc, which callers name by address (lib/mem/list.c); plans in
#                      flight, all of which a waiting rank works on (fft/plan/flight.c); transforms that are
#                      shared (fft/simd/create.c)
#   newest             plans that are kept (fft/keep/keep.c)
#   process serial     a hash of the process, a number: they distinguish segments, and stamps of pipes
#                      (lib/mem/identity.c)
#   caches             their sizes are read once (lib/kern/cache_sizes.c)
#   stagings           a large copy takes one; any number of threads may execute one copy (lib/kern/staging.c)
#   planner            the lock of FFTW's planner, of which there is one (fft/serial/fftw3.c)
#   is_crowded most_ranks   how many ranks run here, for all waiting and all caches (lib/base/crowded.c)
#   found nloaded      a function of CUDA's driver, once the process has loaded it (lib/base/place.c)
#   sx_base_knobs      only tests change it (lib/base/overrides.c)
state='is_crowded most_ranks once keyval codes list lock process serial caches stagings planner newest found nloaded sx_base_knobs'
objdump=${OBJDUMP:-objdump}
if command -v "$objdump" >"$scratch/which"; then
    for archive in libsubx_core libsubx_io_core libsubx_fft_core; do
        for name in $("$objdump" -t "$build/.libs/$archive.a" |
            awk '$3 == "O" && $4 ~ /^\.t?(bss|data)(\.|$)/ && $4 !~ /rel\.ro/ { sub(/\.[0-9]+$/, "", $NF); sub(/^.*\./, "", $NF); print $NF }' |
            grep -v '^__' | sort -u); do
            case " $state " in
            *" $name "*) passed ;;
            *) fail "$archive: $name can change, and belongs to no object" ;;
            esac
        done
    done
fi
finish
