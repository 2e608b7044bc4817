/* execute.c - execute the stages of a plan on a device. Without a stream of the caller, the rank waits at the end of each
 * stage until the stage's work has ended: then the time of a stage is the time of its work. */
#include "offload/offload.h"
#include <math.h>

static void keep_kind(int *error, int kind)
{
    *error = *error ? *error : subx_error_get_code(kind);
}

/* Wait for all work, also after an error, because the caller may free the memory next. A call that fails is repeated once. */
static void finish(const sx_offload *a, int *error)
{
    const int kind = a->device->finish(a->stream);
    keep_kind(error, kind);
    if (kind)
        (void)a->device->finish(a->stream);
}

/* ---- a stream of the caller */

/* Add to the stream `to` a wait for the work that is in the stream `from` now. */
static void follow(const sx_offload *a, void *from, void *event, void *to, int *error)
{
    if (!*error)
        keep_kind(error, a->device->record(from, event));
    if (!*error)
        keep_kind(error, a->device->await(to, event));
}

void sx_offload_start_in_stream(const sx_offload *a, int *error)
{
    if (a->caller)
        follow(a, a->caller, a->begun, a->stream, error);
}

void sx_offload_complete_in_stream(const sx_offload *a, int *error)
{
    if (a->caller)
        follow(a, a->stream, a->ended, a->caller, error);
    if (!a->caller || *error)
        finish(a, error);
}

/* End a stage. Without a stream of the caller, its work has ended when this function returns. */
static void end_stage(const sx_offload *a, int *error)
{
    if (!a->caller || *error)
        finish(a, error);
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
static void transform(const sx_offload *a, int i, int d, void *in, void *out, double factor, int *error)
{
    const sx_offload_stage *s = &a->stage[i];
    if (s->wide[d] && !*error)
        keep_kind(error, sx_offload_execute_wide(a, s->wide[d], in, out, factor));
    for (int k = 0; k < s->naxes[d] && !*error; k++) {
        void *const from = s->place[d][k] == SX_SERIAL_ON_OUTPUT ? out : in;
        void *const to = s->place[d][k] == SX_SERIAL_ON_INPUT ? in : out;
        keep_kind(error, a->device->transform(a->stream, s->transform[d][k], from, to));
    }
}

/* Execute an exchange. A rank with an error tells its partners; its arrays may be wrong, so it gives others. */
static void exchange(const sx_offload *a, int i, int d, void *in, void *out, int *error)
{
    const subx_exch ex = a->stage[i].exch[d];
    if (*error)
        (void)subx_exch_set_failed(ex);
    const int rc = subx_exch_execute(ex, *error ? a->work[0] : in, *error ? a->work[1] : out);
    *error = *error ? *error : rc;
}

static void add_time(sx_stage *s, int d, double began)
{
    s->last[d] = MPI_Wtime() - began;
    s->total[d] += s->last[d];
}

/* Execute the stage with index `at` in the order of direction d. `factor` must be 1 unless this is a wide stage: only
 * wide stages scale. */
static void execute_stage(subx_fft_plan plan, int d, int at, void *in, void *out, double factor, int *error)
{
    sx_offload *a = plan->state;
    sx_stage *s = sx_plan_get_stage(plan, d, at);
    const int i = sx_base_fit(s - plan->stage);
    const double began = MPI_Wtime();
    if (sx_stage_is_exchange(s))
        exchange(a, i, d, in, out, error);
    else
        transform(a, i, d, in, out, factor, error);
    end_stage(a, error);
    add_time(s, d, began);
}

/* Execute the stages of a direction. Transforms between two exchanges are in place. Returns the array with the result: `to`,
 * or a work array if `to` is NULL. */
static void *execute_stages(subx_fft_plan plan, int d, void *in, void *to, double factor, int *error)
{
    const sx_offload *a = plan->state;
    const int last = plan->nstages - 1;
    for (int i = 0; i <= last; i++) {
        const int stays = i > 0 && i < last && !sx_stage_is_exchange(sx_plan_get_stage(plan, d, i));
        void *out = stays ? in : in == a->work[0] ? a->work[1] : a->work[0];
        out = i == last && to ? to : out;
        execute_stage(plan, d, i, in, out, i == last ? factor : 1, error);
        in = out;
    }
    return in;
}

/* ---- scaling */

/* Get the factor by which an execution multiplies its results: 1 / sqrt(N) to the power plan->roots[d]. A round
 * execution has the product of the factors of both directions. */
static double get_factor(subx_fft_plan plan, int d)
{
    const int roots = d == SX_ROUND ? plan->roots[SX_FORWARD] + plan->roots[SX_BACKWARD] : plan->roots[d];
    return roots == 0 ? 1 : roots == 2 ? 1 / plan->volume : 1 / sqrt(plan->volume);
}

/* Query whether the last stage of a direction multiplies by the factor. A wide stage does so in its last copy, unless an
 * operation follows: operations get data that is not scaled. */
static int scales_itself(subx_fft_plan plan, int d, int has_operation)
{
    const sx_offload *a = plan->state;
    const sx_stage *last = sx_plan_get_stage(plan, d, plan->nstages - 1);
    return a->stage[last - plan->stage].wide[d] && !(d == SX_FORWARD && has_operation);
}

static void scale(subx_fft_plan plan, int d, void *array, double factor, int *error)
{
    const sx_offload *a = plan->state;
    const int real_bytes = sx_base_fit(plan->choice.array.real_bytes),
              side = d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
    const sx_box *b = sx_stage_get_box(sx_plan_get_stage(plan, d, plan->nstages - 1), d, SX_TO);
    const double began = MPI_Wtime();
    if (!*error && b->bytes > 0 && plan->choice.problem->storage[side].has_strides)
        keep_kind(error, sx_offload_scale_box(a, real_bytes, b, array, factor));
    else if (!*error && b->bytes > 0)
        keep_kind(error, a->device->scale(a->stream, real_bytes, array, b->bytes / real_bytes, factor));
    end_stage(a, error);
    add_time(&plan->stage[plan->nstages], d, began);
}

/* ---- executions */

/* Check that the arrays of the caller are in the device's memory, before any work on these arrays is added to a stream. */
static int check_arrays(subx_fft_plan plan, const sx_execution *run)
{
    const sx_offload *a = plan->state;
    const void *const array[2] = {run->from, run->to};
    const int side[2] = {run->d == SX_BACKWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL,
                         run->d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL};
    for (int k = 0; k < 2; k++) {
        const ptrdiff_t bytes = sx_plan_get_bytes(plan, side[k]);
        if (bytes > 0 && !a->device->has(a->handle, array[k], bytes))
            return subx_error_get_code(SUBX_ERR_ARG);
    }
    return MPI_SUCCESS;
}

/* Get the array that the first stage reads: the input, or a copy of the input in a work array. As in fft/staged, a plan with
 * a single stage reads a copy if both arrays are the same, or if the stage is a transform to real data, which destroys its
 * input. If an operation precedes backward, the operation changes a copy of the input. */
static void *keep_input(subx_fft_plan plan, const sx_execution *run, int *error)
{
    const sx_offload *a = plan->state;
    const int d = run->d == SX_ROUND ? SX_FORWARD : run->d;
    const sx_stage *s = &plan->stage[0];
    const ptrdiff_t bytes = sx_stage_get_bytes(sx_plan_get_stage(plan, d, 0), d, SX_FROM);
    const int is_c2r = d == SX_BACKWARD && s->from.width != s->to.width;
    const int operates = d == SX_BACKWARD && run->op;
    const int destroys = plan->nstages == 1 && run->d != SX_ROUND && (run->from == run->to || is_c2r);
    if (bytes == 0 || (!operates && !destroys))
        return (void *)(size_t)run->from; /* casts const away: the first stage does not write to its input */
    if (!*error)
        keep_kind(error, a->device->copy(a->stream, a->work[0], run->from, bytes));
    return a->work[0];
}

static void operate(subx_fft_plan plan, void *x, int *error)
{
    if (!plan->run.op)
        return;
    sx_offload_execute_operation(plan, plan->run.op, x, error);
    end_stage(plan->state, error);
}

static void execute(subx_fft_plan plan, int *error)
{
    const sx_execution *run = &plan->run;
    const int last = run->d == SX_FORWARD ? SX_FORWARD : SX_BACKWARD;
    const double factor = get_factor(plan, run->d);
    const int itself = scales_itself(plan, last, run->op != NULL);
    void *at = keep_input(plan, run, error);
    if (run->d != SX_BACKWARD)
        at = execute_stages(plan, SX_FORWARD, at, run->d == SX_FORWARD ? run->to : NULL,
                            run->d == SX_FORWARD && itself ? factor : 1, error);
    operate(plan, at, error);
    if (run->d != SX_FORWARD)
        (void)execute_stages(plan, SX_BACKWARD, at, run->to, itself ? factor : 1, error);
    if (factor != 1 && !itself)
        scale(plan, last, run->to, factor, error);
}

/* Executions of other strategies may stop half-way. This one does not: the first call of `execute` does all of it. */
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
    const sx_offload *a = plan->state;
    int error = check_arrays(plan, &plan->run);
    (void)waits;
    sx_offload_start_in_stream(a, &error);
    execute(plan, &error);
    sx_offload_complete_in_stream(a, &error);
    plan->run.error = error;
    return 1;
}
