/* transpose.h - the loops of the vector kernels: a patch in tiles, transposed in registers.
 *
 * Included by each vector kernel, so that its tile function is inlined into loops compiled for its
 * instruction set. */
#ifndef SX_KERN_TRANSPOSE_H
#define SX_KERN_TRANSPOSE_H

#include "kern/plane.h"

#define SX_TRANSPOSE_INLINE static inline __attribute__((always_inline))

/* Read rows at in + rows[i], write columns at out + cols[j]. */
typedef void sx_transpose_tile(const char *in, const ptrdiff_t rows[], char *out, const ptrdiff_t cols[]);

/* The next tile after the one at i; the last overlaps with the one before rather than being smaller, which a
 * copy between different places allows. */
SX_TRANSPOSE_INLINE ptrdiff_t sx_transpose_next(ptrdiff_t i, ptrdiff_t side, ptrdiff_t n)
{
    ptrdiff_t last = n - side;
    return i < last && i + side > last ? last : i + side;
}

/* Along the rows first, so that each line read is used up at once, whatever else shares its set. */
SX_TRANSPOSE_INLINE void sx_transpose(const sx_patch *p, ptrdiff_t rows, ptrdiff_t cols, ptrdiff_t bytes,
                                      sx_transpose_tile *tile, const char *in, char *out)
{
    for (ptrdiff_t i = 0; i < p->ni; i = sx_transpose_next(i, rows, p->ni))
        for (ptrdiff_t j = 0; j < p->nj; j = sx_transpose_next(j, cols, p->nj))
            tile(in + j * bytes, p->rows + i, out + i * bytes, p->cols + j);
}

/* A kernel's movers by the bytes of an element, ended by 0. */
typedef struct sx_transposer {
    ptrdiff_t bytes;
    sx_mover mover;
} sx_transposer;

/* Only the side written has to be contiguous, for what is not read so may still be staged. */
static inline int sx_transpose_suits(const sx_layout *l)
{
    return sx_kern_plane_suits(l, SX_PLANE_BLOCK) && sx_kern_plane_writes_contiguously(l);
}

/* Copy by one of the movers, which may be NULL, or else in plain C. */
static inline void sx_transpose_copy(const sx_layout *l, const sx_transposer movers[], const char *in,
                                     char *out)
{
    sx_plane p;
    if (!sx_kern_plane_suits(l, SX_PLANE_BLOCK)) {
        sx_kern_scalar.copy(l, in, out);
        return;
    }
    sx_kern_plane_get(l, &p);
    const sx_mover *mover = &sx_kern_plane_mover;
    if (movers && p.r.near == p.bytes && p.w.near == p.bytes)
        for (int i = 0; movers[i].bytes; i++)
            if (movers[i].bytes == p.bytes)
                mover = &movers[i].mover;
    sx_kern_plane_copy(&p, mover, in, out);
}

#endif
