/* nest.c - build the loop nest of a strided copy, with as few levels as possible: each level costs a kernel a
 * division per element. */
#include "device/device.h"

sx_device_nest sx_device_nest_create(ptrdiff_t element)
{
    return (sx_device_nest){.element = element, .count = 1};
}

void sx_device_nest_add(sx_device_nest *nest, ptrdiff_t n, ptrdiff_t from, ptrdiff_t to)
{
    sx_dim *last = &nest->level[nest->nlevels - 1];
    nest->count *= n;
    if (n <= 1)
        return;
    if (nest->nlevels > 0 && last->n * last->is == from && last->n * last->os == to)
        last->n *= n;
    else
        nest->level[nest->nlevels++] = (sx_dim){n, from, to};
}

void sx_device_nest_reduce(sx_device_nest *nest, ptrdiff_t first, ptrdiff_t bytes)
{
    nest->first += first / nest->element;
    nest->count = bytes / nest->element;
}

ptrdiff_t sx_device_nest_get_bytes(const sx_device_nest *nest, int side)
{
    const int has_floats = nest->converts == (side == SX_FROM ? SX_DEVICE_WIDEN : SX_DEVICE_NARROW);
    return has_floats ? nest->element / 2 : nest->element;
}
