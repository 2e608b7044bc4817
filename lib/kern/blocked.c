/* blocked.c - permuting copies in tiles, so that the lines read and the lines written both stay in the cache.
 *
 * When the level with the smallest stride differs between the two sides, one of them is read or written an
 * element a cache line. Tiles of those two levels use each line whole (the classic blocking of Lam, Rothberg
 * & Wolf 1991). */
#include "kern/kern.h"
#include "kern/run.h"

/* Elements a tile side: 16 lines of 4 elements of 16 bytes on either side fill 2 x 4 KiB, a fraction of any
 * L1. */
enum { TILE = 16 };

/* Blocks longer than this use whole lines in any order. */
enum { LONG_BLOCK = 64 };

/* A step backwards is as far as one forwards. */
static ptrdiff_t magnitude(ptrdiff_t a)
{
    return a < 0 ? -a : a;
}

/* Get the level from `first` on that has the smallest stride on the side read. */
static int get_smallest_read(const sx_layout *l, int first)
{
    int best = first;
    for (int i = first + 1; i < l->nd; i++)
        if (magnitude(l->dim[i].is) < magnitude(l->dim[best].is))
            best = i;
    return best;
}

static int get_smallest_written(const sx_layout *l)
{
    int best = 0;
    for (int i = 1; i < l->nd; i++)
        if (magnitude(l->dim[i].os) < magnitude(l->dim[best].os))
            best = i;
    return best;
}

/* If both sides have their smallest stride in the same level, running along it uses whole lines on both. */
static int suits(const sx_layout *l)
{
    return l->nd >= 2 && l->block_bytes <= LONG_BLOCK && get_smallest_read(l, 0) != get_smallest_written(l);
}

/* dim[0] is the level with the smallest stride written, dim[1] the one with the smallest stride read. */
static void copy_plane(const sx_layout *l, const char *in, char *out)
{
    const sx_dim w = l->dim[0], r = l->dim[1];
    for (ptrdiff_t j = 0; j < r.n; j += TILE) {
        ptrdiff_t j_end = j + TILE < r.n ? j + TILE : r.n;
        for (ptrdiff_t i = 0; i < w.n; i += TILE) {
            ptrdiff_t n = w.n - i < TILE ? w.n - i : TILE;
            for (ptrdiff_t k = j; k < j_end; k++)
                sx_kern_run(n, l->block_bytes, w.is, w.os, in + i * w.is + k * r.is,
                            out + i * w.os + k * r.os);
        }
    }
}

static void nest(const sx_layout *l, int level, const char *in, char *out)
{
    if (level == 1) {
        copy_plane(l, in, out);
        return;
    }
    const sx_dim *d = &l->dim[level];
    for (ptrdiff_t i = 0; i < d->n; i++)
        nest(l, level - 1, in + i * d->is, out + i * d->os);
}

static void move_to(sx_layout *l, int from, int to)
{
    sx_dim d = l->dim[from];
    for (; from > to; from--)
        l->dim[from] = l->dim[from - 1];
    l->dim[to] = d;
}

/* Levels may be taken in any order here, for a copy has no order of elements to keep. A layout that does not
 * suit is the scalar twin's, so that this kernel too serves every layout. */
static void copy(const sx_layout *l, const char *in, char *out)
{
    if (!suits(l)) {
        sx_kern_scalar.copy(l, in, out);
        return;
    }
    sx_layout m = *l;
    sx_layout_sort(&m);
    move_to(&m, get_smallest_read(&m, 1), 1);
    nest(&m, m.nd - 1, in, out);
}

const sx_kern sx_kern_blocked = {"blocked", suits, copy};
