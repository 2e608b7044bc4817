"""kinds.py - transform .npy files by subx-fft and by scipy.fft, axis by axis, and compare.

usage: kinds.py LAUNCH SUBX_FFT FOLDER

Starting a run takes most of the time. So a problem has several kinds, one per axis, and is run on one or two numbers of
ranks only.
"""
import numpy
import scipy.fft

from checker import check, finish, make


def weigh_last(x, axis, factor):
    x = x.copy()
    numpy.moveaxis(x, axis, 0)[-1] *= factor
    return x


def trigonometric(inverse, kind, x, size, axis, norm):
    """Execute a DCT or DST. SciPy 1.10 weights the wrong end of orthonormal DST-II and DST-III, so weight here, and tell
    SciPy not to. For complex data SciPy ignores this, so transform the real and the imaginary parts separately."""
    function = getattr(scipy.fft, inverse + kind[:3])
    if numpy.iscomplexobj(x):
        parts = [trigonometric(inverse, kind, part, size, axis, norm) for part in (x.real, x.imag)]
        return parts[0] + 1j * parts[1]
    if norm is None or kind not in ("dst2", "dst3"):
        return function(x, int(kind[3]), size, axis, norm)
    if (kind == "dst3") != bool(inverse):
        return function(weigh_last(x, axis, 2**0.5), int(kind[3]), size, axis, norm, orthogonalize=False)
    return weigh_last(function(x, int(kind[3]), size, axis, norm, orthogonalize=False), axis, 0.5**0.5)


def forward(kind, x, axis, size, norm):
    """Transform an axis, which may have fewer points than its length."""
    if kind == "-":
        return x
    if kind == "c2c":
        return scipy.fft.fft(x, size, axis, norm)
    if kind == "r2c":
        return scipy.fft.rfft(x, size, axis, norm)
    return trigonometric("", kind, x, size, axis, norm)


def backward(kind, x, axis, size, norm):
    if kind == "-":
        return x
    if kind == "c2c":
        return scipy.fft.ifft(x, size, axis, norm)
    if kind == "r2c":
        return scipy.fft.irfft(x, size, axis, norm)
    return trigonometric("i", kind, x, size, axis, norm)


def truncate(kind, x, axis, modes, size):
    """Keep the lowest frequencies. If the number of modes is even, the middle one is the sum of both signs."""
    x = numpy.moveaxis(x, axis, 0)
    half, end = (modes + 1) // 2, (modes - 1) // 2
    if modes == size or kind[:3] in ("dct", "dst"):
        x = x[: modes // 2 + 1 if kind == "r2c" else modes]
    elif kind == "r2c":
        x = x[: modes // 2 + 1].copy()
        x[half:] *= 2
    else:
        middle = x[half: modes // 2 + 1] + x[size - half: size - half + modes // 2 + 1 - half]
        x = numpy.concatenate((x[:half], middle, x[size - end:]))
    return numpy.moveaxis(x, 0, axis)


def pad(kind, x, axis, modes, size):
    """The inverse of truncate: add zeros for the frequencies that are missing, and give each sign half of the middle."""
    x = numpy.moveaxis(x, axis, 0)
    if kind == "r2c":
        full = numpy.zeros((size // 2 + 1,) + x.shape[1:], x.dtype)
        full[: len(x)] = x
        full[(modes + 1) // 2: len(x)] /= 2 if modes < size else 1
    elif modes == size or kind[:3] in ("dct", "dst"):
        full = numpy.zeros((size,) + x.shape[1:], x.dtype)
        full[:modes] = x
    else:
        half, end = (modes + 1) // 2, (modes - 1) // 2
        full = numpy.zeros((size,) + x.shape[1:], x.dtype)
        full[:half] = x[:half]
        full[size - end:] = x[modes - end:]
        for middle in x[half: modes // 2 + 1]:
            full[half] = full[size - half] = middle / 2
    return numpy.moveaxis(full, 0, axis)


def parse(text):
    """Get kind, modes, size and points of each axis of the files, and the bytes of a real. Several fields are an axis of kind
    "-"."""
    head, lengths = text.split(":")
    head, _, precision = head.partition(".")
    first, _, head = head.rpartition("*")
    lengths, _, last = lengths.partition("*")
    lists = [[int(n) for n in part.split("x")] for part in lengths.split(">")]
    modes, sizes, points = (lists + 2 * lists[-1:])[:3]
    kinds = head.split(",")
    if len(kinds) == 1:
        kinds = ["c2c"] * (len(sizes) - 1) + kinds if head == "r2c" else kinds * len(sizes)
    axes = list(zip(kinds, modes, sizes, points))
    fields = [("-",) + 3 * (int(first or last),)] if first or last else []
    axes = fields + axes if first else axes + fields
    return axes, 4 if precision == "f32" else 8


def is_complex(axes, side):
    kinds = [axis[0] for axis in axes]
    return "r2c" in kinds and side == "spectral" or "c2c" in kinds and "r2c" not in kinds


def transform(axes, x, norm):
    """Transform forward. The r2c axis comes first, because it needs reals, which other axes may make complex."""
    for a in sorted(range(len(axes)), key=lambda a: axes[a][0] != "r2c"):
        kind, modes, size, points = axes[a]
        x = truncate(kind, forward(kind, x, a, size, norm), a, modes, size)
    return x


def restore(axes, x, norm):
    for a in sorted(range(len(axes)), key=lambda a: axes[a][0] == "r2c"):
        kind, modes, size, points = axes[a]
        x = backward(kind, pad(kind, x, a, modes, size), a, size, norm)
        x = numpy.take(x, range(points), a)
    return x


def convert(x, width):
    """Convert to numbers with `width` bytes per real."""
    return x.astype("%s%d" % (x.dtype.kind, width * (2 if x.dtype.kind == "c" else 1)))


def compare(text, ranks, back, *options, norm=None):
    """Compare forward on `ranks` ranks and backward on `back` ranks. SciPy's norm None scales backward."""
    axes, width = parse(text)
    options = [text, "--scaling", "orthonormal" if norm else "backward", *options]
    field = convert(make([axis[3] for axis in axes], "c16" if is_complex(axes, "physical") else "f8"), width)
    spectrum = convert(transform(axes, convert(field, 8), norm), width)
    check("forward", ranks, field, spectrum, options)
    field = convert(restore(axes, convert(spectrum, 8), norm), width)
    check("backward", back, spectrum, field, options + ["--backward"])


# All kinds, with each scaling.
compare("dct1,dct2,dct3,dct4:5x6x7x4", 1, 3)
compare("dct1,dct2,dct3,dct4:6x5x4x7", 3, 4, norm="ortho")
compare("dst1,dst2,dst3,dst4:5x6x7x4", 4, 1, "--tuning", "strategy stride1")
compare("dst1,dst2,dst3,dst4.f32:6x5x4x7", 1, 3, norm="ortho")
compare("r2c.f32:9x8x11", 4, 1, "--tuning", "strategy natural")
compare("dct2,c2c,r2c:6x7x10", 1, 3)
compare("r2c,dst3,c2c:9x4x5", 3, 4, norm="ortho")

# Axes that are not transformed; several fields; a single axis; bricks.
compare("c2c,-,c2c:6x3x7", 4, 3)
compare("3*c2c:6x7", 1, 4)
compare("dct2,r2c.f32:7x8*3", 4, 3)
compare("c2c:60", 3, 4)
compare("r2c:61", 1, 1)
compare("c2c.f32:9x8x10", 4, 4, "--grid", "2x1x2")

# The 3/2 rule with even and odd numbers of modes; points that are left out.
compare("c2c:8x9>12x14", 3, 4)
compare("dct2,c2c,r2c:5x7x6>8x9x9", 1, 3)
compare("c2c:12x10>12x10>8x7", 4, 1)
finish()
