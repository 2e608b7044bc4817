"""compare.py - transform .npy files by subx-fft and by numpy.fft, and compare.

usage: compare.py LAUNCH SUBX_FFT FOLDER
"""
import numpy

from checker import check, finish, make

# Every type of numbers and order of storage. Strategies, engines and numbers of ranks alternate.
turn = 0
ways = [
    ["--tuning", "strategy natural"],
    ["--tuning", "strategy fused"],
    ["--tuning", "strategy stride1"],
    ["--tuning", "strategy fused, overlap both, slices 3, cache 1000", "--engine", "pairwise"],
    ["--engine", "alltoallw"],
]
for shape in (7, 11, 13), (1, 5, 3), (16, 9), (3, 4, 5, 6):
    for dtype in "f4", "f8", "c8", "c16":
        order = "CF"[(turn + turn // 4) % 2]
        array = numpy.array(make(shape, dtype), order=order)
        wide = array.astype("c16" if array.dtype.kind == "c" else "f8")
        expected = numpy.fft.fftn(wide) if wide.dtype.kind == "c" else numpy.fft.rfftn(wide)
        if dtype in ("f4", "c8"):
            expected = expected.astype("c8")
        options = ways[turn % len(ways)]
        what = "%s %s in %s order" % (shape, dtype, order)
        check(what, (1, 3, 4)[turn // 2 % 3], array, expected, options)
        turn += 1

# Big-endian numbers; real numbers as the input of a complex transform.
swapped = make((6, 5, 4), "f8").astype(">f8")
check("big-endian", 3, swapped, numpy.fft.rfftn(swapped.astype("f8")), [])
field = make((6, 5, 4), "f8")
check("real as complex", 3, field, numpy.fft.fftn(field), ["c2c:6x5x4"])

# Backward, with odd and even lengths, with each scaling.
for shape in (4, 5, 7), (4, 5, 6):
    count = numpy.prod(shape)
    name = "x".join(map(str, shape))
    field = make(shape, "f8")
    spectrum = numpy.array(numpy.fft.rfftn(field), order="F")
    check("c2r", 4, spectrum, field, ["c2r:" + name, "--scaling", "backward"])
    check("r2c backward", 3, spectrum, field * count, ["r2c:" + name, "--backward"])
    both = make(shape, "c16")
    check("c2c backward", 4, both, numpy.fft.ifftn(both), ["--backward", "--scaling", "backward"])
    check("c2c symmetric", 3, both, numpy.fft.fftn(both, norm="ortho"), ["--scaling", "symmetric"])

# The file must not depend on the order in which the program stores the spectrum in memory.
field = make((6, 5, 8), "f4")
check("transposed inside", 4, field, numpy.fft.rfftn(field.astype("f8")),
      ["r2c:6x5x8", "--output-order", "transposed", "--grid", "2x2"])

finish()
