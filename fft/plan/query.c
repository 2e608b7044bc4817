/* query.c - what a plan tells of its problem, its local arrays, its stages and their times. */
#include "plan/plan.h"

int subx_fft_plan_get_local(subx_fft_plan plan, int side, ptrdiff_t shape[], ptrdiff_t start[], int order[],
                            ptrdiff_t *alloc_bytes)
{
    if (!plan || (side != SUBX_FFT_PHYSICAL && side != SUBX_FFT_SPECTRAL))
        return subx_error_get(SUBX_ERR_ARG);
    const sx_box *b = side == SUBX_FFT_PHYSICAL ? &plan->stage[0].from : &plan->stage[plan->nstages - 1].to;
    for (int i = 0; i < b->ndims; i++) {
        if (shape)
            shape[i] = b->len[i];
        if (start)
            start[i] = b->start[i];
        if (order)
            order[i] = b->order[i];
    }
    if (alloc_bytes)
        *alloc_bytes = b->bytes > 0 ? b->bytes : b->width * (ptrdiff_t)sizeof(double);
    return MPI_SUCCESS;
}

int subx_fft_plan_get(subx_fft_plan plan, int *kind, int *ndims, ptrdiff_t sizes[], int *g, int dims[])
{
    if (!plan)
        return subx_error_get(SUBX_ERR_ARG);
    const sx_choice *c = &plan->choice;
    if (kind)
        *kind = c->kind;
    if (ndims)
        *ndims = c->ndims;
    for (int i = 0; sizes && i < c->ndims; i++)
        sizes[i] = c->sizes[i];
    if (g)
        *g = c->g;
    for (int k = 0; dims && k < c->g; k++)
        dims[k] = c->dims[k];
    return MPI_SUCCESS;
}

int subx_fft_plan_get_work(subx_fft_plan plan, MPI_Count *bytes)
{
    if (!plan || !bytes)
        return subx_error_get(SUBX_ERR_ARG);
    *bytes = plan->choice.strategy->get_work(plan);
    return MPI_SUCCESS;
}

int subx_fft_plan_get_nstages(subx_fft_plan plan, int direction, int *count)
{
    int d = sx_plan_get_index(direction);
    if (!plan || d < 0 || !count)
        return subx_error_get(SUBX_ERR_ARG);
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
        return subx_error_get(SUBX_ERR_ARG);
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
        return subx_error_get(SUBX_ERR_ARG);
    for (int i = 0; i < plan->nstages; i++)
        set_zero(&plan->stage[i]);
    set_zero(&plan->scale);
    return MPI_SUCCESS;
}
