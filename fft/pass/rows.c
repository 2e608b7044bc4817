/* rows.c - walk through a box of a tile's buffer, row by row. The elements of a row follow each other in
 * memory. */
#include "pass/inside.h"

/* Find an axis with several elements and stride 1; -1 if there is none. */
static int find_row(const sx_rows *r)
{
    for (int a = 0; a < r->ndims; a++)
        if (r->stride[a] == 1 && r->n[a] > 1)
            return a;
    return -1;
}

void sx_pass_rows_set(const sx_buffer *buffer, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                      sx_rows *r)
{
    r->ndims = ndims;
    r->stride = buffer->stride;
    r->n = n;
    r->first = sx_base_get_distance(ndims, lo, buffer->stride);
    r->axis = find_row(r);
    r->length = r->axis < 0 ? 1 : n[r->axis];
    for (int a = 0; a < ndims; a++)
        r->at[a] = 0;
}

int sx_pass_rows_next(sx_rows *r)
{
    for (int a = r->ndims - 1; a >= 0; a--) {
        if (a == r->axis)
            continue;
        r->first += r->stride[a];
        if (++r->at[a] < r->n[a])
            return 1;
        r->first -= r->n[a] * r->stride[a];
        r->at[a] = 0;
    }
    return 0;
}
