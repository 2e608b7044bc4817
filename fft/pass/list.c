/* list.c - allocate and copy regions. A list of regions is one piece of memory: the regions, and behind them
 * the arrays of all regions. */
#include "pass/pass.h"
#include <string.h>

sx_region *sx_pass_regions_alloc(int ndims, ptrdiff_t n)
{
    const size_t arrays = 3 * (size_t)ndims;
    sx_region *list = sx_base_alloc(n, sizeof *list + arrays * sizeof(ptrdiff_t));
    ptrdiff_t *at = (void *)(list + n);
    for (ptrdiff_t i = 0; i < n && list; i++, at += arrays) {
        list[i].start = at;
        list[i].len = at + ndims;
        list[i].stride = at + 2 * ndims;
    }
    return list;
}

void sx_pass_region_set(sx_region *region, const sx_region *as, int ndims)
{
    const size_t bytes = (size_t)ndims * sizeof(ptrdiff_t);
    memcpy(region->start, as->start, bytes);
    memcpy(region->len, as->len, bytes);
    memcpy(region->stride, as->stride, bytes);
    region->place = as->place;
    region->is_far = as->is_far;
    region->offset = as->offset;
}
