/* scalar.c - the plain loop nest: always built, suits everything, and the oracle for the kernels that are
 * fast. */
#include "kern/kern.h"
#include "kern/run.h"

static int suits(const sx_layout *l)
{
    (void)l;
    return 1;
}

/* Levels as the layout has them, outermost first; what order is best is the blocked kernel's matter. */
static void nest(const sx_layout *l, int level, const char *in, char *out)
{
    const sx_dim *d = &l->dim[level];
    if (level == 0) {
        sx_kern_run(d->n, l->block_bytes, d->is, d->os, in, out);
        return;
    }
    for (ptrdiff_t i = 0; i < d->n; i++)
        nest(l, level - 1, in + i * d->is, out + i * d->os);
}

/* Without levels a layout is one block, which the C library copies best. */
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
