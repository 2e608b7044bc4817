/* execute.c - execute the passes of a direction, one after the other or slice by slice, with pipes between them.
 *
 * Every epoch of a pipe goes on to its end, because partners wait for this rank: after an error every slice is still
 * posted, started, completed and waited for. A rank that did not get its data marks its own data as wrong for the ranks
 * that wait for it. */
#include "fused/fused.h"
#include <string.h>

/* The data of an execution. */
typedef struct execution {
    subx_fft_plan plan;
    int is_round; /* forward, an operation, backward */
    const void *from;
    void *to, *local;
    subx_fft_operation op;
    int error;   /* the first error */
    int is_lost; /* 1 if some data did not arrive: from then on results are wrong */
} execution;

/* One side of a pass: a pipe, or an array, which has no slices. */
typedef struct end {
    const sx_fused_pipe *e;
    subx_pipe pipe;
    int i; /* the stage of the exchange */
    int d; /* the direction in which it is executed, which chooses area and times; `out` of a round pass: backward */
    int slices;
} end;

/* A pass with its input and output. */
typedef struct step {
    execution *x;
    sx_fused *a;
    int i, d;                  /* the stage of the pass; the direction to whose times the pass is added */
    const sx_fused_pass *pass; /* its entries for direction d have index d */
    end in, out;
    int started, posted; /* numbers of slices */
    const void *from;    /* arrays, if there is no pipe */
    void *to;
} step;

static void keep(step *s, int rc)
{
    s->x->error = s->x->error ? s->x->error : rc;
}

/* ---- waiting; the time is added to the exchange */

static void note(step *s, const end *at, double began)
{
    sx_stage *stage = &s->x->plan->stage[at->i];
    const double seconds = MPI_Wtime() - began;
    stage->last[at->d] += seconds;
    stage->total[at->d] += seconds;
}

static const void **get_blocks(const step *s)
{
    return s->a->block[s->in.e->is_ring];
}

/* Wait until the slices before slice `last` have arrived. */
static void start_slices(step *s, int last)
{
    for (; s->started < last; s->started++) {
        const double began = MPI_Wtime();
        const int first = s->started * sx_plan_get_ranks(s->x->plan, &s->x->plan->stage[s->in.i]);
        const int rc = subx_pipe_start(s->in.pipe, s->started, get_blocks(s) + first);
        keep(s, rc);
        s->x->is_lost |= rc != MPI_SUCCESS;
        note(s, &s->in, began);
    }
}

static void post_slices(step *s, int last)
{
    for (; s->posted < last; s->posted++) {
        if (s->x->is_lost)
            (void)subx_pipe_set_failed(s->out.pipe);
        keep(s, subx_pipe_post(s->out.pipe, s->posted));
    }
}

/* Partners may still be reading the area that a pass will write to: wait for them. */
static void await_area(step *s)
{
    if (!s->out.slices)
        return;
    const double began = MPI_Wtime();
    subx_pipe *busy = &s->a->busy[s->out.e->send_area[s->out.d]];
    if (*busy)
        keep(s, subx_pipe_wait(*busy));
    *busy = s->out.pipe;
    note(s, &s->out, began);
}

/* Called between tiles: let messages make progress. */
static void progress(void *context)
{
    step *s = context;
    int flag;
    if (s->in.slices)
        keep(s, subx_pipe_test(s->in.pipe, s->in.slices - 1, &flag));
    if (s->posted)
        keep(s, subx_pipe_test(s->out.pipe, 0, &flag));
}

/* After all blocks were read, complete the epoch. If there are messages, wait until those of this rank are sent, because
 * MPI makes no progress on them after the execution has returned. */
static void end_epoch(step *s)
{
    if (!s->in.slices)
        return;
    const double began = MPI_Wtime();
    keep(s, subx_pipe_complete(s->in.pipe));
    if (s->a->has_messages) {
        keep(s, subx_pipe_wait(s->in.pipe));
        s->a->busy[s->in.e->send_area[s->in.d]] = SUBX_PIPE_NULL;
    }
    note(s, &s->in, began);
}

/* Get the time that a pass has waited so far, which is not added to its own time. */
static double get_waited(const step *s)
{
    const sx_stage *stage = s->x->plan->stage;
    return (s->in.slices ? stage[s->in.i].total[s->in.d] : 0) +
           (s->out.slices ? stage[s->out.i].total[s->out.d] : 0);
}

/* A timer: counts the time since it began, without the time of waiting. */
typedef struct timer {
    double began, waited;
} timer;

static timer start_timer(const step *s)
{
    return (timer){MPI_Wtime(), get_waited(s)};
}

static void stop_timer(step *s, timer t)
{
    sx_stage *stage = &s->x->plan->stage[s->i];
    const double seconds = MPI_Wtime() - t.began - (get_waited(s) - t.waited);
    stage->last[s->d] += seconds;
    stage->total[s->d] += seconds;
}

/* ---- operations */

/* The caller's operation gets global indices. */
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

/* Get the operation that a pass applies to spectra; `call` is NULL if there is none. */
static sx_operation get_operation(const step *s, sx_fused_call *context)
{
    const subx_fft_plan plan = s->x->plan;
    if (plan->choice.array.factored && sx_fused_is_transformed(&plan->stage[s->i], 0))
        return (sx_operation){sx_fused_multiply_twiddles, context};
    return (sx_operation){s->x->op && s->i == s->a->turn ? call_operation : NULL, context};
}

/* ---- one pass */

static void transform(step *s, sx_range range)
{
    const void *const *from = s->in.slices ? get_blocks(s) : &s->from;
    void *to = s->out.slices ? s->a->send[s->out.e->send_area[s->out.d]] : s->to;
    const sx_pause pause = {progress, s, s->x->plan->choice.hints.progress};
    sx_fused_call call = {s->x->plan, s->i, s->d, s->x->op};
    const sx_operation op = get_operation(s, &call);
    for (int k = 0; k < s->pass->npasses[s->d] && !s->x->is_lost; k++)
        sx_pass_execute(s->pass->pass[s->d][k], range, from, &to, s->a->has_messages ? &pause : NULL,
                        op.call ? &op : NULL);
}

/* Execute a pass slice by slice: by the slices of the pipe before it, or else of the pipe after it; or all at once. */
static void execute_pass(step *s)
{
    const int slices = s->pass->slices[s->d];
    const int reads = slices == SX_SLICES_IN || slices == SX_SLICES_THROUGH;
    const int sends = slices == SX_SLICES_OUT || slices == SX_SLICES_THROUGH;
    const end *by = reads ? &s->in : sends ? &s->out : NULL;
    const timer t = start_timer(s);
    await_area(s);
    for (int k = 0; k < (by ? by->slices : 1); k++) {
        start_slices(s, reads ? k + 1 : s->in.slices);
        transform(s, by ? sx_fused_get_slice(s->x->plan, by->i, by->d, reads ? SX_TO : SX_FROM, k)
                        : (sx_range){.axis = -1});
        post_slices(s, sends ? k + 1 : 0);
    }
    post_slices(s, s->out.slices);
    end_epoch(s);
    stop_timer(s, t);
}

/* ---- two passes in turns */

static void transform_parts(step *s, const end *ring, int side, int slice)
{
    const subx_fft_plan plan = s->x->plan;
    const timer t = start_timer(s);
    for (int part = 0; part < sx_fused_count_parts(plan, ring->i, ring->d, side); part++) {
        const sx_range range = sx_fused_get_part(plan, ring->i, ring->d, side, slice, part);
        if (range.lo < range.hi)
            transform(s, range);
    }
    stop_timer(s, t);
}

static void wait_room(step *s, int slice)
{
    const double began = MPI_Wtime();
    keep(s, subx_pipe_wait_room(s->out.pipe, slice));
    note(s, &s->out, began);
}

/* Execute two passes in turns; the pipe between them is a ring. */
static void execute_in_turn(step *first, step *second)
{
    await_area(first);
    await_area(second);
    start_slices(first, first->in.slices);
    for (int slice = 0; slice < first->out.slices; slice++) {
        wait_room(first, slice);
        transform_parts(first, &first->out, SX_FROM, slice);
        post_slices(first, slice + 1);
        start_slices(second, slice + 1);
        transform_parts(second, &second->in, SX_TO, slice);
        keep(second, subx_pipe_complete_slice(second->in.pipe, slice));
    }
    end_epoch(first);
    post_slices(second, second->out.slices);
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
                  .to = sx_plan_get_adjacent(plan, i, out_d, SX_TO) < 0 ? x->to : x->local};
}

/* Get the stage of the next pass; -1 after the last pass. */
static int get_next(subx_fft_plan plan, int i, int d)
{
    const int k = sx_plan_get_adjacent(plan, i, d, SX_TO);
    return k >= 0 && sx_stage_is_exchange(&plan->stage[k]) ? sx_plan_get_adjacent(plan, k, d, SX_TO) : k;
}

/* If a plan has a single pass, its input and output must not be the same array, unless each tile is written where it
 * was read; a round pass does this. Returns a copy of the input if necessary. */
static const void *keep_input(subx_fft_plan plan, int d, const void *from, const void *to)
{
    void *local = ((sx_fused *)plan->state)->local;
    if (plan->nstages > 1 || from != to || !local || d == SX_ROUND)
        return from;
    return memcpy(local, from, (size_t)sx_stage_get_bytes(plan->stage, d, SX_FROM));
}

static void set_times_zero(subx_fft_plan plan, int d)
{
    for (int i = 0; i < plan->nstages; i++)
        plan->stage[i].last[d] = 0;
}

static execution begin(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op)
{
    const sx_fused *a = plan->state;
    void *local = a->is_in_spectral && d == SX_BACKWARD ? (void *)(size_t)from : to;
    if (d != SX_BACKWARD)
        set_times_zero(plan, SX_FORWARD);
    if (d != SX_FORWARD)
        set_times_zero(plan, SX_BACKWARD);
    return (execution){.plan = plan,
                       .is_round = d == SX_ROUND,
                       .from = keep_input(plan, d, from, to),
                       .to = to,
                       .local = a->local ? a->local : local,
                       .op = op};
}

int sx_fused_execute(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op)
{
    const sx_fused *a = plan->state;
    /* A plan with is_in_spectral has no exchanges, so no other rank waits for this one. A rank without data may pass
     * NULL for both arrays. */
    if (a->is_in_spectral && from && from == to)
        return subx_error_get_code(SUBX_ERR_ALIAS);
    execution x = begin(plan, d, from, to, op);
    d = d == SX_ROUND ? SX_FORWARD : d;
    /* One pass after the other; two passes with a ring between them take turns. */
    for (int i = d == SX_FORWARD ? 0 : plan->nstages - 1; i >= 0; i = get_next(plan, i, d)) {
        step s = make_step(&x, i, d);
        if (s.out.slices && s.out.e->is_ring) {
            i = get_next(plan, i, d);
            step next = make_step(&x, i, d);
            execute_in_turn(&s, &next);
        } else {
            execute_pass(&s);
        }
        d = x.is_round && i == a->turn ? SX_BACKWARD : d;
    }
    return x.error;
}
