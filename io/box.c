/* box.c - boxes of an array, and the pieces of a box. */
#include "io/io.h"

/* If a length is 0, the array has 0 bytes, even if the product of the other lengths would overflow. */
int sx_io_array_get_bytes(const sx_io_array *array, ptrdiff_t *bytes, ptrdiff_t *end)
{
    int rc = MPI_SUCCESS;
    *bytes = array->elem.bytes;
    for (int a = 0; a < array->ndims; a++)
        if (array->sizes[a] == 0)
            *bytes = 0;
    for (int a = 0; a < array->ndims && !rc; a++)
        rc = sx_base_mul(*bytes, array->sizes[a], bytes);
    return rc ? rc : sx_base_add(*bytes, array->data, end);
}

static void reverse_sizes(int n, ptrdiff_t a[])
{
    for (int i = 0; i < n / 2; i++) {
        ptrdiff_t other = a[n - 1 - i];
        a[n - 1 - i] = a[i];
        a[i] = other;
    }
}

void sx_io_reverse(sx_io_array *array, sx_io_box *box)
{
    reverse_sizes(array->ndims, array->sizes);
    reverse_sizes(box->ndims, box->len);
    reverse_sizes(box->ndims, box->start);
    for (int i = 0; i < box->ndims; i++)
        box->order[i] = box->ndims - 1 - box->order[i];
    array->fortran = !array->fortran;
}

/* The position of an axis of length 1 in the storage order does not matter. */
int sx_io_box_is_straight(const sx_io_box *box)
{
    int last = box->ndims;
    for (int i = 0; i < box->ndims; i++) {
        int a = box->order[i];
        if (box->len[a] == 1)
            continue;
        if (a > last)
            return 0;
        last = a;
    }
    return 1;
}

int sx_io_pieces_get(const sx_io_box *box, ptrdiff_t most, sx_io_pieces *pieces)
{
    ptrdiff_t faster = 1, chunks;
    int axis = box->ndims - 1;
    *pieces = (sx_io_pieces){.axis = 0, .chunk = 1, .most = 0, .count = 0};
    if (sx_base_get_volume(box->ndims, box->len) == 0)
        return MPI_SUCCESS;
    for (; axis > 0 && faster * box->len[axis] <= most; axis--)
        faster *= box->len[axis];
    pieces->axis = axis;
    pieces->chunk = most / faster < 1 ? 1 : most / faster;
    if (pieces->chunk > box->len[axis])
        pieces->chunk = box->len[axis];
    pieces->most = pieces->chunk * faster;
    chunks = (box->len[axis] + pieces->chunk - 1) / pieces->chunk;
    return sx_base_int(chunks * sx_base_get_volume(axis, box->len), &pieces->count);
}

void sx_io_piece_get(const sx_io_box *box, const sx_io_pieces *pieces, int k, sx_io_box *piece)
{
    int axis = pieces->axis;
    ptrdiff_t chunks = (box->len[axis] + pieces->chunk - 1) / pieces->chunk, slower = k / chunks;
    *piece = *box;
    for (int a = 0; a < box->ndims; a++)
        piece->start[a] = 0;
    piece->start[axis] = k % chunks * pieces->chunk;
    piece->len[axis] = box->len[axis] - piece->start[axis];
    if (piece->len[axis] > pieces->chunk)
        piece->len[axis] = pieces->chunk;
    for (int a = axis - 1; a >= 0; a--) {
        piece->start[a] = slower % box->len[a];
        piece->len[a] = 1;
        slower /= box->len[a];
    }
}
