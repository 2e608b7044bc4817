/* list.c - which serial transforms and which exchanges lead from the physical to the spectral side.
 *
 * The list is that of Dalcin, Mortensen & Keyes 2019, eqs. 26-32, along the sequence of the array. First the axes
 * are transformed that are whole. Then, for each grid dimension from the last to the first, an exchange makes the
 * axis of its number in the sequence whole and divides the next one instead. Three axes on a grid of P0 x P1 ranks
 * (pencils):
 *
 *                   physical                                                 spectral
 *      axis 0          P0                           P0                         whole
 *      axis 1          P1                         whole                          P0
 *      axis 2       whole                           P1                           P1
 *
 *      stage      serial 2    exchange 2 and 1    serial 1    exchange 1 and 0   serial 0
 *
 * Backward is the list reversed. Grid dimensions of one rank divide nothing and need no exchange; neither do those
 * that divide an axis which is not transformed. Where a side is an edge, a copy and an exchange between all ranks
 * lead from the edge to the list, or from the list to the edge. A factored axis begins with its first factor
 * whole. */
#include "plan/plan.h"
#include <string.h>

/* ---- the list */

static sx_stage *add_stage(subx_fft_plan plan, int kind, const sx_box *from)
{
    sx_stage *s = &plan->stage[plan->nstages++];
    s->kind = kind;
    s->from = s->to = *from;
    return s;
}

static const sx_array *get_array(subx_fft_plan plan)
{
    return &plan->choice.array;
}

static void set_width(subx_fft_plan plan, sx_box *b, int width)
{
    b->width = width;
    b->element = width * get_array(plan)->real_bytes;
}

/* The halved axis comes first, then the others as they lie in memory, from the innermost one. */
static void order_axes(const sx_array *a, const char axes[], sx_stage *s)
{
    if (a->halved >= 0 && axes[a->halved])
        s->axes[s->naxes++] = a->halved;
    for (int i = 0; i < a->ndims; i++) {
        const int axis = a->order[SUBX_FFT_PHYSICAL][i];
        if (axes[axis] && axis != a->halved)
            s->axes[s->naxes++] = axis;
    }
}

static void name_serial(const sx_strategy *strategy, const char axes[], sx_stage *s)
{
    sx_text t = {s->name, sizeof s->name, 0};
    const char *comma = " ";
    sx_base_print(&t, s->naxes ? "%s, axes" : "copy", strategy->transform);
    for (int i = 0; i < s->from.ndims; i++) {
        if (!axes[i])
            continue;
        sx_base_print(&t, "%s%d", comma, i);
        comma = ",";
    }
}

void sx_plan_add_serial(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    const sx_array *a = get_array(plan);
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_SERIAL, from);
    order_axes(a, axes, s);
    name_serial(plan->choice.strategy, axes, s);
    for (int i = 0; i < s->naxes; i++) {
        s->to.n[s->axes[i]] = a->axis[s->axes[i]].spectral;
        if (s->axes[i] == a->halved)
            set_width(plan, &s->to, 2);
    }
}

static const sx_box *get_last(subx_fft_plan plan)
{
    return &plan->stage[plan->nstages - 1].to;
}

/* An exchange makes axis `whole` whole, and divides axis `divided` by grid dimension k. */
static void add_exchange(subx_fft_plan plan, const sx_box *from, int k, int whole, int divided)
{
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_EXCHANGE, from);
    sx_text t = {s->name, sizeof s->name, 0};
    s->dim = k;
    s->whole = divided;
    s->divided = whole;
    s->to.dist[divided] = k;
    s->to.dist[whole] = -1;
    s->to.block[whole] = 0;
    s->to.block[divided] = sx_choice_get_block(&plan->choice, SUBX_FFT_SPECTRAL, divided);
    if (plan->choice.strategy->reorders)
        sx_box_set_innermost(&s->to, whole, 0);
    sx_base_print(&t, "exchange, axes %d and %d, %d ranks", divided, whole, plan->choice.dims[k]);
}

/* From an edge to a box. */
static void begin_at_edge(subx_fft_plan plan, const sx_box *b)
{
    static const char none[SUBX_NDIMS_MAX] = {0};
    const sx_edge *edge = plan->choice.edge[SUBX_FFT_PHYSICAL];
    if (!edge)
        return;
    sx_plan_add_serial(plan, b, none);
    plan->stage[0].edge[SX_FROM] = plan->stage[0].edge[SX_TO] = edge;
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_EXCHANGE, b);
    s->dim = -1;
    s->edge[SX_FROM] = edge;
    strcpy(s->name, "exchange, from the caller's boxes");
}

/* From the last box to an edge. */
static void end_at_edge(subx_fft_plan plan)
{
    static const char none[SUBX_NDIMS_MAX] = {0};
    const sx_edge *edge = plan->choice.edge[SUBX_FFT_SPECTRAL];
    if (!edge)
        return;
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_EXCHANGE, get_last(plan));
    s->dim = -1;
    s->edge[SX_TO] = edge;
    strcpy(s->name, "exchange, to the caller's boxes");
    sx_plan_add_serial(plan, get_last(plan), none);
    s = &plan->stage[plan->nstages - 1];
    s->edge[SX_FROM] = s->edge[SX_TO] = edge;
}

/* ---- the boxes at both ends */

static void set_physical(subx_fft_plan plan, sx_box *b)
{
    const sx_choice *c = &plan->choice;
    const sx_array *a = get_array(plan);
    b->ndims = a->ndims;
    b->padded = -1;
    set_width(plan, b, a->width[SUBX_FFT_PHYSICAL]);
    memcpy(b->order, a->order[SUBX_FFT_PHYSICAL], sizeof b->order);
    for (int i = 0; i < a->ndims; i++) {
        b->n[i] = a->axis[i].points;
        b->dist[i] = -1;
    }
    for (int k = 0; k < c->g; k++) {
        const int axis = a->sequence[a->factored ? k + 1 : k];
        if (c->dims[k] == 1)
            continue;
        b->dist[axis] = k;
        b->block[axis] = sx_choice_get_block(c, SUBX_FFT_PHYSICAL, axis);
    }
}

/* Transposed output has the order that the exchanges of stride1 produce. Components stay adjacent. */
static void set_output_order(subx_fft_plan plan)
{
    sx_box *box = &plan->stage[plan->nstages - 1].to;
    memcpy(box->order, get_array(plan)->order[SUBX_FFT_SPECTRAL], sizeof box->order);
    const int components = box->order[0] == get_array(plan)->batch;
    for (int i = 0; i < plan->nstages && sx_choice_is_transposed(&plan->choice); i++)
        if (sx_plan_is_exchange(plan, i) && plan->stage[i].dim >= 0)
            sx_box_set_innermost(box, plan->stage[i].divided, components);
}

void sx_plan_list_stages(subx_fft_plan plan)
{
    const sx_choice *c = &plan->choice;
    const sx_array *a = get_array(plan);
    char axes[SUBX_NDIMS_MAX] = {0};
    sx_box b = {0};
    set_physical(plan, &b);
    begin_at_edge(plan, &b);
    for (int i = 0; i < a->ndims; i++)
        axes[i] = b.dist[i] < 0 && a->axis[i].kind != SUBX_FFT_NONE;
    c->strategy->add_transforms(plan, &b, axes);
    for (int k = c->g - 1; k >= 0; k--) {
        const int whole = a->sequence[a->factored ? 1 : k], divided = a->sequence[a->factored ? 0 : k + 1];
        if (c->dims[k] == 1 || k < a->nfixed)
            continue;
        add_exchange(plan, get_last(plan), k, whole, divided);
        memset(axes, 0, sizeof axes);
        axes[whole] = 1;
        c->strategy->add_transforms(plan, get_last(plan), axes);
    }
    set_output_order(plan);
    end_at_edge(plan);
}

/* ---- this rank's part */

/* The caller's strides, where there are some. The bytes are those up to the last element. */
static int set_callers_strides(subx_fft_plan plan, int side, sx_box *b)
{
    const sx_problem_storage *s = &plan->choice.problem->storage[side];
    const int batch = get_array(plan)->batch;
    if (!s->has_strides || plan->choice.edge[side] || b->bytes == 0)
        return MPI_SUCCESS;
    for (int i = 0; i < b->ndims; i++)
        b->stride[i] = i == batch ? s->distance : s->strides[i];
    return sx_array_get_bytes(b->ndims, 0, b->len, b->stride, b->element, &b->bytes);
}

static int is_between_passes(subx_fft_plan plan, int i)
{
    return i + 1 < plan->nstages && !sx_plan_is_exchange(plan, i) && !sx_plan_is_exchange(plan, i + 1);
}

/* Passes between which there is no exchange work in one array. It has the same strides for all of them, even if
 * lengths change from one to the next, so that a tile is written where it was read. */
static int align_strides(subx_fft_plan plan, int first)
{
    sx_box widest = plan->stage[first].to;
    int last = first, rc = MPI_SUCCESS;
    for (; is_between_passes(plan, last); last++)
        for (int a = 0; a < widest.ndims; a++)
            if (plan->stage[last].to.len[a] > widest.len[a])
                widest.len[a] = plan->stage[last].to.len[a];
    rc = sx_box_set_strides(&widest);
    for (int i = first; i < last; i++) {
        sx_box *both[2] = {&plan->stage[i].to, &plan->stage[i + 1].from};
        for (int k = 0; k < 2 && both[k]->bytes > 0; k++) {
            memcpy(both[k]->stride, widest.stride, sizeof widest.stride);
            both[k]->bytes = widest.bytes;
        }
    }
    return rc;
}

/* An idle rank has nothing along any axis. */
static int set_local(subx_fft_plan plan, const int coords[], sx_box *b)
{
    int rc = sx_box_set_local(b, plan->choice.dims, coords);
    if (!plan->is_idle)
        return rc;
    memset(b->len, 0, sizeof b->len);
    memset(b->start, 0, sizeof b->start);
    b->bytes = 0;
    return rc;
}

static int set_locals(subx_fft_plan plan)
{
    int g, coords[SUBX_NDIMS_MAX] = {0};
    int rc = plan->is_idle ? MPI_SUCCESS : subx_grid_get(plan->grid, SUBX_NDIMS_MAX, &g, NULL, coords);
    sx_stage *first = &plan->stage[0], *last = &plan->stage[plan->nstages - 1];
    first->from.padded = get_array(plan)->is_padded ? get_array(plan)->halved : -1;
    for (int i = 0; i < plan->nstages && !rc; i++) {
        rc = set_local(plan, coords, &plan->stage[i].from);
        if (!rc)
            rc = set_local(plan, coords, &plan->stage[i].to);
    }
    for (int i = 0; i < plan->nstages && !rc; i++)
        if (is_between_passes(plan, i) && (i == 0 || !is_between_passes(plan, i - 1)))
            rc = align_strides(plan, i);
    if (!rc)
        rc = set_callers_strides(plan, SUBX_FFT_PHYSICAL, &first->from);
    return rc ? rc : set_callers_strides(plan, SUBX_FFT_SPECTRAL, &last->to);
}

int sx_plan_set_stages(subx_fft_plan plan)
{
    sx_plan_list_stages(plan);
    plan->scale.kind = SUBX_FFT_STAGE_SCALE;
    strcpy(plan->scale.name, "scale");
    return set_locals(plan);
}

/* ---- stages in the order of a direction */

int sx_plan_get_index(int direction)
{
    if (direction == SUBX_FFT_FORWARD)
        return SX_FORWARD;
    return direction == SUBX_FFT_BACKWARD ? SX_BACKWARD : -1;
}

sx_stage *sx_plan_get_stage(subx_fft_plan plan, int d, int i)
{
    if (i < plan->nstages)
        return &plan->stage[d == SX_FORWARD ? i : plan->nstages - 1 - i];
    return i == plan->nstages && plan->choice.strategy->has_scale && plan->roots[d] > 0 ? &plan->scale : NULL;
}

int sx_plan_get_adjacent(subx_fft_plan plan, int i, int d, int side)
{
    int k = (d == SX_FORWARD) == (side == SX_TO) ? i + 1 : i - 1;
    return k >= 0 && k < plan->nstages ? k : -1;
}

int sx_plan_is_exchange(subx_fft_plan plan, int i)
{
    return plan->stage[i].kind == SUBX_FFT_STAGE_EXCHANGE;
}

int sx_plan_for_each(subx_fft_plan plan, int kind, sx_stage_call *call, void *context)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && plan->stage[i].kind == kind; d++) {
            int failed = call(plan, i, d, rc, context);
            rc = rc ? rc : failed;
        }
    return rc;
}

int sx_plan_get_ranks(subx_fft_plan plan, const sx_stage *e)
{
    return e->dim < 0 ? sx_choice_get_nranks(&plan->choice) : plan->choice.dims[e->dim];
}

ptrdiff_t sx_plan_get_bytes(subx_fft_plan plan, int side)
{
    const sx_stage *last = &plan->stage[plan->nstages - 1];
    return side == SUBX_FFT_PHYSICAL ? sx_stage_get_bytes(plan->stage, SX_FORWARD, SX_FROM)
                                     : sx_stage_get_bytes(last, SX_FORWARD, SX_TO);
}

/* ---- a stage as a direction sees it */

static int get_end(int d, int side)
{
    return (d == SX_FORWARD) == (side == SX_FROM) ? SX_FROM : SX_TO;
}

const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side)
{
    return get_end(d, side) == SX_FROM ? &s->from : &s->to;
}

const sx_edge *sx_stage_get_edge(const sx_stage *s, int d, int side)
{
    return s->edge[get_end(d, side)];
}

ptrdiff_t sx_stage_get_bytes(const sx_stage *s, int d, int side)
{
    const sx_edge *edge = sx_stage_get_edge(s, d, side);
    return edge ? edge->bytes : sx_stage_get_box(s, d, side)->bytes;
}

int sx_stage_get_whole(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->divided : e->whole;
}

int sx_stage_get_divided(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->whole : e->divided;
}
