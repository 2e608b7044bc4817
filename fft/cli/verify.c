/* verify.c - the comparison with the independent reference, and the check that backward undoes forward. */
#include "cli/cli.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Up to this many multiplications the definition takes some seconds on one core. */
static const double cost_max = 1e9;

int sx_cli_verify_query_small(const struct sx_cli_job *job)
{
    return sx_cli_reference_get_cost(job->ndims, job->n) <= cost_max;
}

/* The rounding errors of a sum of n random terms grow as sqrt(n), those of an FFT as sqrt(log n)
 * (Gentleman & Sande 1966; Schatzman 1996). The reference and the naive backend are sums. Ten times their
 * growth over all axes allows for unlucky data, and for no wrong twiddle factor. */
static double tolerance_of(const struct sx_cli_job *job)
{
    double growth = 0;
    for (int a = 0; a < job->ndims; a++)
        growth += sqrt((double)job->n[a]);
    return 10 * DBL_EPSILON * growth;
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
static double compare(ptrdiff_t count, const double *got, const double *reference, double scale)
{
    struct sx_cli_gauge gauge = {0, 0};
    for (ptrdiff_t i = 0; i < count; i++) {
        double want[2] = {reference[2 * i] * scale, reference[2 * i + 1] * scale};
        sx_cli_gauge_set(&gauge, got + 2 * i, want, 2);
    }
    return sx_cli_gauge_get(&gauge);
}

/* Gather the input, transform it by the definition on rank 0, gather the output, compare. */
static int check_reference(const struct sx_cli_job *job, double *in, double *out, double *error)
{
    const struct sx_cli_box *to = &job->box[sx_cli_job_get_to(job)];
    double *reference = NULL;
    int rc = sx_cli_gather_execute(job, sx_cli_job_get_from(job), in);
    if (rc == SX_CLI_OK && job->rank == 0)
        rc = sx_cli_reference_execute(job->kind, job->ndims, job->n, job->direction, in, out, &reference);
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
    ptrdiff_t room = job->rank == 0 ? sx_cli_box_volume(job->ndims, job->n) : 0;
    ptrdiff_t half = job->rank == 0 ? sx_cli_box_volume(job->ndims, job->box[SUBX_FFT_SPECTRAL].n) : 0;
    double *in, *out, error = 0;
    int rc;
    if (half > room) /* a last axis of length 1 or 2 is not shorter on the spectral side */
        room = half;
    in = sx_cli_memory_create(room, 2 * sizeof(double));
    out = sx_cli_memory_create(room, 2 * sizeof(double));
    rc = sx_cli_fail_agree(job->comm, in && out ? SX_CLI_OK : SX_CLI_ERROR);
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
static double compare_signal(const struct sx_cli_job *job, const struct sx_cli_signal *signal, double factor)
{
    const struct sx_cli_box *box = &job->box[SUBX_FFT_PHYSICAL];
    const double *got = job->array[SUBX_FFT_PHYSICAL];
    struct sx_cli_gauge gauge = {0, 0};
    ptrdiff_t index[SUBX_NDIMS_MAX];
    for (int more = sx_cli_box_start(box, index); more; more = sx_cli_box_next(box, index)) {
        double want[2];
        sx_cli_signal_get(signal, index, want);
        want[0] *= factor;
        want[1] *= factor;
        sx_cli_gauge_set(&gauge, got, want, box->reals);
        got += box->reals;
    }
    return sx_cli_gauge_get_all(job->comm, &gauge);
}

int sx_cli_verify_round_trip(struct sx_cli_job *job)
{
    double *field = job->array[SUBX_FFT_PHYSICAL], *spectrum = job->array[SUBX_FFT_SPECTRAL];
    struct sx_cli_signal signal;
    double factor = (double)sx_cli_box_volume(job->ndims, job->n);
    int rc;
    factor *= sx_cli_job_get_scale(job, SUBX_FFT_FORWARD) * sx_cli_job_get_scale(job, SUBX_FFT_BACKWARD);
    sx_cli_signal_set(&signal, job, 1);
    sx_cli_signal_export(&signal, &job->box[SUBX_FFT_PHYSICAL], field);
    rc = sx_cli_job_execute(job, SUBX_FFT_FORWARD, field, spectrum);
    if (rc == SX_CLI_OK)
        rc = sx_cli_job_execute(job, SUBX_FFT_BACKWARD, spectrum, field);
    rc = sx_cli_fail_agree(job->comm, rc);
    if (rc == SX_CLI_OK)
        sx_cli_verify_set(job, "backward(forward(x)) = factor x", compare_signal(job, &signal, factor));
    return rc;
}
