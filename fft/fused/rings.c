/* rings.c - exchanges whose slices stay in the caches: the pass before and the pass after take turns, slice by slice.
 *
 *      pass            ring of two slices            next pass
 *      slice 0  --->   [ 0 |   ]
 *                      [ 0 |   ]   - partners -->    slice 0
 *      slice 1  --->   [ 0 | 1 ]
 *                      [   | 1 ]   - partners -->    slice 1
 *      slice 2  --->   [ 2 | 1 ]                     ..
 *
 * Without a ring the exchange would write all of the array to memory, and read it again. */
#include "fused/fused.h"

/* ---- slices */

/* Get the axis of slices at an edge: one that the pass on the grid's side loops over, because the copies of the edge can
 * be cut along any axis. Uses global lengths, so that all ranks choose alike. The innermost axis is taken only if there
 * is no other one, because it gives the shortest runs. -1 if the pass loops over no axis. */
static int get_edge_axis(subx_fft_plan plan, int i)
{
    const sx_array *a = &plan->choice.array;
    const sx_stage *s = &plan->stage[i], *pass = s->edge[SX_FROM] ? s + 1 : s - 1;
    const int innermost = sx_fused_get_innermost(a);
    int best = -1;
    for (int x = 0; x < a->ndims; x++) {
        if (sx_fused_is_transformed(pass, x) || (x == a->batch && sx_fused_is_batch_whole(a)))
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

static int get_axis(subx_fft_plan plan, int i)
{
    const sx_stage *s = &plan->stage[i];
    const sx_edge *edge = s->edge[SX_FROM] ? s->edge[SX_FROM] : s->edge[SX_TO];
    if (s->dim >= 0)
        return sx_fused_get_common_axis(&plan->choice.array, s);
    return has_single_boxes(edge) ? get_edge_axis(plan, i) : -1;
}

/* Slices are about as large as a second-level cache, per thread. With shorter slices ranks wait for each other more
 * often; longer slices leave the caches. */
static int count_slices(subx_fft_plan plan, int i, int axis)
{
    enum { SLICE = 1 << 20, MOST = 256 };
    const sx_box *box = &plan->stage[i].from;
    const int k = box->dist[axis];
    const ptrdiff_t longest = box->n[axis] / (k < 0 ? 1 : plan->choice.dims[k]);
    double count = sx_choice_get_share(&plan->choice) / SLICE / plan->threads;
    if (plan->choice.hints.slices > 0)
        count = plan->choice.hints.slices;
    count = count < MOST ? count : MOST;
    return count < (double)longest ? (int)count : (int)longest;
}

/* ---- choice */

static int has_exchange(subx_fft_plan plan, int i)
{
    return i >= 0 && i < plan->nstages && sx_stage_is_exchange(&plan->stage[i]);
}

/* Query whether the passes before and after exchange i may take turns. The first pass reads while the second one writes.
 * So the memory that the first reads must differ from the memory that the second writes: exactly one of the two must be
 * an array of the caller, and the other one an area. Adjacent exchanges must not be rings. */
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
        const int axis = get_axis(plan, i), nslices = axis >= 0 ? count_slices(plan, i, axis) : 1;
        if (nslices <= SX_RING_DEPTH)
            continue;
        e->is_ring = 1;
        e->nslices = nslices;
        e->slice_axis[SX_FORWARD] = e->slice_axis[SX_BACKWARD] = axis;
        count++;
    }
    return count;
}
