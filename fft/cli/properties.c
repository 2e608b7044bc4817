/* properties.c - check the forward transform without a reference, on all ranks at once, by three
 * properties that together only the Fourier transform has: linearity, the response to impulses, and the
 * effect of a shift on the spectrum (F. Ergun, "Testing multivariate linear functions: overcoming the
 * generator bottleneck", STOC 1995; FFTW verifies itself in this way). */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { NPOSITIONS = 5 };

/* One check in progress. */
struct work {
    struct sx_cli_job *job;
    const struct sx_cli_box *box; /* the spectral side                    */
    double *one, *two;            /* two spectra                          */
    double *wave[SUBX_NDIMS_MAX]; /* exp(2 pi i m / n) per axis */
};

static int transform(const struct work *work, const struct sx_cli_signal *signal, double *spectrum)
{
    const struct sx_cli_job *job = work->job;
    double *field = job->array[SUBX_FFT_PHYSICAL];
    sx_cli_signal_export(signal, &job->box[SUBX_FFT_PHYSICAL], field);
    return sx_cli_fail_agree(job->comm, sx_cli_job_execute(job, SUBX_FFT_FORWARD, field, spectrum));
}

static void multiply(const double a[2], const double b[2], double product[2])
{
    double re = a[0] * b[0] - a[1] * b[1];
    product[1] = a[0] * b[1] + a[1] * b[0];
    product[0] = re;
}

/* exp(-2 pi i (k0 p0 / n0 + ..)): the spectrum, at k, of an impulse at p. */
static void get_phase(const struct work *work, const ptrdiff_t k[], const ptrdiff_t p[], double phase[2])
{
    phase[0] = 1;
    phase[1] = 0;
    for (int a = 0; a < work->job->ndims; a++) {
        const double *wave = work->wave[a] + 2 * (k[a] * p[a] % work->job->n[a]);
        const double conjugate[2] = {wave[0], -wave[1]};
        multiply(phase, conjugate, phase);
    }
}

/* T(a x + b y) = a T(x) + b T(y). */
static int check_linearity(const struct work *work)
{
    struct sx_cli_signal both, x, y;
    struct sx_cli_gauge gauge = {0, 0};
    double a[2] = {0.6875, -0.40625}, b[2] = {-0.28125, 0.859375};
    int rc;
    sx_cli_signal_set(&both, work->job, 2);
    if (both.reals == 1)
        a[1] = b[1] = 0;
    x = y = both;
    y.weight[0][0] = 0;
    y.weight[1][0] = 1;
    for (int i = 0; i < 2; i++) {
        both.weight[0][i] = a[i];
        both.weight[1][i] = b[i];
    }
    rc = transform(work, &x, work->one);
    if (rc == SX_CLI_OK)
        rc = transform(work, &y, work->two);
    for (ptrdiff_t i = 0; rc == SX_CLI_OK && i < 2 * work->box->count; i += 2) {
        multiply(a, work->one + i, work->one + i);
        multiply(b, work->two + i, work->two + i);
        work->one[i] += work->two[i];
        work->one[i + 1] += work->two[i + 1];
    }
    if (rc == SX_CLI_OK)
        rc = transform(work, &both, work->two);
    if (rc != SX_CLI_OK)
        return rc;
    for (ptrdiff_t i = 0; i < 2 * work->box->count; i += 2)
        sx_cli_gauge_set(&gauge, work->two + i, work->one + i, 2);
    sx_cli_verify_set(work->job, "T(ax + by) = a T(x) + b T(y)",
                      sx_cli_gauge_get_all(work->job->comm, &gauge));
    return SX_CLI_OK;
}

/* The origin, then places that differ along all axes. */
static void set_position(const struct sx_cli_job *job, int which, ptrdiff_t position[])
{
    for (int a = 0; a < job->ndims; a++)
        position[a] = which ? (which + a) % NPOSITIONS * (job->n[a] - 1) / (NPOSITIONS - 1) : 0;
}

/* T(x) + T(impulse - x) = T(impulse), which is known. */
static int check_impulse(const struct work *work, const double *base, int which, struct sx_cli_gauge *gauge)
{
    const struct sx_cli_job *job = work->job;
    double scale = sx_cli_job_get_scale(job, SUBX_FFT_FORWARD);
    struct sx_cli_signal rest;
    ptrdiff_t k[SUBX_NDIMS_MAX], i = 0;
    int rc;
    sx_cli_signal_set(&rest, job, 3);
    rest.weight[0][0] = -1;
    /* The impulse is as large, after the transform, as the noise that it is hidden in. */
    rest.amplitude = sqrt((double)sx_cli_box_volume(job->ndims, job->n));
    set_position(job, which, rest.impulse);
    rc = transform(work, &rest, work->two);
    for (int more = sx_cli_box_start(work->box, k); rc == SX_CLI_OK && more;
         more = sx_cli_box_next(work->box, k)) {
        double sum[2] = {base[i] + work->two[i], base[i + 1] + work->two[i + 1]}, want[2];
        get_phase(work, k, rest.impulse, want);
        want[0] *= scale * rest.amplitude;
        want[1] *= scale * rest.amplitude;
        sx_cli_gauge_set(gauge, sum, want, 2);
        i += 2;
    }
    return rc;
}

static int check_impulses(const struct work *work)
{
    struct sx_cli_gauge gauge = {0, 0};
    struct sx_cli_signal x;
    int rc;
    sx_cli_signal_set(&x, work->job, 3);
    rc = transform(work, &x, work->one);
    for (int which = 0; which < NPOSITIONS && rc == SX_CLI_OK; which++)
        rc = check_impulse(work, work->one, which, &gauge);
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(work->job, "T(x) + T(impulse - x) = waves",
                          sx_cli_gauge_get_all(work->job->comm, &gauge));
    return rc;
}

/* If a signal is shifted by one step along an axis, its spectrum is multiplied by exp(-2 pi i k / n). */
static int check_shift(const struct work *work, int axis, struct sx_cli_gauge *gauge)
{
    struct sx_cli_signal later;
    ptrdiff_t k[SUBX_NDIMS_MAX], i = 0;
    int rc;
    sx_cli_signal_set(&later, work->job, 4);
    later.shift[axis] = 1;
    rc = transform(work, &later, work->two);
    for (int more = sx_cli_box_start(work->box, k); rc == SX_CLI_OK && more;
         more = sx_cli_box_next(work->box, k)) {
        double want[2];
        get_phase(work, k, later.shift, want);
        multiply(want, work->one + i, want);
        sx_cli_gauge_set(gauge, work->two + i, want, 2);
        i += 2;
    }
    return rc;
}

static int check_shifts(const struct work *work)
{
    struct sx_cli_gauge gauge = {0, 0};
    struct sx_cli_signal x;
    int rc;
    sx_cli_signal_set(&x, work->job, 4);
    rc = transform(work, &x, work->one);
    for (int axis = 0; axis < work->job->ndims && rc == SX_CLI_OK; axis++)
        rc = check_shift(work, axis, &gauge);
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(work->job, "T(shifted x) = waves T(x)",
                          sx_cli_gauge_get_all(work->job->comm, &gauge));
    return rc;
}

static int create_work(struct work *work)
{
    int ok;
    work->two = sx_cli_memory_create(work->box->alloc_bytes, 1);
    ok = work->two != NULL;
    for (int a = 0; a < work->job->ndims; a++) {
        work->wave[a] = sx_cli_wave_create(work->job->n[a]);
        ok = ok && work->wave[a];
    }
    return sx_cli_fail_agree(work->job->comm, ok ? SX_CLI_OK : SX_CLI_ERROR);
}

static void free_work(struct work *work)
{
    for (int a = 0; a < work->job->ndims; a++)
        free(work->wave[a]);
    free(work->two);
}

int sx_cli_properties_execute(struct sx_cli_job *job)
{
    struct work work = {
        .job = job, .box = &job->box[SUBX_FFT_SPECTRAL], .one = job->array[SUBX_FFT_SPECTRAL]};
    int rc = create_work(&work);
    if (rc == SX_CLI_OK)
        rc = check_linearity(&work);
    if (rc == SX_CLI_OK)
        rc = check_impulses(&work);
    if (rc == SX_CLI_OK)
        rc = check_shifts(&work);
    free_work(&work);
    return rc;
}
