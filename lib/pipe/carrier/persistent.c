/* persistent.c - the carrier by a persistent collective (MPI 4.0, section 6.13; in Open MPI 4 an extension), which is bound
 * to the areas. */
#include "pipe/counts.h"
#ifdef HAVE_MPI_EXT_H
#include <mpi-ext.h>
#endif

typedef struct state {
    sx_counts of[2];
    MPI_Request *request; /* of each slice */
} state;

static void free_requests(subx_pipe pipe)
{
    state *a = pipe->state;
    for (int s = 0; a->request && s < pipe->nslices; s++)
        if (a->request[s] != MPI_REQUEST_NULL)
            MPI_Request_free(&a->request[s]);
}

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
#ifndef SUBX_ALLTOALLV_INIT /* the name of the call, if there is one */
    return subx_error_get(SUBX_ERR_UNAVAILABLE);
#endif
    return sx_counts_create(pipe, a->of);
}

static int bind(subx_pipe pipe)
{
    int rc = MPI_SUCCESS;
    free_requests(pipe);
#ifdef SUBX_ALLTOALLV_INIT
    state *a = pipe->state;
    for (int s = 0; s < pipe->nslices; s++) {
        const sx_call c = sx_counts_get_call(pipe, a->of, s);
        int failed;
        SX_AGAIN(failed, SUBX_ALLTOALLV_INIT(c.from, c.count[SX_FROM], c.displ[SX_FROM], MPI_BYTE, c.to,
                                             c.count[SX_TO], c.displ[SX_TO], MPI_BYTE, pipe->comm->comm,
                                             MPI_INFO_NULL, &a->request[s]));
        rc = rc ? rc : failed;
    }
#endif
    return rc;
}

static void free_state(subx_pipe pipe)
{
    state *a = pipe->state;
    if (!a)
        return;
    free_requests(pipe);
    sx_counts_free(a->of);
    sx_base_free(a->request);
    sx_base_free(a);
    pipe->state = NULL;
}

/* ---- an epoch */

static int post(subx_pipe pipe, int slice)
{
    state *a = pipe->state;
    int rc;
    SX_TWICE(rc, MPI_Start(&a->request[slice]));
    return rc;
}

/* A request that has ended stays, inactive, and testing it again tells the same. */
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

extern const sx_carrier sx_pipe_persistent;
const sx_carrier sx_pipe_persistent = {
    .name = "persistent",
    .create = create,
    .bind = bind,
    .post = post,
    .progress = progress,
    .free = free_state,
};
