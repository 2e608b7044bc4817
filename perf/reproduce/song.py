"""Song & Hollingsworth, parallel 3-D FFT with computation-communication overlap: figures 3 and 4."""
from figures import Figure, row

CABLE = "10gbit"
NEW, NEW0, TH = "fused/transposed/alltoallv/both", "fused/transposed/alltoallv/none", "fused/transposed/alltoallv/send"
NAMES = {NEW: "NEW", NEW0: "NEW-0 and TH-0", TH: "TH"}


def get_cells(s):
    """The cells of both figures, on p ranks. With size small, the ranks are on two hosts with a cable between them."""
    cable = CABLE if s.size == "small" else None
    return {(p, n): s.fft(f"song-{p}-{n}", p, f"c2c:{n}x{n}x{n}", str(p), list(NAMES), "--hint", "subx_tune=node_ranks 1",
                          cable=cable)
            for p in s.pick([2], [2, 4], s.ranks) for n in s.pick([8], [64, 96, 128], [1024, 1536, 2048])}


def fastest_fftw(output):
    return min((r for r in output.rows if r["library"] == "fftw-mpi"), key=lambda r: r["median_s"], default=None)


def get_speedups(cells):
    def rows(outputs):
        found = []
        for (p, n), cell in cells.items():
            fftw = fastest_fftw(outputs[cell.name]) if cell.name in outputs else None
            for r in outputs[cell.name].rows if fftw else []:
                if r["library"] == "subx":
                    found.append(row(f"p = {p}", NAMES[r["variant"]], str(n), fftw["min_s"] / r["min_s"],
                                     fftw["median_s"] / r["median_s"], fftw["variant"]))
        return found
    return rows


MAPPED = ("Theirs NEW is subx_tune = 'overlap both', TH is send, and NEW-0 and TH-0 are none. Our passes are the same "
          "in all three, so that NEW-0 and TH-0 are one here; their TH also has slower kernels. Ours are not tuned "
          "further; theirs are.")


def speedup(s):
    cells = get_cells(s)
    where = f"two network namespaces with {CABLE} between them" if s.size == "small" else "one host"
    return Figure(
        "song-3", "song", "Fig. 3: speed-up over FFTW of NEW and TH", cells=list(cells.values()), rows=get_speedups(cells), reference=1.0,
        asked=["They: c2c N^3 on p ranks of a Cray XE6 (p = 256 and N = 2048 among them); FFTW is its MPI transform. "
               f"Ours: slabs on {where}; FFTW is the fastest of its four variants. Medians.", MAPPED],
        claims=["The speed-up of NEW over FFTW is 1.48 to 1.76.",
                "The speed-up of TH is at most 1.12, and less than 1 in a setting.", "NEW is faster than TH."])


def breakdown(s):
    cells = get_cells(s)
    p, n = list(cells)[-1] if s.size != "small" else (2, 128)
    cell = cells[p, n]

    def rows(outputs):
        found, output = [], outputs.get(cell.name)
        for r in output.rows if output else []:
            if r["library"] != "subx":
                continue
            serial, wait = output.split(r["problem"], r["variant"])
            found.append(row("transforms and packing", "passes", NAMES[r["variant"]], serial, serial, "mean"))
            found.append(row("waiting for messages", "wait", NAMES[r["variant"]], wait, wait, "mean"))
        fftw = fastest_fftw(output) if output else None
        if fftw:
            found.append(row("whole", "FFTW, whole", "FFTW", fftw["min_s"], fftw["median_s"]))
        return found

    return Figure(
        "song-4", "song", "Fig. 4: breakdown for one setting", cells=[cell], rows=rows,
        asked=[f"They: p = 256, N = 2048. Ours: p = {p}, N = {n}; waits are those in which the rank had nothing to "
               "compute. Means.",
               MAPPED],
        claims=["NEW hides nearly all of the all-to-all's time.", "TH hides little of it.",
                "FFTW should be similar to NEW-0."])


def get_figures(s):
    return [speedup(s), breakdown(s)]
