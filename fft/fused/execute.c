/* execute.c - execute the passes of a direction, one after the other or slice by slice, with pipes between
 * them.
 *
 * After an error a rank still posts, starts, completes and waits for every slice, so that each epoch of a
 * pipe goes on to its end: partners wait for this rank. A rank that did not get its data marks the data that
 * it sends as wrong.
 *
 * An execution that may wait (waits = 1) runs to its end. Any other execution stops if it needs data of a
 * late rank, and the next call of sx_fused_execute goes on at the same point. A function that cannot go on
 * without waiting returns 0; it returns 1 when it is done. The function counts its finished slices, so that
 * the next call does not repeat them. */
#include "fused/fused.h"
#include <string.h>

typedef sx_fused_end end;
typedef sx_fused_step step;
typedef sx_fused_run execution;

static void keep(step *s, int rc)
{
    int *error = &s->x->plan->run.error;
    *error = *error ? *error : rc;
}

/* ---- times of stages: each call of charge adds the time since the previous call to one stage */

static void charge(execution *x, int i, int d)
{
    sx_stage *stage = &x->plan->stage[i];
    const double now = MPI_Wtime(), seconds = now - x->clock;
    stage->last[d] += seconds;
    stage->total[d] += seconds;
    x->clock = now;
}

static void charge_pass(step *s)
{
    charge(s->x, s->i, s->d);
}

static void charge_exchange(step *s, const end *at)
{
    charge(s->x, at->i, at->d);
}

/* ---- waiting for other ranks: the time counts as time of the exchange */

static const void **get_blocks(const step *s)
{
    return s->a->block[s->in.e->is_ring];
}

/* may_start, may_end, may_write: query whether the execution may now call subx_pipe_start for the next slice,
 * subx_pipe_wait or subx_pipe_wait_room. An execution that may not wait only makes calls that return at
 * once. */
static int may_start(step *s)
{
    int flag = 1;
    if (!s->x->waits)
        keep(s, subx_pipe_test(s->in.pipe, s->started, &flag));
    return flag;
}

static int may_end(step *s, subx_pipe pipe)
{
    int flag = 1;
    if (!s->x->waits)
        keep(s, subx_pipe_test_wait(pipe, &flag));
    return flag;
}

static int may_write(step *s, int slice)
{
    int flag = 1;
    if (!s->x->waits)
        keep(s, subx_pipe_test_room(s->out.pipe, slice, &flag));
    return flag;
}

static void start_slice(step *s)
{
    const int first = s->started * sx_plan_get_ranks(s->x->plan, &s->x->plan->stage[s->in.i]);
    const int rc = subx_pipe_start(s->in.pipe, s->started++, get_blocks(s) + first);
    keep(s, rc);
    s->x->is_lost |= rc != MPI_SUCCESS;
}

/* Start slices until n are started. Returns 0 if one of them has not arrived, and the execution may not
 * wait. */
static int start_slices(step *s, int n)
{
    if (s->started >= n)
        return 1;
    charge_pass(s);
    while (s->started < n && may_start(s))
        start_slice(s);
    charge_exchange(s, &s->in);
    return s->started >= n;
}

/* Post slices until n are posted. */
static void post_slices(step *s, int n)
{
    for (; s->posted < n; s->posted++) {
        if (s->x->is_lost)
            (void)subx_pipe_set_failed(s->out.pipe);
        keep(s, subx_pipe_post(s->out.pipe, s->posted));
    }
}

/* Wait for partners that may still read the area to which a pass will write. */
static int await_area(step *s)
{
    if (!s->out.slices || s->has_area)
        return 1;
    subx_pipe *busy = &s->a->busy[s->out.e->send_area[s->out.d]];
    if (*busy) {
        charge_pass(s);
        s->has_area = may_end(s, *busy);
        if (s->has_area)
            keep(s, subx_pipe_wait(*busy));
        charge_exchange(s, &s->out);
        if (!s->has_area)
            return 0;
    }
    *busy = s->out.pipe;
    s->has_area = 1;
    return 1;
}

static void test_pipes(step *s)
{
    int flag;
    if (s->in.slices)
        keep(s, subx_pipe_test(s->in.pipe, s->in.slices - 1, &flag));
    if (s->posted)
        keep(s, subx_pipe_test(s->out.pipe, 0, &flag));
}

/* Called between tiles: let messages make progress, also those of other plans in flight. */
static void progress(void *context)
{
    step *s = context;
    test_pipes(s);
    sx_plan_progress_others(s->x->plan);
}

/* Complete the epoch of the pipe that the pass has read. If there are messages, wait until this rank's
 * messages are sent, because MPI may make no progress on them after the execution has returned. */
static int end_epoch(step *s)
{
    if (!s->in.slices)
        return 1;
    if (!s->is_complete)
        keep(s, subx_pipe_complete(s->in.pipe));
    s->is_complete = 1;
    if (!s->a->has_messages)
        return 1;
    charge_pass(s);
    const int ends = may_end(s, s->in.pipe);
    if (ends) {
        keep(s, subx_pipe_wait(s->in.pipe));
        s->a->busy[s->in.e->send_area[s->in.d]] = SUBX_PIPE_NULL;
    }
    charge_exchange(s, &s->in);
    return ends;
}

/* ---- operations */

/* Call the caller's operation for a box. The caller's operation gets global indices. */
static void call_operation(void *context, int thread, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                           const ptrdiff_t stride[], void *data)
{
    const sx_fused_call *c = context;
    const ptrdiff_t *first = c->plan->stage[c->i].to.start;
    ptrdiff_t start[SUBX_NDIMS_MAX];
    (void)thread;
    for (int i = 0; i < ndims; i++)
        start[i] = lo[i] + first[i];
    const sx_operation_box box = {ndims, start, n, stride, data};
    c->op->call(c->op->context, &box);
}

/* Get the operation that a pass calls; its `call` is NULL if there is none. */
static sx_operation get_operation(const step *s, sx_fused_call *context)
{
    const subx_fft_plan plan = s->x->plan;
    if (plan->choice.array.factored && sx_stage_is_transformed(&plan->stage[s->i], 0))
        return (sx_operation){sx_fused_multiply_twiddles, context};
    return (sx_operation){s->x->plan->run.op && s->i == s->a->turn ? call_operation : NULL, context};
}

/* ---- one pass */

static void transform(step *s, sx_range range)
{
    const void *const *from = s->in.slices ? get_blocks(s) : &s->from;
    void *to = s->out.slices ? s->a->send[s->out.e->send_area[s->out.d]] : s->to;
    const int pauses = s->a->has_messages || sx_plan_has_others(s->x->plan);
    const sx_pause pause = {progress, s, s->x->plan->choice.hints.progress};
    sx_fused_call call = {s->x->plan, s->i, s->d, s->x->plan->run.op};
    const sx_operation op = get_operation(s, &call);
    for (int k = 0; k < s->pass->npasses[s->d] && !s->x->is_lost; k++)
        sx_pass_execute(s->pass->pass[s->d][k], range, from, &to, pauses ? &pause : NULL,
                        op.call ? &op : NULL);
}

/* Execute a pass: in the slices of the pipe before the pass, in the slices of the pipe after the pass, or all
 * at once. */
static int execute_pass(step *s)
{
    const int slices = s->pass->slices[s->d];
    const int reads = slices == SX_SLICES_IN || slices == SX_SLICES_THROUGH;
    const int sends = slices == SX_SLICES_OUT || slices == SX_SLICES_THROUGH;
    const end *by = reads ? &s->in : sends ? &s->out : NULL;
    if (!await_area(s))
        return 0;
    for (; s->done < (by ? by->slices : 1); s->done++) {
        const int k = s->done;
        if (!start_slices(s, reads ? k + 1 : s->in.slices))
            return 0;
        transform(s, by ? sx_fused_get_slice(s->x->plan, by->i, by->d, reads ? SX_TO : SX_FROM, k)
                        : (sx_range){.axis = -1});
        post_slices(s, sends ? k + 1 : 0);
    }
    post_slices(s, s->out.slices);
    if (!end_epoch(s))
        return 0;
    charge_pass(s);
    return 1;
}

/* ---- two passes that alternate: the pipe between them is a ring */

/* Transform a slice of a ring. At an edge the slice may consist of several ranges of indices. */
static void transform_parts(step *s, const end *ring, int side, int slice)
{
    const subx_fft_plan plan = s->x->plan;
    for (int part = 0; part < sx_fused_count_parts(plan, ring->i, ring->d, side); part++) {
        const sx_range range = sx_fused_get_part(plan, ring->i, ring->d, side, slice, part);
        if (range.lo < range.hi)
            transform(s, range);
    }
}

/* Wait until a slice may be written into the ring. */
static int wait_room(step *s, int slice)
{
    charge_pass(s);
    const int has_room = may_write(s, slice);
    if (has_room)
        keep(s, subx_pipe_wait_room(s->out.pipe, slice));
    charge_exchange(s, &s->out);
    return has_room;
}

/* Execute the next slice of the first pass, which writes into the ring. */
static int fill_slice(step *s)
{
    if (!wait_room(s, s->done))
        return 0;
    transform_parts(s, &s->out, SX_FROM, s->done++);
    post_slices(s, s->done);
    charge_pass(s);
    return 1;
}

/* Execute the next slice of the second pass, which reads the ring. */
static int read_slice(step *s)
{
    if (!start_slices(s, s->done + 1))
        return 0;
    transform_parts(s, &s->in, SX_TO, s->done);
    keep(s, subx_pipe_complete_slice(s->in.pipe, s->done++));
    charge_pass(s);
    return 1;
}

/* Execute two passes alternately, slice by slice. */
static int execute_in_turn(step *first, step *second)
{
    if (!await_area(first) || !await_area(second) || !start_slices(first, first->in.slices))
        return 0;
    while (second->done < first->out.slices)
        if ((first->done == second->done && !fill_slice(first)) || !read_slice(second))
            return 0;
    if (!end_epoch(first))
        return 0;
    post_slices(second, second->out.slices);
    charge_pass(second);
    return 1;
}

/* ---- the whole execution */

static end make_end(subx_fft_plan plan, int i, int d, int side)
{
    const int k = sx_plan_get_adjacent(plan, i, d, side);
    if (k < 0 || !sx_stage_is_exchange(&plan->stage[k]))
        return (end){.slices = 0};
    const sx_fused_pipe *e = &((const sx_fused *)plan->state)->pipe[k];
    return (end){.e = e, .pipe = e->pipe[d], .i = k, .d = d, .slices = e->nslices};
}

static step make_step(execution *x, int i, int d)
{
    const subx_fft_plan plan = x->plan;
    sx_fused *a = plan->state;
    const int turns = x->is_round && i == a->turn, out_d = turns ? SX_BACKWARD : d;
    return (step){.x = x,
                  .a = a,
                  .i = i,
                  .d = d,
                  .pass = turns ? &a->round : &a->pass[i],
                  .in = make_end(plan, i, d, SX_FROM),
                  .out = make_end(plan, i, out_d, SX_TO),
                  .from = sx_plan_get_adjacent(plan, i, d, SX_FROM) < 0 ? x->from : x->local,
                  .to = sx_plan_get_adjacent(plan, i, out_d, SX_TO) < 0 ? plan->run.to : x->local};
}

/* Get the stage of the next pass; -1 after the last pass. */
static int get_next(subx_fft_plan plan, int i, int d)
{
    const int k = sx_plan_get_adjacent(plan, i, d, SX_TO);
    return k >= 0 && sx_stage_is_exchange(&plan->stage[k]) ? sx_plan_get_adjacent(plan, k, d, SX_TO) : k;
}

/* Get the input of an execution: the caller's array, or a copy of it. If input and output are the same array,
 * a copy is needed before a pass that writes this array but not each tile to the place from which it has read
 * the tile: a single pass, or the first one of a direction with is_in_spectral. A round pass always writes
 * tiles where it has read them. */
static const void *keep_input(subx_fft_plan plan, int d, const void *from, const void *to)
{
    const sx_fused *a = plan->state;
    void *local = a->local;
    if (plan->run.error || from != to || !local || d == SX_ROUND ||
        (plan->nstages > 1 && !a->is_in_spectral[d]))
        return from;
    return memcpy(local, from, (size_t)sx_stage_get_bytes(plan->stage, d, SX_FROM));
}

static void set_times_zero(subx_fft_plan plan, int d)
{
    for (int i = 0; i < plan->nstages; i++)
        plan->stage[i].last[d] = 0;
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
    const int d = run->d;
    const int is_in_spectral = d != SX_ROUND && a->is_in_spectral[d];
    /* Such a plan has no exchanges. So this rank may return: no other rank waits for it. A rank without data
     * may pass NULL for both arrays. */
    if (is_in_spectral && !a->local && run->from && run->from == run->to)
        return subx_error_get_code(SUBX_ERR_ALIAS);
    choose_order(plan);
    if (d != SX_BACKWARD)
        set_times_zero(plan, SX_FORWARD);
    if (d != SX_FORWARD)
        set_times_zero(plan, SX_BACKWARD);
    a->run = (execution){.plan = plan,
                         .is_round = d == SX_ROUND,
                         .is_lost = run->error != MPI_SUCCESS,
                         .from = keep_input(plan, d, run->from, run->to),
                         .local = get_local(a, run),
                         .i = d == SX_BACKWARD ? plan->nstages - 1 : 0,
                         .d = d == SX_BACKWARD ? SX_BACKWARD : SX_FORWARD};
    return MPI_SUCCESS;
}

static int takes_turns(const step *s)
{
    return s->out.slices && s->out.e->is_ring;
}

/* Execute the next pass; or the next two passes if the pipe between them is a ring. */
static int execute_next(execution *x)
{
    step *s = &x->step[0], *next = &x->step[1];
    if (!x->is_open) {
        *s = make_step(x, x->i, x->d);
        if (takes_turns(s))
            *next = make_step(x, get_next(x->plan, x->i, x->d), x->d);
        x->is_open = 1;
    }
    return takes_turns(s) ? execute_in_turn(s, next) : execute_pass(s);
}

int sx_fused_execute(subx_fft_plan plan, int waits)
{
    sx_fused *a = plan->state;
    execution *x = &a->run;
    x->waits = waits;
    x->clock = MPI_Wtime();
    while (x->i >= 0) {
        if (!execute_next(x))
            return 0;
        const int i = x->step[takes_turns(x->step)].i;
        x->d = x->is_round && i == a->turn ? SX_BACKWARD : x->d;
        x->i = get_next(plan, i, x->d);
        x->is_open = 0;
    }
    return 1;
}

void sx_fused_progress(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    if (a->has_messages && a->run.is_open)
        test_pipes(&a->run.step[0]);
}
