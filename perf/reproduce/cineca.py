"""Guarrasi, Erbacci & Emerson (CINECA, PRACE): scaling of 2-D transforms, tables 3 to 5."""
from cells import Cell
from figures import LABELS, OURS, Figure, pencil_grid, row, slab_grid

SUBX, FFTW = LABELS[OURS], LABELS["fftw-mpi"]


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
               "cores, by ESTIMATE and MEASURE. Ours: " + ", ".join(p[4:] for p in problems) +
               "; FFTW is the fastest of its variants. Medians."],
        claims=["Times by MEASURE and ESTIMATE are the same to 1-3 %."])


def shapes(s):
    return s.pick(["c2c:2x6x6", "c2c:8x8x8"], ["c2c:4x64x64", "c2c:32x32x32", "c2c:64x64x64", "c2c:128x128x32"],
                  [f"c2c:{t}" for t in ("128x128x128", "256x256x256", "512x512x512", "1024x1024x256", "1024x1024x512",
                                        "1024x1024x1024", "1024x1024x2048")])


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
        claims=["Slabs are faster while there is a plane for each rank; pencils are beyond it.",
                "Algorithm 2: slabs, if there are at most as many ranks as the axis has elements that is divided first; else "
                "pencils."])


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
        claims=["A plan by MEASURE takes 5 to 350 times as long as one by ESTIMATE (slabs).",
                "Plans of pencils by MEASURE are as cheap as plans of slabs by ESTIMATE (on many ranks)."])


def get_figures(s):
    return [planar(s), slab_or_pencil(s), plan_time(s)]
