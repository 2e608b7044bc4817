/* alltoallv.c - the carrier by MPI's collective: one MPI_Ialltoallv per slice. A pipe of one slice that loses nothing by
 * waiting uses MPI_Alltoallv, which MPIs do better. */
#include "pipe/counts.h"

typedef struct state {
    sx_counts of[2];
    MPI_Request *request; /* of each slice */
} state;

/* ---- creation */

static int create(subx_pipe pipe)
{
    state *a = pipe->state = sx_base_alloc(1, sizeof *a);
    if (!a)
        return subx_error_get(SUBX_ERR_NO_MEM);
    a->request = sx_base_alloc(pipe->nslices, sizeof(MPI_Request));
    if (!a->request)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int s = 0; s < pipe->nslices; s++)
        a->request[s] = MPI_REQUEST_NULL;
    return sx_counts_create(pipe, a->of);
}

static void free_state(subx_pipe pipe)
{
    state *a = pipe->state;
    if (!a)
        return;
    sx_counts_free(a->of);
    sx_base_free(a->request);
    sx_base_free(a);
    pipe->state = NULL;
}

/* ---- an epoch */

/* Whether all is done when this rank comes to start the only slice. */
static int blocks(const subx_pipe pipe)
{
    return pipe->nslices == 1 && pipe->may_block;
}

static int post(subx_pipe pipe, int slice)
{
    state *a = pipe->state;
    const sx_call c = sx_counts_get_call(pipe, a->of, slice);
    int rc;
    if (blocks(pipe)) {
        pipe->arrived = pipe->sent = 1;
        return MPI_SUCCESS;
    }
    SX_TWICE(rc, MPI_Ialltoallv(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to, c.count[SX_TO],
                                c.displ[SX_TO], MPI_BYTE, pipe->comm->comm, &a->request[slice]));
    return rc;
}

static int block(subx_pipe pipe, int slice)
{
    const state *a = pipe->state;
    const sx_call c = sx_counts_get_call(pipe, a->of, slice);
    int rc;
    if (!blocks(pipe))
        return MPI_SUCCESS;
    SX_TWICE(rc, MPI_Alltoallv(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to, c.count[SX_TO],
                               c.displ[SX_TO], MPI_BYTE, pipe->comm->comm));
    return rc;
}

static int progress(subx_pipe pipe)
{
    state *a = pipe->state;
    int rc = MPI_SUCCESS, done = 1;
    while (!rc && done && pipe->arrived < pipe->posted) {
        rc = MPI_Test(&a->request[pipe->arrived], &done, MPI_STATUS_IGNORE);
        pipe->arrived += !rc && done;
    }
    pipe->sent = pipe->arrived;
    return rc;
}

extern const sx_carrier sx_pipe_alltoallv;
const sx_carrier sx_pipe_alltoallv = {
    .name = "alltoallv",
    .create = create,
    .post = post,
    .block = block,
    .progress = progress,
    .free = free_state,
};
