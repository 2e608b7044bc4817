/* gather.c - gather a side of a plan on rank 0, using only the shape, start and order that the plan returns.
 * It uses plain loops and plain messages, so that the checks do not depend on the code that they check. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 1 << 16, TAG_BOX = 1, TAG_DATA = 2 };

/* The state of a walk through a rank's elements. */
struct walk {
    struct sx_cli_box box;
    struct sx_cli_cursor cursor;
    ptrdiff_t left;
};

static void start(struct walk *walk)
{
    walk->left = walk->box.count;
    sx_cli_box_start(&walk->box, &walk->cursor);
}

/* Get the number of elements of the next message. */
static int count_next(const struct walk *walk)
{
    return walk->left < CHUNK ? (int)walk->left : CHUNK;
}

static void take(struct walk *walk, const void *local, int count, long double *buffer)
{
    for (int i = 0; i < count; i++) {
        sx_cli_box_get_value(&walk->box, local, walk->cursor.at, buffer + 2 * i);
        sx_cli_box_next(&walk->box, &walk->cursor);
    }
    walk->left -= count;
}

static void place(struct walk *walk, const long double *buffer, int count, long double *global)
{
    for (int i = 0; i < count; i++) {
        ptrdiff_t at = 2 * sx_cli_box_linear(walk->box.ndims, walk->box.n, walk->cursor.index);
        global[at] = buffer[2 * i];
        global[at + 1] = buffer[2 * i + 1];
        sx_cli_box_next(&walk->box, &walk->cursor);
    }
    walk->left -= count;
}

static void send_local(MPI_Comm comm, const struct sx_cli_box *box, const void *local, long double *buffer)
{
    struct walk walk = {.box = *box};
    MPI_Send(box, (int)sizeof *box, MPI_BYTE, 0, TAG_BOX, comm);
    start(&walk);
    while (walk.left > 0) {
        int count = count_next(&walk);
        take(&walk, local, count, buffer);
        MPI_Send(buffer, 2 * count, MPI_LONG_DOUBLE, 0, TAG_DATA, comm);
    }
}

static void receive_from(MPI_Comm comm, int q, long double *buffer, long double *global)
{
    struct walk walk;
    MPI_Recv(&walk.box, (int)sizeof walk.box, MPI_BYTE, q, TAG_BOX, comm, MPI_STATUS_IGNORE);
    start(&walk);
    while (walk.left > 0) {
        int count = count_next(&walk);
        MPI_Recv(buffer, 2 * count, MPI_LONG_DOUBLE, q, TAG_DATA, comm, MPI_STATUS_IGNORE);
        place(&walk, buffer, count, global);
    }
}

static void place_own(const struct sx_cli_box *box, const void *local, long double *buffer,
                      long double *global)
{
    struct walk from = {.box = *box}, to = {.box = *box};
    start(&from);
    start(&to);
    while (to.left > 0) {
        int count = count_next(&to);
        take(&from, local, count, buffer);
        place(&to, buffer, count, global);
    }
}

/* Places that no rank fills remain NaN, so that every check fails. */
static void collect(const struct sx_cli_job *job, int side, long double *buffer, long double *global)
{
    const struct sx_cli_box *box = &job->box[side];
    ptrdiff_t volume = sx_definition_get_volume(box->ndims, box->n);
    for (ptrdiff_t i = 0; i < 2 * volume; i++)
        global[i] = NAN;
    place_own(box, job->array[side], buffer, global);
    for (int q = 1; q < job->nranks; q++)
        receive_from(job->comm, q, buffer, global);
}

int sx_cli_gather_execute(const struct sx_cli_job *job, int side, long double **global)
{
    const struct sx_cli_box *box = &job->box[side];
    const ptrdiff_t volume = job->rank == 0 ? sx_definition_get_volume(box->ndims, box->n) : 0;
    long double *buffer = sx_cli_memory_create(2 * CHUNK, sizeof *buffer);
    *global = sx_cli_memory_create(volume, 2 * sizeof **global);
    int rc = sx_cli_fail_agree(job->comm, buffer && *global ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc == SX_CLI_OK && job->rank == 0)
        collect(job, side, buffer, *global);
    else if (rc == SX_CLI_OK)
        send_local(job->comm, &job->box[side], job->array[side], buffer);
    free(buffer);
    return rc;
}
