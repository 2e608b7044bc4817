/* block.c - the boxes that this rank exchanges with a partner. Both ranks list them in the same order. */
#include "stages/stages.h"
#include <string.h>

/* Cut a slice out of a box. Returns the index in the box at which the slice begins. */
static ptrdiff_t cut(const sx_slice *slice, sx_edge_box *b)
{
    ptrdiff_t lo = 0;
    if (slice->n > 1)
        (void)subx_block_get(b->len[slice->axis], slice->n, slice->i, &b->len[slice->axis], &lo);
    b->start[slice->axis] += lo;
    return lo;
}

const sx_edge_box *sx_stage_get_edge_boxes(const sx_stage *s, int d, int side, int partner, ptrdiff_t *count)
{
    const sx_edge *mine = sx_stage_get_edge(s, d, side), *theirs = sx_stage_get_edge(s, d, !side);
    *count = 1;
    if (s->dim >= 0)
        return NULL;
    return mine ? sx_edge_get(mine, mine->rank, count) : sx_edge_get(theirs, partner, count);
}

/* Between two distributions of the grid, a rank sends to each partner the partner's part of the axis that
 * becomes divided. It receives from each partner the partner's part of the axis that becomes whole. */
static void get_slab(const sx_choice *c, const sx_stage *s, int d, int side, int partner,
                     const sx_slice *slice, sx_edge_box *block)
{
    const sx_box *box = sx_stage_get_box(s, d, side), *other = sx_stage_get_box(s, d, !side);
    const int axis = side == SX_FROM ? sx_stage_get_divided(s, d) : sx_stage_get_whole(s, d);
    memset(block->start, 0, sizeof block->start);
    block->offset = 0;
    memcpy(block->len, box->len, sizeof block->len);
    memcpy(block->stride, box->stride, sizeof block->stride);
    sx_box_get_part(other, axis, c->dims[s->dim], partner, &block->len[axis], &block->start[axis]);
    (void)cut(slice, block);
}

/* Get the block of a rank of the grid, in a box. */
static void get_grid_block(const sx_box *b, int g, const int dims[], int rank, sx_edge_box *of)
{
    int coords[SUBX_NDIMS_MAX];
    for (int k = g - 1; k >= 0; k--) {
        coords[k] = rank % dims[k];
        rank /= dims[k];
    }
    for (int i = 0; i < b->ndims; i++) {
        const int k = b->dist[i];
        of->start[i] = 0;
        of->len[i] = b->n[i];
        if (k >= 0)
            sx_box_get_part(b, i, dims[k], coords[k], &of->len[i], &of->start[i]);
    }
}

/* Between an edge and the grid, the blocks are what the boxes of the edge have in common with a box of the
 * grid: this rank's box, or the partner's if this rank has the boxes of the edge. */
static void get_common(const sx_choice *c, const sx_stage *s, int d, int side, int partner, ptrdiff_t k,
                       const sx_slice *slice, sx_edge_box *block)
{
    const sx_edge *mine = sx_stage_get_edge(s, d, side), *theirs = sx_stage_get_edge(s, d, !side);
    const sx_box *box = sx_stage_get_box(s, d, side);
    sx_edge_box in_grid;
    ptrdiff_t count;
    const sx_edge_box *at_edge = &sx_stage_get_edge_boxes(s, d, side, partner, &count)[k];
    get_grid_block(box, c->g, c->dims, mine ? partner : theirs->rank, &in_grid);
    const ptrdiff_t lo = cut(slice, &in_grid);
    (void)sx_base_get_common(box->ndims, at_edge->start, at_edge->len, in_grid.start, in_grid.len,
                             block->start, block->len);
    for (int a = 0; a < box->ndims; a++)
        block->start[a] -= mine ? at_edge->start[a] : in_grid.start[a];
    if (!mine)
        block->start[slice->axis] += lo;
    block->offset = mine ? at_edge->offset : 0;
    memcpy(block->stride, mine ? at_edge->stride : box->stride, sizeof block->stride);
}

void sx_stage_get_block(const sx_choice *c, const sx_stage *s, int d, int side, int partner, ptrdiff_t k,
                        const sx_slice *slice, sx_edge_box *block)
{
    if (s->dim < 0)
        get_common(c, s, d, side, partner, k, slice, block);
    else
        get_slab(c, s, d, side, partner, slice, block);
}
