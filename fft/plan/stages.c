/* stages.c - which serial transforms and which exchanges lead from the physical to the spectral side.
 *
 * The list is that of Dalcin, Mortensen & Keyes 2019, eqs. 26-32. First the axes are transformed that are whole. Then,
 * for each grid dimension from the last to the first, an exchange makes the axis of its number whole and divides the
 * next axis instead. Three axes on a grid of P0 x P1 ranks (pencils):
 *
 *                   physical                                                 spectral
 *      axis 0          P0                           P0                         whole
 *      axis 1          P1                         whole                          P0
 *      axis 2       whole                           P1                           P1
 *
 *      stage      serial 2    exchange 2 and 1    serial 1    exchange 1 and 0   serial 0
 *
 * Backward is the list reversed. Grid dimensions of one rank divide nothing and need no exchange. */
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

void sx_plan_add_serial(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_SERIAL, from);
    sx_text t = {s->name, sizeof s->name, 0};
    sx_base_print(&t, "%s, axes", plan->choice.strategy->transform);
    for (int i = 0; i < from->ndims; i++) {
        if (!axes[i])
            continue;
        sx_base_print(&t, "%s%d", s->naxes ? "," : " ", i);
        s->axes[s->naxes++] = i;
    }
    s->to.width = 2;
    memcpy(s->to.n, plan->choice.spectral, sizeof s->to.n);
}

static void add_exchange(subx_fft_plan plan, const sx_box *from, int k)
{
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_EXCHANGE, from);
    sx_text t = {s->name, sizeof s->name, 0};
    s->dim = k;
    s->whole = k + 1;
    s->divided = k;
    s->to.dist[k + 1] = k;
    s->to.dist[k] = -1;
    if (plan->choice.strategy->reorders)
        sx_box_set_innermost(&s->to, k);
    sx_base_print(&t, "exchange, axes %d and %d, %d ranks", k + 1, k, plan->choice.dims[k]);
}

static const sx_box *get_last(subx_fft_plan plan)
{
    return &plan->stage[plan->nstages - 1].to;
}

/* The physical side: leading axes are divided, C order. */
static void set_physical(const sx_choice *c, sx_box *b)
{
    b->ndims = c->ndims;
    b->width = c->kind == SUBX_FFT_C2C ? 2 : 1;
    memcpy(b->n, c->sizes, sizeof b->n);
    for (int i = 0; i < c->ndims; i++)
        b->dist[i] = i < c->g && c->dims[i] > 1 ? i : -1;
    sx_box_set_c_order(b);
}

/* Transposed output has the order that the exchanges of stride1 produce. */
static void set_output_order(subx_fft_plan plan)
{
    sx_box *box = &plan->stage[plan->nstages - 1].to;
    sx_box_set_c_order(box);
    for (int i = 0; i < plan->nstages && plan->choice.output == SX_OUTPUT_TRANSPOSED; i++)
        if (sx_plan_is_exchange(plan, i))
            sx_box_set_innermost(box, plan->stage[i].divided);
}

static void list_stages(subx_fft_plan plan)
{
    const sx_choice *c = &plan->choice;
    char axes[SUBX_NDIMS_MAX] = {0};
    sx_box b = {0};
    set_physical(c, &b);
    for (int i = 0; i < c->ndims; i++)
        axes[i] = b.dist[i] < 0;
    c->strategy->add_transforms(plan, &b, axes);
    for (int k = c->g - 1; k >= 0; k--) {
        if (c->dims[k] == 1)
            continue;
        add_exchange(plan, get_last(plan), k);
        memset(axes, 0, sizeof axes);
        axes[k] = 1;
        c->strategy->add_transforms(plan, get_last(plan), axes);
    }
    set_output_order(plan);
}

static int set_locals(subx_fft_plan plan)
{
    int g, dims[SUBX_NDIMS_MAX], coords[SUBX_NDIMS_MAX];
    int rc = subx_grid_get(plan->grid, SUBX_NDIMS_MAX, &g, dims, coords);
    for (int i = 0; i < plan->nstages && !rc; i++) {
        rc = sx_box_set_local(&plan->stage[i].from, dims, coords);
        if (!rc)
            rc = sx_box_set_local(&plan->stage[i].to, dims, coords);
    }
    return rc;
}

int sx_plan_set_stages(subx_fft_plan plan)
{
    list_stages(plan);
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
    return i == plan->nstages && plan->choice.strategy->has_scale && plan->factor[d] != 1.0 ? &plan->scale
                                                                                            : NULL;
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
    return plan->choice.dims[e->dim];
}

/* ---- a stage as a direction sees it */

const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side)
{
    return (d == SX_FORWARD) == (side == SX_FROM) ? &s->from : &s->to;
}

int sx_stage_get_kind(const sx_stage *s, int d)
{
    if (s->from.width == s->to.width)
        return SUBX_FFT_C2C;
    return d == SX_FORWARD ? SUBX_FFT_R2C : SUBX_FFT_C2R;
}

int sx_stage_get_whole(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->divided : e->whole;
}

int sx_stage_get_divided(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->whole : e->divided;
}
