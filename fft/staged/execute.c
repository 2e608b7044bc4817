/* execute.c - execute the stages of a plan of strategy stride1 or natural, in either direction. */
#include "pass/pass.h"
#include "staged/staged.h"
#include <string.h>

/* ---- one stage */

static void keep(subx_fft_plan plan, int rc)
{
    plan->run.error = plan->run.error ? plan->run.error : rc;
}

/* Execute an exchange, or go on with one that has been started. Returns 0 if `waits` is 0 and the exchange is
 * not yet done. After an error a rank still takes part in all exchanges, because its partners wait for its
 * blocks. But it marks its data as wrong, and all engines except alltoallw tell the partners. */
static int exchange(subx_fft_plan plan, subx_exch ex, const void *in, void *out, int waits)
{
    sx_staged *a = plan->state;
    int done = 1;
    if (!a->is_open && plan->run.error)
        (void)subx_exch_set_failed(ex);
    if (!plan->run.is_started) {
        keep(plan, subx_exch_execute(ex, in, out));
        return 1;
    }
    if (!a->is_open) {
        (void)subx_exch_set_unordered(ex, 1);
        keep(plan, subx_exch_start(ex, in, out));
    }
    a->is_open = 1;
    if (!waits)
        keep(plan, subx_exch_test(ex, &done));
    if (!done)
        return 0;
    keep(plan, subx_exch_wait(ex));
    a->is_open = 0;
    return 1;
}

static void add_time(sx_stage *s, int d, double began)
{
    const double seconds = MPI_Wtime() - began;
    s->last[d] += seconds;
    s->total[d] += seconds;
}

/* Execute a stage; returns 0 as exchange() does. A rank without data has nothing to transform, nor has a rank
 * without arrays. */
static int execute_stage(subx_fft_plan plan, int d, sx_stage *s, void *in, void *out, int waits)
{
    sx_staged *a = plan->state;
    const sx_staged_stage *mine = &a->stage[s - plan->stage];
    const double began = MPI_Wtime();
    int done = 1;
    if (sx_stage_is_exchange(s))
        done = exchange(plan, mine->exch[d], in, out, waits);
    else if (mine->serial[d] && in && out)
        plan->choice.serial->execute(mine->serial[d], in, out, a->serial_work);
    add_time(s, d, began);
    return done;
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
    add_time(s, d, began);
}

/* ---- all of them */

/* A plan with a single stage transforms out of place, from one array of the caller to the other. It reads a
 * copy of the input in two cases: if both arrays are the same, and if the transform is complex-to-real,
 * because a complex-to-real transform of several axes destroys its input. */
static void *keep_input(subx_fft_plan plan, int d, void *from, const void *to)
{
    const sx_stage *s = &plan->stage[0];
    ptrdiff_t bytes = sx_stage_get_box(s, d, SX_FROM)->bytes;
    void *copy = ((sx_staged *)plan->state)->work[0];
    const int is_c2r = d == SX_BACKWARD && s->from.width != s->to.width;
    if (plan->run.error || plan->nstages > 1 || bytes == 0 || (from != to && !is_c2r))
        return from;
    return memcpy(copy, from, (size_t)bytes);
}

int sx_staged_start(subx_fft_plan plan)
{
    sx_staged *a = plan->state;
    const sx_execution *run = &plan->run;
    for (int i = 0; i <= plan->nstages; i++)
        plan->stage[i].last[run->d] = 0;
    /* The first stage does not write to `from`, so `from` may be const. */
    a->in = keep_input(plan, run->d, (void *)(size_t)run->from, run->to);
    a->i = a->at = a->is_open = 0;
    return MPI_SUCCESS;
}

/* The first stage writes a work array, each exchange writes the other work array, and the last stage writes
 * the caller's array. A transform between two exchanges is in place. */
int sx_staged_execute(subx_fft_plan plan, int waits)
{
    sx_staged *a = plan->state;
    const sx_execution *run = &plan->run;
    for (; a->i < plan->nstages; a->i++) {
        sx_stage *s = sx_plan_get_stage(plan, run->d, a->i);
        const int at = a->at ^ sx_stage_is_exchange(s);
        void *out = a->i == plan->nstages - 1 ? run->to : a->work[at];
        if (!execute_stage(plan, run->d, s, a->in, out, waits || a->blocks))
            return 0;
        a->at = at;
        a->in = out;
    }
    if (!run->error && plan->roots[run->d] > 0)
        scale(plan, run->d, run->to);
    return 1;
}

void sx_staged_progress(subx_fft_plan plan)
{
    sx_staged *a = plan->state;
    int done;
    if (a->is_open)
        keep(plan, subx_exch_test(
                       a->stage[sx_plan_get_stage(plan, plan->run.d, a->i) - plan->stage].exch[plan->run.d],
                       &done));
}
