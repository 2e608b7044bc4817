/* fused.c - run the passes of a direction, one after the other or slice by slice, with pipes between them. */
#include "plan/plan.h"

/* A pass with the pipes that it reads from and writes to; NULL where it reads or writes an array. */
typedef struct run {
    subx_fft_plan plan;
    int d;
    sx_stage *stage, *in, *out;
    const void *from; /* arrays, where there is no pipe */
    void *to;
    int posted; /* slices of `out` */
    int error;
} run;

static void keep(run *r, int rc)
{
    r->error = r->error ? r->error : rc;
}

/* ---- waiting, whose time is the exchange's */

static void note(sx_stage *e, int d, double began)
{
    double seconds = MPI_Wtime() - began;
    e->last[d] += seconds;
    e->total[d] += seconds;
}

static void start_slice(run *r, int slice)
{
    double began = MPI_Wtime();
    const void **block = r->plan->areas.block + slice * sx_plan_get_ranks(r->plan, r->in);
    keep(r, subx_pipe_start(r->in->pipe[r->d], slice, block));
    note(r->in, r->d, began);
}

static void post_slice(run *r, int slice)
{
    keep(r, subx_pipe_post(r->out->pipe[r->d], slice));
    r->posted = slice + 1;
}

static void post_rest(run *r)
{
    for (int slice = r->posted; r->out && slice < r->out->nslices; slice++)
        post_slice(r, slice);
}

/* The area that a pass is about to write into may still be read by others. */
static void await_area(run *r)
{
    sx_areas *a = &r->plan->areas;
    subx_pipe pipe = r->out->pipe[r->d];
    double began = MPI_Wtime();
    int k = r->out->area[r->d];
    if (a->busy[k])
        keep(r, subx_pipe_wait(a->busy[k]));
    a->busy[k] = pipe;
    note(r->out, r->d, began);
}

/* Between tiles, messages are helped on. */
static void progress(void *context)
{
    run *r = context;
    int flag;
    if (r->in)
        keep(r, subx_pipe_test(r->in->pipe[r->d], r->in->nslices - 1, &flag));
    if (r->posted)
        keep(r, subx_pipe_test(r->out->pipe[r->d], 0, &flag));
}

/* ---- a pass */

static void run_range(run *r, sx_range range)
{
    const sx_choice *c = &r->plan->choice;
    sx_pause pause = {progress, r, c->progress};
    const void *const *from = r->in ? r->plan->areas.block : &r->from;
    void *to = r->out ? r->plan->areas.send[r->out->area[r->d]] : r->to;
    if (r->stage->pass[r->d] && !r->error)
        sx_pass_execute(r->stage->pass[r->d], range, from, &to, r->plan->areas.far ? &pause : NULL);
}

/* A slice in the local array on a side of an exchange. Slices along the divided axis are of this rank's
 * part. */
static sx_range get_range(const sx_stage *e, int d, int side, int slice)
{
    sx_range range = {.axis = e->slice_axis[d]};
    ptrdiff_t n = 0;
    (void)subx_block_get(sx_stage_get_box(e, d, side)->len[range.axis], e->nslices, slice, &n, &range.lo);
    range.hi = range.lo + n;
    return range;
}

static void run_out_slices(run *r)
{
    for (int slice = 0; slice < r->out->nslices; slice++) {
        run_range(r, get_range(r->out, r->d, SX_FROM, slice));
        post_slice(r, slice);
    }
}

static void run_in_slices(run *r, int posts)
{
    for (int slice = 0; slice < r->in->nslices; slice++) {
        start_slice(r, slice);
        run_range(r, get_range(r->in, r->d, SX_TO, slice));
        if (posts)
            post_slice(r, slice);
    }
}

static void run_slices(run *r)
{
    int slices = r->stage->slices[r->d];
    if (slices == SX_SLICES_IN || slices == SX_SLICES_THROUGH) {
        run_in_slices(r, slices == SX_SLICES_THROUGH);
        return;
    }
    for (int slice = 0; r->in && slice < r->in->nslices; slice++)
        start_slice(r, slice);
    if (slices == SX_SLICES_OUT)
        run_out_slices(r);
    else
        run_range(r, (sx_range){.axis = -1});
}

/* All that came is read. What this rank has sent by messages must be gone before it waits for anything
 * else, or returns: they go on only while MPI is called for them. */
static void end_run(run *r)
{
    sx_areas *a = &r->plan->areas;
    subx_pipe pipe = r->in->pipe[r->d];
    double began = MPI_Wtime();
    keep(r, subx_pipe_complete(pipe));
    if (!a->far)
        return;
    keep(r, subx_pipe_wait(pipe));
    a->busy[r->in->area[r->d]] = SUBX_PIPE_NULL;
    note(r->in, r->d, began);
}

/* What the pass waited for is not its own time. */
static double get_waited(const run *r)
{
    return (r->in ? r->in->total[r->d] : 0) + (r->out ? r->out->total[r->d] : 0);
}

static int run_pass(run *r)
{
    double began = MPI_Wtime(), waited = get_waited(r);
    if (r->out)
        await_area(r);
    run_slices(r);
    post_rest(r);
    if (r->in)
        end_run(r);
    double seconds = MPI_Wtime() - began - (get_waited(r) - waited);
    r->stage->last[r->d] = seconds;
    r->stage->total[r->d] += seconds;
    return r->error;
}

/* ---- all of them */

static sx_stage *get_exchange(subx_fft_plan plan, int d, int i)
{
    sx_stage *s = i >= 0 && i < plan->nstages ? sx_plan_get_stage(plan, d, i) : NULL;
    return s && sx_stage_is_exchange(s) ? s : NULL;
}

int sx_plan_run_fused(subx_fft_plan plan, int d, const void *from, void *to)
{
    void *local = plan->areas.local ? plan->areas.local : to;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        if (sx_stage_is_exchange(&plan->stage[i]))
            plan->stage[i].last[d] = 0;
    for (int i = 0; i < plan->nstages && !rc; i++) {
        run r = {.plan = plan, .d = d, .stage = sx_plan_get_stage(plan, d, i)};
        if (sx_stage_is_exchange(r.stage))
            continue;
        r.in = get_exchange(plan, d, i - 1);
        r.out = get_exchange(plan, d, i + 1);
        r.from = i == 0 ? from : local;
        r.to = i == plan->nstages - 1 ? to : local;
        rc = run_pass(&r);
    }
    return rc;
}
