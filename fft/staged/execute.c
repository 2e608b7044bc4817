/* execute.c - list what a direction of a plan of strategy stride1 or natural does, and execute an event of
 * the list. The first stage writes a work array, each exchange writes the other work array, and the last
 * stage writes the caller's array. A transform between two exchanges is in place. */
#include "pass/pass.h"
#include "staged/staged.h"
#include <string.h>

/* ---- the list */

static void add(sx_list *list, int what, int k, int stage, int d)
{
    sx_list_add(list, (sx_event){.what = what, .step = k, .slice = -1, .stage = stage, .d = d, .axis = -1});
}

void sx_staged_list(subx_fft_plan plan, int d, sx_list *list)
{
    sx_staged *a = plan->state;
    int at = SX_AT_WORK, in = SX_AT_FROM;
    for (int k = 0; k < plan->nstages; k++) {
        const sx_stage *s = sx_plan_get_stage(plan, d, k);
        const int i = sx_base_fit(s - plan->stage), is_exchange = sx_stage_is_exchange(s);
        if (is_exchange)
            at = at == SX_AT_WORK ? SX_AT_WORK + 1 : SX_AT_WORK;
        const int out = k == plan->nstages - 1 ? SX_AT_TO : at;
        a->stage[i].in[d] = in;
        a->stage[i].out[d] = in = out;
        add(list, is_exchange ? SX_EVENT_EXCHANGE : SX_EVENT_PASS, i, i, d);
        if (is_exchange)
            add(list, SX_EVENT_ARRIVE, i, i, d);
    }
    if (plan->roots[d] > 0)
        add(list, SX_EVENT_SCALE, plan->nstages, plan->nstages, d);
}

/* ---- events */

/* After an error a rank still takes part in all exchanges, because its partners wait for its blocks. But it
 * marks its data as wrong, and all engines except alltoallw tell the partners. */
static int exchange(subx_fft_plan plan, subx_exch ex, const void *in, void *out)
{
    if (plan->run.error)
        (void)subx_exch_set_failed(ex);
    if (!plan->run.is_started)
        return subx_exch_execute(ex, in, out);
    (void)subx_exch_set_unordered(ex, 1);
    return subx_exch_start(ex, in, out);
}

/* An engine that blocks may wait for other ranks already when it is started. */
int sx_staged_is_ready(subx_fft_plan plan, const sx_event *e)
{
    const sx_staged *a = plan->state;
    int done = 1;
    if (plan->run.is_started && !a->blocks)
        sx_plan_keep_error(plan, subx_exch_test(a->stage[e->step].exch[e->d], &done));
    return done;
}

static void scale(subx_fft_plan plan, int d)
{
    const sx_stage *last = sx_plan_get_stage(plan, d, plan->nstages - 1);
    const int precision = plan->choice.array.precision;
    const ptrdiff_t bytes = sx_stage_get_box(last, d, SX_TO)->bytes;
    if (!plan->run.error)
        sx_pass_scale(precision, plan->run.to, bytes / sx_serial_get_real_bytes(precision), plan->volume,
                      plan->roots[d]);
}

/* A rank without data has nothing to transform, nor has a rank without arrays. */
void sx_staged_execute(subx_fft_plan plan, const sx_event *e)
{
    const sx_staged *a = plan->state;
    if (e->what == SX_EVENT_SCALE) {
        scale(plan, e->d);
        return;
    }
    const sx_staged_stage *s = &a->stage[e->step];
    void *in = plan->at[s->in[e->d]], *out = plan->at[s->out[e->d]];
    if (e->what == SX_EVENT_EXCHANGE)
        sx_plan_keep_error(plan, exchange(plan, s->exch[e->d], in, out));
    else if (e->what == SX_EVENT_ARRIVE && plan->run.is_started)
        sx_plan_keep_error(plan, subx_exch_wait(s->exch[e->d]));
    else if (e->what == SX_EVENT_PASS && s->serial[e->d] && in && out)
        plan->choice.serial->execute(s->serial[e->d], in, out, a->serial_work);
}

void sx_staged_progress(subx_fft_plan plan, const sx_event *next)
{
    if (next->what == SX_EVENT_ARRIVE)
        (void)sx_staged_is_ready(plan, next);
}

/* ---- the beginning of an execution */

/* A plan with a single stage transforms out of place, from one array of the caller to the other. It reads a
 * copy of the input in two cases: if both arrays are the same, and if the transform is complex-to-real,
 * because a complex-to-real transform of several axes destroys its input. */
static void *keep_input(subx_fft_plan plan, int d, void *from, const void *to)
{
    const sx_stage *s = &plan->stage[0];
    ptrdiff_t bytes = sx_stage_get_box(s, d, SX_FROM)->bytes;
    void *copy = plan->at[SX_AT_WORK];
    const int is_c2r = d == SX_BACKWARD && s->from.width != s->to.width;
    if (plan->run.error || plan->nstages > 1 || bytes == 0 || (from != to && !is_c2r))
        return from;
    return memcpy(copy, from, (size_t)bytes);
}

/* The first stage does not write to `from`, so `from` may be const. */
int sx_staged_start(subx_fft_plan plan)
{
    const sx_execution *run = &plan->run;
    plan->at[SX_AT_FROM] = keep_input(plan, run->d, (void *)(size_t)run->from, run->to);
    plan->at[SX_AT_TO] = run->to;
    return MPI_SUCCESS;
}
