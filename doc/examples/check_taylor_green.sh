#!/bin/sh
# check_taylor_green.sh - compares the files of 04_taylor_green with the same field computed by NumPy.
#
# Usage: check_taylor_green.sh [PROGRAM]. Exit status 77 (skipped) where no Python with NumPy is found.

program=${1-doc/examples/04_taylor_green}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

# The first python3 on the PATH may lack NumPy although /usr/bin/python3 has it.
for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do
    "$python" -c 'import numpy' 2>/dev/null && break
done
if test "$python" = none; then
    echo "no Python with NumPy"
    exit 77
fi

for shape in 5x4 8x6x10 3x1x4x5; do
    for type in f4 f8 c8 c16; do
        for order in C F; do
            "$program" "$dir/$shape.$type.$order" $shape $type $order || exit 1
        done
    done
done
"$program" "$dir/7x9x11.f8.C" 7x9x11 || exit 1 # the defaults

"$python" - "$dir"/* <<'END' || exit 1
import os, sys
import numpy

def field(shape, component):
    axes = [2 * numpy.pi * numpy.arange(n) / n for n in shape]
    factors = [numpy.sin(x) if a == component else numpy.cos(x) for a, x in enumerate(axes)]
    return (-1) ** component * numpy.prod(numpy.meshgrid(*factors, indexing="ij"), axis=0)

for path in sys.argv[1:]:
    lengths, code, order = os.path.basename(path).split(".")
    shape, dtype = tuple(map(int, lengths.split("x"))), numpy.dtype(code)
    want = field(shape, 0) + (1j * field(shape, 1) if dtype.kind == "c" else 0)
    have = numpy.load(path)
    good = {
        "shape": have.shape == shape,
        "type": have.dtype == dtype,
        "order": have.flags.c_contiguous if order == "C" else have.flags.f_contiguous,
        "header length": (os.path.getsize(path) - have.nbytes) % 64 == 0,
        "values": have.shape == shape and abs(have - want).max() < 4 * numpy.finfo(dtype).eps,
    }
    if not all(good.values()):
        sys.exit(f"{path}: wrong " + ", ".join(name for name in good if not good[name]))
print(len(sys.argv) - 1, "files are as NumPy computes them")
END

# With a wrong argument, or a file that cannot be written, the program exits with status 2 and prints one line.
new=$dir/new
for arguments in "" "$new" "$new 4" "$new 4x" "$new 4x0" "$new 4x4 f2" "$new 4x4 f8 A" "$new/x 4x4"; do
    # shellcheck disable=SC2086 # a list of words
    "$program" $arguments 2>"$dir/message"
    if test $? -ne 2 || ! test -s "$dir/message"; then
        echo "04_taylor_green $arguments: not refused"
        exit 1
    fi
done
echo "wrong arguments are refused"
