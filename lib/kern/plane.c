/* plane.c - find the plane of a permuting copy: its patches extend along two directions, r (read) and w
 * (written). */
#include "kern/plane.h"

static int get_smallest(const sx_layout *l, int side)
{
    int best = 0;
    for (int i = 1; i < l->nd; i++)
        if (sx_kern_magnitude(sx_base_get_stride(l->dim[i], side)) <
            sx_kern_magnitude(sx_base_get_stride(l->dim[best], side)))
            best = i;
    return best;
}

static int is_little(const sx_layout *l)
{
    ptrdiff_t bytes = sx_layout_get_bytes(l);
    return bytes < SX_PLANE_LITTLE_BYTES && bytes < SX_PLANE_FEW_ELEMENTS * l->block_bytes;
}

/* If one level has the smallest stride on both sides, a loop along this level uses whole lines on both sides,
 * and patches are not needed. */
int sx_kern_plane_suits(const sx_layout *l, ptrdiff_t most)
{
    return l->nd >= 2 && l->block_bytes <= most && !is_little(l) &&
           get_smallest(l, SX_FROM) != get_smallest(l, SX_TO);
}

int sx_kern_plane_writes_contiguously(const sx_layout *l)
{
    return l->dim[get_smallest(l, SX_TO)].os == l->block_bytes;
}

static void begin(sx_chain *c, sx_dim d, int near)
{
    *c = (sx_chain){.nd = 1,
                    .n = {d.n},
                    .far = {sx_base_get_stride(d, !near)},
                    .near = sx_base_get_stride(d, near),
                    .length = d.n};
}

/* Move levels from the layout to the chain if they continue the chain on its near side, until the chain has
 * `enough` bytes there. */
static void lengthen(sx_chain *c, sx_layout *l, int near, ptrdiff_t enough)
{
    for (int i = 0; i < l->nd && c->length * sx_kern_magnitude(c->near) < enough;) {
        if (sx_base_get_stride(l->dim[i], near) != c->length * c->near) {
            i++;
            continue;
        }
        const sx_dim d = sx_base_take_loop(&l->nd, l->dim, i);
        c->n[c->nd] = d.n;
        c->far[c->nd++] = sx_base_get_stride(d, !near);
        c->length *= d.n;
        i = 0;
    }
}

/* Get the number of columns that the first-level cache can hold, if columns are `stride` bytes apart. Columns
 * whose distance is a multiple of a large power of two share few sets. If there are more columns than these
 * sets can hold, a microtile evicts the line of a column before the next microtile writes to the same
 * line. */
static ptrdiff_t get_cols(ptrdiff_t stride)
{
    ptrdiff_t power = stride & -stride; /* the largest power of two that divides the stride */
    return SX_SET_WAYS * (power <= SX_LINE       ? SX_SET_BYTES / SX_LINE
                          : power < SX_SET_BYTES ? SX_SET_BYTES / power
                                                 : 1);
}

/* A copy may visit its elements in any order, so its levels may be reordered. The plane is innermost. The
 * chain r is lengthened first; then the chain w gets the remaining levels that continue it. The
 * other levels are sorted by their write strides, so that writes advance through memory in small steps. */
void sx_kern_plane_get(const sx_layout *l, sx_plane *p)
{
    sx_layout m = *l;
    sx_layout_sort(&m);
    sx_dim w = sx_base_take_loop(&m.nd, m.dim, 0),
           r = sx_base_take_loop(&m.nd, m.dim, get_smallest(&m, SX_FROM));
    begin(&p->w, w, SX_TO);
    begin(&p->r, r, SX_FROM);
    lengthen(&p->r, &m, SX_FROM, SX_PLANE_READ_BYTES);
    lengthen(&p->w, &m, SX_TO, PTRDIFF_MAX);
    p->nd = m.nd;
    for (int i = 0; i < m.nd; i++)
        p->around[i] = m.dim[i];
    p->bytes = l->block_bytes;
    p->streams = sx_kern_caches_exceeded(sx_layout_get_whole_bytes(l));
    p->cols = get_cols(p->r.far[0]);
    p->collides = sx_layout_get_bytes(l) > SX_PLANE_FIRST_LEVEL && p->cols * p->bytes < SX_LINE;
}
