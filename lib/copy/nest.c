/* nest.c - a layout as a loop nest for a device, or as rows. */
#include "copy/copy.h"
#include <limits.h>
#include <stdint.h>

/* Get the largest power of 2 up to 16 that divides the length of a block, all strides, and both addresses. */
static ptrdiff_t get_element(const sx_layout *l, uintptr_t from, uintptr_t to)
{
    uintptr_t all = 16 | (uintptr_t)l->block_bytes | from | to;
    for (int k = 0; k < l->nd; k++)
        all |= (uintptr_t)l->dim[k].is | (uintptr_t)l->dim[k].os;
    return (ptrdiff_t)(all & (~all + 1));
}

/* On a side with floats, all distances are the halves of those in the layout, which counts them as
 * doubles. */
sx_device_nest sx_copy_get_nest(const sx_layout *l, int converts, const void *from, const void *to)
{
    const ptrdiff_t in = converts == SX_DEVICE_WIDEN ? 2 : 1, out = converts == SX_DEVICE_NARROW ? 2 : 1;
    const ptrdiff_t element = get_element(l, (uintptr_t)from * (size_t)in, (uintptr_t)to * (size_t)out);
    sx_device_nest nest = sx_device_nest_create(element);
    nest.converts = converts;
    sx_device_nest_add(&nest, l->block_bytes / element, element / in, element / out);
    for (int k = 0; k < l->nd; k++)
        sx_device_nest_add(&nest, l->dim[k].n, l->dim[k].is / in, l->dim[k].os / out);
    return nest;
}

/* A level must lie outside of the level below it on both sides. */
int sx_copy_get_rows(const sx_layout *l, sx_device_rows *rows)
{
    ptrdiff_t from = l->block_bytes,
              to = from; /* bytes from the first to the last one, without levels k .. nd-1 */
    *rows = (sx_device_rows){.bytes = l->block_bytes, .level = {{1, from, to}, {1, from, to}}};
    for (int k = 0; k < l->nd && k < 2; k++) {
        const sx_dim *d = &l->dim[k];
        if (d->is < from || d->os < to || d->is > INT_MAX || d->os > INT_MAX)
            return 0;
        rows->level[k] = *d;
        from += (d->n - 1) * d->is;
        to += (d->n - 1) * d->os;
    }
    return l->nd <= 2 && rows->level[1].n <= SX_COPY_MOST_CALLS && l->block_bytes >= SX_COPY_LEAST_BYTES;
}
