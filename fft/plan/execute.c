/* execute.c - execute a plan: check the arguments, and call the plan's strategy. */
#include "plan/plan.h"

int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to)
{
    return subx_fft_execute_operation(plan, direction, from, to, SUBX_FFT_OPERATION_NULL);
}

int subx_fft_execute_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                               subx_fft_operation operation)
{
    int d = sx_plan_get_index(direction);
    if (!plan || d < 0 || (operation && !plan->choice.problem->has_operation))
        return subx_error_get_code(SUBX_ERR_ARG);
    if ((sx_plan_get_bytes(plan, d == SX_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL) && !from) ||
        (sx_plan_get_bytes(plan, d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL) && !to))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (plan->is_idle)
        return MPI_SUCCESS;
    return plan->choice.strategy->execute(plan, d, from, to, operation);
}

int subx_fft_execute_convolution(subx_fft_plan plan, const void *from, void *to, subx_fft_operation operation)
{
    if (!plan || !operation || !plan->choice.problem->has_operation)
        return subx_error_get_code(SUBX_ERR_ARG);
    const ptrdiff_t bytes = sx_plan_get_bytes(plan, SUBX_FFT_PHYSICAL);
    if (bytes && (!from || !to))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (plan->is_idle)
        return MPI_SUCCESS;
    return plan->choice.strategy->execute(plan, SX_ROUND, from, to, operation);
}
