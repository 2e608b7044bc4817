"""Gholami, Hill, Malhotra & Biros 2015 (AccFFT): tables 2 and 3, figure 7."""
from cells import Cell
from figures import LABELS, OURS, Figure, cube, pencil_grid, row, slab_grid, transforms

SUBX, ACCFFT, P3DFFT, FFTW = LABELS[OURS], LABELS["accfft"], LABELS["p3dfft++"], LABELS["fftw-mpi"]
SERIES = [SUBX, ACCFFT, P3DFFT, FFTW]
NATURAL_OUT = "auto/natural/auto"
STAGED = "stride1/natural/alltoallv"
LABELS[NATURAL_OUT], LABELS[STAGED] = "subarray_x, natural output", "stride1, alltoallv"
OUTPUT = "AccFFT's output is in C order; so is that of our variants here. Medians; parts are means."


def grids_of(p):
    return [slab_grid(p)] + ([pencil_grid(p)] if p >= 4 else [])


def breakdown(s):
    n = s.pick(8, 128, 2048)
    cells = [s.fft(f"accfft-2-{p}", p, cube("r2c", n), ",".join(grids_of(p)), [NATURAL_OUT, STAGED], neighbours="accfft")
             for p in s.ranks]
    series = [LABELS[NATURAL_OUT], LABELS[STAGED], ACCFFT]

    def rows(outputs):
        known = [outputs[cell.name] for cell in cells if cell.name in outputs]
        return [r for output in known for grid in output.grids() for r in transforms(output.only(grid), grid, series)]

    return Figure(
        "accfft-2", "accfft", "Table 2: breakdown, slabs and pencils, 2048^3", cells=cells, rows=rows,
        numbers="accfft-2.csv", asked=["They: forward r2c of 2048^3 on 2,048 to 131,072 cores of Titan, 4 threads "
                                       f"per rank. Ours: {n}^3.",
                                       OUTPUT],
        claims=["Slabs are slightly faster than pencils on as many cores.", "Communication dominates the cost."])


def libraries(s):
    n = s.pick(8, 128, 1024)
    cells = []
    for p in s.ranks:
        for threads in (1, 2):
            cells.append(s.fft(f"accfft-3-{p}x{threads}", p, cube("r2c", n), ",".join(grids_of(p)), [OURS], "--hint",
                               f"subx_threads={threads}", neighbours="accfft,p3dfft++" if threads == 1 else "none"))

    def rows(outputs):
        found = []
        for cell in cells:
            output, threads = outputs.get(cell.name), cell.name[-1]
            for grid in output.grids() if output else []:
                for r in transforms(output.only(grid), grid, SERIES if threads == "1" else [SUBX]):
                    if r["panel"] == "total":
                        found.append(dict(r, series=r["series"] + (", 2 threads" if threads == "2" else "")))
        return found
    return Figure(
        "accfft-3", "accfft", "Table 3: AccFFT, P3DFFT, FFTW; one and several threads", cells=cells, rows=rows,
        numbers="accfft-3.csv",
        asked=[f"They: r2c of 1024^3 to 8192^2 x 4096 on Stampede, with 1 and 8 threads. Ours: {n}^3; ours with 1 and "
               "2 threads, others with 1. FFTW and ours have transposed output. Medians."],
        claims=["AccFFT is not slower than P3DFFT.", "AccFFT is not slower than FFTW.",
                "Several threads are faster than one."])


def kway(s):
    p = s.pick(4, 8, max(s.ranks))
    if p not in s.ranks:
        p = max(s.ranks)
    radices = [k for k in (2, 4, 8, 16, 64, 256) if k <= p]
    most = s.pick("256", "64K", "64K")
    cells = [Cell(f"accfft-7-{p}-{k}", p, "subx-perf-exch", "--data", "contiguous", "--from", "64", "--to", most, "--factor",
                  s.pick(4, 32, 32), "--engines", "kway,alltoallv,pairwise", "--hint",
                  f"subx_tune=radix {k}, node_ranks 1", "--repeat", s.repeat) for k in radices]

    def rows(outputs):
        found = []
        for k, cell in zip(radices, cells):
            for r in outputs[cell.name].rows if cell.name in outputs else []:
                panel = f"blocks of {r['block_bytes']:.0f} bytes"
                name = {"mpi-alltoall": "MPI_Alltoall", "pairwise": "point to point", "kway": "kway",
                        "alltoallv": "packed, MPI_Alltoallv"}.get(r["engine"])
                if name:
                    found.append(row(panel, name, str(k), r["min_s"], r["median_s"]))
        return found

    return Figure(
        "accfft-7", "accfft", "Fig. 7: k of the k-way exchange", cells=cells, rows=rows,
        asked=[f"They: a transpose of 2048^3 on 16,384 cores, by k. Ours: exchanges between {p} ranks, where k is the "
               f"word radix of subx_tune. {most} is about the size of a block in their transpose. MPI_Alltoall and point to "
               "point do not depend on k; they are measured again for each k. Medians."],
        claims=["The optimal k lies between the extremes.", "The best k is two times as fast as MPI_Alltoall."])


def get_figures(s):
    return [breakdown(s), libraries(s), kway(s)]
