/* execute.c - execute the passes of a direction, one after the other or slice by slice, with pipes between them.
 *
 * Pipes go on to the end whatever happened on this rank, because peers wait for them: after an error every slice is
 * still posted, started, completed and waited for. A rank that did not get its data says so to those who wait for
 * what it would compute from it. */
#include "fused/fused.h"
#include <string.h>

/* A pass with the pipes that it reads from and writes to. */
typedef struct step {
    subx_fft_plan plan;
    sx_fused *a;
    int i, d;                  /* its stage, and the direction whose times it counts for */
    const sx_fused_pass *pass; /* with index `d` */
    int in, in_d, out, out_d;  /* the stages and directions of its pipes; -1 where there is an array */
    const void *from;          /* arrays, where there is no pipe */
    void *to;
    const sx_operation *op; /* NULL for none */
    int posted;             /* slices of `out` */
    int *error;             /* the first one of the execution */
    int *is_lost;           /* some data did not arrive, so that nothing right can be computed any more */
} step;

static void keep(step *s, int rc)
{
    *s->error = *s->error ? *s->error : rc;
}

static sx_fused_pipe *get_in(const step *s)
{
    return s->in < 0 ? NULL : &s->a->pipe[s->in];
}

static sx_fused_pipe *get_out(const step *s)
{
    return s->out < 0 ? NULL : &s->a->pipe[s->out];
}

static subx_pipe get_in_pipe(const step *s)
{
    return get_in(s)->pipe[s->in_d];
}

static subx_pipe get_out_pipe(const step *s)
{
    return get_out(s)->pipe[s->out_d];
}

/* ---- waiting, whose time is that of the exchange */

static void note(step *s, int i, int d, double began)
{
    double seconds = MPI_Wtime() - began;
    s->plan->stage[i].last[d] += seconds;
    s->plan->stage[i].total[d] += seconds;
}

static const void **get_blocks(const step *s)
{
    return s->a->block[get_in(s)->is_ring];
}

static void start_slice(step *s, int slice)
{
    double began = MPI_Wtime();
    const int first = slice * sx_plan_get_ranks(s->plan, &s->plan->stage[s->in]);
    int rc = subx_pipe_start(get_in_pipe(s), slice, get_blocks(s) + first);
    keep(s, rc);
    *s->is_lost |= rc != MPI_SUCCESS;
    note(s, s->in, s->in_d, began);
}

static void post_slice(step *s, int slice)
{
    if (*s->is_lost)
        (void)subx_pipe_set_failed(get_out_pipe(s));
    keep(s, subx_pipe_post(get_out_pipe(s), slice));
    s->posted = slice + 1;
}

static void post_rest(step *s)
{
    while (s->out >= 0 && s->posted < get_out(s)->nslices)
        post_slice(s, s->posted);
}

/* Peers may still read the area that a pass is about to write into. */
static void await_area(step *s)
{
    const sx_fused_pipe *out = get_out(s);
    double began = MPI_Wtime();
    int k = out->send_area[s->out_d];
    if (s->a->busy[k])
        keep(s, subx_pipe_wait(s->a->busy[k]));
    s->a->busy[k] = get_out_pipe(s);
    note(s, s->out, s->out_d, began);
}

/* Between tiles, let messages make progress. */
static void progress(void *context)
{
    step *s = context;
    int flag;
    if (s->in >= 0)
        keep(s, subx_pipe_test(get_in_pipe(s), get_in(s)->nslices - 1, &flag));
    if (s->posted)
        keep(s, subx_pipe_test(get_out_pipe(s), 0, &flag));
}

/* All blocks are read. Wait until the messages of this rank are sent, because MPI makes no progress on
 * them after the return. */
static void end_epoch(step *s)
{
    subx_pipe pipe = get_in_pipe(s);
    double began = MPI_Wtime();
    keep(s, subx_pipe_complete(pipe));
    if (!s->a->has_messages)
        return;
    keep(s, subx_pipe_wait(pipe));
    s->a->busy[get_in(s)->send_area[s->in_d]] = SUBX_PIPE_NULL;
    note(s, s->in, s->in_d, began);
}

/* ---- one pass */

static void transform(step *s, sx_range range)
{
    const void *const *from = s->in >= 0 ? get_blocks(s) : &s->from;
    void *to = s->out >= 0 ? s->a->send[get_out(s)->send_area[s->out_d]] : s->to;
    sx_pause pause = {progress, s, s->plan->choice.hints.progress};
    for (int k = 0; k < s->pass->npasses[s->d] && !*s->is_lost; k++)
        sx_pass_execute(s->pass->pass[s->d][k], range, from, &to, s->a->has_messages ? &pause : NULL, s->op);
}

static void transform_all(step *s)
{
    transform(s, (sx_range){.axis = -1});
}

static void start_all(step *s)
{
    for (int slice = 0; s->in >= 0 && slice < get_in(s)->nslices; slice++)
        start_slice(s, slice);
}

static void transform_out(step *s)
{
    for (int slice = 0; slice < get_out(s)->nslices; slice++) {
        transform(s, sx_fused_get_slice(s->plan, s->out, s->out_d, SX_FROM, slice));
        post_slice(s, slice);
    }
}

static void transform_in(step *s, int is_through)
{
    for (int slice = 0; slice < get_in(s)->nslices; slice++) {
        start_slice(s, slice);
        transform(s, sx_fused_get_slice(s->plan, s->in, s->in_d, SX_TO, slice));
        if (is_through)
            post_slice(s, slice);
    }
}

static void transform_slices(step *s)
{
    const int slices = s->pass->slices[s->d];
    if (slices == SX_SLICES_IN || slices == SX_SLICES_THROUGH) {
        transform_in(s, slices == SX_SLICES_THROUGH);
        return;
    }
    start_all(s);
    if (slices == SX_SLICES_OUT)
        transform_out(s);
    else
        transform_all(s);
}

/* What the pass waited for is not its own time. */
static double get_waited(const step *s)
{
    const sx_stage *stage = s->plan->stage;
    return (s->in >= 0 ? stage[s->in].total[s->in_d] : 0) + (s->out >= 0 ? stage[s->out].total[s->out_d] : 0);
}

/* Count the time since the timer began, without what was waited. */
typedef struct timer {
    double began, waited;
} timer;

static timer start_timer(const step *s)
{
    return (timer){MPI_Wtime(), get_waited(s)};
}

static void stop_timer(step *s, timer t)
{
    sx_stage *stage = &s->plan->stage[s->i];
    const double seconds = MPI_Wtime() - t.began - (get_waited(s) - t.waited);
    stage->last[s->d] += seconds;
    stage->total[s->d] += seconds;
}

static void execute(step *s)
{
    const timer t = start_timer(s);
    if (s->out >= 0)
        await_area(s);
    transform_slices(s);
    post_rest(s);
    if (s->in >= 0)
        end_epoch(s);
    stop_timer(s, t);
}

/* ---- two passes that take turns */

static void transform_parts(step *s, int i, int d, int side, int slice)
{
    const timer t = start_timer(s);
    for (int part = 0; part < sx_fused_count_parts(s->plan, i, d, side); part++) {
        const sx_range range = sx_fused_get_part(s->plan, i, d, side, slice, part);
        if (range.lo < range.hi)
            transform(s, range);
    }
    stop_timer(s, t);
}

static void wait_room(step *s, int slice)
{
    const double began = MPI_Wtime();
    keep(s, subx_pipe_wait_room(get_out_pipe(s), slice));
    note(s, s->out, s->out_d, began);
}

/* The ring is the pipe between the two. */
static void execute_in_turn(step *first, step *second)
{
    const int nslices = get_out(first)->nslices;
    await_area(first);
    if (second->out >= 0)
        await_area(second);
    start_all(first);
    for (int slice = 0; slice < nslices; slice++) {
        wait_room(first, slice);
        transform_parts(first, first->out, first->out_d, SX_FROM, slice);
        post_slice(first, slice);
        start_slice(second, slice);
        transform_parts(second, second->in, second->in_d, SX_TO, slice);
        keep(second, subx_pipe_complete_slice(get_in_pipe(second), slice));
    }
    if (first->in >= 0)
        end_epoch(first);
    post_rest(second);
}

/* ---- operations */

/* The indices of the caller's operation are global. */
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

/* ---- all of them */

/* What an execution has from its beginning to its end. */
typedef struct execution {
    subx_fft_plan plan;
    const void *from;
    void *to, *local;
    subx_fft_operation op;
    int error, is_lost, is_begun;
} execution;

/* Get the exchange before or after a pass; -1 if there is none. */
static int get_exchange(subx_fft_plan plan, int i, int d, int side)
{
    int k = sx_plan_get_adjacent(plan, i, d, side);
    return k >= 0 && sx_stage_is_exchange(&plan->stage[k]) ? k : -1;
}

static step make_step(execution *e, int i, int d, int is_round)
{
    const subx_fft_plan plan = e->plan;
    sx_fused *a = plan->state;
    const int out_d = is_round ? SX_BACKWARD : d;
    step s = {.plan = plan,
              .a = a,
              .i = i,
              .d = d,
              .in_d = d,
              .out_d = out_d,
              .error = &e->error,
              .is_lost = &e->is_lost};
    s.pass = is_round ? &a->round : &a->pass[i];
    s.in = get_exchange(plan, i, d, SX_FROM);
    s.out = get_exchange(plan, i, out_d, SX_TO);
    s.from = e->is_begun ? e->local : e->from;
    s.to = sx_plan_get_adjacent(plan, i, out_d, SX_TO) < 0 ? e->to : e->local;
    e->is_begun = 1;
    return s;
}

static void execute_stage(execution *e, int i, int d, int is_round)
{
    const subx_fft_plan plan = e->plan;
    sx_fused_call call = {plan, i, d, e->op};
    const int has_twiddles = plan->choice.array.factored && sx_fused_is_transformed(&plan->stage[i], 0);
    const sx_operation op = {has_twiddles ? sx_fused_multiply_twiddles : call_operation, &call};
    step s = make_step(e, i, d, is_round);
    s.op = has_twiddles || (e->op && i == s.a->turn) ? &op : NULL;
    execute(&s);
}

/* Execute the pass that comes k-th, and with it the next one if a ring lies between them. Returns how many stages that
 * were. */
static int execute_next(execution *e, int k, int d)
{
    const subx_fft_plan plan = e->plan;
    const int i = d == SX_FORWARD ? k : plan->nstages - 1 - k, out = get_exchange(plan, i, d, SX_TO);
    if (out < 0 || !((const sx_fused *)plan->state)->pipe[out].is_ring) {
        execute_stage(e, i, d, 0);
        return out < 0 ? 1 : 2;
    }
    step first = make_step(e, i, d, 0);
    step second = make_step(e, sx_plan_get_adjacent(plan, out, d, SX_TO), d, 0);
    execute_in_turn(&first, &second);
    return second.out < 0 ? 3 : 4;
}

static execution begin(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op)
{
    const sx_fused *a = plan->state;
    void *local = a->is_in_spectral && d == SX_BACKWARD ? (void *)(size_t)from : to;
    return (execution){.plan = plan, .from = from, .to = to, .local = a->local ? a->local : local, .op = op};
}

/* A single pass cannot write where it has not read yet. */
static const void *keep_input(subx_fft_plan plan, int d, const void *from, const void *to)
{
    void *local = ((sx_fused *)plan->state)->local;
    if (plan->nstages > 1 || from != to || !local)
        return from;
    return memcpy(local, from, (size_t)sx_stage_get_bytes(plan->stage, d, SX_FROM));
}

static void set_times_zero(subx_fft_plan plan, int d)
{
    for (int i = 0; i < plan->nstages; i++)
        plan->stage[i].last[d] = 0;
}

int sx_fused_execute(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op)
{
    execution e = begin(plan, d, keep_input(plan, d, from, to), to, op);
    /* No rank waits for another one: such a plan has no exchanges. A rank without data may pass NULL for both. */
    if (((sx_fused *)plan->state)->is_in_spectral && from && from == to)
        return subx_error_get_code(SUBX_ERR_ALIAS);
    set_times_zero(plan, d);
    for (int k = 0; k < plan->nstages;)
        k += execute_next(&e, k, d);
    return e.error;
}

int sx_fused_execute_round(subx_fft_plan plan, const void *from, void *to, subx_fft_operation op)
{
    const int turn = ((sx_fused *)plan->state)->turn;
    execution e = begin(plan, SX_FORWARD, from, to, op);
    set_times_zero(plan, SX_FORWARD);
    set_times_zero(plan, SX_BACKWARD);
    for (int i = 0; i < turn; i++)
        if (!sx_stage_is_exchange(&plan->stage[i]))
            execute_stage(&e, i, SX_FORWARD, 0);
    execute_stage(&e, turn, SX_FORWARD, 1);
    for (int i = turn - 1; i >= 0; i--)
        if (!sx_stage_is_exchange(&plan->stage[i]))
            execute_stage(&e, i, SX_BACKWARD, 0);
    return e.error;
}
