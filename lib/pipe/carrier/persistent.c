/* persistent.c - the carrier that uses MPI's persistent all-to-all (MPI 4.0, section 6.13; in Open MPI 4 an
 * extension). Its requests are made for the addresses of the areas: new areas need new requests (`bind`). */
#include "pipe/collective.h"
#ifdef HAVE_MPI_EXT_H
#include <mpi-ext.h>
#endif

static void free_requests(subx_pipe pipe)
{
    sx_collective *a = pipe->state;
    for (int s = 0; a && a->request && s < pipe->nslices; s++)
        if (a->request[s] != MPI_REQUEST_NULL)
            MPI_Request_free(&a->request[s]);
}

static void free_state(subx_pipe pipe)
{
    free_requests(pipe);
    sx_collective_free(pipe);
}

#ifdef SUBX_ALLTOALLV_INIT /* the name of the call, if this MPI has one */

static int create(subx_pipe pipe)
{
    return sx_collective_create(pipe);
}

static int bind(subx_pipe pipe)
{
    sx_collective *a = pipe->state;
    int rc = MPI_SUCCESS;
    free_requests(pipe);
    for (int s = 0; s < pipe->nslices; s++) {
        const sx_call c = sx_collective_get_call(pipe, s);
        int failed =
            SUBX_ALLTOALLV_INIT(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to, c.count[SX_TO],
                                c.displ[SX_TO], MPI_BYTE, pipe->comm->comm, MPI_INFO_NULL, &a->request[s]);
        rc = rc ? rc : failed;
    }
    return rc;
}

#else

static int create(subx_pipe pipe)
{
    (void)pipe;
    return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

static int bind(subx_pipe pipe)
{
    (void)pipe;
    return MPI_SUCCESS;
}

#endif

static int post(subx_pipe pipe, int slice)
{
    sx_collective *a = pipe->state;
    return MPI_Start(&a->request[slice]);
}

extern const sx_carrier sx_pipe_persistent;
const sx_carrier sx_pipe_persistent = {
    .name = "persistent",
    .traits = SUBX_ENGINE_TRY_ARRAYS,
    .is_ordered = 1,
    .create = create,
    .bind = bind,
    .post = post,
    .progress = sx_collective_progress,
    .free = free_state,
};
