/* box.c - a distributed array between two stages: which axes are divided, and how it is stored. */
#include "plan/plan.h"

void sx_box_set_c_order(sx_box *b)
{
    for (int i = 0; i < b->ndims; i++)
        b->order[i] = b->ndims - 1 - i;
}

void sx_box_set_innermost(sx_box *b, int axis)
{
    int at = 0;
    while (b->order[at] != axis)
        at++;
    for (; at > 0; at--)
        b->order[at] = b->order[at - 1];
    b->order[0] = axis;
}

/* A rank without data has length 0 along some axis and 0 bytes. It has a start along every axis. */
int sx_box_set_local(sx_box *b, const int dims[], const int coords[])
{
    ptrdiff_t bytes = b->width * (ptrdiff_t)sizeof(double);
    int rc = MPI_SUCCESS, empty = 0;
    for (int i = 0; i < b->ndims && !rc; i++) {
        int k = b->dist[i];
        rc = subx_block_get(b->n[i], k < 0 ? 1 : dims[k], k < 0 ? 0 : coords[k], &b->len[i], &b->start[i]);
        empty |= b->len[i] == 0;
    }
    for (int i = 0; i < b->ndims && !rc && !empty; i++)
        rc = sx_base_mul(bytes, b->len[i], &bytes);
    b->bytes = empty ? 0 : bytes;
    return rc;
}

void sx_box_get_strides(const sx_box *b, ptrdiff_t stride[])
{
    ptrdiff_t s = 1;
    for (int i = 0; i < b->ndims; i++) {
        stride[b->order[i]] = s;
        s *= b->len[b->order[i]];
    }
}
