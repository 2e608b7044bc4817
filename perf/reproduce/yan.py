"""Y. Yan, "Improved MPI Collectives for 3D-FFT" (slides): tables 1a and 1b, the strided penalty, scaling, FFTW's flags."""
from cells import Cell
from figures import LABELS, NATURAL, OURS, STRIDE1, Figure, compare, cube, get, row, slab_grid, transforms

SUBX, SUBARRAY, SUBARRAY_X = LABELS[OURS], LABELS[NATURAL], LABELS[STRIDE1]
CORES = ("Ranks beyond the cores of the machine take turns on them, so that the time of more ranks cannot become "
         "shorter.")
ENGINES = {"alltoallw": "subarray_x types, MPI_Alltoallw", "shm": "subarray_x, engine shm"}
PLAIN = "MPI's subarray"


def pair(r):
    return f"({r['send_order'].replace('-', ',')}) to ({r['recv_order'].replace('-', ',')})"


def spread(series):
    def check(rows):
        times = [r["median"] for r in rows if r["series"] == series]
        if not times:
            return None, "no cell"
        ratio = max(times) / min(times)
        return ratio >= 2, f"{series}: slowest pair / fastest pair {ratio:.2f}"
    return check


def fastest_pair(series, wanted):
    def check(rows):
        times = {r["x"]: r["median"] for r in rows if r["series"] == series}
        if not times:
            return None, "no cell"
        first = min(times, key=times.get)
        return first == wanted, (f"{series}: the fastest is {first}; {wanted} takes "
                                 f"{times[wanted] / times[first]:.2f} of its time")
    return check


def table1a(s):
    n, p = s.pick(8, 160, 2048), 2 if s.size != "paper" else max(s.ranks)
    cell = Cell("yan-1a", p, "subx-perf-order", "--pairs", "table1a", "--shape", f"{n}x{n}x{n}", "--engines", "alltoallw,shm",
                "--memory", "shared", "--repeat", min(s.repeat, 5))

    def rows(outputs):
        found = []
        for r in outputs["yan-1a"].rows if "yan-1a" in outputs else []:
            series = PLAIN if r["engine"] == "mpi-subarray" else ENGINES.get(r["engine"])
            if series:
                found.append(row("exchange", series, pair(r), r["min_s"], r["median_s"]))
        return found
    chosen = "(0,2,1) to (1,0,2)"
    return Figure(
        "yan-1a", "yan", "Table 1a: exchange by pairs of storage orders", cells=[cell], rows=rows, kind="bars", xlabel="",
        numbers="yan-1a.csv",
        asked=[f"They: 2048^3 complex on 32 ranks. Ours: {n}^3 on {p} ranks. Medians. Theirs is MPI on the types; we "
               "add the engine shm, which copies from the partners' memory.",
               "The pairs of orders are those of the table: traversals, innermost axis first."],
        claims=[("The slowest pair takes several times as long as the fastest one (theirs: 5.1).", spread(ENGINES["alltoallw"])),
                (f"The fastest pair is {chosen}.", fastest_pair(ENGINES["alltoallw"], chosen))],
        ours=[("Engine shm is not slower than MPI's plain subarray, which does not reorder.",
                 compare("exchange", ENGINES["shm"], PLAIN, 0, 1.02, "median"))],
        why=["Which pair is the fastest depends on the engine of MPI: theirs is Open MPI 4.1.5 over InfiniBand "
             "between nodes, where only packing differs; here packing and copies share one memory."],
        cannot=["The network's share of the time."])


def table1b(s):
    n = s.pick(8, 160, 2048)
    cells = [Cell(f"yan-1b-{p}", p, "subx-perf-order", "--pairs", "table1b", "--shape", f"{n}x{n}x{n}", "--engines",
                  "alltoallw,shm", "--memory", "shared", "--repeat", s.repeat) for p in s.ranks]

    def rows(outputs):
        found = []
        for cell in cells:
            for r in outputs[cell.name].rows if cell.name in outputs else []:
                series = PLAIN if r["engine"] == "mpi-subarray" else ENGINES.get(r["engine"])
                if series:
                    found.append(row("exchange", series, cell.ranks, r["min_s"], r["median_s"]))
        return found

    def increase(rows):
        found = [(p, get(rows, "exchange", ENGINES["alltoallw"], p, "median"), get(rows, "exchange", PLAIN, p, "median"))
                 for p in s.ranks]
        known = [(p, a / b) for p, a, b in found if a and b]
        if not known:
            return None, "no cell"
        return all(1.0 <= ratio <= 1.34 for _, ratio in known), ", ".join(f"{100 * (q - 1):+.0f} % at {p}" for p, q in known)
    return Figure(
        "yan-1b", "yan", "Table 1b: (0,2,1) to (1,0,2) beside MPI's subarray", cells=cells, rows=rows, numbers="yan-1b.csv",
        asked=[f"They: 2048^3 complex on 32 to 512 ranks. Ours: {n}^3. Medians."],
        claims=[("The exchange that reorders takes 5-33 % longer than MPI's subarray.", increase)],
        ours=[("Engine shm is not slower than MPI's subarray.",
                 compare("exchange", ENGINES["shm"], PLAIN, 0, 1.02, "median"))],
        why=["On one host the time of the exchange is the time of packing and unpacking, which is what reordering "
             "makes longer; over a network, messages hide part of it."],
        cannot=["The network's share of the time."])


def strided(s):
    size = s.pick("8K", "64M", "256M")
    cell = Cell("yan-stride", 1, "subx-perf-stride", "--table", "stride", "--length", 128, "--size", size, "--to",
                s.pick("64", "2M", "2M"), "--repeat", min(s.repeat, 3), "--effort", s.effort)
    calls = {"one": "a plan for one transform", "many": "a plan for 256 transforms"}

    def rows(outputs):
        return [row("transform of 128", calls[r["call"]], int(r["stride"]), r["min_s"], r["median_s"])
                for r in (outputs["yan-stride"].rows if "yan-stride" in outputs else []) if r["table"] == "stride"]

    def penalty(call, low):
        def check(rows):
            times = {r["x"]: r["median"] for r in rows if r["series"] == calls[call]}
            if 1 not in times or len(times) < 2:
                return None, "no cell"
            x = max(times, key=times.get)
            return times[x] / times[1] >= low, (f"{calls[call]}: at most {times[x] / times[1]:.1f} times stride 1, at "
                                                f"stride {x}")
        return check
    return Figure(
        "yan-stride", "yan", "Strided penalty: one transform of length 128", cells=[cell], rows=rows,
        xlabel="stride, elements",
        asked=["They: one transform of 128 complex elements along z, with strides 2^3 to 2^21, beside stride 1. "
               f"Ours: the same, {size} of data per timing, seconds per transform. Medians."],
        claims=[("Strided transforms are slower than contiguous ones.", penalty("one", 1.5))],
        ours=[("Also if one plan transforms 256 adjacent columns.", penalty("many", 1.5))],
        why=["The curve depends on caches and on the sizes of pages."],
        cannot=["Their values: the slides show them in a picture only."])


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
        claims=[("Transforms take less time with subarray_x, because they are contiguous.",
                 compare("transforms", SUBARRAY_X, SUBARRAY, 0, 1.0)),
                ("Communication takes longer with subarray_x than with subarray.",
                 compare("exchanges", SUBARRAY_X, SUBARRAY, 1.0, 9.0))],
        ours=[("The fastest way is faster than both.", compare("total", SUBX, SUBARRAY_X, 0, 1.0))],
        why=[CORES, "FFTW's plans for many columns at once hide part of the strides (see the strided penalty), so "
                    "that natural loses less."],
        cannot=["Their values: the slides show them in pictures only."])


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
    cell = Cell("yan-flags", 1, "subx-perf-stride", "--table", "effort", "--shapes", f"{n}x{n}x{n}", "--repeat",
                min(s.repeat, 5))

    def rows(outputs):
        found = []
        for r in outputs["yan-flags"].rows if "yan-flags" in outputs else []:
            found.append(row("computation", "FFTW", r["effort"], r["min_s"], r["median_s"]))
            found.append(row("set up", "FFTW", r["effort"], r["setup_s"], r["setup_s"]))
        return found

    def ratio(panel, a, b, low, high):
        def check(rows):
            x, y = get(rows, panel, "FFTW", a, "median"), get(rows, panel, "FFTW", b, "median")
            if not x or not y:
                return None, "no cell"
            return low <= x / y <= high, f"{panel}: {a} / {b} {x / y:.2f}"
        return check
    return Figure(
        "yan-flags", "yan", "FFTW's planning flags, serial, 256^3", cells=[cell], rows=rows, kind="bars", xlabel="",
        numbers="yan-flags.csv", asked=[f"They: a serial transform of 256^3. Ours: {n}^3, in place."],
        claims=[("ESTIMATE takes many times as long as MEASURE (theirs: 13).",
                 ratio("computation", "estimate", "measure", 2, 100)),
                ("PATIENT gains a few per cent over MEASURE (theirs: 3 %).",
                 ratio("computation", "patient", "measure", 0.9, 1.0)),
                ("PATIENT takes many times the set-up of MEASURE (theirs: 87).", ratio("set up", "patient", "measure", 10, 900))],
        why=["The size, the processor and the version of FFTW differ. 256^3 does not fit into caches, where strides "
             "cost more."],
        cannot=[f"256^3 with PATIENT takes minutes here; --size paper runs it." if s.size != "paper" else
                "Their processor."])


def get_figures(s):
    return [table1a(s), table1b(s), strided(s), strong(s), weak(s), flags(s)]
