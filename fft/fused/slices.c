/* slices.c - choose the slices of pipes: their number, their axis, and how passes handle them. */
#include "fused/fused.h"

/* ---- slices of pipes */

/* Slices along a common axis are best: then both passes can handle one slice after the other. If tiles do not
 * have all fields, the axis of the fields is taken, because each field is contiguous. Else the longest common
 * axis is taken. Lengths are global, so all ranks choose the same axis. */
int sx_fused_get_common_axis(const sx_array *array, const sx_stage *e)
{
    int best = -1;
    if (array->fields >= 0 && !sx_fused_are_fields_whole(array))
        return array->fields;
    for (int a = 0; a < e->from.ndims; a++)
        if (a != array->fields && a != e->whole_before && a != e->divided_before &&
            !sx_stage_is_transformed(e - 1, a) && !sx_stage_is_transformed(e + 1, a) &&
            (best < 0 || e->from.n[a] > e->from.n[best]))
            best = a;
    return best;
}

/* Get the number of slices. It follows from the bytes that all ranks together exchange, and so is the same on
 * all ranks. */
static int count_pipe_slices(subx_fft_plan plan, const sx_stage *e)
{
    const sx_choice *c = &plan->choice;
    const int is_narrow = ((sx_fused *)plan->state)->pipe[e - plan->stage].is_narrow;
    const double real = is_narrow ? (double)sizeof(float) / (double)c->array.real_bytes : 1;
    const double message = real * sx_choice_get_share(c) / sx_plan_get_ranks(plan, e);
    if (plan->choice.hints.slices > 0)
        return plan->choice.hints.slices;
    if (message > (double)SX_SLICES_ENOUGH * SX_SLICES_LEAST_MESSAGE)
        return SX_SLICES_ENOUGH;
    return message < 2.0 * SX_SLICES_LEAST_MESSAGE
               ? 1
               : sx_base_fit((ptrdiff_t)(message / SX_SLICES_LEAST_MESSAGE));
}

/* Set the slices of exchange i. Without a common axis, slices are parts of the axis that becomes divided.
 * Then the pass before the exchange completes all slices at the same time, but the pass after it can read one
 * slice after the other. */
static void set_slices(subx_fft_plan plan, int i)
{
    const int overlap = plan->choice.hints.overlap;
    const sx_stage *s = &plan->stage[i];
    sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    int common = overlap == SX_OVERLAP_RECEIVE ? -1 : sx_fused_get_common_axis(&plan->choice.array, s);
    if (overlap == SX_OVERLAP_SEND && common < 0)
        return;
    e->nslices = count_pipe_slices(plan, s);
    for (int d = 0; d < 2; d++)
        e->slice_axis[d] = common >= 0 ? common : sx_stage_get_divided(s, d);
}

/* ---- slices and passes */

static int has_slices(subx_fft_plan plan, int i)
{
    return i >= 0 && ((sx_fused *)plan->state)->pipe[i].nslices > 1;
}

/* Query whether a pass can send the slices of exchange `out`: the pass must loop over the axis of the slices,
 * and the exchange must not divide this axis. */
static int can_send_slices(subx_fft_plan plan, int out, int d)
{
    return has_slices(plan, out) &&
           ((sx_fused *)plan->state)->pipe[out].slice_axis[d] != sx_stage_get_divided(&plan->stage[out], d);
}

/* Query whether two pipes have the same number of slices of the same axis. Then the slices have the same
 * boundaries: the pass between the pipes loops over this axis, and so does not change its length. */
static int have_equal_slices(const sx_fused_pipe *in, const sx_fused_pipe *out, int d)
{
    return in->slice_axis[d] == out->slice_axis[d] && in->nslices == out->nslices;
}

/* Choose how the pass of stage i handles slices in direction d. */
static int get_slices(subx_fft_plan plan, int i, int d)
{
    const sx_fused_pipe *pipe = ((sx_fused *)plan->state)->pipe;
    const int in = sx_plan_get_adjacent(plan, i, d, SX_FROM), out = sx_plan_get_adjacent(plan, i, d, SX_TO);
    const int sends = can_send_slices(plan, out, d);
    if (!has_slices(plan, in) || plan->choice.hints.overlap == SX_OVERLAP_SEND)
        return sends ? SX_SLICES_OUT : SX_SLICES_NONE;
    return sends && have_equal_slices(&pipe[in], &pipe[out], d) ? SX_SLICES_THROUGH : SX_SLICES_IN;
}

void sx_fused_choose_slices(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    for (int i = 0; i < plan->nstages; i++)
        if (sx_stage_is_exchange(&plan->stage[i]) && plan->stage[i].dim >= 0)
            set_slices(plan, i);
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && !sx_stage_is_exchange(&plan->stage[i]); d++)
            a->pass[i].slices[d] = get_slices(plan, i, d);
}

int sx_fused_sends_slices(const sx_fused *a)
{
    for (int i = 0; i < a->nstages; i++)
        for (int d = 0; d < 2; d++)
            if (a->pass[i].slices[d] == SX_SLICES_OUT || a->pass[i].slices[d] == SX_SLICES_THROUGH)
                return 1;
    return 0;
}

/* The slices cut this rank's block of an axis. If the exchange divides this axis, `side` must be SX_TO,
 * because the axis is whole on side SX_FROM. */
sx_range sx_fused_get_slice(subx_fft_plan plan, int i, int d, int side, int slice)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    sx_range range = {.axis = e->slice_axis[d]};
    ptrdiff_t n = 0;
    (void)subx_block_get(sx_stage_get_box(&plan->stage[i], d, side)->len[range.axis], e->nslices, slice, &n,
                         &range.lo);
    range.hi = range.lo + n;
    return range;
}

/* Get the box on the grid's side of an exchange. The grid divides the slices' axis into blocks, and slices
 * cut each block. On the edge's side, the axis may have other blocks, or be whole. */
static const sx_box *get_grid_box(subx_fft_plan plan, int i)
{
    const sx_stage *s = &plan->stage[i];
    return s->edge[SX_FROM] ? &s->to : &s->from;
}

int sx_fused_count_parts(subx_fft_plan plan, int i, int d, int side)
{
    const int k = get_grid_box(plan, i)->dist[((sx_fused *)plan->state)->pipe[i].slice_axis[d]];
    return sx_stage_get_edge(&plan->stage[i], d, side) && k >= 0 ? plan->choice.dims[k] : 1;
}

static ptrdiff_t clip(ptrdiff_t at, ptrdiff_t n)
{
    return at < 0 ? 0 : at > n ? n : at;
}

sx_range sx_fused_get_part(subx_fft_plan plan, int i, int d, int side, int slice, int part)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    const sx_edge *edge = sx_stage_get_edge(&plan->stage[i], d, side);
    const sx_box *grid = get_grid_box(plan, i);
    const int axis = e->slice_axis[d], k = grid->dist[axis];
    ptrdiff_t len = grid->n[axis], start = 0, n = 0, lo = 0, count = 0;
    if (!edge)
        return sx_fused_get_slice(plan, i, d, side, slice);
    if (k >= 0)
        sx_box_get_part(grid, axis, plan->choice.dims[k], part, &len, &start);
    (void)subx_block_get(len, e->nslices, slice, &n, &lo);
    const sx_edge_box *box = sx_edge_get(edge, edge->rank, &count);
    if (count == 0)
        return (sx_range){.axis = axis};
    lo += start - box->start[axis];
    return (sx_range){axis, clip(lo, box->len[axis]), clip(lo + n, box->len[axis])};
}
