/* transpose.h - the loops of the vector kernels: whole tiles in registers, what is left at the edges element
 * by element.
 *
 * A tile is side x side elements, read and written in rows of whole vectors. Included by each vector kernel,
 * so that its tile function is inlined into loops compiled for its instruction set. */
#ifndef SX_KERN_TRANSPOSE_H
#define SX_KERN_TRANSPOSE_H

#include "kern/plane.h"
#include "kern/run.h"

/* A patch of this many rows read, by this many tiles along them, is done before the next. Few rows, since
 * rows at a power-of-two stride share the ways of a cache set and each has a page of its own; enough for the
 * runs written to be long; two lines at a time, which is what the hardware fetches together. Best of a sweep
 * over 4 to 256 rows and 1 to 16 tiles, 256^3 elements of 4, 8 and 16 bytes. */
enum { SX_TRANSPOSE_ROWS = 16, SX_TRANSPOSE_TILES = 2 };

#define SX_TRANSPOSE_INLINE static inline __attribute__((always_inline))

/* Vector kernels need contiguous rows on both sides, of at least a tile's length; `sizes` are the elements
 * that a kernel knows, ended by 0. */
static inline int sx_transpose_suits(const sx_layout *l, const ptrdiff_t sizes[], ptrdiff_t side_bytes)
{
    if (!sx_kern_plane_suits(l, 16))
        return 0;
    sx_plane p = sx_kern_plane_get(l);
    for (int i = 0; sizes[i]; i++)
        if (p.bytes == sizes[i])
            return p.w.os == p.bytes && p.r.is == p.bytes && p.w.n * p.bytes >= side_bytes &&
                   p.r.n * p.bytes >= side_bytes;
    return 0;
}

static inline void sx_transpose_edge(const sx_plane *p, ptrdiff_t i, ptrdiff_t i_end, ptrdiff_t j,
                                     ptrdiff_t j_end, const char *in, char *out)
{
    for (; j < j_end; j++)
        sx_kern_run(i_end - i, p->bytes, p->w.is, p->w.os, in + i * p->w.is + j * p->r.is,
                    out + i * p->w.os + j * p->r.os);
}

typedef void sx_transpose_tile(const char *in, ptrdiff_t is, char *out, ptrdiff_t os, int stream);

static inline ptrdiff_t sx_transpose_min(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

SX_TRANSPOSE_INLINE void sx_transpose_plane(const sx_plane *p, ptrdiff_t side, int stream,
                                            sx_transpose_tile *tile, const char *in, char *out)
{
    const ptrdiff_t i_tiles = p->w.n - p->w.n % side, j_tiles = p->r.n - p->r.n % side;
    for (ptrdiff_t i0 = 0; i0 < i_tiles; i0 += SX_TRANSPOSE_ROWS) {
        ptrdiff_t i_end = sx_transpose_min(i0 + SX_TRANSPOSE_ROWS, i_tiles);
        for (ptrdiff_t j0 = 0; j0 < j_tiles; j0 += SX_TRANSPOSE_TILES * side) {
            ptrdiff_t j_end = sx_transpose_min(j0 + SX_TRANSPOSE_TILES * side, j_tiles);
            for (ptrdiff_t i = i0; i < i_end; i += side)
                for (ptrdiff_t j = j0; j < j_end; j += side)
                    tile(in + i * p->w.is + j * p->r.is, p->w.is, out + i * p->w.os + j * p->r.os, p->r.os,
                         stream);
        }
    }
    sx_transpose_edge(p, i_tiles, p->w.n, 0, p->r.n, in, out);
    sx_transpose_edge(p, 0, i_tiles, j_tiles, p->r.n, in, out);
}

/* Where rows written do not begin on a line, tiles would write every line in two parts. Staging collects
 * longer runs of a few rows in the first-level cache; of these only the ends are parts of lines. */
enum { SX_TRANSPOSE_RUN = 64, SX_TRANSPOSE_STAGE = 8192 + 32 * 64 };

typedef void sx_transpose_run(char *out, const char *staged, ptrdiff_t bytes);

SX_TRANSPOSE_INLINE void sx_transpose_patch(const sx_plane *p, ptrdiff_t side, sx_transpose_tile *tile,
                                            sx_transpose_run *run, ptrdiff_t ni, ptrdiff_t nj, const char *in,
                                            char *out)
{
    char stage[SX_TRANSPOSE_STAGE] __attribute__((aligned(64)));
    const ptrdiff_t pitch =
        SX_TRANSPOSE_RUN * p->bytes + 64; /* not a power of two, for the ways of a cache set */
    for (ptrdiff_t i = 0; i < ni; i += side)
        for (ptrdiff_t j = 0; j < nj; j += side)
            tile(in + i * p->w.is + j * p->r.is, p->w.is, stage + i * p->bytes + j * pitch, pitch, 0);
    for (ptrdiff_t j = 0; j < nj; j++)
        run(out + j * p->r.os, stage + j * pitch, ni * p->bytes);
}

SX_TRANSPOSE_INLINE void sx_transpose_staged(const sx_plane *p, ptrdiff_t side, sx_transpose_tile *tile,
                                             sx_transpose_run *run, const char *in, char *out)
{
    const ptrdiff_t i_tiles = p->w.n - p->w.n % side, j_tiles = p->r.n - p->r.n % side,
                    nj = SX_TRANSPOSE_TILES * side;
    for (ptrdiff_t i = 0; i < i_tiles; i += SX_TRANSPOSE_RUN)
        for (ptrdiff_t j = 0; j < j_tiles; j += nj)
            sx_transpose_patch(p, side, tile, run, sx_transpose_min(SX_TRANSPOSE_RUN, i_tiles - i),
                               sx_transpose_min(nj, j_tiles - j), in + i * p->w.is + j * p->r.is,
                               out + i * p->w.os + j * p->r.os);
    sx_transpose_edge(p, i_tiles, p->w.n, 0, p->r.n, in, out);
    sx_transpose_edge(p, 0, i_tiles, j_tiles, p->r.n, in, out);
}

#endif
