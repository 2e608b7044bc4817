#!/bin/sh
# fftw_bench.sh - run mpi-bench, FFTW's own test program, with libsubx_fftw3mpi. Skipped without FFTW's source package.
#
# usage: fftw_bench.sh [--source TARBALL | --download] [--tools FOLDER] [OPTION ...]
#   --modes "linked preloaded"  linked: with our library; preloaded: linked with FFTW's library, and ours is preloaded.
#                               A third mode, stock, tests this script: FFTW's library alone, on problems that it solves
#                               correctly
#   --precisions "s d l"  single, double, long double         --ranks "1 2 3 4 7"
#   --every N             every N-th problem of the families in fftw_patterns.sh (0: none)
#   --count N             random problems of N shapes, drawn by FFTW's tests/check.pl; with --maxsize and --seed
#   --thin                also give mode stock the problems with axes of one element, on which it fails
#   --problems "..."      these problems, in the notation of mpi-bench
#   --options "..."       options of mpi-bench, such as "-o estimate"     --threads     link with FFTW's threads
#   --batch N             problems per start of MPI                       --seconds N   time limit of a start
# The built programs stay in FOLDER for the next time. The default options need little time, because make check uses them.

. "$(dirname "$0")/../common/shell.sh"
. "$top/tests/peer/fftw_tools.sh"
. "$top/tests/peer/fftw_patterns.sh"
set -f
# With TEST_CORES=1, ranks that wait yield their core. Otherwise a problem takes seconds as soon as other programs use the
# cores.
export TEST_CORES="${TEST_CORES:-1}"

tools=$scratch/tools
tarball=${FFTW_SOURCE:-}
download=
modes="linked preloaded"
precisions=d
rank_list=3
every=97
count=1
maxsize=10000
seed=1
problems=
options="-o estimate"
fftw_threads=
thin=
batch=25
seconds=120
while test $# -gt 0; do
    case $1 in
    --download | --threads | --thin) ;;
    *) test $# -gt 1 || { echo "usage: see the first lines of $0" >&2; exit 2; } ;;
    esac
    case $1 in
    --source) tarball=$2 ;;
    --download) download=yes ;;
    --tools) tools=$2 ;;
    --modes) modes=$2 ;;
    --precisions) precisions=$2 ;;
    --ranks) rank_list=$2 ;;
    --every) every=$2 ;;
    --count) count=$2 ;;
    --maxsize) maxsize=$2 ;;
    --seed) seed=$2 ;;
    --problems) problems=$2 every=0 count=0 ;;
    --options) options=$2 ;;
    --threads) fftw_threads=yes ;;
    --thin) thin=yes ;;
    --batch) batch=$2 ;;
    --seconds) seconds=$2 ;;
    *) echo "$0: unknown option $1" >&2; exit 2 ;;
    esac
    case $1 in --download | --threads | --thin) shift ;; *) shift 2 ;; esac
done

if test -n "$download"; then
    mkdir -p "$tools"
    (cd "$tools" && apt-get source --download-only fftw3 >download.log 2>&1) || skip "apt-get cannot download fftw3"
    tarball=$(find "$tools" -name 'fftw3_*.orig.tar.gz')
fi
test -n "${CC:-}" || skip "CC names no compiler for MPI"
case " $modes" in *" linked"* | *" preloaded"*) test -f "$ours/libsubx_fftw3mpi.so" || skip "no libsubx_fftw3mpi" ;; esac
fftw_source "$tarball"

# tolerance PRECISION: print the largest error that is allowed. A larger error means that something was computed in a lower
# precision. mpi-bench's own default allows larger errors.
tolerance() {
    case $1 in s) echo 1e-4 ;; d) echo 1e-13 ;; l) echo 1e-16 ;; esac
}

# verify PROBLEM ...: verify these problems in one start of MPI. Writes the output to $scratch/out. Sets done to how many
# problems were right before the first failure.
verify() {
    set -- $(for problem in "$@"; do echo "--verify $problem"; done)
    (cd "$scratch" && fftw_run "$ranks" "$mode" "$precision" -v1 --verify-tolerance "$(tolerance "$precision")" \
        $options "$@") >"$scratch/out" 2>&1
    status=$?
    done=$(grep -c '^[^ ]* [-0-9.e+]* [-0-9.e+]* [-0-9.e+]*$' "$scratch/out")
    checks=$((checks + done))
    verified=$((verified + done))
    return $status
}

# verify_all PROBLEM ...: verify all problems. A problem that fails is repeated alone, to show whether it also fails without
# the problems before it. Then the next problems are verified.
verify_all() {
    while test $# -gt 0; do
        if verify "$@"; then
            test "$done" -eq $# || fail "$mode $precision on $ranks ranks: $done of $# problems were verified: $*"
            return
        fi
        together=$*
        test "$done" -lt $# || { fail "$mode $precision on $ranks ranks: exit status $status at the end of $*"; return; }
        shift "$done"
        cp "$scratch/out" "$scratch/together"
        first=$status
        if test "$together" != "$1" && verify "$1"; then
            cp "$scratch/together" "$scratch/out"
            fail "$mode $precision on $ranks ranks, exit status $first at $1, which passes alone, in one run of" \
                "$options $together"
        else
            fail "$mode $precision on $ranks ranks, exit status $status: $options --verify '$1'"
        fi
        grep -e Found -e can_do -e ssert -e ignal: -e rror: "$scratch/out" | grep -v -e verify.c -e MPI_ABORT | head -n 3
        shift
    done
}

# verify_batches: verify the problems in $scratch/list, several per start of MPI.
verify_batches() {
    set --
    for problem in $(cat "$scratch/list"); do
        set -- "$@" "$problem"
        test $# -lt "$batch" && continue
        verify_all "$@"
        set --
    done
    verify_all "$@"
}

# known_to_stock: copy a list of problems. In mode stock, leave out problems with axes of length 1: for these FFTW has no plan,
# gives wrong results, or destroys the heap.
known_to_stock() {
    if test "$mode" = stock && test -z "$thin"; then
        grep -v -e '^[]a-jl-z[]*1\([xv]\|$\)' -e 'x1\([xv]\|$\)' -e '1v1:' -e 'x1:[0-9]*:[0-9]*x'
    else
        cat
    fi
}

for mode in $modes; do
    for precision in $precisions; do
        case $mode in linked) build=fftw_linked ;; *) build=fftw_stock ;; esac
        $build "$precision" || { fail "mpi-bench is not built: $mode $precision"; continue; }
        for ranks in $rank_list; do
            {
                test "$every" -eq 0 || patterns_families "$every"
                test "$count" -eq 0 || patterns_random "$count" "$maxsize" "$seed"
                test -z "$problems" || printf '%s\n' $problems
            } | known_to_stock >"$scratch/list"
            before=$failures
            verified=0
            verify_batches
            echo "mpi-bench $mode $precision on $ranks ranks: $verified of $(wc -l <"$scratch/list") problems verified," \
                "$((failures - before)) failures"
        done
    done
done
finish
