/* create.c - the making of a pipe: its hints, the places of its blocks, and who is near. */
#include "pipe/pipe.h"
#include <limits.h>
#include <string.h>

/* ---- hints */

enum { AUTO, SHM, NODE, PAIRWISE, ALLTOALLV };

static const char *const engines[] = {"auto", "shm", "node", "pairwise", "alltoallv", NULL};

static int read_choices(MPI_Info hints, sx_pipe_choices *c)
{
    int rc = sx_base_hint_word(hints, "subx_engine", engines, &c->engine);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_between", engines, &c->between);
    if (!rc && (c->between == SHM || c->between == NODE))
        rc = subx_error_get(SUBX_ERR_HINT);
    if (!rc)
        rc = sx_base_hint_int(hints, "subx_window", 4, 1, INT_MAX, &c->window);
    return rc ? rc : sx_base_hint_int(hints, "subx_node_ranks", 0, 0, INT_MAX, &c->node_ranks);
}

static int may_be_near(const subx_pipe pipe)
{
    return pipe->choices.engine <= NODE;
}

static const sx_carrier *get_carrier(const subx_pipe pipe)
{
    int which = may_be_near(pipe) ? pipe->choices.between : pipe->choices.engine;
    return which == ALLTOALLV ? &sx_pipe_alltoallv : &sx_pipe_far;
}

/* ---- what a rank can do alone */

static int alloc_side(sx_pipe_side *side, ptrdiff_t n)
{
    side->bytes = sx_base_alloc(n, sizeof *side->bytes);
    side->place = sx_base_alloc(n, sizeof *side->place);
    return side->bytes && side->place ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int alloc_arrays(subx_pipe pipe)
{
    const ptrdiff_t n = (ptrdiff_t)pipe->nslices * pipe->p;
    int rc = alloc_side(&pipe->send, n);
    if (!rc)
        rc = alloc_side(&pipe->recv, n);
    pipe->is_near = sx_base_alloc(pipe->p, 1);
    pipe->neighbour = sx_base_alloc(pipe->p, sizeof *pipe->neighbour);
    pipe->peer_place = sx_base_alloc(n, sizeof *pipe->peer_place);
    pipe->block = sx_base_alloc(n, sizeof *pipe->block);
    if (!rc && !(pipe->is_near && pipe->neighbour && pipe->peer_place && pipe->block))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    return rc;
}

static int set_bytes(const subx_pipe pipe, sx_pipe_side *side, const MPI_Count bytes[])
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)pipe->nslices * pipe->p; i++) {
        if (bytes[i] < 0)
            return subx_error_get(SUBX_ERR_SIZE);
        side->bytes[i] = (ptrdiff_t)bytes[i];
    }
    return MPI_SUCCESS;
}

/* Deal out an area, to far blocks only or to all. */
static int set_places(const subx_pipe pipe, sx_pipe_side *side, int far_only)
{
    int rc = MPI_SUCCESS;
    ptrdiff_t end = 0;
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p && !rc; q++) {
            const ptrdiff_t at = sx_pipe_at(pipe, s, q);
            side->place[at] = end;
            if (far_only && !sx_pipe_is_far(pipe, side, s, q))
                continue;
            rc = sx_base_add(end, side->bytes[at], &end);
            if (!rc)
                rc = sx_base_add(end, (SX_ALIGNMENT - end % SX_ALIGNMENT) % SX_ALIGNMENT, &end);
        }
    side->area = end;
    return rc;
}

/* All that can fail on one rank alone. */
static int prepare(subx_pipe pipe, int nslices, const MPI_Count send_bytes[], const MPI_Count recv_bytes[],
                   MPI_Info hints)
{
    if (!pipe)
        return subx_error_get(SUBX_ERR_NO_MEM);
    if (nslices < 1 || !send_bytes || !recv_bytes)
        return subx_error_get(SUBX_ERR_ARG);
    pipe->nslices = nslices;
    int rc = read_choices(hints, &pipe->choices);
    if (!rc)
        rc = MPI_Comm_size(pipe->comm, &pipe->p);
    if (!rc)
        rc = MPI_Comm_rank(pipe->comm, &pipe->r);
    if (!rc)
        rc = alloc_arrays(pipe);
    if (!rc)
        rc = set_bytes(pipe, &pipe->send, send_bytes);
    if (!rc)
        rc = set_bytes(pipe, &pipe->recv, recv_bytes);
    if (!rc)
        rc = set_places(pipe, &pipe->send, 0);
    if (!rc)
        pipe->is_near[pipe->r] = 1;
    return rc;
}

/* ---- what ranks do together */

/* What a rank tells a peer of the block of a slice for it. */
typedef struct offer {
    int64_t bytes, place;
} offer;

enum { OFFER_LENGTH = sizeof(offer) / sizeof(int64_t) };

static int alloc_offers(const subx_pipe pipe, offer **told, offer **heard, int *length)
{
    const ptrdiff_t n = (ptrdiff_t)pipe->nslices * pipe->p;
    *told = sx_base_alloc(n, sizeof **told);
    *heard = sx_base_alloc(n, sizeof **heard);
    if (!*told || !*heard)
        return subx_error_get(SUBX_ERR_NO_MEM);
    return sx_base_int((ptrdiff_t)pipe->nslices * OFFER_LENGTH, length);
}

/* Everybody tells everybody how long its blocks are and where they will lie. */
static int exchange_offers(subx_pipe pipe, offer told[], offer heard[], int length)
{
    for (int q = 0; q < pipe->p; q++)
        for (int s = 0; s < pipe->nslices; s++) {
            const ptrdiff_t at = sx_pipe_at(pipe, s, q);
            told[(ptrdiff_t)q * pipe->nslices + s] = (offer){pipe->send.bytes[at], pipe->send.place[at]};
        }
    int rc = MPI_Alltoall(told, length, MPI_INT64_T, heard, length, MPI_INT64_T, pipe->comm);
    for (int q = 0; q < pipe->p && !rc; q++)
        for (int s = 0; s < pipe->nslices && !rc; s++) {
            const offer *o = &heard[(ptrdiff_t)q * pipe->nslices + s];
            pipe->peer_place[sx_pipe_at(pipe, s, q)] = (ptrdiff_t)o->place;
            if (o->bytes != pipe->recv.bytes[sx_pipe_at(pipe, s, q)])
                rc = subx_error_get(SUBX_ERR_MISMATCH);
        }
    return rc;
}

static int has_far(const subx_pipe pipe)
{
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p; q++)
            if (sx_pipe_is_far(pipe, &pipe->send, s, q) || sx_pipe_is_far(pipe, &pipe->recv, s, q))
                return 1;
    return 0;
}

static int create_carrier(subx_pipe pipe, int is_far)
{
    if (pipe->choices.engine == SHM && is_far)
        return subx_error_get(SUBX_ERR_UNAVAILABLE);
    int rc = set_places(pipe, &pipe->recv, 1);
    pipe->carrier = get_carrier(pipe);
    return rc ? rc : pipe->carrier->create(pipe);
}

static void drop_carrier(subx_pipe pipe)
{
    if (pipe->carrier)
        pipe->carrier->free(pipe);
    pipe->carrier = NULL;
}

/* What serves, for those who left it to choice. */
static const char *get_name(const subx_pipe pipe, int is_near, int is_far)
{
    if (pipe->choices.engine != AUTO)
        return engines[pipe->choices.engine];
    return is_near && is_far ? engines[NODE] : is_near ? engines[SHM] : get_carrier(pipe)->name;
}

/* Let near partners see each other, and a carrier serve those who are far, if there are any on some rank. */
static int create_partners(subx_pipe pipe, int rc)
{
    enum { IS_NEAR, IS_FAR };
    int flags[2] = {0, 0};
    if (may_be_near(pipe))
        rc = sx_pipe_near_create(pipe, rc);
    if (!rc) {
        sx_pipe_near_list(pipe);
        flags[IS_NEAR] = pipe->nneighbours > 0;
        flags[IS_FAR] = has_far(pipe);
        rc = create_carrier(pipe, flags[IS_FAR]);
    }
    rc = sx_base_agree_flags(pipe->comm, rc, NULL, 2, flags);
    if (rc)
        return rc;
    pipe->engine = get_name(pipe, flags[IS_NEAR], flags[IS_FAR]);
    if (!flags[IS_FAR])
        drop_carrier(pipe);
    return MPI_SUCCESS;
}

static int build(subx_pipe pipe, int rc, MPI_Comm comm)
{
    char key[128] = "";
    sx_text t = {key, sizeof key, 0};
    offer *told = NULL, *heard = NULL;
    int length = 0;
    if (!rc) {
        const sx_pipe_choices *c = &pipe->choices;
        sx_base_print(&t, "%d %d %d %d %d", pipe->nslices, c->engine, c->between, c->window, c->node_ranks);
        rc = alloc_offers(pipe, &told, &heard, &length);
    }
    rc = sx_base_agree(comm, rc, key);
    if (!rc)
        rc = create_partners(pipe, exchange_offers(pipe, told, heard, length));
    sx_base_free(heard);
    sx_base_free(told);
    return rc;
}

/* ---- the life of the object */

/* All but the communicator, whose freeing is collective. */
static void destroy(subx_pipe pipe)
{
    if (!pipe)
        return;
    drop_carrier(pipe);
    sx_pipe_near_free(pipe);
    sx_base_free(pipe->block);
    sx_base_free(pipe->peer_place);
    sx_base_free(pipe->neighbour);
    sx_base_free(pipe->is_near);
    sx_base_free(pipe->recv.place);
    sx_base_free(pipe->recv.bytes);
    sx_base_free(pipe->send.place);
    sx_base_free(pipe->send.bytes);
    sx_base_free(pipe);
}

int subx_pipe_create(MPI_Comm comm, int nslices, const MPI_Count send_bytes[], const MPI_Count recv_bytes[],
                     MPI_Info hints, subx_pipe *pipe)
{
    MPI_Comm dup = MPI_COMM_NULL;
    if (pipe)
        *pipe = SUBX_PIPE_NULL;
    int rc = sx_base_comm_dup(comm, &dup);
    if (rc)
        return rc;
    subx_pipe made = sx_base_alloc(1, sizeof *made);
    if (made)
        made->comm = dup;
    rc = pipe ? prepare(made, nslices, send_bytes, recv_bytes, hints) : subx_error_get(SUBX_ERR_ARG);
    rc = build(made, rc, dup);
    if (rc) {
        destroy(made);
        MPI_Comm_free(&dup);
        return rc;
    }
    *pipe = made;
    return MPI_SUCCESS;
}

int subx_pipe_free(subx_pipe *pipe)
{
    if (!pipe || !*pipe)
        return MPI_SUCCESS;
    if ((*pipe)->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    MPI_Comm comm = (*pipe)->comm;
    destroy(*pipe);
    *pipe = SUBX_PIPE_NULL;
    return MPI_Comm_free(&comm);
}

/* ---- questions */

int subx_pipe_get(subx_pipe pipe, const char **engine, MPI_Count *send_bytes, MPI_Count *recv_bytes)
{
    if (!pipe)
        return subx_error_get(SUBX_ERR_ARG);
    if (engine)
        *engine = pipe->engine;
    if (send_bytes)
        *send_bytes = pipe->send.area;
    if (recv_bytes)
        *recv_bytes = pipe->recv.area;
    return MPI_SUCCESS;
}

int subx_pipe_get_place(subx_pipe pipe, int slice, int q, MPI_Count *offset)
{
    if (!pipe || !offset || slice < 0 || slice >= pipe->nslices || q < 0 || q >= pipe->p)
        return subx_error_get(SUBX_ERR_ARG);
    *offset = pipe->send.place[sx_pipe_at(pipe, slice, q)];
    return MPI_SUCCESS;
}
