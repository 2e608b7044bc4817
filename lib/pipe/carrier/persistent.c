/* persistent.c - the carrier that uses MPI's persistent all-to-all (MPI 4.0, section 6.13; in Open MPI 4 an extension).
 * Its requests are made for the addresses of the areas: new areas need new requests (`bind`). */
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

/* For an inactive request MPI_Test must tell that it is done (MPI 4.0, section 3.7.3). MPICH 4.0.2 does so only if the
 * request has been started before. */
static int is_done(MPI_Request request)
{
    int done = 0, rc;
    SX_LOCAL(rc, MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return rc || done;
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
        int failed;
        SX_MAKE(failed, a->request[s], MPI_REQUEST_NULL,
                SUBX_ALLTOALLV_INIT(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to,
                                    c.count[SX_TO], c.displ[SX_TO], MPI_BYTE, pipe->comm->comm, MPI_INFO_NULL,
                                    &a->request[s]));
        rc = rc ? rc : failed;
        a->hides_unstarted = !is_done(a->request[s]);
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

/* Query whether a call of MPI_Start that returned an error has started the request: the request is active, or has
 * brought blocks. A rank that receives no block cannot tell whether its request has ended or was never started. `post`
 * then starts the request again. If the request had ended, the partners take the second start for the start of their next
 * epoch. From then on they find stamps of the epoch before, and return SUBX_ERR_PEER.
 *
 * In MPICH 4.0, MPI_Test does not distinguish an active request from one that was never started (hides_unstarted). There,
 * `post` also calls MPI_Start again for an active request. This is harmless, because MPICH refuses to start it. */
static int is_started(const subx_pipe pipe, int slice)
{
    const sx_collective *a = pipe->state;
    return (!is_done(a->request[slice]) && !a->hides_unstarted) || sx_pipe_has_stamps(pipe, slice);
}

/* A persistent request that has ended, or was never started, is inactive: MPI_Test then returns at once that it is done. If
 * a request cannot be started, its slice thus counts as arrived, and the stamps show that its blocks are missing. */
static int post(subx_pipe pipe, int slice)
{
    sx_collective *a = pipe->state;
    int rc = MPI_Start(&a->request[slice]);
    if (rc && !is_started(pipe, slice))
        MPI_Start(&a->request[slice]);
    return rc;
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
