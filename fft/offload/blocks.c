/* blocks.c - the blocks that a rank exchanges with each partner, and the datatype of a block. */
#include "offload/offload.h"
#include <string.h>

/* Set the storage order of the receiver: that of its box of the edge, or of the grid. */
static void set_order(const sx_box *box, const sx_edge_box *at_edge, sx_offload_block *b)
{
    if (at_edge)
        sx_base_get_order(box->ndims, at_edge->stride, b->order);
    else
        memcpy(b->order, box->order, sizeof b->order);
}

int sx_offload_get_block(subx_fft_plan plan, int i, int d, int side, int partner, int which,
                         sx_offload_block *b)
{
    static const sx_slice all = {.n = 1};
    const sx_stage *s = &plan->stage[i];
    const sx_box *to = sx_stage_get_box(s, d, SX_TO);
    ptrdiff_t count;
    const sx_edge_box *boxes = sx_stage_get_edge_boxes(s, d, side, partner, &count);
    for (ptrdiff_t k = 0; k < count; k++) {
        sx_stage_get_block(&plan->choice, s, d, side, partner, k, &all, &b->box);
        if (sx_base_is_empty(to->ndims, b->box.len) || which-- > 0)
            continue;
        b->box.offset += sx_base_get_distance(to->ndims, b->box.start, b->box.stride);
        set_order(to, sx_stage_get_edge(s, d, SX_TO) ? &boxes[k] : NULL, b);
        return 1;
    }
    return 0;
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
    const MPI_Aint offset = b->box.offset * bytes;
    MPI_Datatype nest = element;
    int rc = MPI_SUCCESS;
    *type = MPI_DATATYPE_NULL;
    for (int k = 0; k < ndims && !rc; k++)
        if (b->box.len[b->order[k]] != 1)
            rc = repeat(b->box.len[b->order[k]], b->box.stride[b->order[k]] * bytes, element, &nest);
    if (!rc)
        rc = MPI_Type_create_hindexed_block(1, 1, &offset, nest, type);
    if (nest != element)
        MPI_Type_free(&nest);
    return rc;
}
