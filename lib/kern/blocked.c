/* blocked.c - permuting copies in tiles, in plain C, for elements of any size and any strides. */
#include "kern/plane.h"
#include "kern/run.h"

/* Elements a tile side: 16 lines of 4 elements of 16 bytes on either side fill 2 x 4 KiB, a fraction of any
 * L1. */
enum { TILE = 16 };

/* Blocks longer than this use whole lines in any order. */
enum { LONG_BLOCK = 64 };

static int suits(const sx_layout *l)
{
    return sx_kern_plane_suits(l, LONG_BLOCK);
}

static void copy_plane(const sx_plane *p, const char *in, char *out)
{
    const sx_dim w = p->w, r = p->r;
    for (ptrdiff_t j = 0; j < r.n; j += TILE) {
        ptrdiff_t j_end = j + TILE < r.n ? j + TILE : r.n;
        for (ptrdiff_t i = 0; i < w.n; i += TILE) {
            ptrdiff_t n = w.n - i < TILE ? w.n - i : TILE;
            for (ptrdiff_t k = j; k < j_end; k++)
                sx_kern_run(n, p->bytes, w.is, w.os, in + i * w.is + k * r.is, out + i * w.os + k * r.os);
        }
    }
}

/* A layout that does not suit is the scalar twin's, so that this kernel too serves every layout. */
static void copy(const sx_layout *l, const char *in, char *out)
{
    if (suits(l))
        sx_kern_plane_copy(l, in, out, copy_plane);
    else
        sx_kern_scalar.copy(l, in, out);
}

const sx_kern sx_kern_blocked = {"blocked", suits, copy};
