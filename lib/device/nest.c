/* nest.c - build the loop nest of a strided copy, with as few levels as possible: each level costs a kernel a
 * division per element. */
#include "device/device.h"

sx_device_nest sx_device_nest_create(ptrdiff_t element)
{
    return (sx_device_nest){.element = element, .count = 1};
}

void sx_device_nest_add(sx_device_nest *nest, ptrdiff_t n, ptrdiff_t from, ptrdiff_t to)
{
    const int k = nest->nlevels;
    nest->count *= n;
    if (n <= 1)
        return;
    if (k > 0 && nest->n[k - 1] * nest->from[k - 1] == from && nest->n[k - 1] * nest->to[k - 1] == to) {
        nest->n[k - 1] *= n;
        return;
    }
    nest->n[k] = n;
    nest->from[k] = from;
    nest->to[k] = to;
    nest->nlevels++;
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
