/* blocks.c - the blocks that the pipes of a fused plan carry: which parts of the array a block has, and how
 * they are stored in it. */
#include "fused/fused.h"
#include <string.h>

/* ---- storage of a block */

/* Query whether rows of blocks begin at cache lines, with gaps between them. Passes write a large array past
 * the caches, and kernels can do this only with whole cache lines. Kernels also store parts of lines faster
 * if these are aligned. But without gaps passes treat several rows as one long row (fft/pass/merge.c), which
 * is faster for smaller arrays. With two axes there is nothing to merge. */
static int has_gaps(const sx_choice *c)
{
    return c->array.ndims == 2 || sx_choice_get_share(c) >= SX_CACHE_RATIO * (double)c->hints.cache_bytes;
}

/* Get the distance between the beginnings of two adjacent rows of a block, in elements. Short rows have no
 * gaps: gaps would make their messages much longer. The sender and the receiver must get the same result, so
 * it depends only on numbers that all ranks agree on. */
static ptrdiff_t get_distance(const sx_choice *c, ptrdiff_t row, ptrdiff_t line)
{
    return has_gaps(c) && row >= SX_BLOCK_ROW_LINES * line ? (row + line - 1) / line * line : row;
}

/* Set the strides of a region. Its axes are stored in the order of the physical side, as in tiles. Rows
 * in one cache set evict each other when they are stored; loading them costs much less. Returns the bytes of
 * the region. */
static ptrdiff_t set_strides(const sx_choice *c, ptrdiff_t element, sx_region *region)
{
    const sx_array *a = &c->array;
    const ptrdiff_t line = SX_ALIGNMENT / element;
    ptrdiff_t stride = 1, bytes = 0;
    for (int i = 0; i < a->ndims; i++) {
        const int axis = a->order[SUBX_FFT_PHYSICAL][i];
        region->stride[axis] = stride;
        stride *= region->len[axis];
        bytes = stride * element;
        if (i == 0)
            stride = get_distance(c, stride, line);
        if (stride * element % SX_SET_BYTES == 0)
            stride += line;
    }
    return bytes;
}

static int is_empty(const sx_edge_box *part, int ndims)
{
    for (int a = 0; a < ndims; a++)
        if (part->len[a] == 0)
            return 1;
    return 0;
}

/* Add a region to the block with index `place` (sx_fused_blocks). The regions of a block follow each other;
 * each begins at a cache line. If b->region is NULL, the regions are only counted. */
static void add_region(subx_fft_plan plan, ptrdiff_t element, const sx_edge_box *part, int place, int box,
                       sx_fused_blocks *b)
{
    const sx_array *a = &plan->choice.array;
    if (is_empty(part, a->ndims))
        return;
    if (b->region) {
        sx_region *region = &b->region[b->nregions];
        memcpy(region->start, part->start, (size_t)a->ndims * sizeof *region->start);
        memcpy(region->len, part->len, (size_t)a->ndims * sizeof *region->len);
        region->place = place;
        region->offset = sx_base_round_up(b->bytes[place]);
        b->bytes[place] = region->offset + set_strides(&plan->choice, element, region);
        b->box[b->nregions] = box;
    }
    b->nregions++;
}

/* Get the bytes of an element in the blocks of an exchange. */
static ptrdiff_t get_element(subx_fft_plan plan, int i, const sx_box *box)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    return e->is_narrow ? box->width * (ptrdiff_t)sizeof(float) : box->element;
}

/* ---- slices */

/* Cut a slice out of a box. Returns the index in the box at which the slice begins. */
static ptrdiff_t cut_slice(const sx_fused_pipe *e, int axis, int slice, sx_edge_box *of)
{
    ptrdiff_t lo = 0;
    if (e->nslices > 1)
        (void)subx_block_get(of->len[axis], e->nslices, slice, &of->len[axis], &lo);
    of->start[axis] += lo;
    return lo;
}

/* ---- exchanges between two distributions of the grid */

/* Add the region of one slice that goes to, or comes from, a partner. A rank sends to each partner the
 * partner's part of the axis that becomes divided. It receives from each partner the partner's part of the
 * axis that becomes whole. */
static void add_slice(subx_fft_plan plan, int i, int d, int side, int slice, int partner, sx_fused_blocks *b)
{
    const sx_stage *s = &plan->stage[i];
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    const sx_box *box = sx_stage_get_box(s, d, side), *other = sx_stage_get_box(s, d, !side);
    const int ranks = sx_plan_get_ranks(plan, s), c = e->slice_axis[d];
    const int axis = side == SX_FROM ? sx_stage_get_divided(s, d) : sx_stage_get_whole(s, d);
    sx_edge_box part = {.start = {0}};
    memcpy(part.len, box->len, sizeof part.len);
    sx_box_get_part(other, axis, ranks, partner, &part.len[axis], &part.start[axis]);
    (void)cut_slice(e, c, slice, &part);
    add_region(plan, get_element(plan, i, box), &part, slice * ranks + partner, 0, b);
}

/* ---- between an edge and the grid */

/* Add the regions of one slice that go to, or come from, a partner. They are the intersections of boxes of
 * the edge with a box of the grid. If this side is the edge, this rank has the boxes of the edge, and the
 * partner has the box of the grid. If this side is the grid, the partner has the boxes of the edge. Both
 * ranks list these boxes in the same order. */
static void add_common(subx_fft_plan plan, int i, int d, int side, int slice, int partner, sx_fused_blocks *b)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    const sx_stage *s = &plan->stage[i];
    const sx_edge *mine = sx_stage_get_edge(s, d, side), *theirs = sx_stage_get_edge(s, d, !side);
    const sx_edge *edge = mine ? mine : theirs;
    const sx_box *box = sx_stage_get_box(s, d, side);
    sx_edge_box in_grid;
    ptrdiff_t count;
    const sx_edge_box *boxes = sx_edge_get(edge, mine ? edge->rank : partner, &count);
    sx_box_get_block(box, plan->choice.g, plan->choice.dims, mine ? partner : edge->rank, &in_grid);
    const ptrdiff_t lo = cut_slice(e, e->slice_axis[d], slice, &in_grid);
    for (ptrdiff_t k = 0; k < count; k++) {
        sx_edge_box part;
        (void)sx_edge_get_common(mine ? &boxes[k] : &in_grid, mine ? &in_grid : &boxes[k], box->ndims, &part);
        if (!mine)
            part.start[e->slice_axis[d]] += lo;
        add_region(plan, get_element(plan, i, box), &part, slice * edge->nranks + partner,
                   mine ? sx_base_fit(k) : 0, b);
    }
}

/* ---- all blocks */

static void list_blocks(subx_fft_plan plan, int i, int d, int side, sx_fused_blocks *b)
{
    const sx_stage *s = &plan->stage[i];
    const int nslices = ((sx_fused *)plan->state)->pipe[i].nslices, ranks = sx_plan_get_ranks(plan, s);
    b->nregions = 0;
    for (int slice = 0; slice < nslices; slice++)
        for (int partner = 0; partner < ranks; partner++) {
            if (s->dim < 0)
                add_common(plan, i, d, side, slice, partner, b);
            else
                add_slice(plan, i, d, side, slice, partner, b);
        }
}

int sx_fused_blocks_create(subx_fft_plan plan, int i, int d, int side, sx_fused_blocks *b)
{
    const sx_stage *s = &plan->stage[i];
    *b =
        (sx_fused_blocks){.nplaces = ((sx_fused *)plan->state)->pipe[i].nslices * sx_plan_get_ranks(plan, s)};
    list_blocks(plan, i, d, side, b);
    b->bytes = sx_base_alloc(b->nplaces, sizeof *b->bytes);
    b->box = sx_base_alloc(b->nregions, sizeof *b->box);
    b->region = b->bytes && b->box ? sx_pass_regions_alloc(plan->choice.array.ndims, b->nregions) : NULL;
    if (!b->region) {
        sx_fused_blocks_free(b);
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    list_blocks(plan, i, d, side, b);
    return MPI_SUCCESS;
}

void sx_fused_blocks_free(sx_fused_blocks *b)
{
    sx_base_free(b->region);
    sx_base_free(b->box);
    sx_base_free(b->bytes);
    *b = (sx_fused_blocks){0};
}
