/* scalar.c - the plain loop nest. It is always built, suits every layout, and is the reference for the other
 * kernels. */
#include "kern/kern.h"
#include "kern/loop.h"

static int suits(const sx_layout *l)
{
    (void)l;
    return 1;
}

/* A processor loads data ahead within a page, but not in the page of the next row. So each row that lies in
 * another page is prefetched about SX_SCALAR_AHEAD_BYTES of data before it is copied. */
static int are_far(const sx_dim *d, ptrdiff_t bytes)
{
    return bytes >= SX_SCALAR_SHORTEST && bytes <= SX_SCALAR_AHEAD_BYTES &&
           sx_kern_magnitude(d->is) >= SX_PAGE;
}

static void copy_far(const sx_dim *d, ptrdiff_t bytes, const char *in, char *out)
{
    const ptrdiff_t ahead = SX_SCALAR_AHEAD_BYTES / bytes;
    for (ptrdiff_t i = 0; i < d->n; i++) {
        const char *next = in + (i + ahead) * d->is;
        for (ptrdiff_t k = 0; k < bytes && i + ahead < d->n; k += SX_LINE)
            __builtin_prefetch(next + k);
        memcpy(out + i * d->os, in + i * d->is, (size_t)bytes);
    }
}

/* Loop over the levels in the order of the layout, which may not be the fastest order. */
static void nest(const sx_layout *l, int level, const char *in, char *out)
{
    const sx_dim *d = &l->dim[level];
    if (level == 0 && are_far(d, l->block_bytes)) {
        copy_far(d, l->block_bytes, in, out);
        return;
    }
    if (level == 0) {
        sx_kern_loop(d->n, l->block_bytes, d->is, d->os, in, out);
        return;
    }
    for (ptrdiff_t i = 0; i < d->n; i++)
        nest(l, level - 1, in + i * d->is, out + i * d->os);
}

/* A layout without levels is one block, and memcpy copies a block fastest. */
static void copy(const sx_layout *l, const char *in, char *out)
{
    if (l->block_bytes == 0)
        return;
    if (l->nd == 0)
        memcpy(out, in, (size_t)l->block_bytes);
    else
        nest(l, l->nd - 1, in, out);
}

const sx_kern sx_kern_scalar = {"scalar", suits, copy};
