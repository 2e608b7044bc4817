/* passes.c - the passes of fused stages, which transform tiles while these are in the caches: what regions they
 * gather from and scatter to, and how wide their tiles are. */
#include "plan/fuse.h"
#include <string.h>

/* ---- regions */

static int set_whole_region(const sx_box *box, sx_pass_side *side)
{
    side->nregions = 1;
    side->region = sx_base_alloc(1, sizeof *side->region);
    if (!side->region)
        return subx_error_get(SUBX_ERR_NO_MEM);
    memcpy(side->region->len, box->len, sizeof side->region->len);
    sx_box_get_strides(box, side->region->stride);
    return MPI_SUCCESS;
}

/* Where a pass writes is a side that the exchange reads, and the other way round. */
static int set_pipe_regions(subx_fft_plan plan, const sx_stage *e, int d, int which, sx_pass_side *side)
{
    int p = sx_plan_get_ranks(plan, e), rc = MPI_SUCCESS;
    side->nregions = e->nslices * p;
    side->region = sx_base_alloc(side->nregions, sizeof *side->region);
    if (!side->region)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < side->nregions && !rc; i++) {
        sx_region *region = &side->region[i];
        MPI_Count offset = 0;
        rc = sx_pipes_get_block(plan, e, d, which == SX_TO ? SX_FROM : SX_TO, i / p, i % p, region);
        if (!rc && which == SX_TO) {
            rc = subx_pipe_get_place(e->pipe[d], i / p, i % p, &offset);
            region->place = 0;
            region->offset = (ptrdiff_t)offset;
        }
    }
    return rc;
}

static int set_side(subx_fft_plan plan, int i, int d, int which, sx_pass_side *side)
{
    const sx_box *box = sx_stage_get_box(&plan->stage[i], d, which);
    const sx_stage *e = sx_fuse_get_neighbour(plan, i, d, which);
    side->width = box->width;
    memcpy(side->len, box->len, sizeof side->len);
    return e && sx_stage_is_exchange(e) ? set_pipe_regions(plan, e, d, which, side)
                                        : set_whole_region(box, side);
}

/* ---- widths */

enum { FEW_PENCILS = 16, MORE_PENCILS = 32, LEAST_TILE = 32 << 10 };

/* Bytes of one pencil of a tile, or of one plane of several axes. */
static ptrdiff_t get_pencil_bytes(const sx_stage *s)
{
    ptrdiff_t bytes = SX_ELEMENT;
    for (int k = 0; k < s->naxes; k++)
        bytes *= s->to.n[s->axes[k]];
    return bytes;
}

/* Pencils that are short are so many that a tile is worth the calls that it takes. Rows of the caller's
 * arrays may begin anywhere, so that fewer and longer pieces of them are better. */
static ptrdiff_t get_wish(subx_fft_plan plan, int i, int d)
{
    const sx_stage *s = &plan->stage[i];
    ptrdiff_t many = LEAST_TILE / get_pencil_bytes(s), wish = FEW_PENCILS;
    if (plan->choice.width > 0)
        return plan->choice.width;
    for (int side = 0; side < 2; side++)
        if (!sx_fuse_get_neighbour(plan, i, d, side) &&
            sx_stage_get_box(s, d, side)->order[0] == plan->choice.ndims - 1)
            wish = MORE_PENCILS;
    return wish > many ? wish : many;
}

/* Pencils side by side: as many as are wished for where that lengthens what is contiguous in memory, else
 * as many as fit into a nearer cache; in any case at least one. Single pencils may need a second buffer. */
static ptrdiff_t get_width(subx_fft_plan plan, int i, int d)
{
    const sx_choice *c = &plan->choice;
    const sx_stage *s = &plan->stage[i];
    int last = sx_fuse_is_transformed(s, c->ndims - 1);
    ptrdiff_t room = last ? c->cache_bytes / 8 : s->naxes == 1 ? c->cache_bytes / 2 : c->cache_bytes;
    ptrdiff_t fit = room / get_pencil_bytes(s), least = last ? 1 : SX_LEAST_PENCILS;
    ptrdiff_t wish = get_wish(plan, i, d);
    fit = fit < least ? least : fit;
    return fit < wish ? fit : wish;
}

/* ---- passes */

/* A pass in the middle of several without an exchange works in place in the caller's array. */
static int is_in_place(subx_fft_plan plan, int i, int d)
{
    const sx_stage *before = sx_fuse_get_neighbour(plan, i, d, SX_FROM),
                   *after = sx_fuse_get_neighbour(plan, i, d, SX_TO);
    return before && !sx_stage_is_exchange(before) && !plan->areas.local &&
           (!after || !sx_stage_is_exchange(after));
}

/* A backend that cannot be shared has one thread. */
static void set_problem(subx_fft_plan plan, int i, int d, sx_pass_problem *p)
{
    const sx_stage *s = &plan->stage[i];
    const sx_choice *c = &plan->choice;
    int is_last = i == (d == SX_FORWARD ? plan->nstages - 1 : 0), in_place = is_in_place(plan, i, d);
    *p = (sx_pass_problem){
        .kind = sx_stage_get_kind(s, d),
        .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
        .ndims = c->ndims,
        .naxes = s->naxes,
        .width = get_width(plan, i, d),
        .interleaved = c->pencils == SX_PENCILS_AUTO ? in_place : c->pencils == SX_PENCILS_INTERLEAVED,
        .is_small = s->to.bytes <= c->cache_bytes,
        .is_in_place = in_place,
        .threads = c->serial->is_reentrant ? sx_pass_get_threads(c->threads) : 1,
        .effort = c->effort,
        .factor = is_last ? plan->factor[d] : 1,
        .serial = c->serial};
    memcpy(p->axes, s->axes, sizeof p->axes);
}

static int create_pass(subx_fft_plan plan, int i, int d)
{
    sx_stage *s = &plan->stage[i];
    sx_pass_problem p;
    if (s->from.bytes == 0 || s->to.bytes == 0)
        return MPI_SUCCESS;
    set_problem(plan, i, d, &p);
    int rc = set_side(plan, i, d, SX_FROM, &p.side[SX_FROM]);
    if (!rc)
        rc = set_side(plan, i, d, SX_TO, &p.side[SX_TO]);
    if (!rc)
        rc = sx_pass_create(&p, &s->pass[d]);
    sx_base_free(p.side[SX_TO].region);
    sx_base_free(p.side[SX_FROM].region);
    return rc;
}

int sx_passes_create(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && !sx_stage_is_exchange(&plan->stage[i]) && !rc; d++)
            rc = create_pass(plan, i, d);
    return rc;
}

void sx_passes_free(subx_fft_plan plan)
{
    for (int i = plan->nstages - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            sx_pass_free(&plan->stage[i].pass[d]);
}

ptrdiff_t sx_plan_get_tile_bytes(subx_fft_plan plan)
{
    ptrdiff_t bytes = 0;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2; d++)
            bytes += sx_pass_get_bytes(plan->stage[i].pass[d]);
    return bytes;
}
