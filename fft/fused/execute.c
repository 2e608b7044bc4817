/* execute.c - execute an event of a fused plan (list.c). A rank that did not get its data marks the data that
 * it sends as wrong. */
#include "fused/fused.h"
#include <string.h>

typedef sx_fused_step step;

static const step *get_step(subx_fft_plan plan, const sx_event *e)
{
    return &((const sx_fused *)plan->state)->step[plan->run.d][e->step];
}

/* ---- passes */

static void test_pipes(subx_fft_plan plan, const step *s)
{
    const sx_fused *a = plan->state;
    int flag;
    if (s->in.slices)
        sx_plan_keep_error(plan, subx_pipe_test(s->in.pipe, s->in.slices - 1, &flag));
    if (s->out.slices && a->posted == s)
        sx_plan_keep_error(plan, subx_pipe_test(s->out.pipe, 0, &flag));
}

/* Called between tiles: let messages make progress, also those of other plans in flight. */
static void progress(void *context)
{
    const sx_fused_call *c = context;
    test_pipes(c->plan, c->step);
    sx_plan_progress_others(c->plan);
}

/* Call the caller's operation for a box. The caller's operation gets global indices. */
static void call_operation(void *context, int thread, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                           const ptrdiff_t stride[], void *data)
{
    const sx_fused_call *c = context;
    const ptrdiff_t *first = c->plan->stage[c->step->i].to.start;
    const subx_fft_operation op = c->plan->run.op;
    ptrdiff_t start[SUBX_NDIMS_MAX];
    (void)thread;
    for (int i = 0; i < ndims; i++)
        start[i] = lo[i] + first[i];
    const sx_operation_box box = {ndims, start, n, stride, data};
    op->call(op->context, &box);
}

static void transform(subx_fft_plan plan, const step *s, const sx_event *e)
{
    sx_fused *a = plan->state;
    const void *const array = plan->at[s->from];
    sx_fused_call call = {plan, s};
    const sx_pause pause = {progress, &call, plan->choice.hints.progress};
    const sx_operation op = {s->has_twiddles ? sx_fused_multiply_twiddles : call_operation, &call};
    const int pauses = a->has_messages || sx_plan_has_others(plan);
    const int operates = s->has_twiddles || (s->has_operation && plan->run.op);
    for (int k = 0; k < s->npasses && !a->is_lost; k++)
        sx_pass_execute(s->pass[k], (sx_range){e->axis, e->lo, e->hi}, s->in.slices ? s->in.block : &array,
                        &plan->at[s->to], pauses ? &pause : NULL, operates ? &op : NULL);
}

/* ---- events */

int sx_fused_is_ready(subx_fft_plan plan, const sx_event *e)
{
    const sx_fused *a = plan->state;
    const step *s = get_step(plan, e);
    int flag = 1, rc = MPI_SUCCESS;
    if (e->what == SX_EVENT_AREA && a->busy[s->out.area])
        rc = subx_pipe_test_wait(a->busy[s->out.area], &flag);
    else if (e->what == SX_EVENT_ROOM)
        rc = subx_pipe_test_room(s->out.pipe, e->slice, &flag);
    else if (e->what == SX_EVENT_START)
        rc = subx_pipe_test(s->in.pipe, e->slice, &flag);
    else if (e->what == SX_EVENT_END)
        rc = subx_pipe_test_wait(s->in.pipe, &flag);
    sx_plan_keep_error(plan, rc);
    return flag;
}

static int take_area(sx_fused *a, const step *s)
{
    subx_pipe *busy = &a->busy[s->out.area];
    const int rc = *busy ? subx_pipe_wait(*busy) : MPI_SUCCESS;
    *busy = s->out.pipe;
    return rc;
}

static int start_slice(sx_fused *a, const step *s, int slice)
{
    const int rc = subx_pipe_start(s->in.pipe, slice, s->in.block + slice * s->in.ranks);
    a->is_lost |= rc != MPI_SUCCESS;
    return rc;
}

static int post_slice(sx_fused *a, const step *s, int slice)
{
    if (a->is_lost)
        (void)subx_pipe_set_failed(s->out.pipe);
    a->posted = s;
    return subx_pipe_post(s->out.pipe, slice);
}

static int end_epoch(sx_fused *a, const step *s)
{
    const int rc = subx_pipe_wait(s->in.pipe);
    a->busy[s->in.area] = SUBX_PIPE_NULL;
    return rc;
}

static int call(sx_fused *a, const step *s, const sx_event *e)
{
    switch (e->what) {
    case SX_EVENT_AREA:
        return take_area(a, s);
    case SX_EVENT_ROOM:
        return subx_pipe_wait_room(s->out.pipe, e->slice);
    case SX_EVENT_START:
        return start_slice(a, s, e->slice);
    case SX_EVENT_POST:
        return post_slice(a, s, e->slice);
    case SX_EVENT_READ:
        return subx_pipe_complete_slice(s->in.pipe, e->slice);
    case SX_EVENT_COMPLETE:
        return subx_pipe_complete(s->in.pipe);
    default:
        return end_epoch(a, s);
    }
}

void sx_fused_execute(subx_fft_plan plan, const sx_event *e)
{
    const step *s = get_step(plan, e);
    if (e->what == SX_EVENT_PASS)
        transform(plan, s, e);
    else
        sx_plan_keep_error(plan, call(plan->state, s, e));
}

void sx_fused_progress(subx_fft_plan plan, const sx_event *next)
{
    if (((const sx_fused *)plan->state)->has_messages && plan->run.next > 0)
        test_pipes(plan, get_step(plan, next));
}

/* ---- the beginning of an execution */

/* Get the input of an execution: the caller's array, or a copy of it. If input and output are the same array,
 * a copy is needed before a pass that writes this array but not each tile to the place from which it has read
 * the tile: a single pass, or the first one of a direction with is_in_spectral. A pass of a round trip
 * always writes tiles where it has read them. */
static void *keep_input(subx_fft_plan plan, const sx_execution *run)
{
    const sx_fused *a = plan->state;
    void *from = (void *)(size_t)run->from; /* passes do not write it */
    if (run->error || from != run->to || !a->local || run->d == SX_ROUND ||
        (plan->nstages > 1 && !a->is_in_spectral[run->d]))
        return from;
    return memcpy(a->local, from, (size_t)sx_stage_get_bytes(plan->stage, run->d, SX_FROM));
}

/* Set whether the epochs of a pipe are unordered. They are unordered if subx_fft_start started the execution,
 * because each rank chooses in which order it goes on with plans in flight. The setting may change here,
 * because each epoch with messages ends before the next execution begins. */
static int set_order(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    const sx_fused *a = plan->state;
    (void)context;
    const int failed = subx_pipe_set_unordered(a->pipe[i].pipe[d], plan->run.is_started);
    return rc ? rc : failed;
}

static void choose_order(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    if (!a->has_messages || a->is_unordered == plan->run.is_started)
        return;
    (void)sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_order, NULL);
    a->is_unordered = plan->run.is_started;
}

/* Get the array for data between two passes without an exchange. */
static void *get_local(const sx_fused *a, const sx_execution *run)
{
    if (run->d != SX_ROUND && a->is_in_spectral[run->d])
        return run->d == SX_BACKWARD ? (void *)(size_t)run->from : run->to;
    return a->local ? a->local : run->to;
}

int sx_fused_start(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    const sx_execution *run = &plan->run;
    const int is_in_spectral = run->d != SX_ROUND && a->is_in_spectral[run->d];
    /* Such a plan has no exchanges. So this rank may return: no other rank waits for it. A rank without data
     * may pass NULL for both arrays. */
    if (is_in_spectral && !a->local && run->from && run->from == run->to)
        return subx_error_get_code(SUBX_ERR_ALIAS);
    choose_order(plan);
    a->is_lost = run->error != MPI_SUCCESS;
    a->posted = NULL;
    plan->at[SX_AT_FROM] = keep_input(plan, run);
    plan->at[SX_AT_TO] = run->to;
    plan->at[SX_AT_LOCAL] = get_local(a, run);
    return MPI_SUCCESS;
}
