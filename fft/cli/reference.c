/* reference.c - the transform by its definition, one axis after the other, on one rank. The sums are
 * written out; no FFT and no layout is shared with the library. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* One axis of an array, which is treated as outer x length x inner pairs. */
struct sweep {
    ptrdiff_t outer, inner;
    ptrdiff_t n_in, n_out; /* lengths before and after                       */
    int to_real;           /* the lines are half spectra of real lines       */
    struct sx_cli_term term;
    long double *row; /* what all inputs add to one output, n_in pairs  */
    int turn, turns;  /* this axis and all of them, in the order of transforms */
};

/* To compute an entry of a row takes as long as about eight multiplications. */
double sx_cli_reference_get_cost(const struct sx_cli_axes *axes)
{
    double room = (double)sx_cli_reference_get_room(axes), cost = 0;
    for (int a = 0; a < axes->ndims; a++) {
        double n = (double)axes->axis[a].size;
        if (axes->axis[a].kind != SUBX_FFT_NONE)
            cost += n * (room + 8 * n);
    }
    return cost;
}

ptrdiff_t sx_cli_reference_get_room(const struct sx_cli_axes *axes)
{
    ptrdiff_t room = 1;
    for (int a = 0; a < axes->ndims; a++) {
        ptrdiff_t physical = sx_cli_axis_get_length(&axes->axis[a], SUBX_FFT_PHYSICAL);
        ptrdiff_t spectral = sx_cli_axis_get_length(&axes->axis[a], SUBX_FFT_SPECTRAL);
        room *= physical > spectral ? physical : spectral;
    }
    return room;
}

/* Compute one output of a transform, for `inner` transforms side by side: out = sum over j of row[j] in[j], where in[j] and out
 * have `inner` complex numbers each. */
static void sum_up(const struct sweep *sweep, const long double *in, long double *out)
{
    memset(out, 0, 2 * (size_t)sweep->inner * sizeof *out);
    for (ptrdiff_t j = 0; j < sweep->n_in; j++) {
        const long double re = sweep->row[2 * j], im = sweep->row[2 * j + 1];
        for (ptrdiff_t i = 0; i < 2 * sweep->inner; i += 2, in += 2) {
            out[i] += re * in[0] - im * in[1];
            out[i + 1] += re * in[1] + im * in[0];
        }
    }
    for (ptrdiff_t i = 0; i < sweep->inner && sweep->to_real; i++)
        out[2 * i + 1] = 0;
}

static void transform_axis(const struct sweep *sweep, const long double *in, long double *out)
{
    for (ptrdiff_t k = 0; k < sweep->n_out; k++) {
        for (ptrdiff_t j = 0; j < sweep->n_in; j++)
            sx_cli_term_get(&sweep->term, j, k, sweep->row + 2 * j);
        for (ptrdiff_t o = 0; o < sweep->outer; o++)
            sum_up(sweep, in + 2 * o * sweep->n_in * sweep->inner,
                   out + 2 * (o * sweep->n_out + k) * sweep->inner);
        sx_cli_progress_set("comparing with the definition", sweep->turn + (double)k / (double)sweep->n_out,
                            sweep->turns);
    }
}

/* Transform axis order[turn] of an array of lengths n, which are updated. */
static int sweep_axis(const struct sx_cli_job *job, const int order[], int turn, int turns, ptrdiff_t n[],
                      const long double *in, long double *out)
{
    const int a = order[turn];
    const struct sx_cli_axis *axis = &job->axes.axis[a];
    struct sweep sweep = {.turn = turn,
                          .turns = turns,
                          .outer = sx_cli_box_volume(a, n),
                          .inner = sx_cli_box_volume(job->axes.ndims - a - 1, n + a + 1),
                          .n_in = n[a],
                          .n_out = sx_cli_axis_get_length(axis, sx_cli_job_get_to(job))};
    int rc = sx_cli_term_create(axis, job->direction, sx_cli_job_query_hint(job, "--scaling", "orthonormal"),
                                &sweep.term);
    sweep.to_real = axis->kind == SUBX_FFT_R2C && job->direction == SUBX_FFT_BACKWARD;
    sweep.row = sx_cli_memory_create(sweep.n_in, 2 * sizeof *sweep.row);
    if (rc == SX_CLI_OK && !sweep.row)
        rc = SX_CLI_ERROR;
    if (rc == SX_CLI_OK)
        transform_axis(&sweep, in, out);
    n[a] = sweep.n_out;
    free(sweep.row);
    sx_cli_term_free(&sweep.term);
    return rc;
}

/* The axis of R2C comes first in forward, and last in backward. */
static int sort_axes(const struct sx_cli_axes *axes, int direction, int order[])
{
    int n = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int a = 0; a < axes->ndims; a++) {
            int kind = axes->axis[a].kind, early = (kind == SUBX_FFT_R2C) == (direction == SUBX_FFT_FORWARD);
            if (kind != SUBX_FFT_NONE && early == !turn)
                order[n++] = a;
        }
    return n;
}

int sx_cli_reference_execute(const struct sx_cli_job *job, long double *in, long double *out,
                             long double **result)
{
    int order[SUBX_NDIMS_MAX], count = sort_axes(&job->axes, job->direction, order), rc = SX_CLI_OK;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    for (int a = 0; a < job->axes.ndims; a++)
        n[a] = sx_cli_axis_get_length(&job->axes.axis[a], sx_cli_job_get_from(job));
    for (int i = 0; i < count && rc == SX_CLI_OK; i++) {
        long double *other = in;
        rc = sweep_axis(job, order, i, count, n, in, out);
        in = out;
        out = other;
    }
    *result = in;
    return rc;
}
