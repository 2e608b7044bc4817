/* box.c - the blocks of ranks between two stages: parts of axes, strides and bytes. */
#include "array/array.h"

void sx_box_set_innermost(sx_box *b, int axis, int place)
{
    int at = place;
    while (b->order[at] != axis)
        at++;
    for (; at > place; at--)
        b->order[at] = b->order[at - 1];
    b->order[place] = axis;
}

static ptrdiff_t get_least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

void sx_box_get_part(const sx_box *b, int axis, int p, int r, ptrdiff_t *len, ptrdiff_t *start)
{
    sx_array_get_part(b->n[axis], b->block[axis], p, r, len, start);
}

void sx_array_get_part(ptrdiff_t n, ptrdiff_t block, int p, int r, ptrdiff_t *len, ptrdiff_t *start)
{
    if (!block) {
        (void)subx_block_get(n, p, r, len, start);
        return;
    }
    *start = r > n / block ? n : get_least(n, r * block);
    *len = get_least(n - *start, block);
}

int sx_array_get_bytes(int ndims, ptrdiff_t offset, const ptrdiff_t len[], const ptrdiff_t stride[],
                       ptrdiff_t element, ptrdiff_t *bytes)
{
    ptrdiff_t end;
    int rc = sx_base_get_end(ndims, offset, len, stride, &end);
    return rc ? rc : sx_base_mul(end, element, bytes);
}

int sx_box_set_strides(sx_box *b)
{
    ptrdiff_t s = 1;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < b->ndims && !rc; i++) {
        const int axis = b->order[i];
        b->stride[axis] = s;
        rc = sx_base_mul(s, axis == b->padded ? 2 * sx_serial_get_half(b->len[axis]) : b->len[axis], &s);
    }
    return rc ? rc : sx_base_mul(s, b->element, &b->bytes);
}

/* On a rank without data, some length is 0, `bytes` is 0, and the strides are not set. */
int sx_box_set_local(sx_box *b, const int dims[], const int coords[])
{
    for (int i = 0; i < b->ndims; i++) {
        const int k = b->dist[i];
        b->len[i] = b->n[i];
        b->start[i] = 0;
        if (k >= 0)
            sx_box_get_part(b, i, dims[k], coords[k], &b->len[i], &b->start[i]);
    }
    b->bytes = 0;
    return sx_base_is_empty(b->ndims, b->len) ? MPI_SUCCESS : sx_box_set_strides(b);
}
