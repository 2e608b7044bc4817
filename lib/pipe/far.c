/* far.c - far partners by messages, point to point: what is posted is sent, and receives are posted some
 * slices ahead.
 *
 * Messages of a slice end together. Only those of the slice that has to end next are tested: MPI lets the
 * others progress all the same, and slices are wanted in their order. */
#include "pipe/pipe.h"

/* Slices of one pair of ranks that meet the same tag are taken in the order in which they were sent. */
enum { TAGS = 1 << 15 };

typedef struct state {
    sx_messages *out, *in; /* of each slice */
    int expected;          /* slices whose receives have been posted */
} state;

/* ---- creation */

static int count_far(const subx_pipe pipe, const sx_pipe_side *side, int slice)
{
    int count = 0;
    for (int q = 0; q < pipe->p; q++)
        count += sx_pipe_is_far(pipe, side, slice, q);
    return count;
}

static int create(subx_pipe pipe)
{
    state *a = pipe->state = sx_base_alloc(1, sizeof *a);
    if (!a)
        return subx_error_get(SUBX_ERR_NO_MEM);
    a->out = sx_base_alloc(pipe->nslices, sizeof *a->out);
    a->in = sx_base_alloc(pipe->nslices, sizeof *a->in);
    int rc = a->out && a->in ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
    for (int s = 0; s < pipe->nslices && !rc; s++) {
        rc = sx_message_create(&a->out[s], pipe->comm, count_far(pipe, &pipe->send, s));
        if (!rc)
            rc = sx_message_create(&a->in[s], pipe->comm, count_far(pipe, &pipe->recv, s));
    }
    return rc;
}

static void free_messages(sx_messages *of, int nslices)
{
    for (int s = 0; of && s < nslices; s++)
        sx_message_free(&of[s]);
    sx_base_free(of);
}

static void free_state(subx_pipe pipe)
{
    state *a = pipe->state;
    if (!a)
        return;
    free_messages(a->in, pipe->nslices);
    free_messages(a->out, pipe->nslices);
    sx_base_free(a);
    pipe->state = NULL;
}

/* ---- a run */

/* Start the messages of a slice: in step i each rank sends to the one that is i to its right, and expects
 * from the one that is i to its left. */
static int start_messages(subx_pipe pipe, sx_messages *m, int way, int slice)
{
    const sx_pipe_side *side = way == SX_FROM ? &pipe->send : &pipe->recv;
    int rc = MPI_SUCCESS;
    for (int i = 1, slot = 0; slot < m->n && !rc; i++) {
        int q = (pipe->r + (way == SX_FROM ? i : pipe->p - i)) % pipe->p;
        ptrdiff_t at = sx_pipe_at(pipe, slice, q);
        if (!sx_pipe_is_far(pipe, side, slice, q))
            continue;
        sx_message a = {.way = way, .peer = q, .tag = slice % TAGS, .n = side->bytes[at], .type = MPI_BYTE};
        if (way == SX_FROM)
            a.from = pipe->from + side->place[at];
        else
            a.to = pipe->to + side->place[at];
        rc = sx_message_start(m, slot++, &a);
    }
    return rc;
}

static int expect(subx_pipe pipe)
{
    state *a = pipe->state;
    int rc = MPI_SUCCESS;
    while (!rc && a->expected < pipe->nslices && a->expected - pipe->arrived < pipe->choices.window) {
        rc = start_messages(pipe, &a->in[a->expected], SX_TO, a->expected);
        a->expected++;
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
    return start_messages(pipe, &((state *)pipe->state)->out[slice], SX_FROM, slice);
}

/* Advance the number of slices that are through, of so many. */
static int advance(sx_messages *of, int end, int *through)
{
    int rc = MPI_SUCCESS, done = 1;
    while (!rc && done && *through < end) {
        done = of[*through].n == 0;
        if (!done)
            rc = sx_message_test_all(&of[*through], &done);
        *through += done;
    }
    return rc;
}

static int progress(subx_pipe pipe)
{
    state *a = pipe->state;
    int before, rc;
    do {
        before = pipe->arrived;
        rc = advance(a->in, a->expected, &pipe->arrived);
        if (!rc)
            rc = expect(pipe);
    } while (!rc && pipe->arrived > before && pipe->arrived < a->expected);
    return rc ? rc : advance(a->out, pipe->posted, &pipe->sent);
}

const sx_carrier sx_pipe_far = {
    .name = "pairwise",
    .create = create,
    .begin = begin,
    .post = post,
    .progress = progress,
    .free = free_state,
};
