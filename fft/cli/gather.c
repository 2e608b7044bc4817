/* gather.c - gather a side of a plan on rank 0, using only the shape, start and order that the plan returns.
 * It uses plain loops and a sum over all ranks, so that the checks do not depend on the code that they
 * check. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

/* For each place of the global array: a complex number, and how many ranks own the place. */
enum { MEMBERS = 3, CHUNK = 1 << 24 };

static void add_own(const struct sx_cli_box *box, const void *local, long double *places)
{
    struct sx_cli_cursor c;
    for (int more = sx_cli_box_start(box, &c); more; more = sx_cli_box_next(box, &c)) {
        long double *place = places + MEMBERS * sx_cli_box_linear(box->ndims, box->n, c.index);
        sx_cli_box_get_value(box, local, c.at, place);
        place[2]++;
    }
}

static void sum(const struct sx_cli_job *job, ptrdiff_t n, long double *places)
{
    for (ptrdiff_t at = 0; at < n; at += CHUNK) {
        const int count = n - at < CHUNK ? (int)(n - at) : CHUNK;
        MPI_Reduce(job->rank == 0 ? MPI_IN_PLACE : places + at, places + at, count, MPI_LONG_DOUBLE, MPI_SUM,
                   0, job->comm);
    }
}

/* Places that not exactly one rank owns become NaN, so that every check fails. */
static void take(ptrdiff_t volume, long double *places)
{
    for (ptrdiff_t i = 0; i < volume; i++)
        for (int k = 0; k < 2; k++)
            places[2 * i + k] = places[MEMBERS * i + 2] == 1 ? places[MEMBERS * i + k] : NAN;
}

int sx_cli_gather_execute(const struct sx_cli_job *job, int side, long double **global)
{
    const struct sx_cli_box *box = &job->box[side];
    const ptrdiff_t volume = sx_definition_get_volume(box->ndims, box->n);
    *global = sx_cli_memory_create(volume, MEMBERS * sizeof **global);
    int rc = sx_cli_fail_agree(job->comm, *global ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc != SX_CLI_OK)
        return rc;
    for (ptrdiff_t i = 0; i < MEMBERS * volume; i++)
        (*global)[i] = 0;
    add_own(box, job->array[side], *global);
    sum(job, MEMBERS * volume, *global);
    if (job->rank == 0)
        take(volume, *global);
    return SX_CLI_OK;
}
