"""Guarrasi, Erbacci & Emerson (CINECA, PRACE): scaling of 2-D transforms, tables 3 to 5."""
from cells import Cell
from figures import LABELS, OURS, Figure, get, pencil_grid, row, slab_grid, span, verdict

SUBX, FFTW, DECOMP = LABELS[OURS], LABELS["fftw-mpi"], LABELS["2decomp"]


def fastest(output, library, problem, grid=None):
    found = [r for r in (output.rows if output else []) if r["library"] == library and r["problem"] == problem and
             grid in (None, r["grid"])]
    return min(found, key=lambda r: r["median_s"], default=None)


def planar(s):
    problems = s.pick(["c2c:8x8"], ["c2c:256x256", "c2c:1024x1024", "c2c:128x2048", "c2c:2048x128"],
                      ["c2c:256x256", "c2c:1024x1024", "c2c:8192x8192", "c2c:1024x16384", "c2c:16384x1024"])
    efforts = ["estimate"] if s.size == "tiny" else ["estimate", "measure"]
    cells = {(p, e): s.fft(f"cineca-1-{p}-{e}", p, ",".join(problems), slab_grid(p), [OURS], effort=e)
             for p in [1] + [p for p in s.ranks if p > 1] for e in efforts}

    def rows(outputs):
        found = []
        for (p, effort), cell in cells.items():
            for problem in problems:
                for library, name in (("subx", SUBX), ("fftw-mpi", FFTW)):
                    r = fastest(outputs.get(cell.name), library, problem)
                    if r:
                        found.append(row(problem, f"{name}, {effort}", p, r["min_s"], r["median_s"], r["variant"]))
        return found

    return Figure(
        "cineca-1", "cineca", "Table 1 and Fig. 3: scaling of 2-D transforms", cells=list(cells.values()), rows=rows,
        numbers="cineca-1.csv",
        asked=["They: c2c of 256x256 to 8192x8192 and 1024x16384, 16384x1024 by FFTW 3.2's MPI transform on 1 to 256 "
               "cores, by ESTIMATE and MEASURE. Ours: " + ", ".join(p[4:] for p in problems) + "; FFTW is the fastest "
                                                                                               "of its variants. "
                                                                                               "Medians."],
        claims=[("Times by MEASURE and ESTIMATE are the same to 1-3 %.",
                 span(f"{FFTW}, estimate", f"{FFTW}, measure", 0, 1.03))],
        ours=[("It is not slower than FFTW.", span(f"{SUBX}, measure", f"{FFTW}, measure", 0, 1))])


def shapes(s):
    return s.pick(["c2c:2x6x6", "c2c:8x8x8"], ["c2c:4x64x64", "c2c:32x32x32", "c2c:64x64x64", "c2c:128x128x32"],
                  [f"c2c:{t}" for t in ("128x128x128", "256x256x256", "512x512x512", "1024x1024x256", "1024x1024x512",
                                        "1024x1024x1024", "1024x1024x2048")])


def algorithm2(problem, ranks):
    """The choice of the paper's algorithm 2. Nx is the length of the axis that is divided first."""
    return "slab" if ranks <= int(problem[4:].split("x")[0]) else "pencil"


def is_slab(grid):
    return sum(int(d) > 1 for d in grid.split("x")) <= 1


def get_times(outputs, chosen, problem, p):
    """The rows of a problem on p ranks: both libraries of the paper, ours on both grids, and the choices of our plans."""
    x, found = f"{problem[4:]} on {p}", []
    for library, grid, series in (("fftw-mpi", slab_grid(p), "FFTW, slabs"),
                                  ("2decomp", pencil_grid(p), "2DECOMP&FFT, pencils"),
                                  ("subx", slab_grid(p), "subarray_x, slabs"),
                                  ("subx", pencil_grid(p), "subarray_x, pencils")):
        r = fastest(outputs, library, problem, grid)
        if r:
            found.append(row("time", series, x, r["min_s"], r["median_s"], r["variant"]))
    for r in chosen.rows if chosen else []:
        if r["problem"] == problem:
            series = f"subarray_x, chosen by {r['effort']}"
            found.append(row("time", series, x, r["min_s"], r["median_s"], r["choice"]))
    return found


def judge(rows, effort):
    """Get a list of choices: x; the grid that a plan chose; the time of its sort of grid (slab or pencil) / the time of the
    faster sort; the sort that algorithm 2 chooses; the same ratio for that sort."""
    found = []
    for x in dict.fromkeys(r["x"] for r in rows):
        slab = get(rows, "time", "subarray_x, slabs", x, "median")
        pencil = get(rows, "time", "subarray_x, pencils", x, "median")
        took = get(rows, "time", f"subarray_x, chosen by {effort}", x, "detail")
        if slab and pencil and took:
            grid, shape, least = took.split(" ")[1], x.split(" on "), min(slab, pencil)
            theirs = algorithm2("c2c:" + shape[0], int(shape[1]))
            found.append((x, grid, (slab if is_slab(grid) else pencil) / least, theirs,
                          (slab if theirs == "slab" else pencil) / least))
    return found


def decides(effort, theirs=False):
    """Whether a plan by an effort, or the paper's algorithm 2, takes a sort of grid that is within 10 % of the faster one."""
    def check(rows):
        found = [(x, word, other) if theirs else (x, f"grid {grid}", ratio)
                 for x, grid, ratio, word, other in judge(rows, effort)]
        good = sum(ratio <= 1.1 for *_, ratio in found)
        return verdict(found, lambda f: good == len(f), lambda f: f"within 10 % of the faster one in {good} of {len(f)}: "
                       + "; ".join(f"{x}: {what}, {ratio:.2f}" for x, what, ratio in f))
    return check


def crossover(rows):
    """FFTW's slabs are slower than 2DECOMP&FFT's pencils exactly where algorithm 2 takes pencils."""
    found = []
    for r in rows:
        other = get(rows, "time", "2DECOMP&FFT, pencils", r["x"], "median") if r["series"] == "FFTW, slabs" else None
        if other:
            shape, ranks = r["x"].split(" on ")
            is_pencil = algorithm2("c2c:" + shape, int(ranks)) == "pencil"
            found.append(((r["median"] >= other) == is_pencil, f"{r['median'] / other:.2f} ({r['x']})"))
    return verdict(found, lambda f: all(held for held, _ in f),
                   lambda f: "FFTW's slabs / 2DECOMP&FFT's pencils: " + ", ".join(text for _, text in f))


def slab_or_pencil(s):
    problems = shapes(s)
    ranks = [p for p in s.ranks if p >= 4] or s.ranks
    cells = {p: s.fft(f"cineca-3-{p}", p, ",".join(problems), f"{slab_grid(p)},{pencil_grid(p)}", [OURS],
                      neighbours="2decomp") for p in ranks}
    chosen = {p: Cell(f"cineca-3-choice-{p}", p, "subx-perf-fft", "--problems", ",".join(problems), "--efforts",
                      s.pick("estimate", "estimate,measure", "estimate,measure"), "--grids", "free", "--variants", "auto",
                      "--repeat", min(3, s.repeat)) for p in ranks}

    def rows(outputs):
        return [r for p in ranks for problem in problems
                for r in get_times(outputs.get(cells[p].name), outputs.get(chosen[p].name), problem, p)]
    return Figure(
        "cineca-3", "cineca", "Tables 3 and 4: slabs and pencils, and who decides",
        cells=[*cells.values(), *chosen.values()],
        rows=rows, numbers="cineca-3.csv",
        asked=["They: FFTW's slabs and 2DECOMP&FFT's pencils for seven sizes on 256 to 4,096 cores of a Blue Gene/Q. "
               "Ours: the same two libraries and ours on both grids, small sizes, among them one with fewer planes "
               "than 8 ranks. Medians.",
               "The choice is that of a plan of ours without the hint subx_grid, by effort."],
        claims=[("Slabs are faster while there is a plane for each rank; pencils are beyond it.", crossover),
                ("Algorithm 2 of the paper decides well (for our transforms).", decides("estimate", True))],
        ours=[("Effort estimate decides well.", decides("estimate")),
              ("Effort measure decides well.", decides("measure"))])


def plan_time(s):
    problems = s.pick(["c2c:8x8x8"], ["c2c:32x32x32", "c2c:64x64x64", "c2c:96x96x96"], shapes(s))
    ranks = [p for p in s.ranks if p >= 4] or s.ranks
    grids = {"slabs": slab_grid, "pencils": pencil_grid}
    cells = {(p, g): Cell(f"cineca-5-{p}-{g}", p, "subx-perf-fft", "--problems", ",".join(problems), "--efforts",
                          "estimate,measure", "--grids", grid(p), "--variants", "auto", "--neighbours", "none", "--repeat",
                          min(3, s.repeat)) for p in ranks for g, grid in grids.items()}

    def rows(outputs):
        return [row("planning", f"{g}, {r['effort']}", f"{r['problem'][4:]} on {p}", r["planning_ms"] / 1e3,
                    r["planning_ms"] / 1e3, r["choice"])
                for (p, g), cell in cells.items() for r in (outputs[cell.name].rows if cell.name in outputs else [])
                if r["library"] == "subx"]

    return Figure(
        "cineca-5", "cineca", "Table 5: time for a plan", cells=list(cells.values()), rows=rows,
        numbers="cineca-5.csv",
        asked=["They: plans of FFTW's slabs by ESTIMATE and MEASURE, and of pencils by MEASURE. Ours: plans of this "
               "library, on slabs and pencils, by efforts estimate and measure. One creation each."],
        claims=[("A plan by MEASURE takes 5 to 350 times as long as one by ESTIMATE (slabs).",
                 span("slabs, measure", "slabs, estimate", 5, 350)),
                ("Plans of pencils by MEASURE are as cheap as plans of slabs by ESTIMATE (on many ranks).",
                 span("pencils, measure", "slabs, estimate", 0, 2))],
        ours=[("Plans of pencils are as cheap as plans of slabs.",
                 span("pencils, estimate", "slabs, estimate", 0.3, 3))])


def get_figures(s):
    return [planar(s), slab_or_pencil(s), plan_time(s)]
