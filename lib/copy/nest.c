/* nest.c - a layout as a loop nest for a device, or as rows. */
#include "copy/copy.h"
#include <limits.h>
#include <stdint.h>

/* Get the largest power of 2 up to 16 that divides the length of a block, all strides, and both addresses. */
static ptrdiff_t get_element(const sx_layout *l, const void *from, const void *to)
{
    uintptr_t all = 16 | (uintptr_t)l->block_bytes | (uintptr_t)from | (uintptr_t)to;
    for (int k = 0; k < l->nd; k++)
        all |= (uintptr_t)l->dim[k].is | (uintptr_t)l->dim[k].os;
    return (ptrdiff_t)(all & (~all + 1));
}

sx_device_nest sx_copy_get_nest(const sx_layout *l, const void *from, const void *to)
{
    const ptrdiff_t element = get_element(l, from, to);
    sx_device_nest nest = sx_device_nest_create(element);
    sx_device_nest_add(&nest, l->block_bytes / element, element, element);
    for (int k = 0; k < l->nd; k++)
        sx_device_nest_add(&nest, l->dim[k].n, l->dim[k].is, l->dim[k].os);
    return nest;
}

/* A level must lie outside of the level below it on both sides. */
int sx_copy_get_rows(const sx_layout *l, sx_device_rows *rows)
{
    enum { MOST_CALLS = 64, LEAST_BYTES = 64 };
    ptrdiff_t from = l->block_bytes,
              to = from; /* bytes from the first to the last one, without levels k .. nd-1 */
    *rows = (sx_device_rows){.bytes = l->block_bytes, .n = {1, 1}, .from = {from, from}, .to = {to, to}};
    for (int k = 0; k < l->nd && k < 2; k++) {
        const sx_dim *d = &l->dim[k];
        if (d->is < from || d->os < to || d->is > INT_MAX || d->os > INT_MAX)
            return 0;
        rows->n[k] = d->n;
        rows->from[k] = d->is;
        rows->to[k] = d->os;
        from += (d->n - 1) * d->is;
        to += (d->n - 1) * d->os;
    }
    return l->nd <= 2 && rows->n[1] <= MOST_CALLS && l->block_bytes >= LEAST_BYTES;
}
