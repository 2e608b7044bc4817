/* rings.c - choose the exchanges that are rings. The slices of a ring stay in the caches, because the pass
 * before it and the pass after it alternate, slice by slice:
 *
 *      pass            ring of two slices            next pass
 *      slice 0  --->   [ 0 |   ]
 *                      [ 0 |   ]   - partners -->    slice 0
 *      slice 1  --->   [ 0 | 1 ]
 *                      [   | 1 ]   - partners -->    slice 1
 *      slice 2  --->   [ 2 | 1 ]                     ..
 *
 * Without a ring, the first pass would write the whole array to memory, and the second pass would read it
 * again. */
#include "fused/fused.h"

/* ---- slices */

/* Choose the axis along which slices cut a ring at an edge: the longest axis that the pass on the grid's side
 * loops over; -1 if this pass loops over no axis. The pass on the edge's side only copies, and can be cut
 * along any axis. Slices of the innermost axis are the shortest runs in memory, so this axis is taken only if
 * there is no other. Lengths are global, so that all ranks choose the same axis. */
static int get_edge_axis(subx_fft_plan plan, int i)
{
    const sx_array *a = &plan->choice.array;
    const sx_stage *s = &plan->stage[i], *pass = s->edge[SX_FROM] ? s + 1 : s - 1;
    const int innermost = sx_fused_get_innermost(a);
    int best = -1;
    for (int x = 0; x < a->ndims; x++) {
        if (sx_stage_is_transformed(pass, x) || (x == a->fields && sx_fused_are_fields_whole(a)))
            continue;
        if (best < 0 || best == innermost || (x != innermost && s->from.n[x] > s->from.n[best]))
            best = x;
    }
    return best;
}

/* Query whether every rank has at most one box. */
static int has_single_boxes(const sx_edge *edge)
{
    for (int q = 0; q < edge->nranks; q++)
        if (edge->first[q + 1] - edge->first[q] > 1)
            return 0;
    return 1;
}

/* Choose the axis along which slices cut exchange i if it is a ring; -1 if it cannot be a ring. */
static int get_axis(subx_fft_plan plan, int i)
{
    const sx_stage *s = &plan->stage[i];
    const sx_edge *edge = s->edge[SX_FROM] ? s->edge[SX_FROM] : s->edge[SX_TO];
    if (s->dim >= 0)
        return sx_fused_get_common_axis(&plan->choice.array, s);
    return has_single_boxes(edge) ? get_edge_axis(plan, i) : -1;
}

/* Get the number of slices. Per thread, a slice is about as large as a second-level cache. */
static int count_ring_slices(subx_fft_plan plan, int i, int axis)
{
    const sx_box *box = &plan->stage[i].from;
    const int k = box->dist[axis];
    const ptrdiff_t longest = box->n[axis] / (k < 0 ? 1 : plan->choice.dims[k]);
    double count = sx_choice_get_share(&plan->choice) / SX_RING_SLICE / plan->threads;
    if (plan->choice.hints.slices > 0)
        count = plan->choice.hints.slices;
    count = count < SX_RING_MOST_SLICES ? count : SX_RING_MOST_SLICES;
    return sx_base_fit(count < (double)longest ? (ptrdiff_t)count : longest);
}

/* ---- choice */

static int has_exchange(subx_fft_plan plan, int i)
{
    return i >= 0 && i < plan->nstages && sx_stage_is_exchange(&plan->stage[i]);
}

/* Query whether the passes before and after exchange i may alternate. The second pass then writes before the
 * first pass has read all its data. So the memory that the first pass reads must differ from the memory that
 * the second pass writes: exactly one of them must be an array of the caller, and the other one an area. And
 * no adjacent exchange may be a ring. */
static int may_alternate(subx_fft_plan plan, int i)
{
    const sx_fused *a = plan->state;
    const int before = has_exchange(plan, i - 2), after = has_exchange(plan, i + 2);
    const int is_first = i == 1, is_last = i + 2 == plan->nstages;
    return (is_first && after) != (is_last && before) && !(before && a->pipe[i - 2].is_ring) &&
           !(after && a->pipe[i + 2].is_ring);
}

int sx_fused_choose_rings(subx_fft_plan plan)
{
    const sx_choice *c = &plan->choice;
    int count = 0;
    for (int i = 0; i < plan->nstages && !c->problem->has_operation && !c->array.factored; i++) {
        sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
        if (!sx_stage_is_exchange(&plan->stage[i]) || !may_alternate(plan, i))
            continue;
        const int axis = get_axis(plan, i), nslices = axis >= 0 ? count_ring_slices(plan, i, axis) : 1;
        if (nslices <= SX_RING_DEPTH)
            continue;
        e->is_ring = 1;
        e->nslices = nslices;
        e->slice_axis[SX_FORWARD] = e->slice_axis[SX_BACKWARD] = axis;
        count++;
    }
    return count;
}
