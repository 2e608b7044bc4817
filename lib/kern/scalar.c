/* scalar.c - the plain loop nest. It is always built, suits every layout, and is the reference for the other
 * kernels. */
#include "kern/kern.h"
#include "kern/loop.h"

static int suits(const sx_layout *l)
{
    (void)l;
    return 1;
}

/* Loop over the levels in the order of the layout, which may not be the fastest order. */
static void nest(const sx_layout *l, int level, const char *in, char *out)
{
    const sx_dim *d = &l->dim[level];
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
