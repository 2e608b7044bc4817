/* execute.c - list what a direction of a plan on a device does, and execute an event of the list. Without a
 * stream of the caller, the rank waits at the end of each stage until the stage's work has ended: then the
 * time of a stage is the time of its work. */
#include "offload/offload.h"
#include <math.h>

/* End a stage. Without a stream of the caller, its work has ended when this function returns. */
static void end_stage(const sx_offload *a, int *error)
{
    if (!a->caller || *error)
        sx_offload_wait(a, error);
}

/* ---- stages */

static void multiply_twiddles(subx_fft_plan plan, int i, int d, void *x, int *error)
{
    if (!*error && sx_offload_has_twiddles(plan, i))
        sx_offload_set_error(error, sx_offload_multiply_twiddles(plan, i, d, x));
}

static void copy_across(const sx_offload *a, const sx_offload_stage *s, int d, const void *in, void *out,
                        int *error)
{
    if (!*error)
        sx_offload_set_error(error, a->device->permute(a->stream, &s->copy[d], in, out));
}

/* Transform all axes of a stage, with the copy before them or after them. */
static void transform_axes(const sx_offload *a, const sx_offload_stage *s, int d, void *in, void *out,
                           int *error)
{
    void *const input = s->way[d] == SX_OFFLOAD_COPY_BEFORE ? out : in;
    void *const output = s->way[d] == SX_OFFLOAD_COPY_AFTER ? in : out;
    if (s->way[d] == SX_OFFLOAD_COPY_BEFORE)
        copy_across(a, s, d, in, out, error);
    for (int k = 0; k < s->ntransforms[d] && !*error; k++) {
        void *const from = s->place[d][k] == SX_SERIAL_ON_OUTPUT ? output : input;
        void *const to = s->place[d][k] == SX_SERIAL_ON_INPUT ? input : output;
        sx_offload_set_error(error, a->device->transform(a->stream, s->transform[d][k], from, to));
    }
    if (s->way[d] == SX_OFFLOAD_COPY_AFTER)
        copy_across(a, s, d, in, out, error);
}

static void transform(subx_fft_plan plan, int i, int d, void *in, void *out, double factor, int *error)
{
    const sx_offload *a = plan->state;
    const sx_offload_stage *s = &a->stage[i];
    if (d == SX_BACKWARD)
        multiply_twiddles(plan, i, d, in, error);
    if (s->wide[d] && !*error)
        sx_offload_set_error(error, sx_offload_execute_wide(a, s->wide[d], in, out, factor));
    else if (s->ntransforms[d] > 0)
        transform_axes(a, s, d, in, out, error);
    if (d == SX_FORWARD)
        multiply_twiddles(plan, i, d, out, error);
}

/* Execute all layers of an exchange. A rank with an error tells its partners; its arrays may be wrong, so it
 * gives others. */
static void exchange(subx_fft_plan plan, int i, int d, void *in, void *out, int *error)
{
    const sx_offload *a = plan->state;
    void *const *work = &plan->at[SX_AT_WORK];
    for (int layer = 0; layer < a->stage[i].nlayers; layer++) {
        const subx_exch ex = a->stage[i].exch[d][layer];
        if (*error)
            (void)subx_exch_set_failed(ex);
        const int rc = subx_exch_execute(ex, *error ? work[0] : in, *error ? work[1] : out);
        *error = *error ? *error : rc;
    }
}

/* ---- scaling */

/* Get the factor by which an execution multiplies its results: 1 / sqrt(N) to the power plan->roots[d]. A
 * round trip has the product of the factors of both directions. */
static double get_factor(subx_fft_plan plan, int d)
{
    const int roots = d == SX_ROUND ? plan->roots[SX_FORWARD] + plan->roots[SX_BACKWARD] : plan->roots[d];
    return roots == 0 ? 1 : roots == 2 ? 1 / plan->volume : 1 / sqrt(plan->volume);
}

/* In the order of direction d, get the number of stages up to the last one that is not the exchange of an
 * edge. Later stages get data that is scaled. */
static int count_to_end(subx_fft_plan plan, int d)
{
    const int side = d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
    return plan->nstages - (plan->choice.edge[side] != NULL);
}

static int get_last_transform(subx_fft_plan plan)
{
    return count_to_end(plan, SX_FORWARD) - 1;
}

/* Get the stage whose result is scaled. */
static const sx_stage *get_scaled(subx_fft_plan plan, int d)
{
    return sx_plan_get_stage(plan, d, count_to_end(plan, d) - 1);
}

/* Query whether the stage itself multiplies by the factor. A wide stage does so in its last copy, unless an
 * operation follows: operations get data that is not scaled. */
static int scales_itself(subx_fft_plan plan, int d, int has_operation)
{
    const sx_offload *a = plan->state;
    return a->stage[get_scaled(plan, d) - plan->stage].wide[d] && !(d == SX_FORWARD && has_operation);
}

/* Scale the results, unless a stage has done so. */
static void scale(subx_fft_plan plan, int d, int *error)
{
    const sx_offload *a = plan->state;
    const double factor = get_factor(plan, plan->run.d);
    const int real_bytes = sx_base_fit(plan->choice.array.real_bytes),
              side = d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
    const sx_box *b = sx_stage_get_box(get_scaled(plan, d), d, SX_TO);
    void *array = plan->at[SX_AT_LOCAL];
    if (scales_itself(plan, d, plan->run.op != NULL))
        return;
    if (!*error && b->bytes > 0 && sx_offload_has_strides(plan, side))
        sx_offload_set_error(error, sx_offload_scale_box(a, real_bytes, b, array, factor));
    else if (!*error && b->bytes > 0)
        sx_offload_set_error(error,
                             a->device->scale(a->stream, real_bytes, array, b->bytes / real_bytes, factor));
    end_stage(a, error);
}

/* ---- the input */

/* Check that the arrays of the caller are in the device's memory, and aligned as complex numbers are, before
 * any work on these arrays is added to a stream. */
static int check_arrays(subx_fft_plan plan, const sx_execution *run)
{
    const sx_offload *a = plan->state;
    const size_t alignment = 2 * (size_t)plan->choice.array.real_bytes;
    const void *const array[2] = {run->from, run->to};
    const int side[2] = {run->d == SX_BACKWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL,
                         run->d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL};
    for (int k = 0; k < 2; k++) {
        const ptrdiff_t bytes = sx_plan_get_bytes(plan, side[k]);
        if (bytes > 0 && ((size_t)array[k] % alignment || !a->device->has(a->handle, array[k], bytes)))
            return subx_error_get_code(SUBX_ERR_ARG);
    }
    return MPI_SUCCESS;
}

/* Query whether the reals and the complex numbers of a stage have the same places in one array, whose real
 * side is padded. Then a transform in place overwrites only what it has read. */
static int is_padded(subx_fft_plan plan, const sx_stage *s)
{
    const int halved = plan->choice.array.halved;
    for (int k = 0; k < s->from.ndims; k++)
        if (k != halved && s->from.len[k] != 1 && s->from.stride[k] != 2 * s->to.stride[k])
            return 0;
    return s->from.stride[halved] == 1 && s->to.stride[halved] == 1;
}

/* A transform to real data destroys its input. So it reads a copy, unless the caller gives the input away. A
 * plan with a single stage cannot read and write the same array if the two sides are stored in different
 * ways. A wide stage can, because it first reads the whole array into a buffer. */
int sx_offload_reads_copy(subx_fft_plan plan, int d, int is_in_place)
{
    const sx_stage *s = sx_plan_get_stage(plan, d, 0);
    const sx_offload_wide *wide = ((const sx_offload *)plan->state)->stage[s - plan->stage].wide[d];
    const int is_halved = s->from.width != s->to.width;
    if (is_in_place && plan->nstages == 1)
        return wide ? wide->nsteps == 0 : is_halved ? !is_padded(plan, s) : !sx_offload_is_stored_alike(s);
    return !wide && is_halved && d == SX_BACKWARD && !is_in_place &&
           plan->choice.hints.input != SX_INPUT_DESTROY;
}

/* Get the array that the first stage reads: the input, or a copy of the input in a work array. If an
 * operation precedes backward, the operation changes a copy of the input, unless an exchange makes one. */
static void *keep_input(subx_fft_plan plan, const sx_execution *run, int *error)
{
    const sx_offload *a = plan->state;
    const int d = run->d == SX_ROUND ? SX_FORWARD : run->d;
    const ptrdiff_t bytes = sx_stage_get_bytes(sx_plan_get_stage(plan, d, 0), d, SX_FROM);
    const int operates = d == SX_BACKWARD && run->op && !plan->choice.edge[SUBX_FFT_SPECTRAL];
    const int is_in_place = run->d != SX_ROUND && run->from == run->to;
    if (bytes == 0 || (!operates && !sx_offload_reads_copy(plan, d, is_in_place)))
        return (void *)(size_t)run->from; /* casts const away: see sx_offload_reads_copy */
    if (!*error)
        sx_offload_set_error(error, a->device->copy(a->stream, plan->at[SX_AT_WORK], run->from, bytes));
    return plan->at[SX_AT_WORK];
}

/* ---- events */

/* Get the array that a stage writes. The last stage of a direction writes the caller's array, except in the
 * forward half of a round trip. */
static void *get_output(subx_fft_plan plan, const sx_event *e, void *in)
{
    const int goes_back = plan->run.d == SX_ROUND && e->d == SX_FORWARD;
    const int last = e->d == SX_FORWARD ? plan->nstages - 1 : 0;
    if (e->stage == last && !goes_back)
        return plan->run.to;
    if (sx_offload_is_in_place(plan, e->stage, e->d))
        return in;
    return in == plan->at[SX_AT_WORK] ? plan->at[SX_AT_WORK + 1] : plan->at[SX_AT_WORK];
}

/* Get the factor by which the stage of an event multiplies. */
static double get_inside(subx_fft_plan plan, const sx_event *e)
{
    const int last = plan->run.d == SX_FORWARD ? SX_FORWARD : SX_BACKWARD;
    const int scales = e->d == last && &plan->stage[e->stage] == get_scaled(plan, last);
    return scales && scales_itself(plan, last, plan->run.op != NULL) ? get_factor(plan, plan->run.d) : 1;
}

static void execute_stage(subx_fft_plan plan, const sx_event *e, int *error)
{
    const sx_offload *a = plan->state;
    void *in = plan->at[SX_AT_LOCAL], *out = get_output(plan, e, in);
    if (e->what == SX_EVENT_EXCHANGE)
        exchange(plan, e->stage, e->d, in, out, error);
    else
        transform(plan, e->stage, e->d, in, out, get_inside(plan, e), error);
    end_stage(a, error);
    plan->at[SX_AT_LOCAL] = out;
}

static void begin(subx_fft_plan plan, int *error)
{
    *error = *error ? *error : check_arrays(plan, &plan->run);
    sx_offload_start_in_stream(plan->state, error);
    plan->at[SX_AT_LOCAL] = keep_input(plan, &plan->run, error);
}

static void operate(subx_fft_plan plan, int *error)
{
    if (!plan->run.op)
        return;
    sx_offload_execute_operation(plan, &plan->stage[get_last_transform(plan)].to, plan->run.op,
                                 plan->at[SX_AT_LOCAL], error);
    end_stage(plan->state, error);
}

void sx_offload_execute(subx_fft_plan plan, const sx_event *e)
{
    int *error = &plan->run.error;
    switch (e->what) {
    case SX_EVENT_FOLLOW:
        begin(plan, error);
        break;
    case SX_EVENT_OPERATE:
        operate(plan, error);
        break;
    case SX_EVENT_SCALE:
        scale(plan, e->d, error);
        break;
    case SX_EVENT_LEAVE:
        sx_offload_complete_in_stream(plan->state, error);
        break;
    default:
        execute_stage(plan, e, error);
    }
}

/* ---- the list */

static void add(sx_list *list, int what, int stage, int d)
{
    sx_list_add(list,
                (sx_event){.what = what, .step = stage, .slice = -1, .stage = stage, .d = d, .axis = -1});
}

/* Add stages first .. end - 1, counted in the order of direction d. */
static void add_stages(subx_fft_plan plan, int d, int first, int end, sx_list *list)
{
    for (int k = first; k < end; k++) {
        const sx_stage *s = sx_plan_get_stage(plan, d, k);
        add(list, sx_stage_is_exchange(s) ? SX_EVENT_EXCHANGE : SX_EVENT_PASS, sx_base_fit(s - plan->stage),
            d);
    }
}

/* An operation applies to the spectral data: before the exchange to an edge, or after the exchange from
 * it. No event waits for other ranks; the exchanges wait while they are executed. */
void sx_offload_list(subx_fft_plan plan, int d, sx_list *list)
{
    const int first = d == SX_BACKWARD ? SX_BACKWARD : SX_FORWARD,
              last = d == SX_FORWARD ? SX_FORWARD : SX_BACKWARD;
    const int inner = count_to_end(plan, SX_FORWARD), end = count_to_end(plan, last);
    const int before = first == SX_FORWARD ? inner : plan->nstages - inner;
    add(list, SX_EVENT_FOLLOW, sx_base_fit(sx_plan_get_stage(plan, first, 0) - plan->stage), first);
    add_stages(plan, first, 0, before, list);
    add(list, SX_EVENT_OPERATE, inner - 1, first);
    if (d != SX_FORWARD)
        add_stages(plan, SX_BACKWARD, plan->nstages - inner, end, list);
    if (get_factor(plan, d) != 1)
        add(list, SX_EVENT_SCALE, plan->nstages, last);
    add_stages(plan, last, end, plan->nstages, list);
    add(list, SX_EVENT_LEAVE, sx_base_fit(sx_plan_get_stage(plan, last, plan->nstages - 1) - plan->stage),
        last);
}
