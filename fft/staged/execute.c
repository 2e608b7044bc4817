/* execute.c - execute the stages of a staged plan in either direction. */
#include "pass/pass.h"
#include "staged/staged.h"
#include <string.h>

/* ---- one stage */

/* After an error a rank still takes part in all exchanges, because its partners wait for its blocks. It marks its data
 * as wrong; all engines but alltoallw pass this on. A rank without data has nothing to transform. */
static void execute_stage(subx_fft_plan plan, int d, int at, void *in, void *out, int *error)
{
    sx_stage *s = sx_plan_get_stage(plan, d, at);
    const sx_staged_stage *mine = &((sx_staged *)plan->state)->stage[s - plan->stage];
    double began = MPI_Wtime();
    if (sx_stage_is_exchange(s)) {
        if (*error)
            (void)subx_exch_set_failed(mine->exch[d]);
        int rc = subx_exch_execute(mine->exch[d], in, out);
        *error = *error ? *error : rc;
    } else if (mine->serial[d]) {
        plan->choice.serial->execute(mine->serial[d], in, out, ((sx_staged *)plan->state)->serial_work);
    }
    s->last[d] = MPI_Wtime() - began;
    s->total[d] += s->last[d];
}

static void scale(subx_fft_plan plan, int d, void *array)
{
    const sx_stage *last = sx_plan_get_stage(plan, d, plan->nstages - 1);
    sx_stage *s = &plan->stage[plan->nstages];
    double began = MPI_Wtime();
    const int precision = plan->choice.array.precision;
    sx_pass_scale(precision, array,
                  sx_stage_get_box(last, d, SX_TO)->bytes / sx_serial_get_real_bytes(precision), plan->volume,
                  plan->roots[d]);
    s->last[d] = MPI_Wtime() - began;
    s->total[d] += s->last[d];
}

/* ---- all of them */

/* The stage of a plan with a single stage transforms from one array of the caller to the other, out of place. It reads a
 * copy of the input if both arrays are the same, or if it is complex-to-real: complex-to-real transforms of several axes
 * destroy their input. For those of one axis the input is copied, too. */
static void *keep_input(subx_fft_plan plan, int d, void *from, const void *to)
{
    const sx_stage *s = &plan->stage[0];
    ptrdiff_t bytes = sx_stage_get_box(s, d, SX_FROM)->bytes;
    void *copy = ((sx_staged *)plan->state)->work[0];
    const int is_c2r = d == SX_BACKWARD && s->from.width != s->to.width;
    if (plan->nstages > 1 || bytes == 0 || (from != to && !is_c2r))
        return from;
    return memcpy(copy, from, (size_t)bytes);
}

/* Data goes from the caller's array to a work array, with each exchange to the other work array, and at the end to the
 * caller's array. */
int sx_staged_execute(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op)
{
    char **work = ((sx_staged *)plan->state)->work;
    /* The first stage does not write to `from`, so `from` may be const. */
    void *in = keep_input(plan, d, (void *)from, to);
    int error = MPI_SUCCESS, at = 0;
    (void)op; /* these strategies have no operations: see sx_choice_is_plain */
    for (int i = 0; i < plan->nstages; i++) {
        at ^= sx_stage_is_exchange(sx_plan_get_stage(plan, d, i));
        void *out = i == plan->nstages - 1 ? to : work[at];
        execute_stage(plan, d, i, in, out, &error);
        in = out;
    }
    if (!error && plan->roots[d] > 0)
        scale(plan, d, to);
    return error;
}
