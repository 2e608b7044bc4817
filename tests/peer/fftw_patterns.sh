# fftw_patterns.sh - problems for FFTW's mpi-bench, in its own notation, one per line. To be sourced.
#
# A problem is [i|o][c|r|k][f|b][d][[]]SIZE[vHOWMANY]: i, o: in or out of place; c, r, k: complex, real, real-to-real kinds;
# f, b: forward, backward; d: the input may be destroyed; [ and ]: transposed input and output. First come families of
# problems: each option with each shape.

# each PREFIX FLAGS SHAPES VECTORS: print all combinations, in place and out of place. A dot stands for an empty word.
each() {
    for flags in $2; do
        for shape in $3; do
            for vector in $4; do
                for place in i o; do
                    echo "$place$1$flags$shape$vector"
                done
            done
        done
    done | tr -d .
}

shapes="12x10x6 9x7x5 5x3 16x8 3x100 100x3 7x11x3x2 2x3x5x2x3 1x8 8x1 98x1 13x2x1 3x1x5 1x6x4"

patterns_complex() {
    each cf ". [ ] [] d d] d[ d[]" "$shapes" ". v3"
    each cb ". [ ] [] d]" "$shapes" ". v2"
}

# For real transforms, FFTW can transpose the spectrum, but not the real data.
patterns_real() {
    each rf ". ] d d]" "$shapes 6x9x1 4x2 4x1" ". v3"
    each rb ". [" "$shapes 6x9x1 4x2 4x1" ". v3"
}

patterns_kinds() {
    kinds="f b h e00 e01 e10 e11 o00 o01 o10 o11"
    for first in $kinds; do
        for second in $kinds; do
            each k . "6${first}x5$second" .
        done
        each k ". [ ] [] d" "9${first}x4e10x7o11 5hx8$first 2${first}x3fx4bx2h" ". v2"
    done
}

# Complex transforms of one axis. FFTW only distributes lengths that are not prime.
patterns_line() {
    for sign in f b; do
        each "c$sign" ". d" "1 2 3 4 6 8 9 12 16 25 30 36 49 64 97 100 128 210 243 1000 1024 4096" ". v3 v8"
    done
}

# mpi-bench describes a transposition as a problem of size 1 that is repeated along three axes: n0, n1, and the reals of a
# tuple. Each axis is written as LENGTH:STRIDE IN THE INPUT:STRIDE IN THE OUTPUT.
patterns_transpose() {
    for n0 in 1 2 3 5 8 13; do
        for n1 in 1 2 4 7 12; do
            for tuple in 1 2 3; do
                # leave out tuples of one real along one axis: mpi-bench would take this axis for the tuple
                test $((n0 * n1 * tuple)) -gt "$((n0 > n1 ? n0 : n1))" || continue
                vector=$n0:$((n1 * tuple)):${tuple}x$n1:$tuple:$((n0 * tuple))x$tuple:1:1
                each k ". [ ] [] d d[]" 1 "v$vector"
            done
        done
    done
}

# patterns_families N: print every N-th problem of all families.
patterns_families() {
    {
        patterns_complex
        patterns_real
        patterns_kinds
        patterns_line
        patterns_transpose
    } | awk -v every="$1" 'NR % every == 0'
}

# patterns_random COUNT MAXSIZE SEED: print the problems that FFTW's own script tests/check.pl would run.
patterns_random() {
    # shellcheck disable=SC2016
    perl -e 'srand(shift @ARGV); my $script = shift @ARGV; do $script; die $@ if $@;' \
        "$3" "$tools/source/tests/check.pl" --random "--maxsize=$2" "-c=$1" --mpi echo |
        tr ' ' '\n' | grep -v -e '^--' -e '^$'
}
