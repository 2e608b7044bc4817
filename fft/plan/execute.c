/* execute.c - execute a plan, at once or by start, test and wait: check the arguments, and call the plan's
 * strategy. */
#include "plan/plan.h"
#include <stdio.h>
#include <subx_tune.h>

/* ---- the arguments */

static int get_start(int d)
{
    return d == SX_BACKWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
}

static int get_end(int d)
{
    return d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
}

static int refuse(const char *text)
{
    return sx_base_set_error_text(SUBX_ERR_ARG, text);
}

static int refuse_direction(int direction)
{
    char text[SX_ERROR_LEN];
    snprintf(text, sizeof text,
             "subx: the direction is %d, it must be %d (SUBX_FFT_FORWARD) or %d (SUBX_FFT_BACKWARD)",
             direction, SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD);
    return refuse(text);
}

/* Query whether an array begins where it may: compilers load quads, and no others, from multiples of 16
 * only. */
static int is_aligned(subx_fft_plan plan, const void *array)
{
    return plan->choice.array.precision != SUBX_FFT_QUAD || (size_t)array % 16 == 0;
}

/* Check whether this rank can take part in an execution now. */
static int check_state(subx_fft_plan plan, const sx_execution *run)
{
    if (!plan || run->d < 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (run->d == SX_ROUND && !plan->choice.problem->has_operation)
        return sx_plan_check_operation(plan);
    return plan->is_active ? subx_error_get_code(SUBX_ERR_ACTIVE) : MPI_SUCCESS;
}

static int check_arguments(subx_fft_plan plan, const sx_execution *run)
{
    const int rc = run->op ? sx_plan_check_operation(plan) : MPI_SUCCESS;
    if (rc)
        return rc;
    if ((!run->from && sx_plan_get_bytes(plan, get_start(run->d))) ||
        (!run->to && sx_plan_get_bytes(plan, get_end(run->d))) || (run->d == SX_ROUND && !run->op))
        return subx_error_get_code(SUBX_ERR_ARG);
    return is_aligned(plan, run->from) && is_aligned(plan, run->to)
               ? MPI_SUCCESS
               : refuse("subx: an array of quads is not aligned to 16 bytes");
}

/* A rank with wrong arguments still takes part, without arrays, and tells its partners that its data is
 * wrong. An idle rank takes no part in executions. */
static int set(subx_fft_plan plan, const sx_execution *run)
{
    const int rc = check_state(plan, run);
    if (rc)
        return rc;
    const int error = check_arguments(plan, run);
    const sx_execution without = {.d = run->d, .is_started = run->is_started, .error = error};
    return sx_plan_start(plan, error ? &without : run);
}

int subx_fft_plan_set_stream(subx_fft_plan plan, void *stream)
{
    if (!plan)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!plan->choice.strategy->set_stream)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    if (plan->is_active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    return plan->is_idle ? MPI_SUCCESS : plan->choice.strategy->set_stream(plan, stream);
}

/* ---- at once */

static int execute(subx_fft_plan plan, sx_execution run)
{
    const int rc = set(plan, &run);
    if (rc)
        return rc;
    if (!plan->run.is_complete)
        (void)sx_plan_execute_list(plan, 1);
    return plan->run.error;
}

int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to)
{
    return subx_fft_execute_operation(plan, direction, from, to, SUBX_FFT_OPERATION_NULL);
}

int subx_fft_execute_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                               subx_fft_operation operation)
{
    const int d = sx_plan_get_index(direction);
    return d < 0 ? refuse_direction(direction)
                 : execute(plan, (sx_execution){d, from, to, operation, .is_started = 0});
}

int subx_fft_execute_convolution(subx_fft_plan plan, const void *from, void *to, subx_fft_operation operation)
{
    return execute(plan, (sx_execution){SX_ROUND, from, to, operation, .is_started = 0});
}

/* ---- start, test, wait */

static int start(subx_fft_plan plan, sx_execution run)
{
    const int rc = set(plan, &run);
    if (rc)
        return rc;
    plan->is_active = 1;
    sx_plan_add_flight(plan);
    (void)sx_plan_execute(plan, 0);
    return MPI_SUCCESS;
}

int subx_fft_start(subx_fft_plan plan, int direction, const void *from, void *to)
{
    return subx_fft_start_operation(plan, direction, from, to, SUBX_FFT_OPERATION_NULL);
}

int subx_fft_start_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                             subx_fft_operation operation)
{
    const int d = sx_plan_get_index(direction);
    return d < 0 ? refuse_direction(direction)
                 : start(plan, (sx_execution){d, from, to, operation, .is_started = 1});
}

int subx_fft_start_convolution(subx_fft_plan plan, const void *from, void *to, subx_fft_operation operation)
{
    return start(plan, (sx_execution){SX_ROUND, from, to, operation, .is_started = 1});
}

int subx_fft_test(subx_fft_plan plan, int *flag)
{
    if (!plan || !flag)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!plan->is_active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    *flag = sx_plan_execute(plan, 0);
    sx_plan_execute_others(plan);
    return MPI_SUCCESS;
}

/* If no other plan is in flight, the strategy may wait for other ranks. Else the strategy returns instead of
 * waiting, and this rank goes on with the other plans. */
int subx_fft_wait(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    if (!plan)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!plan->is_active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    for (int round = 0; !sx_plan_execute(plan, !sx_plan_has_others(plan));) {
        sx_plan_execute_others(plan);
        const int failed = subx_pipe_relax(plan->all, &round);
        rc = rc ? rc : failed;
    }
    sx_plan_drop_flight(plan);
    plan->is_active = 0;
    return plan->run.error ? plan->run.error : rc;
}
