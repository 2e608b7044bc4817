/* block.c - the blocks of an exchange, as loop nests of a device. */
#include "offload/offload.h"
#include <string.h>

/* A part of the elements that one rank sends to another rank. */
typedef struct piece {
    ptrdiff_t len[SUBX_NDIMS_MAX],
        start[2][SUBX_NDIMS_MAX]; /* of the first element, in the sender's and in the receiver's array */
} piece;

int sx_offload_get_rank(subx_fft_plan plan, int i)
{
    int g, coords[SUBX_NDIMS_MAX] = {0};
    (void)subx_grid_get(plan->grid, SUBX_NDIMS_MAX, &g, NULL, coords);
    return coords[plan->stage[i].dim];
}

/* A block has the sender's part of the axis that becomes whole, and the receiver's part of the axis that becomes
 * divided. */
static piece get_block(subx_fft_plan plan, int i, int d, int from, int to)
{
    const sx_stage *s = &plan->stage[i];
    const sx_box *before = sx_stage_get_box(s, d, SX_FROM), *after = sx_stage_get_box(s, d, SX_TO);
    const int v = sx_stage_get_whole(s, d), w = sx_stage_get_divided(s, d), p = sx_plan_get_ranks(plan, s);
    piece b = {{0}, {{0}}};
    memcpy(b.len, before->len, sizeof b.len);
    sx_box_get_part(before, v, p, from, &b.len[v], &b.start[SX_TO][v]);
    sx_box_get_part(after, w, p, to, &b.len[w], &b.start[SX_FROM][w]);
    return b;
}

/* Cut a slice out of a block, along the block's longest axis. Sender and receiver cut in the same way. */
static void cut(int ndims, int nslices, int slice, piece *b)
{
    ptrdiff_t start = 0;
    int axis = 0;
    for (int k = 1; k < ndims; k++)
        axis = b->len[k] > b->len[axis] ? k : axis;
    (void)subx_block_get(b->len[axis], nslices, slice, &b->len[axis], &start);
    b->start[SX_FROM][axis] += start;
    b->start[SX_TO][axis] += start;
}

/* Get the bytes from the first element of an array to the first element of a part. */
static ptrdiff_t get_offset(const sx_box *b, const ptrdiff_t start[])
{
    ptrdiff_t offset = 0;
    for (int k = 0; k < b->ndims; k++)
        offset += start[k] * b->stride[k];
    return offset * b->element;
}

/* Make the nest of a part. On the side `packed`, the part is contiguous, in the storage order of the array that
 * receives it. If `packed` is -1, the nest copies from array to array. */
static sx_offload_part make_part(const sx_box *before, const sx_box *after, const piece *b, int packed)
{
    sx_offload_part part = {.nest = sx_device_nest_create(before->element)};
    ptrdiff_t place = before->element;
    for (int k = 0; k < after->ndims; k++) {
        const int a = after->order[k];
        const ptrdiff_t is = before->stride[a] * before->element, os = after->stride[a] * after->element;
        sx_device_nest_add(&part.nest, b->len[a], packed == SX_FROM ? place : is,
                           packed == SX_TO ? place : os);
        place *= b->len[a];
    }
    part.bytes = part.nest.count * before->element;
    part.offset[SX_FROM] = packed == SX_FROM ? 0 : get_offset(before, b->start[SX_FROM]);
    part.offset[SX_TO] = packed == SX_TO ? 0 : get_offset(after, b->start[SX_TO]);
    return part;
}

static sx_offload_part get_part(subx_fft_plan plan, int i, int d, const piece *b, int packed)
{
    const sx_stage *s = &plan->stage[i];
    return make_part(sx_stage_get_box(s, d, SX_FROM), sx_stage_get_box(s, d, SX_TO), b, packed);
}

sx_offload_part sx_offload_get_part(subx_fft_plan plan, int i, int d, int side, int slice, int q)
{
    const sx_offload *a = plan->state;
    const int rank = sx_offload_get_rank(plan, i);
    piece b = side == SX_FROM ? get_block(plan, i, d, rank, q) : get_block(plan, i, d, q, rank);
    cut(plan->stage[i].from.ndims, a->stage[i].nslices, slice, &b);
    return get_part(plan, i, d, &b, side == SX_FROM ? SX_TO : SX_FROM);
}

sx_offload_part sx_offload_get_own(subx_fft_plan plan, int i, int d)
{
    const int rank = sx_offload_get_rank(plan, i);
    const piece b = get_block(plan, i, d, rank, rank);
    return get_part(plan, i, d, &b, -1);
}
