/* plane.c - find the plane of a permuting copy: its patches extend along two directions, r (read) and w
 * (written). */
#include "kern/plane.h"

static int get_smallest_read(const sx_layout *l)
{
    int best = 0;
    for (int i = 1; i < l->nd; i++)
        if (sx_kern_magnitude(l->dim[i].is) < sx_kern_magnitude(l->dim[best].is))
            best = i;
    return best;
}

static int get_smallest_written(const sx_layout *l)
{
    int best = 0;
    for (int i = 1; i < l->nd; i++)
        if (sx_kern_magnitude(l->dim[i].os) < sx_kern_magnitude(l->dim[best].os))
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
           get_smallest_read(l) != get_smallest_written(l);
}

int sx_kern_plane_writes_contiguously(const sx_layout *l)
{
    return l->dim[get_smallest_written(l)].os == l->block_bytes;
}

/* Remove a level, and return it. */
static sx_dim take(sx_layout *l, int i)
{
    sx_dim d = l->dim[i];
    for (l->nd--; i < l->nd; i++)
        l->dim[i] = l->dim[i + 1];
    return d;
}

static void begin(sx_chain *c, ptrdiff_t n, ptrdiff_t near, ptrdiff_t far)
{
    *c = (sx_chain){.nd = 1, .n = {n}, .far = {far}, .near = near, .length = n};
}

static void lengthen(sx_chain *c, ptrdiff_t n, ptrdiff_t far)
{
    c->n[c->nd] = n;
    c->far[c->nd++] = far;
    c->length *= n;
}

/* Move levels from the layout to the chain if they continue the chain on the read side, until the chain has
 * `enough` bytes. */
static void lengthen_read(sx_chain *c, sx_layout *l, ptrdiff_t enough)
{
    for (int i = 0; i < l->nd && c->length * sx_kern_magnitude(c->near) < enough;) {
        if (l->dim[i].is == c->length * c->near) {
            sx_dim d = take(l, i);
            lengthen(c, d.n, d.os);
            i = 0;
        } else {
            i++;
        }
    }
}

/* Move levels from the layout to the chain if they continue the chain on the write side. */
static void lengthen_written(sx_chain *c, sx_layout *l)
{
    for (int i = 0; i < l->nd;) {
        if (l->dim[i].os == c->length * c->near) {
            sx_dim d = take(l, i);
            lengthen(c, d.n, d.is);
            i = 0;
        } else {
            i++;
        }
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
    sx_dim w = take(&m, 0), r = take(&m, get_smallest_read(&m));
    begin(&p->w, w.n, w.os, w.is);
    begin(&p->r, r.n, r.is, r.os);
    lengthen_read(&p->r, &m, SX_PLANE_READ_BYTES);
    lengthen_written(&p->w, &m);
    p->nd = m.nd;
    for (int i = 0; i < m.nd; i++)
        p->around[i] = m.dim[i];
    p->bytes = l->block_bytes;
    p->streams = sx_kern_caches_exceeded(sx_layout_get_whole_bytes(l));
    p->cols = get_cols(p->r.far[0]);
    p->collides = sx_layout_get_bytes(l) > SX_PLANE_FIRST_LEVEL && p->cols * p->bytes < SX_LINE;
}
