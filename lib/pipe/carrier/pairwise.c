/* pairwise.c - the carrier that sends point to point: each block is a message from its source to its
 * destination. Blocks are sent when they are posted. Receives are posted at most `window` slices ahead, which
 * keeps MPI's lists of receives short. Step i of a slice is a send to the i-th rank after this one, or a
 * receive from the i-th rank before it (Thakur, Rabenseifner & Gropp 2005, section 4.2). */
#include "pipe/pipe.h"

typedef struct state {
    sx_messages *side[2]; /* for each slot of the ring, the messages of its slice */
    int expected;         /* number of slices whose receives have been posted */
} state;

/* ---- creation */

/* Get the number of pieces (message.h) of all messages of a slice. */
static ptrdiff_t count_pieces(const subx_pipe pipe, int side, int slice)
{
    ptrdiff_t count = 0;
    for (int q = 0; q < pipe->p; q++) {
        count += sx_message_count(sx_pipe_get_bytes(pipe, side, slice, q));
        if (pipe->is_on_device && sx_pipe_is_remote(pipe, side, slice, q))
            count += sx_message_count(SX_STAMP_BYTES);
    }
    return count;
}

static int create_side(subx_pipe pipe, int side)
{
    state *a = pipe->state;
    int rc = MPI_SUCCESS;
    a->side[side] = sx_base_alloc(pipe->depth, sizeof *a->side[side]);
    if (!a->side[side])
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int slot = 0; slot < pipe->depth && !rc; slot++) {
        ptrdiff_t most = 0;
        for (int s = slot; s < pipe->nslices; s += pipe->depth) {
            const ptrdiff_t count = count_pieces(pipe, side, s);
            most = count > most ? count : most;
        }
        rc = sx_messages_create(&a->side[side][slot], pipe->comm->comm, side, pipe->tag, most);
    }
    return rc;
}

static int create(subx_pipe pipe)
{
    pipe->state = sx_base_alloc(1, sizeof(state));
    if (!pipe->state)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    int rc = create_side(pipe, SX_FROM);
    return rc ? rc : create_side(pipe, SX_TO);
}

static void free_state(subx_pipe pipe)
{
    state *a = pipe->state;
    for (int side = 0; a && side < 2; side++) {
        for (int slot = 0; a->side[side] && slot < pipe->depth; slot++)
            sx_messages_free(&a->side[side][slot]);
        sx_base_free(a->side[side]);
    }
    sx_base_free(a);
    pipe->state = NULL;
}

/* ---- an epoch */

static sx_messages *get_messages(const subx_pipe pipe, int side, int slice)
{
    return &((const state *)pipe->state)->side[side][slice % pipe->depth];
}

/* Start the message of a block. If stamps lie apart, a message with the stamp follows. */
static int start_block(subx_pipe pipe, int side, int slice, int q)
{
    sx_messages *m = get_messages(pipe, side, slice);
    const int rc = sx_messages_start(m, q, sx_pipe_get_address(pipe, side, slice, q),
                                     sx_pipe_get_bytes(pipe, side, slice, q));
    if (!pipe->is_on_device || !sx_pipe_is_remote(pipe, side, slice, q))
        return rc;
    const int failed = sx_messages_start(m, q, sx_pipe_get_stamp(pipe, side, slice, q), SX_STAMP_BYTES);
    return rc ? rc : failed;
}

/* Start the sends or the receives of a slice. Messages of all slices have one tag. Each receive matches the
 * send of its own slice, because both ranks of a pair go through the slices in the same order. */
static int start_messages(subx_pipe pipe, int side, int slice)
{
    int rc = MPI_SUCCESS;
    for (int i = 1; i < pipe->p; i++) {
        int q = (pipe->r + (side == SX_FROM ? i : pipe->p - i)) % pipe->p;
        int failed = start_block(pipe, side, slice, q);
        rc = rc ? rc : failed;
    }
    return rc;
}

/* Post the receives of the next slices: of at most `window` slices, and only of slices whose slots in the
 * ring are free. */
static int expect(subx_pipe pipe)
{
    state *a = pipe->state;
    int rc = MPI_SUCCESS;
    while (a->expected < pipe->nslices && a->expected < pipe->arrived + pipe->window &&
           a->expected < pipe->completed + pipe->depth) {
        int failed = start_messages(pipe, SX_TO, a->expected++);
        rc = rc ? rc : failed;
    }
    return rc;
}

static int begin(subx_pipe pipe)
{
    ((state *)pipe->state)->expected = 0;
    return expect(pipe);
}

static int post(subx_pipe pipe, int slice)
{
    return start_messages(pipe, SX_FROM, slice);
}

/* Increase *through, the number of slices whose messages have ended, as far as possible without waiting, to
 * at most `end`. */
static int advance(subx_pipe pipe, int side, int end, int *through)
{
    int rc = MPI_SUCCESS, done = 1;
    while (!rc && done && *through < end) {
        rc = sx_messages_test(get_messages(pipe, side, *through), &done);
        *through += !rc && done;
    }
    return rc;
}

static int progress(subx_pipe pipe)
{
    const state *a = pipe->state;
    int before, rc;
    do {
        before = pipe->arrived;
        rc = advance(pipe, SX_TO, a->expected, &pipe->arrived);
        int failed = expect(pipe);
        rc = rc ? rc : failed;
    } while (!rc && pipe->arrived > before && pipe->arrived < a->expected);
    int failed = advance(pipe, SX_FROM, pipe->posted, &pipe->sent);
    return rc ? rc : failed;
}

extern const sx_carrier sx_pipe_pairwise;
const sx_carrier sx_pipe_pairwise = {
    .name = "pairwise",
    .traits = SUBX_ENGINE_WINDOW,
    .likes_slices = 1,
    .sends_stamps = 1,
    .create = create,
    .begin = begin,
    .post = post,
    .progress = progress,
    .free = free_state,
};
