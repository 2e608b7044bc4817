/* properties.c - check the forward transform without a reference, on all ranks at once. It checks properties
 * that together only the Fourier transform has: linearity with the response to impulses, and the effect of a
 * shift on the spectrum (F. Ergun, "Testing multivariate linear functions: overcoming the
 * generator bottleneck", STOC 1995; FFTW verifies itself in this way). Only Fourier axes are shifted. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { NPOSITIONS = 5 };

/* The state of the checks. */
struct work {
    struct sx_cli_job *job;
    const struct sx_cli_box *box; /* the spectral side */
    void *one, *two;              /* two spectra */
    sx_definition_matrix matrix[SUBX_NDIMS_MAX];
};

static int transform(struct work *work, const struct sx_cli_signal *signal, void *spectrum)
{
    const struct sx_cli_job *job = work->job;
    void *field = job->array[SUBX_FFT_PHYSICAL];
    sx_cli_signal_export(signal, &job->box[SUBX_FFT_PHYSICAL], field);
    return sx_cli_fail_agree(job->comm, sx_cli_job_execute(job, SUBX_FFT_FORWARD, field, spectrum));
}

static void multiply(const long double a[2], const long double b[2], long double product[2])
{
    long double re = a[0] * b[0] - a[1] * b[1];
    product[1] = a[0] * b[1] + a[1] * b[0];
    product[0] = re;
}

/* Get the spectrum at k of an impulse at p. */
static void get_response(const struct work *work, const ptrdiff_t k[], const ptrdiff_t p[],
                         long double response[2])
{
    response[0] = 1;
    response[1] = 0;
    for (int a = 0; a < work->job->axes.ndims; a++) {
        long double factor[2];
        sx_definition_get(&work->matrix[a], p[a], k[a], factor);
        multiply(response, factor, response);
    }
}

static void get(const struct work *work, const void *spectrum, const struct sx_cli_cursor *c,
                long double value[2])
{
    sx_cli_box_get_value(work->box, spectrum, c->at, value);
}

/* Set the position of impulse `which`. Impulse 0 is at the origin. The others differ in position along all
 * long axes. */
static void set_position(const struct sx_cli_job *job, int which, ptrdiff_t position[])
{
    for (int a = 0; a < job->axes.ndims; a++)
        position[a] =
            which ? (which + a) % NPOSITIONS * (job->axes.axis[a].points - 1) / (NPOSITIONS - 1) : 0;
}

/* With T for the transform, x for random numbers, and a complex impulse if the data are complex: T(x) +
 * T(impulse - x) = T(impulse), whose value is known. */
static int check_impulse(struct work *work, int which, struct sx_cli_gauge *gauge)
{
    const struct sx_cli_job *job = work->job;
    const struct sx_cli_box *physical = &job->box[SUBX_FFT_PHYSICAL];
    long double scale = sx_cli_job_get_scale(job, SUBX_FFT_FORWARD);
    struct sx_cli_signal rest;
    struct sx_cli_cursor c;
    int rc;
    sx_cli_signal_set(&rest, job, SUBX_FFT_PHYSICAL, 3);
    rest.sign = -1;
    /* with this amplitude, the spectra of the impulse and of the random numbers are about equally large */
    const long double size = sqrtl((long double)sx_definition_get_volume(physical->ndims, physical->n));
    rest.amplitude[0] = 0.8L * size;
    rest.amplitude[1] = physical->reals == 1 ? 0 : -0.6L * size;
    set_position(job, which, rest.impulse);
    rc = transform(work, &rest, work->two);
    for (int more = sx_cli_box_start(work->box, &c); rc == SX_CLI_OK && more;
         more = sx_cli_box_next(work->box, &c)) {
        long double sum[2], other[2], want[2];
        get(work, work->one, &c, sum);
        get(work, work->two, &c, other);
        get_response(work, c.index, rest.impulse, want);
        multiply(want, rest.amplitude, want);
        for (int i = 0; i < 2; i++) {
            sum[i] += other[i];
            want[i] *= scale;
        }
        sx_cli_gauge_set(gauge, sum, want);
    }
    return rc;
}

static int check_impulses(struct work *work)
{
    struct sx_cli_gauge gauge = {0, 0};
    struct sx_cli_signal x;
    int rc;
    sx_cli_signal_set(&x, work->job, SUBX_FFT_PHYSICAL, 3);
    rc = transform(work, &x, work->one);
    for (int which = 0; which < NPOSITIONS && rc == SX_CLI_OK; which++)
        rc = check_impulse(work, which, &gauge);
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(work->job, "T(x) + T(impulse - x) = waves",
                          sx_cli_gauge_get_all(work->job->comm, &gauge));
    return rc;
}

static int can_shift(const sx_definition_axis *axis)
{
    return (axis->kind == SUBX_FFT_C2C || axis->kind == SUBX_FFT_R2C) && sx_cli_axis_query_whole(axis);
}

/* If a signal is shifted by one step along an axis, its spectrum is multiplied by exp(-2 pi i k / n), which
 * is the spectrum of an impulse at 1. */
static int check_shift(struct work *work, int axis, struct sx_cli_gauge *gauge)
{
    struct sx_cli_signal later;
    struct sx_cli_cursor c;
    int rc;
    sx_cli_signal_set(&later, work->job, SUBX_FFT_PHYSICAL, 4);
    later.shift[axis] = 1;
    rc = transform(work, &later, work->two);
    for (int more = sx_cli_box_start(work->box, &c); rc == SX_CLI_OK && more;
         more = sx_cli_box_next(work->box, &c)) {
        long double got[2], before[2], want[2];
        get(work, work->two, &c, got);
        get(work, work->one, &c, before);
        sx_definition_get(&work->matrix[axis], 1 % later.n[axis], c.index[axis], want);
        multiply(want, before, want);
        sx_cli_gauge_set(gauge, got, want);
    }
    return rc;
}

/* Check shifts along all Fourier axes that have all modes and points; other transforms do not have this
 * property. */
static int check_shifts(struct work *work)
{
    const struct sx_cli_axes *axes = &work->job->axes;
    struct sx_cli_gauge gauge = {0, 0};
    struct sx_cli_signal x;
    int rc = SX_CLI_OK, count = 0;
    sx_cli_signal_set(&x, work->job, SUBX_FFT_PHYSICAL, 4);
    for (int axis = 0; axis < axes->ndims && rc == SX_CLI_OK; axis++) {
        if (!can_shift(&axes->axis[axis]))
            continue;
        if (count++ == 0)
            rc = transform(work, &x, work->one);
        if (rc == SX_CLI_OK)
            rc = check_shift(work, axis, &gauge);
    }
    if (rc == SX_CLI_OK && count > 0)
        sx_cli_verify_set(work->job, "T(shifted x) = waves T(x)",
                          sx_cli_gauge_get_all(work->job->comm, &gauge));
    return rc;
}

static int create_work(struct work *work)
{
    const struct sx_cli_axes *axes = &work->job->axes;
    const int is_orthonormal = sx_cli_job_query_hint(work->job, "subx_scaling", "orthonormal");
    int fails = 0;
    work->two = sx_cli_memory_create(work->box->alloc_bytes, 1);
    for (int a = 0; a < axes->ndims && !fails; a++)
        fails = sx_definition_create(&axes->axis[a], SUBX_FFT_FORWARD, is_orthonormal, &work->matrix[a]);
    return sx_cli_fail_agree(work->job->comm,
                             work->two && !fails ? SX_CLI_OK : sx_cli_fail_set("no memory for checks"));
}

static void free_work(struct work *work)
{
    for (int a = 0; a < work->job->axes.ndims; a++)
        sx_definition_free(&work->matrix[a]);
    free(work->two);
}

int sx_cli_properties_execute(struct sx_cli_job *job)
{
    struct work work = {
        .job = job, .box = &job->box[SUBX_FFT_SPECTRAL], .one = job->array[SUBX_FFT_SPECTRAL]};
    int rc = create_work(&work);
    if (rc == SX_CLI_OK)
        rc = check_impulses(&work);
    if (rc == SX_CLI_OK)
        rc = check_shifts(&work);
    free_work(&work);
    return rc;
}
