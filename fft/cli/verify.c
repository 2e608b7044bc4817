/* verify.c - the comparison with the independent reference, and the check that backward undoes forward. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

/* Up to this many multiplications the definition takes some seconds on one core. */
static const double cost_max = 3e8;

int sx_cli_verify_query_small(const struct sx_cli_job *job)
{
    return sx_cli_reference_get_cost(&job->axes) <= cost_max;
}

/* The rounding errors of a sum of n random terms grow as sqrt(n), those of an FFT as sqrt(log n)
 * (Gentleman & Sande 1966; Schatzman 1996). The reference and the naive backend are sums. Ten times their
 * growth over all axes allows for unlucky data, and for no wrong twiddle factor. */
static double tolerance_of(const struct sx_cli_job *job)
{
    double growth = 0;
    for (int a = 0; a < job->axes.ndims; a++)
        if (a != job->axes.batch)
            growth += sqrt((double)job->axes.axis[a].size);
    return 10 * sx_cli_real_get_epsilon(job->axes.precision) * growth;
}

void sx_cli_verify_set(struct sx_cli_job *job, const char *name, double error)
{
    struct sx_cli_check *check = &job->check[job->nchecks++];
    snprintf(check->name, sizeof check->name, "%s", name);
    check->error = error;
    check->tolerance = tolerance_of(job);
    check->passed = error <= check->tolerance;
}

/* ---------------------------------------------------------------------------- the reference */

/* Compare the gathered result with the reference; both are pairs. */
static double compare(ptrdiff_t count, const long double *got, const long double *reference,
                      long double scale)
{
    struct sx_cli_gauge gauge = {0, 0};
    for (ptrdiff_t i = 0; i < 2 * count; i += 2) {
        long double want[2] = {reference[i] * scale, reference[i + 1] * scale};
        sx_cli_gauge_set(&gauge, got + i, want);
    }
    return sx_cli_gauge_get(&gauge);
}

static ptrdiff_t count_strange(ptrdiff_t count, const long double *values)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < 2 * count; i += 2)
        n += !isfinite(values[i]) || !isfinite(values[i + 1]);
    return n;
}

/* Gather the input, transform it by the definition on rank 0, gather the output, compare. */
static int check_reference(struct sx_cli_job *job, long double *in, long double *out, double *error)
{
    const struct sx_cli_box *from = &job->box[sx_cli_job_get_from(job)];
    const struct sx_cli_box *to = &job->box[sx_cli_job_get_to(job)];
    long double *reference = NULL;
    int rc = SX_CLI_OK;
    if (sx_cli_job_query_hint(job, "--input-array", "destroy"))
        rc = sx_cli_job_import_input(job);
    if (rc == SX_CLI_OK)
        rc = sx_cli_gather_execute(job, sx_cli_job_get_from(job), in);
    if (rc == SX_CLI_OK && job->rank == 0) {
        job->nstrange = count_strange(sx_cli_box_volume(from->ndims, from->n), in);
        rc = sx_cli_reference_execute(job, in, out, &reference);
    }
    rc = sx_cli_fail_agree(job->comm, rc);
    if (rc != SX_CLI_OK)
        return rc;
    out = reference == in ? out : in; /* the buffer that is free now */
    rc = sx_cli_gather_execute(job, sx_cli_job_get_to(job), out);
    if (rc == SX_CLI_OK && job->rank == 0)
        *error = compare(sx_cli_box_volume(to->ndims, to->n), out, reference,
                         sx_cli_job_get_scale(job, job->direction));
    return rc;
}

int sx_cli_verify_reference(struct sx_cli_job *job)
{
    ptrdiff_t room = job->rank == 0 ? sx_cli_reference_get_room(&job->axes) : 0;
    long double *in = sx_cli_memory_create(room, 2 * sizeof *in);
    long double *out = sx_cli_memory_create(room, 2 * sizeof *out);
    double error = 0;
    int rc = sx_cli_fail_agree(job->comm, in && out ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc == SX_CLI_OK)
        rc = check_reference(job, in, out, &error);
    free(out);
    free(in);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Bcast(&error, 1, MPI_DOUBLE, 0, job->comm);
    sx_cli_verify_set(
        job, job->direction == SUBX_FFT_FORWARD ? "forward = definition" : "backward = definition", error);
    return SX_CLI_OK;
}

/* ------------------------------------------------------------------------------ round trips */

/* Compare a physical array with a signal times a factor. */
static double compare_signal(const struct sx_cli_job *job, const struct sx_cli_signal *signal,
                             long double factor)
{
    const struct sx_cli_box *box = &job->box[SUBX_FFT_PHYSICAL];
    struct sx_cli_gauge gauge = {0, 0};
    struct sx_cli_cursor c;
    for (int more = sx_cli_box_start(box, &c); more; more = sx_cli_box_next(box, &c)) {
        long double got[2], want[2];
        sx_cli_box_get_value(box, job->array[SUBX_FFT_PHYSICAL], c.at, got);
        sx_cli_signal_get(signal, c.index, want);
        want[0] *= factor;
        want[1] *= factor;
        sx_cli_gauge_set(&gauge, got, want);
    }
    return sx_cli_gauge_get_all(job->comm, &gauge);
}

/* Compare two spectra: got = factor want. */
static double compare_spectra(const struct sx_cli_job *job, const void *got, const void *want,
                              long double factor)
{
    const struct sx_cli_box *box = &job->box[SUBX_FFT_SPECTRAL];
    struct sx_cli_gauge gauge = {0, 0};
    struct sx_cli_cursor c;
    for (int more = sx_cli_box_start(box, &c); more; more = sx_cli_box_next(box, &c)) {
        long double x[2], y[2];
        sx_cli_box_get_value(box, got, c.at, x);
        sx_cli_box_get_value(box, want, c.at, y);
        y[0] *= factor;
        y[1] *= factor;
        sx_cli_gauge_set(&gauge, x, y);
    }
    return sx_cli_gauge_get_all(job->comm, &gauge);
}

/* Forward into a spectrum, and backward. Backward may destroy the spectrum that it gets. */
static int go_round(struct sx_cli_job *job)
{
    void *field = job->array[SUBX_FFT_PHYSICAL], *spectrum = job->array[SUBX_FFT_SPECTRAL];
    int rc = sx_cli_job_execute(job, SUBX_FFT_FORWARD, field, spectrum);
    if (rc == SX_CLI_OK)
        rc = sx_cli_job_execute(job, SUBX_FFT_BACKWARD, spectrum, field);
    return sx_cli_fail_agree(job->comm, rc);
}

static int check_field(struct sx_cli_job *job, const struct sx_cli_signal *signal, long double factor)
{
    int rc = go_round(job);
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(job, "backward(forward(x)) = factor x", compare_signal(job, signal, factor));
    return rc;
}

/* Where modes are left out, a field comes back without them, but its spectrum is as before. */
static int check_spectrum(struct sx_cli_job *job, long double factor)
{
    void *field = job->array[SUBX_FFT_PHYSICAL];
    void *once = sx_cli_memory_create(job->box[SUBX_FFT_SPECTRAL].alloc_bytes, 1);
    int rc = sx_cli_fail_agree(job->comm, once ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc == SX_CLI_OK)
        rc = sx_cli_fail_agree(job->comm, sx_cli_job_execute(job, SUBX_FFT_FORWARD, field, once));
    if (rc == SX_CLI_OK)
        rc = go_round(job);
    if (rc == SX_CLI_OK)
        rc = sx_cli_fail_agree(
            job->comm, sx_cli_job_execute(job, SUBX_FFT_FORWARD, field, job->array[SUBX_FFT_SPECTRAL]));
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(job, "forward(backward(X)) = factor X",
                          compare_spectra(job, job->array[SUBX_FFT_SPECTRAL], once, factor));
    free(once);
    return rc;
}

/* Along an axis that lacks both modes and points, neither direction undoes the other. */
int sx_cli_verify_round_trip(struct sx_cli_job *job)
{
    struct sx_cli_signal signal;
    long double factor = sx_cli_axes_get_factor(&job->axes);
    int lacks_modes = 0;
    for (int a = 0; a < job->axes.ndims; a++) {
        const struct sx_cli_axis *axis = &job->axes.axis[a];
        lacks_modes |= axis->modes < axis->size;
        if (axis->modes < axis->size && axis->points < axis->size)
            return SX_CLI_OK;
    }
    factor *= sx_cli_job_get_scale(job, SUBX_FFT_FORWARD) * sx_cli_job_get_scale(job, SUBX_FFT_BACKWARD);
    sx_cli_progress_set("checking that backward undoes forward", 0, 0);
    sx_cli_signal_set(&signal, job, SUBX_FFT_PHYSICAL, 1);
    sx_cli_signal_export(&signal, &job->box[SUBX_FFT_PHYSICAL], job->array[SUBX_FFT_PHYSICAL]);
    return lacks_modes ? check_spectrum(job, factor) : check_field(job, &signal, factor);
}
