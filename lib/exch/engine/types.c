/* types.c - the engine that sends the caller's types point to point; MPI packs the data. In step i = 0, 1, ..
 * rank r sends to rank r + i + 1 and receives from rank r - i - 1, both modulo p; at most `window` steps are
 * in flight. In Open MPI's MPI_Alltoallw, in contrast, all messages are in flight at once, and all ranks may
 * begin with the same partner. */
#include "exch/exch.h"

typedef struct state {
    int tag, window;
    int begun, ended;     /* how many steps have begun, and how many have ended; p - 1 at the end */
    MPI_Request *request; /* for each step in flight, a send and a receive: [step % window][side] */
    sx_direct self;
} state;

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    const int tag = sx_comm_get_tag(ex->comm), most = ex->p > 1 ? ex->p - 1 : 1;
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    s->tag = tag;
    s->window = ex->hints.window < most ? ex->hints.window : most;
    s->request = sx_base_alloc(2 * (ptrdiff_t)s->window, sizeof(MPI_Request));
    if (!s->request)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < 2 * s->window; i++)
        s->request[i] = MPI_REQUEST_NULL;
    sx_exch_set_direct_self(ex, &s->self);
    return MPI_SUCCESS;
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    if (s)
        sx_base_free(s->request);
    sx_base_free(s);
    ex->state = NULL;
}

/* ---- execution */

static int get_partner(const subx_exch ex, int side, int step)
{
    return (ex->r + (side == SX_FROM ? step + 1 : ex->p - step - 1)) % ex->p;
}

/* Begin the send or the receive of a step. If this rank's data is wrong, an empty message is sent
 * instead, so that the partner does not wait for ever. */
static int begin_message(subx_exch ex, int side, int step)
{
    state *s = ex->state;
    const int q = get_partner(ex, side, step);
    const sx_block *block = &ex->side[side].block[q];
    MPI_Request *request = &s->request[2 * (step % s->window) + side];
    if (block->shape < 0)
        return MPI_SUCCESS;
    const sx_shape *shape = &ex->side[side].shape[block->shape];
    const MPI_Aint at = block->offset - shape->origin;
    if (side == SX_TO)
        return MPI_Irecv(ex->recvbuf + at, 1, shape->type, q, s->tag, ex->comm->comm, request);
    return MPI_Isend(ex->sendbuf + at, !ex->gives_wrong, shape->type, q, s->tag, ex->comm->comm, request);
}

static int begin_steps(subx_exch ex)
{
    state *s = ex->state;
    int rc = MPI_SUCCESS;
    for (; s->begun < ex->p - 1 && s->begun < s->ended + s->window; s->begun++)
        for (int side = 1; side >= 0; side--) {
            int failed = begin_message(ex, side, s->begun);
            rc = rc ? rc : failed;
        }
    return rc;
}

/* Begin the first steps, then copy this rank's block for itself while their messages travel. */
static int start(subx_exch ex)
{
    state *s = ex->state;
    s->begun = s->ended = 0;
    int rc = begin_steps(ex);
    int failed = sx_exch_copy_self(ex, &s->self);
    return rc ? rc : failed;
}

/* Check a received message. If it is empty, its sender had wrong data: SUBX_ERR_PEER. */
static int check_count(const subx_exch ex, int step, const MPI_Status *status)
{
    const int q = get_partner(ex, SX_TO, step);
    const sx_block *block = &ex->side[SX_TO].block[q];
    MPI_Count count = 0;
    if (block->shape < 0)
        return MPI_SUCCESS;
    int rc = MPI_Get_elements_x(status, ex->side[SX_TO].shape[block->shape].type, &count);
    return rc || count != 0 ? rc : subx_error_get_code(SUBX_ERR_PEER);
}

static int end_message(MPI_Request *request, int waits, int *done, MPI_Status *status)
{
    return waits ? MPI_Wait(request, status) : MPI_Test(request, done, status);
}

/* End the earliest step in flight. *done becomes 0 if waits = 0 and the step has not ended yet. */
static int end_step(subx_exch ex, int waits, int *done)
{
    state *s = ex->state;
    int rc = MPI_SUCCESS;
    *done = 1;
    for (int side = 1; side >= 0 && *done; side--) {
        MPI_Request *request = &s->request[2 * (s->ended % s->window) + side];
        MPI_Status status;
        if (*request == MPI_REQUEST_NULL)
            continue;
        int failed = end_message(request, waits, done, &status);
        if (!failed && *done && side == SX_TO)
            failed = check_count(ex, s->ended, &status);
        rc = rc ? rc : failed;
    }
    s->ended += *done;
    return rc;
}

static int progress(subx_exch ex, int waits, int *done)
{
    state *s = ex->state;
    int rc = MPI_SUCCESS, goes_on = 1;
    while (goes_on && s->ended < s->begun) {
        int failed = end_step(ex, waits, &goes_on);
        rc = rc ? rc : failed;
        failed = begin_steps(ex);
        rc = rc ? rc : failed;
    }
    *done = s->ended == ex->p - 1;
    return rc;
}

static int test(subx_exch ex, int *done)
{
    return progress(ex, 0, done);
}

static int wait_for(subx_exch ex)
{
    int done;
    return progress(ex, 1, &done);
}

extern const sx_engine_functions sx_exch_types;
const sx_engine_functions sx_exch_types = {
    .avoids = avoids,
    .create = create,
    .start = start,
    .test = test,
    .wait = wait_for,
    .free = free_state,
};
