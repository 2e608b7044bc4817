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

/* Add a region to the block with index `place` (sx_fused_blocks). The regions of a block follow each other;
 * each begins at a cache line. If b->region is NULL, the regions are only counted. */
static void add_region(subx_fft_plan plan, ptrdiff_t element, const sx_edge_box *part, int place, int box,
                       sx_fused_blocks *b)
{
    const sx_array *a = &plan->choice.array;
    if (sx_base_is_empty(a->ndims, part->len))
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

/* ---- all blocks */

/* Add the regions of one slice that go to, or come from, a partner: several between an edge and the grid,
 * else one. */
static void add_slice(subx_fft_plan plan, int i, int d, int side, const sx_slice *slice, int partner,
                      sx_fused_blocks *b)
{
    const sx_stage *s = &plan->stage[i];
    const int is_at_edge = sx_stage_get_edge(s, d, side) != NULL;
    const ptrdiff_t element = get_element(plan, i, sx_stage_get_box(s, d, side));
    ptrdiff_t count;
    (void)sx_stage_get_edge_boxes(s, d, side, partner, &count);
    for (ptrdiff_t k = 0; k < count; k++) {
        sx_edge_box part;
        sx_stage_get_block(&plan->choice, s, d, side, partner, k, slice, &part);
        add_region(plan, element, &part, slice->i * sx_plan_get_ranks(plan, s) + partner,
                   is_at_edge ? sx_base_fit(k) : 0, b);
    }
}

static void list_blocks(subx_fft_plan plan, int i, int d, int side, sx_fused_blocks *b)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    sx_slice slice = {.axis = e->slice_axis[d], .n = e->nslices};
    b->nregions = 0;
    for (; slice.i < slice.n; slice.i++)
        for (int partner = 0; partner < sx_plan_get_ranks(plan, &plan->stage[i]); partner++)
            add_slice(plan, i, d, side, &slice, partner, b);
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
