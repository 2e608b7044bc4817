/* execute.c - execute the passes of a direction, one after the other or slice by slice, with pipes between them.
 *
 * Pipes go on to the end whatever happened on this rank, because peers wait for them: after an error every slice is
 * still posted, started, completed and waited for. A rank that did not get its data says so to those who wait for
 * what it would compute from it. */
#include "fused/fused.h"

/* A pass with the pipes that it reads from and writes to. */
typedef struct step {
    subx_fft_plan plan;
    sx_fused *a;
    int d;
    int i, in,
        out; /* indices of its stage, and of those of its pipes; -1 where it reads or writes an array */
    const void *from; /* arrays, where there is no pipe */
    void *to;
    int posted;   /* slices of `out` */
    int *error;   /* the first one of the execution */
    int *is_lost; /* some data did not arrive, so that nothing right can be computed any more */
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

/* ---- waiting, whose time is that of the exchange */

static void note(step *s, int i, double began)
{
    double seconds = MPI_Wtime() - began;
    s->plan->stage[i].last[s->d] += seconds;
    s->plan->stage[i].total[s->d] += seconds;
}

static void start_slice(step *s, int slice)
{
    double began = MPI_Wtime();
    const void **block = s->a->block + slice * sx_plan_get_ranks(s->plan, &s->plan->stage[s->in]);
    int rc = subx_pipe_start(get_in(s)->pipe[s->d], slice, block);
    keep(s, rc);
    *s->is_lost |= rc != MPI_SUCCESS;
    note(s, s->in, began);
}

static void post_slice(step *s, int slice)
{
    if (*s->is_lost)
        (void)subx_pipe_set_failed(get_out(s)->pipe[s->d]);
    keep(s, subx_pipe_post(get_out(s)->pipe[s->d], slice));
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
    int k = out->send_area[s->d];
    if (s->a->busy[k])
        keep(s, subx_pipe_wait(s->a->busy[k]));
    s->a->busy[k] = out->pipe[s->d];
    note(s, s->out, began);
}

/* Between tiles, let messages make progress. */
static void progress(void *context)
{
    step *s = context;
    int flag;
    if (s->in >= 0)
        keep(s, subx_pipe_test(get_in(s)->pipe[s->d], get_in(s)->nslices - 1, &flag));
    if (s->posted)
        keep(s, subx_pipe_test(get_out(s)->pipe[s->d], 0, &flag));
}

/* All blocks are read. Wait until the messages of this rank are sent, because MPI makes no progress on
 * them after the return. */
static void end_epoch(step *s)
{
    subx_pipe pipe = get_in(s)->pipe[s->d];
    double began = MPI_Wtime();
    keep(s, subx_pipe_complete(pipe));
    if (!s->a->has_messages)
        return;
    keep(s, subx_pipe_wait(pipe));
    s->a->busy[get_in(s)->send_area[s->d]] = SUBX_PIPE_NULL;
    note(s, s->in, began);
}

/* ---- one pass */

static void transform(step *s, sx_range range)
{
    const sx_pass pass = s->a->pass[s->i].pass[s->d];
    const void *const *from = s->in >= 0 ? s->a->block : &s->from;
    void *to = s->out >= 0 ? s->a->send[get_out(s)->send_area[s->d]] : s->to;
    sx_pause pause = {progress, s, s->plan->choice.progress};
    if (pass && !*s->is_lost)
        sx_pass_execute(pass, range, from, &to, s->a->has_messages ? &pause : NULL);
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
        transform(s, sx_fused_get_slice(s->plan, s->out, s->d, SX_FROM, slice));
        post_slice(s, slice);
    }
}

static void transform_in(step *s, int is_through)
{
    for (int slice = 0; slice < get_in(s)->nslices; slice++) {
        start_slice(s, slice);
        transform(s, sx_fused_get_slice(s->plan, s->in, s->d, SX_TO, slice));
        if (is_through)
            post_slice(s, slice);
    }
}

static void transform_slices(step *s)
{
    const int slices = s->a->pass[s->i].slices[s->d];
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
    return (s->in >= 0 ? stage[s->in].total[s->d] : 0) + (s->out >= 0 ? stage[s->out].total[s->d] : 0);
}

static void execute(step *s)
{
    sx_stage *stage = &s->plan->stage[s->i];
    double began = MPI_Wtime(), waited = get_waited(s);
    if (s->out >= 0)
        await_area(s);
    transform_slices(s);
    post_rest(s);
    if (s->in >= 0)
        end_epoch(s);
    stage->last[s->d] = MPI_Wtime() - began - (get_waited(s) - waited);
    stage->total[s->d] += stage->last[s->d];
}

/* ---- all of them */

/* Get the index of the exchange before or after a pass; -1 if there is none. */
static int get_exchange(subx_fft_plan plan, int i, int d, int side)
{
    int k = sx_plan_get_adjacent(plan, i, d, side);
    return k >= 0 && sx_plan_is_exchange(plan, k) ? k : -1;
}

int sx_fused_execute(subx_fft_plan plan, int d, const void *from, void *to)
{
    sx_fused *a = plan->state;
    void *local = a->local ? a->local : to;
    int error = MPI_SUCCESS, is_lost = 0;
    for (int i = 0; i < plan->nstages; i++)
        plan->stage[i].last[d] = 0;
    for (int k = 0; k < plan->nstages; k++) {
        int i = d == SX_FORWARD ? k : plan->nstages - 1 - k;
        step s = {.plan = plan, .a = a, .d = d, .i = i, .error = &error, .is_lost = &is_lost};
        if (sx_plan_is_exchange(plan, i))
            continue;
        s.in = get_exchange(plan, i, d, SX_FROM);
        s.out = get_exchange(plan, i, d, SX_TO);
        s.from = k == 0 ? from : local;
        s.to = k == plan->nstages - 1 ? to : local;
        execute(&s);
    }
    return error;
}
