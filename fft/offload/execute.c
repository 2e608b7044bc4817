/* execute.c - execute the stages of a plan on a device. Without a stream of the caller, a stage ends when its work has
 * ended: so its time is its own. */
#include "offload/offload.h"
#include <math.h>

static void keep_kind(int *error, int kind)
{
    *error = *error ? *error : subx_error_get_code(kind);
}

/* Wait for all work, also after an error: the memory may be freed next. A call that fails is repeated once. */
static void finish(const sx_offload *a, int *error)
{
    for (int side = 0; side < 2; side++) {
        const int kind = a->device->finish(a->stream[side]);
        keep_kind(error, kind);
        if (kind)
            (void)a->device->finish(a->stream[side]);
    }
}

/* ---- a stream of the caller */

/* Both streams go on after the work that the caller's stream has so far. */
static void follow(const sx_offload *a, int *error)
{
    if (!a->caller || *error)
        return;
    keep_kind(error, a->device->record(a->caller, a->begun));
    for (int side = 0; side < 2 && !*error; side++)
        keep_kind(error, a->device->await(a->stream[side], a->begun));
}

static void record_end(const sx_offload *a, int *error)
{
    for (int side = 0; side < 2 && !*error; side++)
        keep_kind(error, a->device->record(a->stream[side], a->ended[side]));
}

/* The caller's stream goes on after the work of both streams. */
static void lead(const sx_offload *a, int *error)
{
    if (!a->caller)
        return;
    record_end(a, error);
    for (int side = 0; side < 2 && !*error; side++)
        keep_kind(error, a->device->await(a->caller, a->ended[side]));
    if (*error)
        finish(a, error);
}

/* End a stage: what follows it begins after its work. */
static void end_stage(const sx_offload *a, int *error)
{
    if (!a->caller || *error) {
        finish(a, error);
        return;
    }
    record_end(a, error);
    for (int side = 0; side < 2 && !*error; side++)
        keep_kind(error, a->device->await(a->stream[side], a->ended[!side]));
}

int sx_offload_set_stream(subx_fft_plan plan, void *stream)
{
    sx_offload *a = plan->state;
    const int kind = stream ? a->device->record(stream, a->begun) : SUBX_ERR_NONE;
    a->caller = kind ? a->caller : stream;
    return subx_error_get_code(kind);
}

/* ---- stages */

/* Transform axis after axis. */
static void transform(const sx_offload *a, int i, int d, void *in, void *out, int *error)
{
    const sx_offload_stage *s = &a->stage[i];
    for (int k = 0; k < s->naxes[d] && !*error; k++) {
        void *const from = s->place[d][k] == SX_SERIAL_ON_OUTPUT ? out : in;
        void *const to = s->place[d][k] == SX_SERIAL_ON_INPUT ? in : out;
        keep_kind(error, a->device->transform(a->stream[0], s->transform[d][k], from, to));
    }
}

static void execute_stage(subx_fft_plan plan, int d, int at, void *in, void *out, int *error)
{
    sx_offload *a = plan->state;
    sx_stage *s = sx_plan_get_stage(plan, d, at);
    const int i = (int)(s - plan->stage);
    const double began = MPI_Wtime();
    if (sx_stage_is_exchange(s))
        sx_offload_execute_exchange(plan, i, d, in, out, error);
    else
        transform(a, i, d, in, out, error);
    end_stage(a, error);
    s->last[d] = MPI_Wtime() - began;
    s->total[d] += s->last[d];
}

static void scale(subx_fft_plan plan, int d, void *array, int *error)
{
    const sx_offload *a = plan->state;
    sx_stage *s = sx_plan_get_stage(plan, d, plan->nstages);
    const int precision = plan->choice.array.precision;
    const ptrdiff_t bytes = sx_stage_get_bytes(sx_plan_get_stage(plan, d, plan->nstages - 1), d, SX_TO);
    const double began = MPI_Wtime();
    const double factor = plan->roots[d] == 2 ? 1 / plan->volume : 1 / sqrt(plan->volume);
    if (!*error && bytes > 0)
        keep_kind(error, a->device->scale(a->stream[0], precision, array,
                                          bytes / sx_serial_get_real_bytes(precision), factor));
    end_stage(a, error);
    s->last[d] = MPI_Wtime() - began;
    s->total[d] += s->last[d];
}

/* The arrays of the caller must be the device's. Nothing is launched on them before this is known. */
static int check_arrays(subx_fft_plan plan, int d, const void *from, const void *to)
{
    const sx_offload *a = plan->state;
    const void *const array[2] = {d == SX_FORWARD ? from : to, d == SX_FORWARD ? to : from};
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t bytes = sx_plan_get_bytes(plan, side);
        if (bytes > 0 && !a->device->has(a->handle, array[side], bytes))
            return subx_error_get_code(SUBX_ERR_ARG);
    }
    return MPI_SUCCESS;
}

/* As in fft/staged: the stage of a plan with a single stage reads a copy of the input, if both arrays are the same, or if
 * a transform to real data destroys its input. */
static void *keep_input(subx_fft_plan plan, int d, void *from, const void *to, int *error)
{
    const sx_offload *a = plan->state;
    const sx_stage *s = &plan->stage[0];
    const ptrdiff_t bytes = sx_stage_get_bytes(s, d, SX_FROM);
    const int is_c2r = d == SX_BACKWARD && s->from.width != s->to.width;
    if (plan->nstages > 1 || bytes == 0 || (from != to && !is_c2r))
        return from;
    if (!*error)
        keep_kind(error, a->device->copy(a->stream[0], a->work[0], from, bytes));
    return a->work[0];
}

/* An execution does not stop half-way, as those of other strategies do: all of it is done in the first call of `execute`. */
int sx_offload_start(subx_fft_plan plan)
{
    (void)plan;
    return MPI_SUCCESS;
}

void sx_offload_progress(subx_fft_plan plan)
{
    (void)plan;
}

int sx_offload_execute(subx_fft_plan plan, int waits)
{
    sx_offload *a = plan->state;
    const sx_execution *run = &plan->run;
    int error = check_arrays(plan, run->d, run->from, run->to), at = 0;
    follow(a, &error);
    /* The first stage does not write to `from`, so `from` may be const. */
    void *in = keep_input(plan, run->d, (void *)(size_t)run->from, run->to, &error);
    (void)waits;
    for (int i = 0; i < plan->nstages; i++) {
        at ^= sx_stage_is_exchange(sx_plan_get_stage(plan, run->d, i));
        void *out = i == plan->nstages - 1 ? run->to : a->work[at];
        execute_stage(plan, run->d, i, in, out, &error);
        in = out;
    }
    if (plan->roots[run->d] > 0)
        scale(plan, run->d, run->to, &error);
    lead(a, &error);
    plan->run.error = error;
    return 1;
}
