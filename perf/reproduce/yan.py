"""Y. Yan, "Improved MPI Collectives for 3D-FFT" (slides): tables 1a and 1b, the strided penalty, scaling, FFTW's flags."""
from cells import Cell
from figures import LABELS, NATURAL, OURS, STRIDE1, Figure, cube, row, slab_grid, transforms

SUBX, SUBARRAY, SUBARRAY_X = LABELS[OURS], LABELS[NATURAL], LABELS[STRIDE1]
ENGINES = {"alltoallw": "subarray_x types, MPI_Alltoallw", "shm": "subarray_x, engine shm"}
PLAIN = "MPI's subarray"


def pair(r):
    return f"({r['send_order'].replace('-', ',')}) to ({r['recv_order'].replace('-', ',')})"


def exchanges(cells, get_x):
    """The rows of subx-perf-order's engines."""
    def rows(outputs):
        found = []
        for cell in cells:
            for r in outputs[cell.name].rows if cell.name in outputs else []:
                series = PLAIN if r["engine"] == "mpi-subarray" else ENGINES.get(r["engine"])
                if series:
                    found.append(row("exchange", series, get_x(cell, r), r["min_s"], r["median_s"]))
        return found
    return rows


def table1a(s):
    n, p = s.pick(8, 160, 2048), 2 if s.size != "paper" else max(s.ranks)
    cell = Cell("yan-1a", p, "subx-perf-order", "--pairs", "table1a", "--shape", f"{n}x{n}x{n}", "--engines", "alltoallw,shm",
                "--memory", "shared", "--repeat", min(s.repeat, 5))
    return Figure(
        "yan-1a", "yan", "Table 1a: exchange by pairs of storage orders", cells=[cell],
        rows=exchanges([cell], lambda cell, r: pair(r)), numbers="yan-1a.csv",
        asked=[f"They: 2048^3 complex on 32 ranks. Ours: {n}^3 on {p} ranks. Medians. Theirs is MPI on the types; we "
               "add the engine shm, which copies from the partners' memory.",
               "The pairs of orders are those of the table: traversals, innermost axis first."],
        claims=["The slowest pair takes several times as long as the fastest one (theirs: 5.1).",
                "The fastest pair is (0,2,1) to (1,0,2)."])


def table1b(s):
    n = s.pick(8, 160, 2048)
    cells = [Cell(f"yan-1b-{p}", p, "subx-perf-order", "--pairs", "table1b", "--shape", f"{n}x{n}x{n}", "--engines",
                  "alltoallw,shm", "--memory", "shared", "--repeat", s.repeat) for p in s.ranks]

    return Figure(
        "yan-1b", "yan", "Table 1b: (0,2,1) to (1,0,2) beside MPI's subarray", cells=cells,
        rows=exchanges(cells, lambda cell, r: cell.ranks), numbers="yan-1b.csv",
        asked=[f"They: 2048^3 complex on 32 to 512 ranks. Ours: {n}^3. Medians."],
        claims=["The exchange that reorders takes 5-33 % longer than MPI's subarray."])


def strided(s):
    size = s.pick("8K", "64M", "256M")
    cell = Cell("yan-stride", 1, "subx-perf-stride", "--length", 128, "--size", size, "--to",
                s.pick("64", "2M", "2M"), "--repeat", min(s.repeat, 3), "--effort", s.effort)
    calls = {"one": "a plan for one transform", "many": "a plan for 256 transforms"}

    def rows(outputs):
        return [row("transform of 128", calls[r["call"]], int(r["stride"]), r["min_s"], r["median_s"])
                for r in (outputs["yan-stride"].rows if "yan-stride" in outputs else [])]

    return Figure(
        "yan-stride", "yan", "Strided penalty: one transform of length 128", cells=[cell], rows=rows,
        asked=["They: one transform of 128 complex elements along z, with strides 2^3 to 2^21, beside stride 1. "
               f"Ours: the same, {size} of data per timing, seconds per transform. Medians."],
        claims=["Strided transforms are slower than contiguous ones."])


SPLIT = ("Theirs has computation and communication, so ours too. natural is MPI's subarray and strided transforms; "
         "stride1 is subarray_x and contiguous transforms, both by MPI_Alltoallw; subarray_x is what the library "
         "chooses.")


def scaling_figure(s, name, title, problem, asked):
    ranks = [1] + [p for p in s.ranks if p > 1] if name.endswith("weak") else s.ranks
    variants = [NATURAL, STRIDE1, OURS]
    cells = [s.fft(f"{name}-{p}", p, problem(p), slab_grid(p), variants) for p in ranks]
    wanted = [SUBX, SUBARRAY, SUBARRAY_X]

    def rows(outputs):
        return [r for cell in cells if cell.name in outputs for r in transforms(outputs[cell.name], cell.ranks, wanted)]
    return Figure(
        name, "yan", title, cells=cells, rows=rows, asked=[asked, SPLIT],
        claims=["Transforms take less time with subarray_x, because they are contiguous.",
                "Communication takes longer with subarray_x than with subarray."])


def strong(s):
    n = s.pick(8, 128, 2048)
    return scaling_figure(s, "yan-strong", "Strong scaling of the transform, 2048^3", lambda p: cube("c2c", n),
                          f"They: 2048^3 complex on 32 to 1024 ranks. Ours: {n}^3, slabs.")


def weak(s):
    n = s.pick(4, 48, 256)
    return scaling_figure(s, "yan-weak", "Weak scaling of the transform", lambda p: f"c2c:{n * p}x{2 * n}x{2 * n}",
                          f"Ours: {n} x {2 * n} x {2 * n} complex elements per rank, slabs.")


def flags(s):
    n = s.pick(8, 96, 256)
    cell = Cell("yan-flags", 1, "subx-perf-fft", "--problems", cube("c2c", n), "--place", "in", "--efforts", "all", "--variants",
                "auto", "--neighbours", "none", "--repeat", min(s.repeat, 5))

    def rows(outputs):
        found = []
        for r in outputs["yan-flags"].rows if "yan-flags" in outputs else []:
            if r["library"] == "fftw":
                found.append(row("computation", "FFTW", r["effort"], r["min_s"], r["median_s"]))
                found.append(row("set up", "FFTW", r["effort"], r["planning_ms"] / 1e3, r["planning_ms"] / 1e3))
        return found

    return Figure(
        "yan-flags", "yan", "FFTW's planning flags, serial, 256^3", cells=[cell], rows=rows,
        numbers="yan-flags.csv", asked=[f"They: a serial transform of 256^3. Ours: {n}^3, in place."],
        claims=["ESTIMATE takes many times as long as MEASURE (theirs: 13).",
                "PATIENT gains a few per cent over MEASURE (theirs: 3 %).",
                "PATIENT takes many times the set-up of MEASURE (theirs: 87)."])


def get_figures(s):
    return [table1a(s), table1b(s), strided(s), strong(s), weak(s), flags(s)]
