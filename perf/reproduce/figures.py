"""The description of a figure, and functions that the descriptions of all papers share."""
from cells import Cell

# Our variants, as subx-perf-fft spells them, and how pictures call them.
OURS = "auto/transposed/auto"
NATURAL = "natural/natural/alltoallw"
STRIDE1 = "stride1/transposed/alltoallw"
LABELS = {OURS: "subarray_x", NATURAL: "natural, MPI's subarray", STRIDE1: "stride1, subarray_x types",
          "fftw-mpi": "FFTW", "dalcin": "Dalcin's method, plain C", "2decomp": "2DECOMP&FFT", "p3dfft++": "P3DFFT++",
          "pfft": "PFFT", "accfft": "AccFFT", "heffte": "heFFTe"}
PANELS = ["total", "exchanges", "transforms"]


class Setup:
    """The user's choice: size (tiny, small or paper), numbers of ranks, rounds."""

    def __init__(self, size, ranks, repeat):
        self.size, self.ranks = size, ranks
        self.repeat = repeat or {"tiny": 2, "small": 5, "paper": 15}[size]
        self.effort = "estimate" if size == "tiny" else "measure"

    def pick(self, tiny, small, paper):
        return {"tiny": tiny, "small": small, "paper": paper}[self.size]

    def fft(self, name, ranks, problems, grids, variants, *more, neighbours="none", cable=None, effort=None):
        """A cell of subx-perf-fft. Problems and grids are lists, separated by commas."""
        return Cell(name, ranks, "subx-perf-fft", "--problems", problems, "--grids", grids, "--variants",
                    ",".join(variants), "--neighbours", neighbours, "--stages", "--repeat", self.repeat, "--effort",
                    effort or self.effort, *more, cable=cable)


class Figure:
    """A figure or table of a paper.

    name       the word of the command line, such as dalcin-6
    paper      a key of PAPERS
    title      what it is in the paper
    asked      what the paper measured, and how ours differs: sentences
    cells      the runs
    rows       function(outputs): rows from the outputs of the cells, by the cells' names; see row()
    claims     what the paper says: sentences
    numbers    file in papers/ with the paper's own numbers, or None
    """

    def __init__(self, name, paper, title, **more):
        self.name, self.paper, self.title = name, paper, title
        self.numbers, self.claims = None, []
        self.__dict__.update(more)


def row(panel, series, x, least, median, detail=""):
    """A row of a figure: the shortest and the median time (or another value) of a series at x."""
    return {"panel": panel, "series": series, "x": x, "least": least, "median": median, "detail": detail}


def order(rows):
    """The rows with the panels in this order: total, exchanges, transforms, then all others in the order of their rows."""
    panels = list(dict.fromkeys(r["panel"] for r in rows))
    place = {name: k for k, name in enumerate(sorted(panels, key=lambda name: (
        len(PANELS) if name not in PANELS else PANELS.index(name), panels.index(name))))}
    return sorted(rows, key=lambda r: place[r["panel"]])


def label(program_row):
    """The series of a row of subx-perf-fft."""
    key = program_row["variant"] if program_row["library"] == "subx" else program_row["library"]
    return LABELS.get(key)


def transforms(output, x, wanted=None, prefix=""):
    """The rows of an output of subx-perf-fft at x: each library's fastest variant, and for ours the times of its parts."""
    found = {}
    for r in output.rows:
        series = label(r)
        if series and (wanted is None or series in wanted):
            known = found.get(series)
            if known is None or r["median_s"] < known["median_s"]:
                found[series] = r
    rows = []
    for series, r in found.items():
        rows.append(row(prefix + "total", series, x, r["min_s"], r["median_s"], f"{r['variant']} on {r['grid']}"))
        if r["library"] == "subx":
            serial, exchange = output.split(r["problem"], r["variant"])
            for panel, seconds in (("exchanges", exchange), ("transforms", serial)):
                if seconds > 0:
                    rows.append(row(prefix + panel, series, x, seconds, seconds, "mean"))
    return rows


def slab_grid(ranks):
    return str(ranks)


def pencil_grid(ranks):
    """The grid of two dimensions that is nearest to a square."""
    p = max(d for d in range(1, int(ranks ** 0.5) + 1) if ranks % d == 0)
    return f"{p}x{ranks // p}"


def cube(kind, n, ndims=3):
    return f"{kind}:" + "x".join([str(n)] * ndims)
