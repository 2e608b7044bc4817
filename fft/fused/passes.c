/* passes.c - create the passes of a fused plan: the regions that they read and write, their axes, their
 * operations. */
#include "fused/fused.h"
#include <string.h>

/* What a pass does: stage i in direction d; or, if is_round, stage i forward, an operation, and stage i
 * backward. At an edge a pass copies one box, which has the index `box` among this rank's boxes. */
typedef struct work {
    subx_fft_plan plan;
    int i, d, is_round, box;
} work;

/* Get the direction to which a side of the pass belongs. A pass of a round trip reads in direction forward
 * and writes in direction backward. */
static int get_direction(const work *w, int side)
{
    return w->is_round && side == SX_TO ? SX_BACKWARD : w->d;
}

static const sx_stage *get_stage(const work *w)
{
    return &w->plan->stage[w->i];
}

static const sx_box *get_box(const work *w, int side)
{
    return sx_stage_get_box(get_stage(w), get_direction(w, side), side);
}

static int get_adjacent(const work *w, int side)
{
    return sx_plan_get_adjacent(w->plan, w->i, get_direction(w, side), side);
}

static int is_exchange(const work *w, int side)
{
    const int k = get_adjacent(w, side);
    return k >= 0 && sx_stage_is_exchange(&w->plan->stage[k]);
}

/* Get the pipe on a side of the pass. The stage on this side must be an exchange. */
static const sx_fused_pipe *get_pipe(const work *w, int side)
{
    return &((const sx_fused *)w->plan->state)->pipe[get_adjacent(w, side)];
}

/* ---- regions */

static const sx_edge_box *get_edge_box(const work *w)
{
    const sx_edge *edge = get_stage(w)->edge[SX_FROM];
    ptrdiff_t count;
    return edge ? &sx_edge_get(edge, edge->rank, &count)[w->box] : NULL;
}

static int set_array_region(const work *w, int which, sx_pass_side *side)
{
    const sx_box *box = get_box(w, which);
    const sx_edge_box *at_edge = get_edge_box(w);
    side->nregions = 1;
    side->region = sx_pass_regions_alloc(box->ndims, 1);
    if (!side->region)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    const size_t bytes = (size_t)box->ndims * sizeof *side->len;
    memcpy(side->region->len, at_edge ? at_edge->len : box->len, bytes);
    memcpy(side->region->stride, at_edge ? at_edge->stride : box->stride, bytes);
    side->region->offset = at_edge ? at_edge->offset * box->element : 0;
    return MPI_SUCCESS;
}

/* Get the side of a pipe that meets a side of a pass. A pass writes the blocks that the pipe sends (SX_FROM),
 * and reads the blocks that the pipe has brought (SX_TO). */
static int get_pipe_side(int pass_side)
{
    return pass_side == SX_TO ? SX_FROM : SX_TO;
}

/* Change region->offset: before, it counts from the beginning of the region's block, and afterwards from the
 * beginning of the send area. For blocks that are sent only: the pipe gives the addresses of received blocks
 * anew in each epoch. */
static int place_region(subx_pipe pipe, int ranks, sx_region *region)
{
    ptrdiff_t offset = 0;
    int rc = subx_pipe_get_place(pipe, region->place / ranks, region->place % ranks, &offset);
    region->place = 0;
    region->offset += (ptrdiff_t)offset;
    return rc;
}

static int set_far(subx_pipe pipe, int ranks, sx_region *region)
{
    return subx_pipe_query_far(pipe, region->place % ranks, &region->is_far);
}

static int set_pipe_regions(const work *w, int which, sx_pass_side *side)
{
    const int i = get_adjacent(w, which), d = get_direction(w, which);
    const subx_pipe pipe = get_pipe(w, which)->pipe[d];
    const int ranks = sx_plan_get_ranks(w->plan, &w->plan->stage[i]);
    sx_fused_blocks b;
    int rc = sx_fused_blocks_create(w->plan, i, d, get_pipe_side(which), &b);
    if (rc)
        return rc;
    const int ndims = w->plan->choice.array.ndims;
    side->region = sx_pass_regions_alloc(ndims, b.nregions);
    rc = side->region ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int k = 0; k < b.nregions && !rc; k++) {
        if (b.box[k] != w->box)
            continue;
        sx_region *region = &side->region[side->nregions++];
        sx_pass_region_set(region, &b.region[k], ndims);
        rc = set_far(pipe, ranks, region);
        if (!rc && which == SX_TO)
            rc = place_region(pipe, ranks, region);
    }
    sx_fused_blocks_free(&b);
    return rc;
}

static int set_side(const work *w, int which, sx_pass_side *side)
{
    const sx_edge_box *at_edge = get_edge_box(w);
    const sx_box *box = get_box(w, which);
    side->width = box->width;
    side->is_narrow = is_exchange(w, which) && get_pipe(w, which)->is_narrow;
    memcpy(side->len, at_edge ? at_edge->len : box->len, sizeof side->len);
    return is_exchange(w, which) ? set_pipe_regions(w, which, side) : set_array_region(w, which, side);
}

/* ---- passes */

/* Query whether the adjacent stage on a side is a pass, without an exchange in between. */
static int has_pass(const work *w, int side)
{
    return get_adjacent(w, side) >= 0 && !is_exchange(w, side);
}

/* Query whether a pass works in place. In the caller's spectral array (is_in_spectral) these are all forward
 * passes except the first one, and all backward passes except the last one. In all other cases a pass works
 * in place in the caller's output array, if it is not the first pass, no exchange comes directly before or
 * after it, and the plan has no array `local`. */
static int is_in_place(const work *w)
{
    const sx_fused *a = w->plan->state;
    const int is_last = get_adjacent(w, SX_TO) < 0;
    if (a->is_in_spectral[w->d])
        return has_pass(w, w->d == SX_FORWARD ? SX_FROM : SX_TO);
    return has_pass(w, SX_FROM) && !a->local && (is_last || has_pass(w, SX_TO));
}

/* Query whether a pass transforms the innermost axis first, and reads whole lines in the order of memory.
 * Otherwise it transforms this axis last, and writes whole lines. A halved axis must be the first one
 * forward, and the last one backward. In all other cases reading lines is faster, with one exception: a pass
 * of two axes that writes past the caches. Its last step would write rows of the second axis, which lie far
 * apart. (With three axes, these rows are close together.) */
static int begins_innermost(const work *w)
{
    const sx_stage *s = get_stage(w);
    if (s->axes[0] == w->plan->choice.array.halved)
        return w->d == SX_FORWARD;
    return s->naxes > 2 || !sx_pass_may_bypass(s->to.bytes);
}

/* Get axis i of the list sx_pass_problem.axis, which has the order of forward; backward has the reverse
 * order. The stage lists the axes from the innermost one outwards: 0, 1 .. n-1. If the innermost axis is not
 * the last one, then the next axis is, because the last step of a pass writes the array: rows of outer axes
 * lie far apart, and may share cache sets. So a pass transforms the axes in the order 0, n-1 .. 2, 1, or in
 * the reverse order. */
static int get_axis(const work *w, int i)
{
    const sx_stage *s = get_stage(w);
    const int n = s->naxes;
    if (w->is_round || (w->d == SX_FORWARD) == begins_innermost(w))
        return s->axes[(n - i) % n];
    return s->axes[(i + 1) % n];
}

static void set_axes(const work *w, sx_pass_problem *p)
{
    const sx_array *a = &w->plan->choice.array;
    const sx_stage *s = get_stage(w);
    for (int i = 0; i < s->naxes; i++) {
        const int axis = get_axis(w, i);
        const sx_axis *x = &a->axis[axis];
        p->axis[p->naxes++] = (sx_pass_axis){axis, x->kind, x->n, x->points, x->modes};
    }
    if (sx_fused_are_fields_whole(a))
        p->is_whole[a->fields] = 1;
}

/* Get how often a pass divides its results by the square root of `volume` (sx_pass_problem). A direction
 * scales in its last pass that transforms. */
static int get_roots(const work *w)
{
    const sx_fused *a = w->plan->state;
    const int *roots = w->plan->roots;
    const int is_forward = w->i == a->last && (w->is_round || w->d == SX_FORWARD);
    const int is_backward = w->i == a->first && (w->is_round || w->d == SX_BACKWARD);
    return (is_forward ? roots[SX_FORWARD] : 0) + (is_backward ? roots[SX_BACKWARD] : 0);
}

/* Query whether the pass has an operation: the caller's, or the multiplication by twiddle factors. */
static int has_operation(const work *w)
{
    const sx_choice *c = &w->plan->choice;
    const int is_last = w->i == ((sx_fused *)w->plan->state)->last;
    return (c->problem->has_operation && is_last) ||
           (c->array.factored && sx_stage_is_transformed(get_stage(w), 0));
}

static ptrdiff_t get_width(const work *w)
{
    return sx_fused_get_tile_width(w->plan, get_stage(w), get_box(w, SX_TO));
}

/* Query whether the pencils of a tile are interleaved. Our kernels are fast for interleaved pencils that fill
 * registers, and copies then need no transposition. With other backends pencils are interleaved only in a
 * pass in place, which then writes rows where it has read them. */
static int are_interleaved(const work *w)
{
    const sx_choice *c = &w->plan->choice;
    const sx_stage *s = get_stage(w);
    const int has_innermost = sx_stage_is_transformed(s, sx_fused_get_innermost(&c->array));
    if (c->hints.pencils != SX_PENCILS_AUTO)
        return c->hints.pencils == SX_PENCILS_INTERLEAVED;
    for (int k = 0; k < s->naxes; k++) {
        const sx_axis *x = &c->array.axis[s->axes[k]];
        if (!sx_serial_likes_rows(c->serial, c->array.precision, sx_serial_get_kind(x->kind, w->d), x->n))
            return is_in_place(w);
    }
    return !has_innermost || (s->naxes > 1 && get_width(w) >= SX_TILE_INTERLEAVED);
}

static int is_ring(const work *w)
{
    return is_exchange(w, SX_TO) && get_pipe(w, SX_TO)->is_ring;
}

/* Mark the axes that slices cut: a slice is a range of indices of its axis. */
static void set_cuts(const work *w, sx_pass_problem *p)
{
    for (int side = 0; side < 2; side++) {
        const sx_fused_pipe *e = is_exchange(w, side) ? get_pipe(w, side) : NULL;
        if (e && e->nslices > 1)
            p->is_cut[e->slice_axis[get_direction(w, side)]] = 1;
    }
}

static void set_problem(const work *w, sx_pass_problem *p)
{
    const sx_choice *c = &w->plan->choice;
    const int in_place = is_in_place(w);
    *p = (sx_pass_problem){.precision = c->array.precision,
                           .direction = w->d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
                           .ndims = c->array.ndims,
                           .interleaved = are_interleaved(w),
                           .is_small = get_stage(w)->to.bytes <= c->hints.cache_bytes,
                           .is_in_place = in_place,
                           .is_read_soon = is_ring(w),
                           .threads = w->plan->threads,
                           .effort = sx_hints_get_rigor(&c->hints),
                           .volume = w->plan->volume,
                           .roots = get_roots(w),
                           .serial = c->serial,
                           .notes = c->shared.notes,
                           .is_orthonormal = c->hints.scaling == SX_SCALE_ORTHONORMAL,
                           .has_operation = has_operation(w),
                           .is_round = w->is_round};
    memcpy(p->order, c->array.order[SUBX_FFT_PHYSICAL], sizeof p->order);
    set_axes(w, p);
    set_cuts(w, p);
    if (p->naxes)
        p->width = get_width(w);
}

static int create_one(const work *w, sx_pass *pass)
{
    sx_pass_problem p;
    set_problem(w, &p);
    int rc = set_side(w, SX_FROM, &p.side[SX_FROM]);
    if (!rc)
        rc = set_side(w, SX_TO, &p.side[SX_TO]);
    if (!p.naxes)
        sx_fused_set_copied_tile(w->plan, &p);
    if (!rc) {
        sx_pass_merge(&p);
        rc = sx_pass_create(&p, pass);
    }
    sx_base_free(p.side[SX_TO].region);
    sx_base_free(p.side[SX_FROM].region);
    return rc;
}

/* Get the number of passes of a stage on this rank. At an edge it is one per box. Elsewhere it is 1, or 0 if
 * the rank has no data on one side. */
static int count_boxes(const sx_stage *s)
{
    ptrdiff_t count = 0;
    if (!s->edge[SX_FROM])
        return s->from.bytes > 0 && s->to.bytes > 0;
    (void)sx_edge_get(s->edge[SX_FROM], s->edge[SX_FROM]->rank, &count);
    return sx_base_fit(count);
}

/* Create the passes of stage i in direction d, and put them into f->pass[d]. If is_round is 1, d is 0, and
 * the passes are passes of round trips. */
static int create_passes(subx_fft_plan plan, int i, int d, int is_round, sx_fused_pass *f)
{
    const int n = count_boxes(&plan->stage[i]);
    int rc = MPI_SUCCESS;
    if (n == 0)
        return MPI_SUCCESS;
    f->pass[d] = sx_base_alloc(n, sizeof *f->pass[d]);
    if (!f->pass[d])
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int k = 0; k < n && !rc; k++) {
        const work w = {.plan = plan, .i = i, .d = d, .is_round = is_round, .box = k};
        rc = create_one(&w, &f->pass[d][k]);
        f->npasses[d] = k + 1;
    }
    return rc;
}

static int create_stage(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    (void)context;
    return rc ? rc : create_passes(plan, i, d, 0, &((sx_fused *)plan->state)->pass[i]);
}

int sx_fused_create_passes(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_SERIAL, create_stage, NULL);
    if (rc || !plan->choice.problem->has_operation)
        return rc;
    return create_passes(plan, a->last, SX_FORWARD, 1, &a->round_trip);
}

static void free_stage(sx_fused_pass *f)
{
    for (int d = 1; d >= 0; d--) {
        for (int k = f->npasses[d] - 1; k >= 0; k--)
            sx_pass_free(&f->pass[d][k]);
        sx_base_free(f->pass[d]);
    }
}

void sx_fused_free_passes(sx_fused *a)
{
    free_stage(&a->round_trip);
    for (int i = a->nstages - 1; i >= 0; i--)
        free_stage(&a->pass[i]);
}

static ptrdiff_t get_bytes(const sx_fused_pass *f)
{
    ptrdiff_t bytes = 0;
    for (int d = 0; d < 2; d++)
        for (int k = 0; k < f->npasses[d]; k++)
            bytes += sx_pass_get_bytes(f->pass[d][k]);
    return bytes;
}

ptrdiff_t sx_fused_get_tile_bytes(const sx_fused *a)
{
    ptrdiff_t bytes = get_bytes(&a->round_trip);
    for (int i = 0; i < a->nstages; i++)
        bytes += get_bytes(&a->pass[i]);
    return bytes;
}
