"""Dalcin, Mortensen & Keyes 2019: figures 6 to 11."""
from figures import NATURAL, OURS, Figure, cube, pencil_grid, slab_grid, transforms

VARIANTS = [OURS, NATURAL]
CABLE = "10gbit"
FORWARD = ("Theirs is the time of a forward and a backward transform, ours of a forward transform (r2c). Both are the "
           "fastest of the rounds, each of three transforms in a row. The parts of ours are means.")


def get_rows(cells, prefixes):
    def rows(outputs):
        found = []
        for cell in cells:
            if cell.name in outputs:
                found += transforms(outputs[cell.name], cell.ranks, prefix=prefixes(cell))
        return found
    return rows


def figure(name, title, cells, prefixes=lambda cell: "", **more):
    return Figure(name, "dalcin", title, cells=cells, rows=get_rows(cells, prefixes), **more)


def strong_slab(s):
    n = s.pick(16, 112, 700)
    neighbours = "p3dfft++"
    cells = [s.fft(f"dalcin-6-{p}", p, cube("r2c", n), slab_grid(p), VARIANTS, neighbours=neighbours) for p in s.ranks]
    if s.size == "small":
        cells += [s.fft(f"dalcin-6-hosts-{p}", p, cube("r2c", n), slab_grid(p), VARIANTS, neighbours=neighbours,
                        cable=CABLE) for p in s.ranks if p in (2, 4)]
    return figure(
        "dalcin-6", "Fig. 6: strong scaling, slabs, 700^3, shared and distributed", cells,
        lambda cell: "two hosts: " if cell.cable else "",
        asked=["They: 700^3 real on slabs, with all ranks on one node (shared) and one rank per node (distributed). "
               f"Ours: {n}^3, on one host, and on two network namespaces with {CABLE} between them (2 and 4 ranks).",
               FORWARD],
        claims=["All codes behave somewhat similarly.",
                "The method of the paper is not slower than P3DFFT."])


def strong_pencil(s):
    n = s.pick(16, 128, 512)
    cells = [s.fft(f"dalcin-7-{p}", p, cube("r2c", n), pencil_grid(p), VARIANTS, neighbours="p3dfft++,2decomp")
             for p in s.ranks]
    return figure(
        "dalcin-7", "Fig. 7: strong scaling, pencils, 512^3", cells,
        asked=[f"They: 512^3 real on pencils, one rank per node. Ours: {n}^3 on one host.", FORWARD],
        claims=["Their C code is 5-10 % faster than P3DFFT.",
                "Their C code is 1-5 % faster than 2DECOMP&FFT."])


def weak_problem(p):
    """524,288 reals per rank: 64 x 64 x 128 on one rank; the axes are doubled in turn, the first one first."""
    n, k = [64, 64, 128], 0
    while p > 1 and p % 2 == 0:
        n[k % 3], p, k = 2 * n[k % 3], p // 2, k + 1
    n[0] *= p
    return "r2c:" + "x".join(map(str, n))


def weak(s, name, title, grid, neighbours, claims):
    ranks = [1] + [p for p in s.ranks if p > 1]
    shape = weak_problem if s.size != "tiny" else lambda p: f"r2c:{8 * p}x8x8"
    cells = [s.fft(f"{name}-{p}", p, shape(p), grid(p), VARIANTS, neighbours=neighbours) for p in ranks]
    return figure(name, title, cells,
                  asked=["They: 524,288 reals per rank. Ours: the same number per rank, on one host" +
                         ("." if s.size != "tiny" else " (tiny: 512)."), FORWARD],
                  claims=claims)


def weak_slab(s):
    return weak(s, "dalcin-8", "Fig. 8: weak scaling, slabs", slab_grid, "p3dfft++", [
        "The C code is as fast as FFTW on few ranks.",
        "P3DFFT is generally 5-10 % slower."])


def weak_pencil(s):
    return weak(s, "dalcin-9", "Fig. 9: weak scaling, pencils", pencil_grid, "p3dfft++,2decomp", [
        "The C code is slightly faster than P3DFFT; differences are small.",
        "The C code is slightly faster than 2DECOMP&FFT."])


def mixed(s):
    n = s.pick(16, 128, 2048)
    ranks = [p for p in s.ranks if p >= 4] or s.ranks
    cable = CABLE if s.size == "small" else None
    cells = [s.fft(f"dalcin-10-{p}", p, cube("r2c", n), pencil_grid(p), VARIANTS, neighbours="p3dfft++,2decomp", cable=cable)
             for p in ranks]
    return figure(
        "dalcin-10", "Fig. 10: strong scaling, pencils, 2048^3, several ranks per node", cells,
        asked=[f"They: 2048^3 real on pencils, 16 ranks per node. Ours: {n}^3, half of the ranks on each of two "
               f"network namespaces, {CABLE} between them.", FORWARD],
        claims=["Redistribution by MPI_Alltoall(v) is faster, if the mesh per node is large: P3DFFT beats the C code.",
                "The same of 2DECOMP&FFT."])


def four_axes(s):
    n = s.pick(6, 32, 128)
    grids = {1: "1x1x1", 2: "2x1x1", 4: "2x2x1", 8: "2x2x2", 16: "4x2x2", 32: "4x4x2", 64: "4x4x4"}
    cells = [s.fft(f"dalcin-11-{p}", p, cube("r2c", n, 4), grids[p], VARIANTS, neighbours="pfft")
             for p in s.ranks if p in grids]
    return figure(
        "dalcin-11", "Fig. 11: 128^4 on a 3-D grid, beside PFFT", cells,
        asked=[f"They: 128^4 real on 128 to 4096 ranks. Ours: {n}^4.", FORWARD],
        claims=["The C code is approximately 5-15 % faster than PFFT."])


def get_figures(s):
    return [strong_slab(s), strong_pencil(s), weak_slab(s), weak_pencil(s), mixed(s), four_axes(s)]
