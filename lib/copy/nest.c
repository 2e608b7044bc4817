/* nest.c - a layout as a loop nest for a device. */
#include "copy/copy.h"
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
