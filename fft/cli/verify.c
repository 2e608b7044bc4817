/* verify.c - compare the result with the independent reference; check that backward is the inverse of
 * forward. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to this many multiplications, the reference takes some seconds on one core. */
static const double cost_max = 3e8;

/* Estimate the number of complex multiplications. The computation of one entry of a matrix counts as eight of
 * them. */
int sx_cli_verify_query_small(const struct sx_cli_job *job)
{
    double room = 1, cost = 0;
    for (int a = 0; a < job->axes.ndims; a++)
        room *= fmax((double)sx_definition_get_length(&job->axes.axis[a], SUBX_FFT_PHYSICAL),
                     (double)sx_definition_get_length(&job->axes.axis[a], SUBX_FFT_SPECTRAL));
    for (int a = 0; a < job->axes.ndims; a++) {
        const double n = (double)job->axes.axis[a].size;
        if (job->axes.axis[a].kind != SUBX_FFT_NONE)
            cost += n * (room + 8 * n);
    }
    return cost <= cost_max;
}

/* The rounding errors of a sum of n random terms grow like sqrt(n), the errors of an FFT like sqrt(log n)
 * (Gentleman & Sande 1966; Schatzman 1996). The reference and the backend naive compute sums. The tolerance
 * is ten times the rounding error times the sum of sqrt(n) over all axes: large enough for unlucky data, and
 * small enough to detect a wrong twiddle factor. If messages carry floats, errors are like those of precision
 * float. */
static double tolerance_of(const struct sx_cli_job *job)
{
    double growth = 0;
    for (int a = 0; a < job->axes.ndims; a++)
        if (a != job->axes.fields)
            growth += sqrt((double)job->axes.axis[a].size);
    const int is_float = sx_cli_job_query_hint(job, "subx_wire", "float");
    return 10 * sx_definition_get_epsilon(is_float ? SUBX_FFT_FLOAT : job->axes.precision) * growth;
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

/* On rank 0, replace the gathered input by its transform, computed by the definition. */
static int define(struct sx_cli_job *job, long double **array)
{
    const struct sx_cli_box *from = &job->box[sx_cli_job_get_from(job)];
    if (job->rank != 0)
        return SX_CLI_OK;
    job->nstrange = count_strange(sx_definition_get_volume(from->ndims, from->n), *array);
    if (sx_definition_execute(job->axes.ndims, job->axes.axis, job->direction,
                              sx_cli_job_query_hint(job, "subx_scaling", "orthonormal"), array))
        return sx_cli_fail_set("no memory for the definition");
    return SX_CLI_OK;
}

int sx_cli_verify_reference(struct sx_cli_job *job)
{
    const struct sx_cli_box *to = &job->box[sx_cli_job_get_to(job)];
    long double *want = NULL, *got = NULL;
    double error = 0;
    int rc = SX_CLI_OK;
    if (sx_cli_job_query_hint(job, "subx_input_array", "destroy"))
        rc = sx_cli_job_import_input(job);
    if (rc == SX_CLI_OK)
        rc = sx_cli_gather_execute(job, sx_cli_job_get_from(job), &want);
    if (rc == SX_CLI_OK)
        rc = sx_cli_fail_agree(job->comm, define(job, &want));
    if (rc == SX_CLI_OK)
        rc = sx_cli_gather_execute(job, sx_cli_job_get_to(job), &got);
    if (rc == SX_CLI_OK && job->rank == 0)
        error = compare(sx_definition_get_volume(to->ndims, to->n), got, want,
                        sx_cli_job_get_scale(job, job->direction));
    free(got);
    free(want);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Bcast(&error, 1, MPI_DOUBLE, 0, job->comm);
    sx_cli_verify_set(
        job, job->direction == SUBX_FFT_FORWARD ? "forward = definition" : "backward = definition", error);
    return SX_CLI_OK;
}

/* ------------------------------------------------------------------------------ round trips */

double sx_cli_verify_compare(const struct sx_cli_job *job, int side, const void *got, const void *want,
                             long double factor)
{
    const struct sx_cli_box *box = &job->box[side];
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

/* Transform from a side to the other side and back. Backward may overwrite the spectrum that is its input. */
static int go_round(const struct sx_cli_job *job, int side)
{
    const int away = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    int rc = sx_cli_job_execute(job, away, job->array[side], job->array[!side]);
    if (rc == SX_CLI_OK)
        rc = sx_cli_job_execute(job, -away, job->array[!side], job->array[side]);
    return sx_cli_fail_agree(job->comm, rc);
}

/* Check that a round trip returns the array times `factor`. The round trip begins on a side: with the field,
 * or with the spectrum of the field. */
static int check_side(struct sx_cli_job *job, int side, long double factor)
{
    const size_t bytes = (size_t)job->box[side].alloc_bytes;
    void *array = job->array[side], *before = sx_cli_memory_create((ptrdiff_t)bytes, 1);
    int rc = sx_cli_fail_agree(job->comm, before ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc == SX_CLI_OK && side == SUBX_FFT_SPECTRAL)
        rc = sx_cli_fail_agree(
            job->comm, sx_cli_job_execute(job, SUBX_FFT_FORWARD, job->array[SUBX_FFT_PHYSICAL], array));
    if (rc == SX_CLI_OK) {
        memcpy(before, array, bytes);
        rc = go_round(job, side);
    }
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(job,
                          side == SUBX_FFT_PHYSICAL ? "backward(forward(x)) = factor x"
                                                    : "forward(backward(X)) = factor X",
                          sx_cli_verify_compare(job, side, array, before, factor));
    free(before);
    return rc;
}

/* If an axis lacks both modes and points, no direction is the inverse of the other. If an axis lacks only
 * modes, a field returns without these modes, but its spectrum returns unchanged. */
int sx_cli_verify_round_trip(struct sx_cli_job *job)
{
    struct sx_cli_signal signal;
    long double factor = sx_definition_get_factor(job->axes.ndims, job->axes.axis);
    int lacks_modes = 0;
    for (int a = 0; a < job->axes.ndims; a++) {
        const sx_definition_axis *axis = &job->axes.axis[a];
        lacks_modes |= axis->modes < axis->size;
        if (axis->modes < axis->size && axis->points < axis->size)
            return SX_CLI_OK;
    }
    factor *= sx_cli_job_get_scale(job, SUBX_FFT_FORWARD) * sx_cli_job_get_scale(job, SUBX_FFT_BACKWARD);
    sx_cli_signal_set(&signal, job, SUBX_FFT_PHYSICAL, 1);
    sx_cli_signal_export(&signal, &job->box[SUBX_FFT_PHYSICAL], job->array[SUBX_FFT_PHYSICAL]);
    return check_side(job, lacks_modes ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL, factor);
}
