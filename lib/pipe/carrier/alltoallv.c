/* alltoallv.c - the carrier that calls MPI_Ialltoallv for each slice. If a blocking call can serve
 * (is_blocking), it calls MPI_Alltoallv instead, which is faster. */
#include "pipe/collective.h"

/* Query whether the blocking call is used: there is one slice, and this rank may block when it starts the
 * slice. */
static int is_blocking(const subx_pipe pipe)
{
    return pipe->nslices == 1 && pipe->may_block;
}

static int post(subx_pipe pipe, int slice)
{
    sx_collective *a = pipe->state;
    const sx_call c = sx_collective_get_call(pipe, slice);
    if (is_blocking(pipe)) {
        pipe->arrived = pipe->sent = 1;
        return MPI_SUCCESS;
    }
    return MPI_Ialltoallv(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to, c.count[SX_TO],
                          c.displ[SX_TO], MPI_BYTE, pipe->comm->comm, &a->request[slice]);
}

static int block(subx_pipe pipe, int slice)
{
    const sx_call c = sx_collective_get_call(pipe, slice);
    if (!is_blocking(pipe))
        return MPI_SUCCESS;
    return MPI_Alltoallv(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to, c.count[SX_TO],
                         c.displ[SX_TO], MPI_BYTE, pipe->comm->comm);
}

extern const sx_carrier sx_pipe_alltoallv;
const sx_carrier sx_pipe_alltoallv = {
    .name = "alltoallv",
    .likes_slices = 1,
    .is_ordered = 1,
    .create = sx_collective_create,
    .post = post,
    .block = block,
    .progress = sx_collective_progress,
    .free = sx_collective_free,
};
