/* gather.c - gather a side of a plan on rank 0 by the shape, start and order of the plan alone. It has
 * plain loops and plain messages, so that nothing that is being checked takes part. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 1 << 16, TAG_BOX = 1, TAG_DATA = 2 };

/* The progress of placing a rank's elements. */
struct cursor {
    struct sx_cli_box box;
    ptrdiff_t index[SUBX_NDIMS_MAX];
};

static void place(struct cursor *cursor, const double *in, ptrdiff_t count, double *global)
{
    const struct sx_cli_box *box = &cursor->box;
    for (ptrdiff_t i = 0; i < count; i++, in += box->reals) {
        ptrdiff_t at = 2 * sx_cli_box_linear(box->ndims, box->n, cursor->index);
        global[at] = in[0];
        global[at + 1] = box->reals == 2 ? in[1] : 0;
        sx_cli_box_next(box, cursor->index);
    }
}

static ptrdiff_t chunk_of(const struct sx_cli_box *box, ptrdiff_t done)
{
    return box->count - done < CHUNK ? box->count - done : CHUNK;
}

static void send_local(MPI_Comm comm, const struct sx_cli_box *box, const double *local)
{
    MPI_Send(box, (int)sizeof *box, MPI_BYTE, 0, TAG_BOX, comm);
    for (ptrdiff_t done = 0; done < box->count; done += CHUNK)
        MPI_Send(local + done * box->reals, (int)chunk_of(box, done) * box->reals, MPI_DOUBLE, 0, TAG_DATA,
                 comm);
}

static void receive_from(MPI_Comm comm, int q, double *buffer, double *global)
{
    struct cursor cursor;
    MPI_Recv(&cursor.box, (int)sizeof cursor.box, MPI_BYTE, q, TAG_BOX, comm, MPI_STATUS_IGNORE);
    sx_cli_box_start(&cursor.box, cursor.index);
    for (ptrdiff_t done = 0; done < cursor.box.count; done += CHUNK) {
        ptrdiff_t count = chunk_of(&cursor.box, done);
        MPI_Recv(buffer, (int)count * cursor.box.reals, MPI_DOUBLE, q, TAG_DATA, comm, MPI_STATUS_IGNORE);
        place(&cursor, buffer, count, global);
    }
}

/* A place that no rank fills stays NaN, and then every check fails. */
static void collect(const struct sx_cli_job *job, const struct sx_cli_box *box, const double *local,
                    double *buffer, double *global)
{
    struct cursor cursor = {.box = *box};
    ptrdiff_t volume = sx_cli_box_volume(box->ndims, box->n);
    for (ptrdiff_t i = 0; i < 2 * volume; i++)
        global[i] = NAN;
    sx_cli_box_start(box, cursor.index);
    place(&cursor, local, box->count, global);
    for (int q = 1; q < job->nranks; q++)
        receive_from(job->comm, q, buffer, global);
}

int sx_cli_gather_execute(const struct sx_cli_job *job, int side, double *global)
{
    const struct sx_cli_box *box = &job->box[side];
    double *buffer = sx_cli_memory_create(2 * CHUNK, sizeof(double));
    int rc = sx_cli_fail_agree(job->comm, buffer ? SX_CLI_OK : SX_CLI_ERROR);
    if (rc == SX_CLI_OK && job->rank == 0)
        collect(job, box, job->array[side], buffer, global);
    else if (rc == SX_CLI_OK)
        send_local(job->comm, box, job->array[side]);
    free(buffer);
    return rc;
}
