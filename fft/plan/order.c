/* order.c - the stages of a plan in the order in which a direction executes them. Backward has the reverse
 * order. */
#include "plan/plan.h"

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
    return i == plan->nstages && plan->choice.strategy->has_scale && plan->roots[d] > 0 ? &plan->stage[i]
                                                                                        : NULL;
}

int sx_plan_get_adjacent(subx_fft_plan plan, int i, int d, int side)
{
    int k = (d == SX_FORWARD) == (side == SX_TO) ? i + 1 : i - 1;
    return k >= 0 && k < plan->nstages ? k : -1;
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
