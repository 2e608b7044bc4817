/* query.c - a plan's problem, local arrays, stages and times, for callers. */
#include "plan/plan.h"
#include <string.h>
#include <subx_tune.h>

/* The array of a side as callers see it: with the axes of the problem instead of the plan's axes. */
typedef struct view {
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX]; /* innermost first; the axis of the fields may be in this list */
} view;

/* The plan factors the caller's axis into axes 0 and 1. The caller sees the matrix of these two axes as one
 * axis, row by row. This also holds for a spectrum that is left transposed. */
static void merge_factors(const sx_box *b, view *v)
{
    v->len[0] = b->len[0] * b->len[1];
    v->start[0] = b->start[0] * b->n[1];
    v->order[0] = 0;
}

/* Get the array of a side with the caller's axes: from the edge if the side has one, else from the box of the
 * plan, which may also have the axis of the fields. */
static void get_view(subx_fft_plan plan, int side, view *v)
{
    const sx_box *b = side == SUBX_FFT_PHYSICAL ? &plan->stage[0].from : &plan->stage[plan->nstages - 1].to;
    const sx_edge *e = plan->choice.edge[side];
    const sx_problem_storage *s = &plan->choice.problem->storage[side];
    memcpy(v->len, e ? e->len : b->len, sizeof v->len);
    memcpy(v->start, e ? e->start : b->start, sizeof v->start);
    memcpy(v->order, e ? e->order : b->order, sizeof v->order);
    if (s->has_strides)
        sx_base_get_order(plan->choice.problem->ndims, s->strides, v->order);
    if (plan->choice.array.factored && !e)
        merge_factors(b, v);
}

int sx_plan_check_operation(subx_fft_plan plan)
{
    if (plan && plan->choice.problem->has_operation)
        return MPI_SUCCESS;
    const int code = subx_error_get_code(SUBX_ERR_ARG);
    if (plan)
        sx_base_set_error_text(
            SUBX_ERR_ARG, "subx: this plan has no operations on spectra; its problem must have the option "
                          "/operation (subx_fft_problem_set_operation)");
    return code;
}

int subx_fft_plan_get_local(subx_fft_plan plan, int side, ptrdiff_t shape[], ptrdiff_t start[], int order[],
                            ptrdiff_t *alloc_bytes)
{
    view v;
    if (!plan || (side != SUBX_FFT_PHYSICAL && side != SUBX_FFT_SPECTRAL))
        return subx_error_get_code(SUBX_ERR_ARG);
    const sx_array *a = &plan->choice.array;
    const int ndims = plan->choice.problem->ndims;
    get_view(plan, side, &v);
    for (int i = 0; i < ndims; i++) {
        if (shape)
            shape[i] = v.len[i];
        if (start)
            start[i] = v.start[i];
    }
    for (int i = 0, n = 0; order && n < ndims; i++)
        if (v.order[i] != a->fields)
            order[n++] = v.order[i];
    if (alloc_bytes) {
        const ptrdiff_t bytes = sx_plan_get_bytes(plan, side);
        *alloc_bytes = bytes > 0 ? bytes : a->width[side] * a->real_bytes;
    }
    return MPI_SUCCESS;
}

/* If the spectrum of a factored axis is left transposed, the frequencies of a rank are not consecutive:
 * UNAVAILABLE. */
int subx_fft_plan_get_frequencies(subx_fft_plan plan, int axis, ptrdiff_t frequency[])
{
    view v;
    if (!plan || !frequency || axis < 0 || axis >= plan->choice.problem->ndims)
        return subx_error_get_code(SUBX_ERR_ARG);
    const subx_fft_problem p = plan->choice.problem;
    if (plan->choice.array.factored && !plan->choice.edge[SUBX_FFT_SPECTRAL])
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    get_view(plan, SUBX_FFT_SPECTRAL, &v);
    return sx_array_get_frequencies(p->kinds[axis], p->modes[axis], v.start[axis], v.len[axis], frequency);
}

int subx_fft_plan_get(subx_fft_plan plan, subx_fft_problem *problem, int *g, int dims[])
{
    if (!plan)
        return subx_error_get_code(SUBX_ERR_ARG);
    const sx_choice *c = &plan->choice;
    if (problem)
        *problem = c->problem;
    if (g)
        *g = c->is_brick ? c->problem->ndims : c->g;
    for (int k = 0; dims && k < (c->is_brick ? c->problem->ndims : c->g); k++)
        dims[k] = c->is_brick ? c->brick[k] : c->dims[k];
    return MPI_SUCCESS;
}

int subx_fft_plan_get_work(subx_fft_plan plan, ptrdiff_t *bytes)
{
    if (!plan || !bytes)
        return subx_error_get_code(SUBX_ERR_ARG);
    *bytes = sx_plan_get_work(plan);
    return MPI_SUCCESS;
}

int subx_fft_plan_get_nstages(subx_fft_plan plan, int direction, int *count)
{
    int d = sx_plan_get_index(direction);
    if (!plan || d < 0 || !count)
        return subx_error_get_code(SUBX_ERR_ARG);
    *count = 0;
    while (sx_plan_get_stage(plan, d, *count))
        ++*count;
    return MPI_SUCCESS;
}

int subx_fft_plan_get_stage(subx_fft_plan plan, int direction, int i, int *kind, const char **name,
                            double *last, double *total)
{
    int d = sx_plan_get_index(direction);
    const sx_stage *s = plan && d >= 0 && i >= 0 ? sx_plan_get_stage(plan, d, i) : NULL;
    if (!s)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (kind)
        *kind = s->kind;
    if (name)
        *name = s->name;
    if (last)
        *last = s->last[d];
    if (total)
        *total = s->total[d];
    return MPI_SUCCESS;
}

static void set_zero(sx_stage *s)
{
    for (int d = 0; d < 2; d++)
        s->last[d] = s->total[d] = 0;
}

int subx_fft_plan_set_times_zero(subx_fft_plan plan)
{
    if (!plan)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int i = 0; i <= plan->nstages; i++)
        set_zero(&plan->stage[i]);
    return MPI_SUCCESS;
}
