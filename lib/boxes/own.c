/* own.c - the boxes of one rank: the object that callers fill. */
#include "boxes/boxes.h"
#include <string.h>

/* ---- creation */

/* Check the arguments. The number of elements must fit into 63 bits. */
static int check_array(int ndims, const ptrdiff_t sizes[])
{
    ptrdiff_t volume = 1;
    int rc = MPI_SUCCESS;
    if (ndims < 1 || ndims > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (!sizes)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int k = 0; k < ndims; k++)
        if (sizes[k] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    for (int k = 0; k < ndims && !rc; k++)
        rc = sx_base_mul(volume, sizes[k], &volume);
    return rc;
}

int subx_boxes_create(int ndims, const ptrdiff_t sizes[], subx_boxes *boxes)
{
    if (!boxes)
        return subx_error_get_code(SUBX_ERR_ARG);
    *boxes = SUBX_BOXES_NULL;
    int rc = check_array(ndims, sizes);
    if (rc)
        return rc;
    subx_boxes made = sx_base_alloc(1, sizeof *made);
    if (!made)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    made->ndims = ndims;
    memcpy(made->sizes, sizes, (size_t)ndims * sizeof *sizes);
    *boxes = made;
    return MPI_SUCCESS;
}

/* Copy the rows into new memory with room for `room` rows. NULL if there is no memory. */
static ptrdiff_t *copy_rows(const struct subx_boxes_s *own, int room)
{
    const size_t width = 3 * (size_t)own->ndims + 1;
    ptrdiff_t *row = sx_base_alloc(room, width * sizeof *row);
    if (row && own->n > 0)
        memcpy(row, own->row, (size_t)own->n * width * sizeof *row);
    return row;
}

int subx_boxes_create_copy(subx_boxes boxes, subx_boxes *copy)
{
    if (!copy)
        return subx_error_get_code(SUBX_ERR_ARG);
    *copy = SUBX_BOXES_NULL;
    if (!boxes)
        return subx_error_get_code(SUBX_ERR_ARG);
    subx_boxes made = sx_base_alloc(1, sizeof *made);
    if (made) {
        *made = *boxes;
        made->room = made->n;
        made->row = copy_rows(boxes, made->n);
    }
    if (!made || !made->row) {
        sx_base_free(made);
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    *copy = made;
    return MPI_SUCCESS;
}

int subx_boxes_free(subx_boxes *boxes)
{
    if (!boxes || !*boxes)
        return MPI_SUCCESS;
    sx_base_free((*boxes)->row);
    sx_base_free(*boxes);
    *boxes = SUBX_BOXES_NULL;
    return MPI_SUCCESS;
}

/* ---- boxes */

int sx_boxes_check_box(subx_boxes own, const ptrdiff_t start[], const ptrdiff_t len[])
{
    if (!own || !start || !len)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int k = 0; k < own->ndims; k++)
        if (start[k] < 0 || len[k] < 0 || len[k] > own->sizes[k] || start[k] > own->sizes[k] - len[k])
            return subx_error_get_code(SUBX_ERR_SIZE);
    return MPI_SUCCESS;
}

static int grow(subx_boxes own)
{
    int room, rc = sx_base_int(own->room > 0 ? 2 * (ptrdiff_t)own->room : 1, &room);
    ptrdiff_t *row = rc ? NULL : copy_rows(own, room);
    if (!rc && !row)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (rc)
        return rc;
    sx_base_free(own->row);
    own->row = row;
    own->room = room;
    return MPI_SUCCESS;
}

int sx_boxes_add(subx_boxes own, const ptrdiff_t start[], const ptrdiff_t len[], ptrdiff_t offset,
                 const ptrdiff_t stride[])
{
    const size_t bytes = (size_t)own->ndims * sizeof *start;
    ptrdiff_t end;
    int rc = sx_base_get_end(own->ndims, offset, len, stride, &end);
    if (!rc && own->n == own->room)
        rc = grow(own);
    if (rc)
        return rc;
    ptrdiff_t *row = sx_boxes_get_row(own, own->n++);
    memcpy(row, start, bytes);
    memcpy(row + own->ndims, len, bytes);
    memcpy(row + 2 * own->ndims, stride, bytes);
    row[3 * own->ndims] = offset;
    own->end = end > own->end ? end : own->end;
    return MPI_SUCCESS;
}

int subx_boxes_add(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[])
{
    return subx_boxes_add_ordered(boxes, start, len, NULL);
}

/* Set the strides of a box without gaps. The strides of an empty box have no meaning. */
static void set_strides(int ndims, const ptrdiff_t len[], const int order[], ptrdiff_t stride[])
{
    const int is_empty = sx_base_is_empty(ndims, len);
    ptrdiff_t volume = 1;
    for (int k = 0; k < ndims; k++) {
        const int axis = order ? order[k] : ndims - 1 - k;
        stride[axis] = volume;
        volume *= is_empty ? 1 : len[axis];
    }
}

int subx_boxes_add_ordered(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[],
                           const int order[])
{
    ptrdiff_t stride[SUBX_NDIMS_MAX];
    int rc = sx_boxes_check_box(boxes, start, len);
    if (rc)
        return rc;
    if (order && !sx_base_is_permutation(boxes->ndims, order))
        return subx_error_get_code(SUBX_ERR_ORDER);
    set_strides(boxes->ndims, len, order, stride);
    return sx_boxes_add(boxes, start, len, boxes->end, stride);
}

int subx_boxes_add_strided(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[], ptrdiff_t offset,
                           const ptrdiff_t stride[])
{
    int rc = stride ? sx_boxes_check_box(boxes, start, len) : subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    const int has_elements = !sx_base_is_empty(boxes->ndims, len);
    for (int k = 0; k < boxes->ndims; k++)
        if (offset < 0 || stride[k] < (has_elements && len[k] > 1))
            return subx_error_get_code(SUBX_ERR_SIZE);
    rc = sx_boxes_add(boxes, start, len, offset, stride);
    boxes->is_strided |= !rc;
    return rc;
}

/* ---- questions */

int subx_boxes_get(subx_boxes boxes, int *ndims, ptrdiff_t sizes[], int *count, int *is_strided,
                   ptrdiff_t *elements)
{
    if (!boxes)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ndims)
        *ndims = boxes->ndims;
    if (sizes)
        memcpy(sizes, boxes->sizes, (size_t)boxes->ndims * sizeof *sizes);
    if (count)
        *count = boxes->n;
    if (is_strided)
        *is_strided = boxes->is_strided;
    if (elements)
        *elements = boxes->end;
    return MPI_SUCCESS;
}

int subx_boxes_get_box(subx_boxes boxes, int i, ptrdiff_t start[], ptrdiff_t len[], ptrdiff_t *offset,
                       ptrdiff_t stride[])
{
    if (!boxes || i < 0 || i >= boxes->n)
        return subx_error_get_code(SUBX_ERR_ARG);
    const ptrdiff_t *row = sx_boxes_get_row(boxes, i);
    const size_t bytes = (size_t)boxes->ndims * sizeof *row;
    if (start)
        memcpy(start, row, bytes);
    if (len)
        memcpy(len, row + boxes->ndims, bytes);
    if (stride)
        memcpy(stride, row + 2 * boxes->ndims, bytes);
    if (offset)
        *offset = row[3 * boxes->ndims];
    return MPI_SUCCESS;
}
