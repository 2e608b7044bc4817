/* execute.c - run a plan's stages in either direction and note how long each takes. */
#include "plan/plan.h"
#include <string.h>

static void scale(double *array, ptrdiff_t bytes, double factor)
{
    ptrdiff_t n = bytes / (ptrdiff_t)sizeof *array;
    for (ptrdiff_t i = 0; i < n; i++)
        array[i] *= factor;
}

/* A rank without data has no serial state, and still takes part in the exchanges. */
static int run_stage(subx_fft_plan plan, sx_stage *s, int d, void *in, void *out)
{
    double began = MPI_Wtime();
    int rc = MPI_SUCCESS;
    if (sx_stage_is_exchange(s))
        rc = subx_exch_execute(s->exch[d], in, out);
    else if (s->serial[d])
        plan->choice.serial->execute(s->serial[d], in, out);
    s->last[d] = MPI_Wtime() - began;
    s->total[d] += s->last[d];
    return rc;
}

static void run_scale(subx_fft_plan plan, int d, const sx_box *to, void *array)
{
    double began = MPI_Wtime();
    if (plan->factor[d] == 1.0)
        return;
    scale(array, to->bytes, plan->factor[d]);
    plan->scale.last[d] = MPI_Wtime() - began;
    plan->scale.total[d] += plan->scale.last[d];
}

/* A plan without exchanges transforms from array to array. It cannot do that in place, and a multi-
 * dimensional complex-to-real transform destroys its input; in these cases it works on a copy. */
static int run_single(subx_fft_plan plan, int d, const sx_box *from, void *in, void *out)
{
    sx_stage *s = &plan->stage[0];
    if (from->bytes > 0 && (in == out || (d == SX_BACKWARD && s->from.width != s->to.width))) {
        memcpy(plan->work[0], in, (size_t)from->bytes);
        in = plan->work[0];
    }
    return run_stage(plan, s, d, in, out);
}

/* From the caller's array to a work array, from one to the other with each exchange, and to the caller's
 * array. */
static int run_all(subx_fft_plan plan, int d, void *in, void *out)
{
    int at = 0;
    int rc = run_stage(plan, sx_plan_get_stage(plan, d, 0), d, in, plan->work[at]);
    for (int i = 1; i < plan->nstages - 1 && !rc; i++) {
        sx_stage *s = sx_plan_get_stage(plan, d, i);
        int next = sx_stage_is_exchange(s) ? 1 - at : at;
        rc = run_stage(plan, s, d, plan->work[at], plan->work[next]);
        at = next;
    }
    return rc ? rc : run_stage(plan, sx_plan_get_stage(plan, d, plan->nstages - 1), d, plan->work[at], out);
}

int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to)
{
    int d = sx_plan_get_index(direction);
    if (!plan || d < 0)
        return subx_error_get(SUBX_ERR_ARG);
    const sx_box *physical = &plan->stage[0].from, *spectral = &plan->stage[plan->nstages - 1].to;
    const sx_box *in = d == SX_FORWARD ? physical : spectral, *out = d == SX_FORWARD ? spectral : physical;
    if ((in->bytes && !from) || (out->bytes && !to))
        return subx_error_get(SUBX_ERR_ARG);
    /* The first stage keeps its input, so that the const is honest. */
    void *input = (void *)from;
    if (plan->choice.strategy == SX_FUSED)
        return sx_plan_run_fused(plan, d, from, to);
    int rc = plan->nstages == 1 ? run_single(plan, d, in, input, to) : run_all(plan, d, input, to);
    if (!rc)
        run_scale(plan, d, out, to);
    return rc;
}
