/* blocks.c - the blocks that a rank exchanges with each partner, and the datatype of a block. */
#include "offload/offload.h"
#include <string.h>

/* ---- exchanges between two distributions of the grid: one block for each partner. A rank sends to each
 * partner the partner's part of the axis that becomes divided. It receives from each partner the partner's
 * part of the axis that becomes whole. */

/* Begin a block that lies in a box of the grid, as a whole. */
static void set_box(const sx_box *box, sx_offload_block *b)
{
    b->offset = 0;
    memcpy(b->len, box->len, sizeof b->len);
    memcpy(b->stride, box->stride, sizeof b->stride);
}

static int get_slab(subx_fft_plan plan, int i, int d, int side, int partner, sx_offload_block *b)
{
    const sx_stage *s = &plan->stage[i];
    const sx_box *box = sx_stage_get_box(s, d, side), *other = sx_stage_get_box(s, d, !side);
    const int axis = side == SX_FROM ? sx_stage_get_divided(s, d) : sx_stage_get_whole(s, d);
    ptrdiff_t start;
    set_box(box, b);
    sx_box_get_part(other, axis, sx_plan_get_ranks(plan, s), partner, &b->len[axis], &start);
    b->offset = start * box->stride[axis];
    memcpy(b->order, sx_stage_get_box(s, d, SX_TO)->order, sizeof b->order);
    for (int k = 0; k < box->ndims; k++)
        if (b->len[k] == 0)
            return 0;
    return 1;
}

/* ---- exchanges between the grid and an edge: a block for each box of the edge that meets the partner's
 * block of the grid, or this rank's block. Both ranks list the boxes of the edge in the same order. */

/* Set a block that lies in an array with these strides and this offset. `part` begins at the first element of
 * that array. */
static void place(int ndims, const sx_edge_box *part, const ptrdiff_t stride[], ptrdiff_t offset,
                  sx_offload_block *b)
{
    b->offset = offset;
    memcpy(b->len, part->len, sizeof b->len);
    memcpy(b->stride, stride, sizeof b->stride);
    for (int k = 0; k < ndims; k++)
        b->offset += part->start[k] * stride[k];
}

/* Get the storage order of the receiver: that of its box of the edge, or of the grid. */
static void set_order(const sx_box *box, const sx_edge_box *at_edge, int writes_edge, sx_offload_block *b)
{
    if (writes_edge)
        sx_array_get_order(box->ndims, at_edge->stride, b->order);
    else
        memcpy(b->order, box->order, sizeof b->order);
}

static int get_common(subx_fft_plan plan, int i, int d, int side, int partner, int which, sx_offload_block *b)
{
    const sx_stage *s = &plan->stage[i];
    const sx_edge *mine = sx_stage_get_edge(s, d, side), *edge = mine ? mine : sx_stage_get_edge(s, d, !side);
    const sx_box *box = sx_stage_get_box(s, d, side);
    sx_edge_box in_grid, part;
    ptrdiff_t count, k;
    const sx_edge_box *boxes = sx_edge_get(edge, mine ? edge->rank : partner, &count);
    sx_box_get_block(box, plan->choice.g, plan->choice.dims, mine ? partner : edge->rank, &in_grid);
    for (k = 0; k < count; k++)
        if (sx_edge_get_common(mine ? &boxes[k] : &in_grid, mine ? &in_grid : &boxes[k], box->ndims, &part) &&
            which-- == 0)
            break;
    if (k == count)
        return 0;
    set_order(sx_stage_get_box(s, d, SX_TO), &boxes[k], sx_stage_get_edge(s, d, SX_TO) != NULL, b);
    place(box->ndims, &part, mine ? boxes[k].stride : box->stride, mine ? boxes[k].offset : 0, b);
    return 1;
}

/* ---- all blocks */

int sx_offload_get_block(subx_fft_plan plan, int i, int d, int side, int partner, int which,
                         sx_offload_block *b)
{
    if (plan->stage[i].dim < 0)
        return get_common(plan, i, d, side, partner, which, b);
    return which == 0 && get_slab(plan, i, d, side, partner, b);
}

/* ---- datatypes */

/* Replace a type, which this function frees if it is derived, by n of it, `stride` bytes apart. */
static int repeat(ptrdiff_t n, MPI_Aint stride, MPI_Datatype element, MPI_Datatype *type)
{
    const MPI_Count count = n, zero = 0;
    MPI_Datatype wide = MPI_DATATYPE_NULL, old = *type;
    int rc = MPI_Type_create_resized(old, 0, stride, &wide);
    if (!rc)
        rc = subx_type_create_subarray_c(1, &count, &count, &zero, MPI_ORDER_C, NULL, wide, type);
    if (wide != MPI_DATATYPE_NULL)
        MPI_Type_free(&wide);
    if (rc)
        *type = old;
    else if (old != element)
        MPI_Type_free(&old);
    return rc;
}

int sx_offload_create_type(int ndims, const sx_offload_block *b, MPI_Datatype element, MPI_Aint bytes,
                           MPI_Datatype *type)
{
    const MPI_Aint offset = b->offset * bytes;
    MPI_Datatype nest = element;
    int rc = MPI_SUCCESS;
    *type = MPI_DATATYPE_NULL;
    for (int k = 0; k < ndims && !rc; k++)
        if (b->len[b->order[k]] != 1)
            rc = repeat(b->len[b->order[k]], b->stride[b->order[k]] * bytes, element, &nest);
    if (!rc)
        rc = MPI_Type_create_hindexed_block(1, 1, &offset, nest, type);
    if (nest != element)
        MPI_Type_free(&nest);
    return rc;
}
