/* passes.c - the passes of a fused plan: from which regions they gather and to which they scatter, and how wide their
 * tiles are. */
#include "fused/fused.h"
#include <string.h>

int sx_fused_is_transformed(const sx_stage *s, int axis)
{
    for (int i = 0; i < s->naxes; i++)
        if (s->axes[i] == axis)
            return 1;
    return 0;
}

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

/* A pass writes the blocks that a pipe sends from, and reads those that a pipe has brought. */
static int get_pipe_side(int pass_side)
{
    return pass_side == SX_TO ? SX_FROM : SX_TO;
}

/* The pipe tells the addresses of received blocks in each epoch. */
static int set_pipe_regions(subx_fft_plan plan, int i, int d, int pass_side, sx_pass_side *side)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    int p = sx_plan_get_ranks(plan, &plan->stage[i]), rc = MPI_SUCCESS;
    side->nregions = e->nslices * p;
    side->region = sx_base_alloc(side->nregions, sizeof *side->region);
    if (!side->region)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int b = 0; b < side->nregions && !rc; b++) {
        sx_region *region = &side->region[b];
        MPI_Count offset = 0;
        rc = sx_fused_get_block(plan, i, d, get_pipe_side(pass_side), b / p, b % p, region);
        if (!rc && pass_side == SX_TO) {
            rc = subx_pipe_get_place(e->pipe[d], b / p, b % p, &offset);
            region->place = 0;
            region->offset = (ptrdiff_t)offset;
        }
    }
    return rc;
}

static int set_side(subx_fft_plan plan, int i, int d, int which, sx_pass_side *side)
{
    const sx_box *box = sx_stage_get_box(&plan->stage[i], d, which);
    int k = sx_plan_get_adjacent(plan, i, d, which);
    side->width = box->width;
    memcpy(side->len, box->len, sizeof side->len);
    return k >= 0 && sx_plan_is_exchange(plan, k) ? set_pipe_regions(plan, k, d, which, side)
                                                  : set_whole_region(box, side);
}

/* ---- widths */

/* Bytes of one pencil of a tile, or of one plane of several axes. */
static ptrdiff_t get_pencil_bytes(const sx_stage *s)
{
    ptrdiff_t bytes = SX_ELEMENT;
    for (int k = 0; k < s->naxes; k++)
        bytes *= s->to.n[s->axes[k]];
    return bytes;
}

/* 1 if a pass reads or writes rows of the caller's array. */
static int has_callers_rows(subx_fft_plan plan, int i, int d)
{
    for (int side = 0; side < 2; side++)
        if (sx_plan_get_adjacent(plan, i, d, side) < 0 &&
            sx_stage_get_box(&plan->stage[i], d, side)->order[0] == plan->choice.ndims - 1)
            return 1;
    return 0;
}

/* Get how many pencils make a tile worth the calls that it takes: more of short pencils. The caller's rows may begin
 * anywhere, so fewer and longer pieces of them are better. */
static ptrdiff_t get_good_width(subx_fft_plan plan, int i, int d)
{
    enum { FEW_PENCILS = 16, MORE_PENCILS = 32, LEAST_TILE = 32 << 10 };
    const ptrdiff_t least = LEAST_TILE / get_pencil_bytes(&plan->stage[i]);
    const ptrdiff_t good = has_callers_rows(plan, i, d) ? MORE_PENCILS : FEW_PENCILS;
    if (plan->choice.width > 0)
        return plan->choice.width;
    return good > least ? good : least;
}

/* Get how many pencils lie side by side. Where that lengthens what is contiguous in memory, it is the good width if
 * the cache has room for it; else as many as fit into a nearer cache. Single pencils may need a second buffer. */
static ptrdiff_t get_width(subx_fft_plan plan, int i, int d)
{
    const sx_stage *s = &plan->stage[i];
    const ptrdiff_t cache = plan->choice.cache_bytes, good = get_good_width(plan, i, d);
    const int has_last = sx_fused_is_transformed(s, plan->choice.ndims - 1);
    const ptrdiff_t room = has_last ? cache / 8 : s->naxes == 1 ? cache / 2 : cache;
    const ptrdiff_t least = has_last ? 1 : SX_LEAST_PENCILS;
    ptrdiff_t fit = room / get_pencil_bytes(s);
    fit = fit < least ? least : fit;
    return fit < good ? fit : good;
}

/* ---- passes */

/* 1 if there is no exchange between a stage and the next one on a side. */
static int has_pass(subx_fft_plan plan, int i, int d, int side)
{
    int k = sx_plan_get_adjacent(plan, i, d, side);
    return k >= 0 && !sx_plan_is_exchange(plan, k);
}

/* A pass after another one works in place in the caller's array, unless there is an array of our own or a pipe
 * follows. */
static int is_in_place(subx_fft_plan plan, int i, int d)
{
    int is_last = sx_plan_get_adjacent(plan, i, d, SX_TO) < 0;
    return has_pass(plan, i, d, SX_FROM) && !((sx_fused *)plan->state)->local &&
           (is_last || has_pass(plan, i, d, SX_TO));
}

static void set_problem(subx_fft_plan plan, int i, int d, sx_pass_problem *p)
{
    const sx_stage *s = &plan->stage[i];
    const sx_choice *c = &plan->choice;
    const int in_place = is_in_place(plan, i, d), is_last = sx_plan_get_adjacent(plan, i, d, SX_TO) < 0;
    *p = (sx_pass_problem){
        .kind = sx_stage_get_kind(s, d),
        .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
        .ndims = c->ndims,
        .naxes = s->naxes,
        .width = get_width(plan, i, d),
        .interleaved = c->pencils == SX_PENCILS_AUTO ? in_place : c->pencils == SX_PENCILS_INTERLEAVED,
        .is_small = s->to.bytes <= c->cache_bytes,
        .is_in_place = in_place,
        .threads = plan->threads,
        .effort = c->effort,
        .factor = is_last ? plan->factor[d] : 1,
        .serial = c->serial};
    memcpy(p->axes, s->axes, sizeof p->axes);
}

static int create_pass(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    const sx_stage *s = &plan->stage[i];
    sx_pass_problem p;
    (void)context;
    if (rc || s->from.bytes == 0 || s->to.bytes == 0)
        return rc;
    set_problem(plan, i, d, &p);
    rc = set_side(plan, i, d, SX_FROM, &p.side[SX_FROM]);
    if (!rc)
        rc = set_side(plan, i, d, SX_TO, &p.side[SX_TO]);
    if (!rc)
        rc = sx_pass_create(&p, &((sx_fused *)plan->state)->pass[i].pass[d]);
    sx_base_free(p.side[SX_TO].region);
    sx_base_free(p.side[SX_FROM].region);
    return rc;
}

int sx_fused_create_passes(subx_fft_plan plan)
{
    return sx_plan_for_each(plan, SUBX_FFT_STAGE_SERIAL, create_pass, NULL);
}

void sx_fused_free_passes(sx_fused *a)
{
    for (int i = SX_NSTAGES_MAX - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            sx_pass_free(&a->pass[i].pass[d]);
}

ptrdiff_t sx_fused_get_tile_bytes(const sx_fused *a)
{
    ptrdiff_t bytes = 0;
    for (int i = 0; i < SX_NSTAGES_MAX; i++)
        for (int d = 0; d < 2; d++)
            bytes += sx_pass_get_bytes(a->pass[i].pass[d]);
    return bytes;
}
