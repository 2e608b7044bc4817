/* shm.c - the engine for the ranks of a node: each reads what it gets where its peers have it, and writes it where
 * it belongs, in any order: one read, one write, no message.
 *
 * That needs send buffers from subx_mem_alloc. What else a rank is given to send, it packs into work space that
 * its peers see, and they unpack it from there. Ranks meet by counters in shared memory, pair by pair. */
#include "exch/packed.h"
#include "mem/mem.h"
#include <stdint.h>
#include <string.h>

/* ---- what lies in shared memory, in each rank's piece */

/* Where a rank's data is to be read: at an offset in its piece of a segment of subx_mem_alloc. */
typedef struct source {
    int64_t key; /* of that segment, or 0: all is staged */
    int64_t rank, offset;
} source;

/* What its owner writes and what its peers write are in lines of their own. */
typedef struct control {
    uint64_t ready; /* executions whose data may be read */
    source from;
    char fill[SX_ALIGNMENT - sizeof(uint64_t) - sizeof(source)];
    uint64_t reads; /* blocks that peers have read, of all executions */
    char fill_too[SX_ALIGNMENT - sizeof(uint64_t)];
} control;

/* What a rank tells a peer of the block that it will send to it. */
typedef struct offer {
    sx_layout layout; /* if strided */
    int64_t offset;   /* of the block, from the send buffer */
    int64_t staged;   /* where it lies if it is staged, from the start of the piece */
    int32_t strided;
    int32_t declined; /* the peer's answer: 1 if it cannot read the block where it is */
} offer;

/* ---- state */

/* What this rank gets from a peer. */
typedef struct input {
    int from, done;
    int direct;     /* the block can be read where it is */
    sx_layout both; /* if so: from there to where it belongs */
    ptrdiff_t offset;
    const sx_kern *kern;
    const char *staged;
} input;

typedef struct state {
    sx_segment segment;
    sx_self self;
    int ninputs, pulled;
    input *input;                   /* this rank's own first, then its right neighbour's, ... */
    uint64_t epoch, readers, reads; /* executions; peers that read from here; reads once all are done */
    int64_t known_key;              /* a segment of which all readers are members */
    int failed;                     /* the outcome of staging, told when all have been served */
} state;

static control *get_control(const state *s, int q)
{
    return (control *)(void *)s->segment.base[q];
}

static offer *get_offers(const state *s, int q)
{
    return (offer *)(void *)(s->segment.base[q] + sizeof(control));
}

/* ---- creation */

/* Packing what is not strided takes two passes by MPI. */
static int avoids(subx_exch ex)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ex->side[i].nshapes; k++)
            if (!ex->side[i].shape[k].strided)
                return 1;
    return 0;
}

static int count_inputs(const subx_exch ex)
{
    int count = 0;
    for (int q = 0; q < ex->p; q++)
        count += ex->side[SX_TO].part[q].shape >= 0;
    return count;
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->input = sx_base_alloc(count_inputs(ex), sizeof *s->input);
    if (!s->input)
        return subx_error_get(SUBX_ERR_NO_MEM);
    if (!sx_exch_side_can_pack(&ex->side[SX_FROM], ex->p) || !sx_exch_side_can_pack(&ex->side[SX_TO], ex->p))
        return subx_error_get(SUBX_ERR_TOO_LARGE);
    sx_exch_self_set(ex, &s->self);
    return MPI_SUCCESS;
}

static ptrdiff_t get_staging_start(int p)
{
    return sx_exch_round_up((ptrdiff_t)sizeof(control) + p * (ptrdiff_t)sizeof(offer));
}

/* Room to stage what goes to a rank. What a rank sends to itself needs none if it can be copied at once. */
static ptrdiff_t get_staging_bytes(const subx_exch ex, const state *s, int q)
{
    if (q == ex->r && s->self.kern)
        return 0;
    return sx_exch_round_up(ex->side[SX_FROM].part[q].bytes);
}

static ptrdiff_t get_piece_bytes(const subx_exch ex, const state *s)
{
    ptrdiff_t bytes = get_staging_start(ex->p);
    for (int q = 0; q < ex->p; q++)
        bytes += get_staging_bytes(ex, s, q);
    return bytes;
}

/* 1 if there is something to send to a rank, or to receive from it. */
static int is_partner(const subx_exch ex, int q)
{
    return ex->side[SX_FROM].part[q].bytes > 0 || ex->side[SX_TO].part[q].bytes > 0;
}

/* Known before any memory is taken, of which there may not be enough for an engine that cannot serve. */
static int check_nodes(const subx_exch ex, const int node[])
{
    for (int q = 0; q < ex->p; q++)
        if (is_partner(ex, q) && node[q] != node[ex->r])
            return subx_error_get(SUBX_ERR_UNAVAILABLE);
    return MPI_SUCCESS;
}

/* That all partners are on this node does not mean that the system lets them see each other's memory. */
static int check_sight(const subx_exch ex, const sx_segment *segment)
{
    for (int q = 0; q < ex->p; q++)
        if (is_partner(ex, q) && !segment->base[q])
            return subx_error_get(SUBX_ERR_UNAVAILABLE);
    return MPI_SUCCESS;
}

static void set_offers(const subx_exch ex, state *s)
{
    const sx_side *send = &ex->side[SX_FROM];
    ptrdiff_t at = get_staging_start(ex->p);
    for (int q = 0; q < ex->p; q++) {
        offer *o = get_offers(s, ex->r) + q;
        const sx_part *part = &send->part[q];
        if (part->shape < 0)
            continue;
        const sx_shape *shape = &send->shape[part->shape];
        o->strided = shape->strided;
        if (o->strided)
            o->layout = shape->layout;
        o->offset = part->offset;
        o->staged = at;
        at += get_staging_bytes(ex, s, q);
        s->readers += q != ex->r;
    }
}

/* Two types meet by what their packed forms have in common. */
static void set_input(const subx_exch ex, state *s, int q)
{
    const sx_side *recv = &ex->side[SX_TO];
    const sx_part *part = &recv->part[q];
    if (part->shape < 0)
        return;
    offer *o = get_offers(s, q) + ex->r;
    input *in = &s->input[s->ninputs++];
    in->from = q;
    in->offset = o->offset;
    in->staged = s->segment.base[q] + o->staged;
    in->direct =
        o->strided && sx_exch_join(&o->layout, &recv->shape[part->shape], recv->bytes, &in->both, &in->kern);
    o->declined = !in->direct;
}

/* Offers are made before the first of two meetings and answered before the second. */
static int share(subx_exch ex, const int node[])
{
    state *s = ex->state;
    int rc = sx_mem_segment_create(ex->comm, check_nodes(ex, node), get_piece_bytes(ex, s), SX_MEM_WRITE,
                                   node, &s->segment);
    if (rc)
        return rc;
    rc = check_sight(ex, &s->segment);
    if (!rc)
        set_offers(ex, s);
    rc = sx_base_agree(ex->comm, rc, NULL);
    for (int i = 0; i < ex->p && !rc; i++)
        set_input(ex, s, (ex->r + i) % ex->p);
    return rc;
}

static int complete(subx_exch ex)
{
    int *node = sx_base_alloc(ex->p, sizeof *node);
    int rc = sx_mem_get_nodes(ex->comm, node ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM),
                              ex->choices.node_ranks, node);
    if (!rc)
        rc = share(ex, node);
    sx_base_free(node);
    return rc;
}

/* ---- execution: what is sent */

/* 1 if all that read from this rank can read a segment's pieces. */
static int is_known_to_readers(const subx_exch ex, state *s, const sx_segment *where)
{
    if (where->key == s->known_key)
        return 1;
    for (int q = 0; q < ex->p; q++) {
        int found = q == ex->r || !ex->side[SX_FROM].part[q].bytes;
        for (int i = 0; i < where->p && !found; i++)
            found = where->base[i] && where->process[i] == s->segment.process[q];
        if (!found)
            return 0;
    }
    s->known_key = where->key;
    return 1;
}

/* All that the types touch must be in one piece; the buffer's address alone may be anywhere. */
static source find_source(const subx_exch ex, state *s)
{
    const sx_side *send = &ex->side[SX_FROM];
    const sx_segment *where = s->readers ? sx_mem_find_address(ex->sendbuf + send->low) : NULL;
    if (!where || ex->sendbuf + send->high > where->base[where->r] + where->bytes[where->r] ||
        !is_known_to_readers(ex, s, where))
        return (source){0, 0, 0};
    return (source){where->key, where->r, ex->sendbuf - where->base[where->r]};
}

/* What stays on this rank need not be staged only because others could not see it. */
static int stage(const subx_exch ex, state *s, int all)
{
    int rc = MPI_SUCCESS;
    for (int i = 1; i <= ex->p && !rc; i++) {
        int q = (ex->r + i) % ex->p;
        const offer *o = get_offers(s, ex->r) + q;
        if (ex->side[SX_FROM].part[q].bytes && (o->declined || (all && q != ex->r)))
            rc = sx_exch_part_pack(&ex->side[SX_FROM], q, ex->sendbuf, s->segment.base[ex->r] + o->staged);
    }
    return rc;
}

/* Peers are served whatever has happened, or they would wait for ever. */
static int start(subx_exch ex)
{
    state *s = ex->state;
    control *mine = get_control(s, ex->r);
    mine->from = find_source(ex, s);
    s->failed = stage(ex, s, mine->from.key == 0);
    s->epoch++;
    s->reads += s->readers;
    s->pulled = 0;
    for (int i = 0; i < s->ninputs; i++)
        s->input[i].done = 0;
    __atomic_store_n(&mine->ready, s->epoch, __ATOMIC_RELEASE);
    return MPI_SUCCESS;
}

/* ---- execution: what is received */

/* Where a peer's send buffer begins, as this rank sees it; NULL if what it sends is staged. An error if this
 * rank has freed its memory and the peer has not. */
static int get_buffer(const subx_exch ex, const state *s, int q, const char **buffer)
{
    const source *from = &get_control(s, q)->from;
    *buffer = q == ex->r ? ex->sendbuf : NULL;
    if (q == ex->r || from->key == 0)
        return MPI_SUCCESS;
    const sx_segment *where = sx_mem_find_key(from->key);
    if (!where)
        return subx_error_get(SUBX_ERR_ARG);
    *buffer = where->base[from->rank] + from->offset;
    return MPI_SUCCESS;
}

static int pull(const subx_exch ex, const state *s, const input *in)
{
    const char *buffer = NULL;
    int rc = in->direct ? get_buffer(ex, s, in->from, &buffer) : MPI_SUCCESS;
    if (rc)
        return rc;
    if (!buffer)
        return sx_exch_part_unpack(&ex->side[SX_TO], in->from, in->staged, ex->recvbuf);
    sx_kern_copy(in->kern, &in->both, buffer + in->offset,
                 ex->recvbuf + ex->side[SX_TO].part[in->from].offset, ex->choices.threads);
    return MPI_SUCCESS;
}

/* Pull what is ready. Starting with its own, and then each with its right neighbour, ranks seldom read from the
 * same one. */
static int pull_ready(subx_exch ex, state *s)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < s->ninputs; i++) {
        input *in = &s->input[i];
        control *peer = get_control(s, in->from);
        if (in->done || __atomic_load_n(&peer->ready, __ATOMIC_ACQUIRE) < s->epoch)
            continue;
        int failed = pull(ex, s, in);
        rc = rc ? rc : failed;
        in->done = 1;
        s->pulled++;
        if (in->from != ex->r)
            __atomic_fetch_add(&peer->reads, 1, __ATOMIC_RELEASE);
    }
    return rc;
}

/* All is here, and all that peers want from here they have. */
static int is_done(const subx_exch ex, const state *s)
{
    return s->pulled == s->ninputs &&
           __atomic_load_n(&get_control(s, ex->r)->reads, __ATOMIC_ACQUIRE) == s->reads;
}

static int test(subx_exch ex, int *done)
{
    state *s = ex->state;
    int rc = pull_ready(ex, s);
    *done = is_done(ex, s);
    return rc;
}

static int wait_for(subx_exch ex)
{
    state *s = ex->state;
    int rc = pull_ready(ex, s);
    rc = s->failed ? s->failed : rc;
    for (int round = 0; !is_done(ex, s);) {
        int failed = sx_mem_relax(ex->comm, 1, &round);
        rc = rc ? rc : failed;
        failed = pull_ready(ex, s);
        rc = rc ? rc : failed;
    }
    return rc;
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    if (!s)
        return;
    sx_mem_segment_free(&s->segment);
    sx_base_free(s->input);
    sx_base_free(s);
    ex->state = NULL;
}

const sx_engine sx_exch_shm = {
    .name = "shm",
    .for_nodes = 1,
    .avoids = avoids,
    .create = create,
    .complete = complete,
    .start = start,
    .test = test,
    .wait = wait_for,
    .free = free_state,
};
