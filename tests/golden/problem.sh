#!/bin/sh
# problem.sh - subx-fft takes the text of any problem, even if the text begins with a dash. It prints the canonical text, or
# the library's message about a wrong text.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}

ranks=0 # without MPI's launcher

# column NUMBER: print this column of the second line of a CSV file. Values that contain commas are in quotes.
column() {
    awk -v want="$1" 'NR == 2 {
        n = 1
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) n++
            else if (n == want) value = value c
        }
        print value
    }'
}

# accept TEXT CANONICAL OPTION ...: on `ranks` ranks all checks must pass, and the column "problem" must have the canonical
# text.
accept() {
    text=$1 canonical=$2
    shift 2
    launch -t 30 -n $ranks "$subx_fft" "$@" "$text" --verify --csv >"$scratch/out" 2>"$scratch/err"
    status=$?
    printed=$(column 3 <"$scratch/out")
    if test $status -ne 0; then
        fail "$text: exit status $status: $(cat "$scratch/err")"
    elif test "$printed" != "$canonical"; then
        fail "$text is printed as $printed instead of $canonical"
    elif test "$(column 23 <"$scratch/out")" != yes; then
        fail "$text is not verified"
    else
        passed
    fi
}

# refuse TEXT WORDS: the error message must have these words.
refuse() {
    launch -t 30 -n 0 "$subx_fft" "$1" >"$scratch/out" 2>"$scratch/err"
    status=$?
    if test $status -eq 2 && grep '^subx-fft: ' "$scratch/err" | grep -qF -e "$2"; then
        passed
    else
        fail "$1: exit status $status, no \"$2\" in: $(cat "$scratch/err")"
    fi
}

accept -:4x4 -:4x4
accept -.f32:4x4 -.f32:4x4
accept -,c2c:8x8 -,c2c:8x8
accept -,-,r2c:3x4x5 -,-,r2c:3x4x5 --grid 1
accept c2c,c2c:4x5 c2c:4x5
accept c2c,r2c.f64:4x5 r2c:4x5
accept c2r:4x5 c2r:4x5
accept dct2,c2c,r2c:3x4x5 dct2,c2c,r2c:3x4x5 --scaling orthonormal
accept c2c.long:5x6 c2c.long:5x6
accept "2*dst1,dht:3x4" "2*dst1,dht:3x4"
accept "r2hc.f32:3x4*5" "r2hc.f32:3x4*5"
accept "r2c:4x4>6x6" "r2c:4x4>6x6"
accept "dct1,c2c:4x3>4x6>4x5" "dct1,c2c:4x3>4x6>4x5" --backward
accept r2c:5x6/spectral-order=0,1/padded r2c:5x6/padded/spectral-order=0,1
accept c2c:7 c2c:7
accept dct4:7 dct4:7 --sequence 0

# Transposed output scrambles the elements of a divided axis, but the components of an element stay side by side.
ranks=3
accept c2c:60 c2c:60 --output-order transposed
accept "c2c:60*2" "c2c:60*2" --output-order transposed --backward
accept "r2c:6x5x4*2" "r2c:6x5x4*2" --output-order transposed
accept "2*dct1,c2c,dst3.f32:6x5x4" "2*dct1,c2c,dst3.f32:6x5x4" --sequence 1,0,2 --backward
ranks=2
accept r2c:6x5x4 r2c:6x5x4 --grid 1x1x2 --input-array destroy --backward
ranks=0

# The array of a file has no padding. If there are several fields, the file has one more axis. Long doubles are written as
# doubles. The second command reads the file of the first one; the transform of the data that it read is compared with the
# definition.
for text in "2*r2c.f32:4x6/padded" "r2c.long:4x6*2"; do
    for file in spectrum.raw spectrum.npy; do
        accept "$text" "$text" --output "$scratch/$file"
        accept "$text" "$text" --backward --input "$scratch/$file"
    done
done
bytes=$(wc -c <"$scratch/spectrum.raw")
test "$bytes" -eq 512 || fail "the raw file has $bytes bytes"

refuse -,c2c:4 "\"-,c2c:4\": subx: problem: 2 kinds for 1 axis"
refuse -. "\"-.\": subx: problem: expected f32, f64, long or f128 at the end"
refuse -x:4x4 "unknown option -x:4x4"
refuse --:4x4 "unknown option --:4x4"
finish
