/* alltoallv.c - far partners by MPI's collective: one a slice that does not wait, or the one that waits if
 * there is one slice only, which MPIs do better. */
#include "pipe/pipe.h"

/* Of all blocks of a direction, from where the slice's own begin. */
typedef struct counts {
    int *count, *displ;
} counts;

typedef struct state {
    counts out, in;
    MPI_Request *request; /* of each slice */
} state;

/* ---- creation */

static int set_counts(const subx_pipe pipe, const sx_pipe_side *side, counts *c)
{
    int rc = MPI_SUCCESS;
    c->count = sx_base_alloc((ptrdiff_t)pipe->nslices * pipe->p, sizeof *c->count);
    c->displ = sx_base_alloc((ptrdiff_t)pipe->nslices * pipe->p, sizeof *c->displ);
    if (!c->count || !c->displ)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p && !rc; q++) {
            ptrdiff_t at = sx_pipe_at(pipe, s, q);
            if (!sx_pipe_is_far(pipe, side, s, q))
                continue;
            rc = sx_base_int(side->bytes[at], &c->count[at]);
            if (!rc)
                rc = sx_base_int(side->place[at] - side->place[sx_pipe_at(pipe, s, 0)], &c->displ[at]);
        }
    return rc ? subx_error_get(SUBX_ERR_UNAVAILABLE) : MPI_SUCCESS;
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
    int rc = set_counts(pipe, &pipe->send, &a->out);
    return rc ? rc : set_counts(pipe, &pipe->recv, &a->in);
}

static void free_state(subx_pipe pipe)
{
    state *a = pipe->state;
    if (!a)
        return;
    sx_base_free(a->in.displ);
    sx_base_free(a->in.count);
    sx_base_free(a->out.displ);
    sx_base_free(a->out.count);
    sx_base_free(a->request);
    sx_base_free(a);
    pipe->state = NULL;
}

/* ---- a run */

/* Two equal addresses MPICH takes for an error, even if nothing is there. */
static void get_buffers(subx_pipe pipe, int slice, const char **from, char **to)
{
    static char nothing[2];
    const ptrdiff_t at = sx_pipe_at(pipe, slice, 0);
    *from = pipe->from ? pipe->from + pipe->send.place[at] : &nothing[0];
    *to = pipe->recv.area > 0 ? pipe->to + pipe->recv.place[at] : &nothing[1];
}

static int post(subx_pipe pipe, int slice)
{
    state *a = pipe->state;
    const ptrdiff_t at = sx_pipe_at(pipe, slice, 0);
    const char *from;
    char *to;
    if (pipe->nslices == 1) { /* all is done in start */
        pipe->arrived = pipe->sent = 1;
        return MPI_SUCCESS;
    }
    get_buffers(pipe, slice, &from, &to);
    return MPI_Ialltoallv(from, a->out.count + at, a->out.displ + at, MPI_BYTE, to, a->in.count + at,
                          a->in.displ + at, MPI_BYTE, pipe->comm, &a->request[slice]);
}

static int start(subx_pipe pipe, int slice)
{
    const state *a = pipe->state;
    const char *from;
    char *to;
    if (pipe->nslices > 1)
        return MPI_SUCCESS;
    get_buffers(pipe, slice, &from, &to);
    return MPI_Alltoallv(from, a->out.count, a->out.displ, MPI_BYTE, to, a->in.count, a->in.displ, MPI_BYTE,
                         pipe->comm);
}

static int progress(subx_pipe pipe)
{
    state *a = pipe->state;
    int rc = MPI_SUCCESS, done = 1;
    while (!rc && done && pipe->arrived < pipe->posted) {
        rc = MPI_Test(&a->request[pipe->arrived], &done, MPI_STATUS_IGNORE);
        pipe->arrived += done;
    }
    pipe->sent = pipe->arrived;
    return rc;
}

const sx_carrier sx_pipe_alltoallv = {
    .name = "alltoallv",
    .create = create,
    .post = post,
    .start = start,
    .progress = progress,
    .free = free_state,
};
