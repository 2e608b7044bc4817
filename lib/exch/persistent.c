/* persistent.c - packv by a persistent collective (MPI 4.0, section 6.13), in Open MPI 4 an extension.
 * Such a collective is bound to its buffers, so that this engine has its own work space whatever subx_work
 * says, and tells of none. */
#include "exch/packed.h"
#include <limits.h>
#ifdef HAVE_MPI_EXT_H
#include <mpi-ext.h>
#endif

typedef struct state {
    sx_packed of[2];
    sx_self self;
    char *work;
    MPI_Request request; /* null for a single rank */
} state;

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

/* ---- creation */

/* The flag tells all that an int cannot hold the displacements of one. */
static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    ptrdiff_t bytes = 0;
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->request = MPI_REQUEST_NULL;
    int rc = sx_exch_packed_create(ex, s->of, &s->self, &bytes);
    ex->flag = bytes > INT_MAX;
    if (rc || ex->flag)
        return rc;
    s->work = sx_base_alloc(bytes, 1);
    return s->work ? sx_exch_packed_count(ex, s->of) : subx_error_get(SUBX_ERR_NO_MEM);
}

/* SUBX_ALLTOALLV_INIT is the call's name, if there is one. */
static int complete(subx_exch ex)
{
    state *s = ex->state;
    if (ex->flag)
        return subx_error_get(SUBX_ERR_UNAVAILABLE);
    if (ex->p == 1)
        return MPI_SUCCESS;
#ifdef SUBX_ALLTOALLV_INIT
    const sx_packed *out = &s->of[SX_FROM], *in = &s->of[SX_TO];
    return SUBX_ALLTOALLV_INIT(s->work + out->base, out->counts, out->displs, MPI_BYTE, s->work + in->base,
                               in->counts, in->displs, MPI_BYTE, ex->comm, MPI_INFO_NULL, &s->request);
#else
    (void)s;
    return subx_error_get(SUBX_ERR_UNAVAILABLE);
#endif
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    if (!s)
        return;
    if (s->request != MPI_REQUEST_NULL)
        MPI_Request_free(&s->request);
    sx_base_free(s->work);
    sx_exch_packed_free(s->of);
    sx_base_free(s);
    ex->state = NULL;
}

/* ---- execution */

static int start(subx_exch ex)
{
    state *s = ex->state;
    int rc = sx_exch_pack_all(ex, &s->self, s->of[SX_FROM].start, s->work);
    return rc || s->request == MPI_REQUEST_NULL ? rc : MPI_Start(&s->request);
}

/* A request that is complete stays, inactive, and waiting for it is at once over. */
static int test(subx_exch ex, int *done)
{
    state *s = ex->state;
    return MPI_Test(&s->request, done, MPI_STATUS_IGNORE);
}

static int wait_for(subx_exch ex)
{
    state *s = ex->state;
    int rc = MPI_Wait(&s->request, MPI_STATUS_IGNORE);
    return rc ? rc : sx_exch_unpack_all(ex, &s->self, s->of[SX_TO].start, s->work);
}

const sx_engine sx_exch_persistent = {
    .name = "persistent",
    .avoids = avoids,
    .create = create,
    .complete = complete,
    .start = start,
    .test = test,
    .wait = wait_for,
    .free = free_state,
};
