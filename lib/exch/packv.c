/* packv.c - the engine that packs with our kernels, sends contiguous bytes, and unpacks with our kernels. */
#include "exch/exch.h"
#include <limits.h>

/* Where the packed blocks of one side lie in the work space, and what MPI is told of them. What a rank sends
 * to itself never meets MPI: it is packed where it would have been received. */
typedef struct packed {
    ptrdiff_t
        base; /* bytes, from the work space to what MPI is told is the buffer; never equal on both sides,
                         which MPICH takes for aliasing even where nothing is sent */
    ptrdiff_t *start; /* bytes, from the work space to each rank's block */
    int *counts, *displs;
    MPI_Datatype *types; /* only if large: 1-d subarrays of bytes, which carry offsets that an int cannot */
} packed;

typedef struct state {
    packed of[2];
    int large;
    MPI_Request request;
} state;

/* Runs this long MPI sends as they lie, piece by piece, which beats a pass to pack and another to unpack. */
enum { LONG_RUN = 16 << 10 };

/* Our kernels are for strided blocks of short runs. */
static int avoids(subx_exch ex)
{
    int nshapes = 0, nlong = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ex->side[i].nshapes; k++) {
            const sx_shape *shape = &ex->side[i].shape[k];
            if (!shape->strided)
                return 1;
            nshapes++;
            nlong += shape->layout.block_bytes >= LONG_RUN;
        }
    return nshapes > 0 && nlong == nshapes;
}

/* ---- creation */

/* Blocks begin on a cache line, so that kernels write whole ones. */
static ptrdiff_t round_up(ptrdiff_t bytes)
{
    return (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
}

static int alloc_packed(packed *a, int p)
{
    a->start = sx_base_alloc(p, sizeof *a->start);
    a->counts = sx_base_alloc(p, sizeof *a->counts);
    a->displs = sx_base_alloc(p, sizeof *a->displs);
    a->types = sx_base_alloc(p, sizeof(MPI_Datatype));
    if (!a->start || !a->counts || !a->displs || !a->types)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int q = 0; q < p; q++)
        a->types[q] = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* Deal out the work space from `first` on; returns where it ends. */
static ptrdiff_t place(packed *a, const sx_side *side, int p, int self, ptrdiff_t first)
{
    a->base = first;
    for (int q = 0; q < p; q++) {
        a->start[q] = first;
        if (q != self)
            first += round_up(side->part[q].bytes);
    }
    return first;
}

static int set_small(packed *a, const sx_side *side, int p, int self)
{
    int rc = MPI_SUCCESS;
    for (int q = 0; q < p && !rc; q++) {
        rc = sx_base_int(a->start[q] - a->base, &a->displs[q]);
        if (!rc && q != self)
            rc = sx_base_int(side->part[q].bytes, &a->counts[q]);
    }
    return rc;
}

static int set_large(packed *a, const sx_side *side, int p, int self, ptrdiff_t work_bytes)
{
    int rc = MPI_SUCCESS;
    for (int q = 0; q < p && !rc; q++) {
        MPI_Count bytes = q == self ? 0 : side->part[q].bytes;
        MPI_Count all = work_bytes, start = a->start[q] - a->base;
        rc = subx_type_create_subarray_c(1, &all, &bytes, &start, MPI_ORDER_C, NULL, MPI_BYTE, &a->types[q]);
        if (!rc)
            rc = MPI_Type_commit(&a->types[q]);
        a->counts[q] = bytes > 0;
    }
    return rc;
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->request = MPI_REQUEST_NULL;
    if (!sx_exch_side_can_pack(&ex->side[SX_SEND], ex->p) ||
        !sx_exch_side_can_pack(&ex->side[SX_RECV], ex->p))
        return subx_error_get(SUBX_ERR_TOO_LARGE);
    packed *out = &s->of[SX_SEND], *in = &s->of[SX_RECV];
    int rc = alloc_packed(out, ex->p);
    if (!rc)
        rc = alloc_packed(in, ex->p);
    if (rc)
        return rc;
    ptrdiff_t end = place(out, &ex->side[SX_SEND], ex->p, ex->r, 0);
    ex->work_bytes = place(in, &ex->side[SX_RECV], ex->p, ex->r, end + SX_ALIGNMENT);
    /* What goes to this rank itself has its one place at the end. */
    out->start[ex->r] = in->start[ex->r] = ex->work_bytes;
    ex->work_bytes += round_up(ex->side[SX_SEND].part[ex->r].bytes);
    ex->flag = ex->work_bytes > INT_MAX;
    return MPI_SUCCESS;
}

/* All ranks must take the same path, since MPI_Alltoallv cannot meet MPI_Alltoallw: large if it is for
 * any. */
static int complete(subx_exch ex)
{
    state *s = ex->state;
    int rc = MPI_SUCCESS;
    s->large = ex->flag;
    for (int i = 0; i < 2 && !rc; i++)
        rc = s->large ? set_large(&s->of[i], &ex->side[i], ex->p, ex->r, ex->work_bytes)
                      : set_small(&s->of[i], &ex->side[i], ex->p, ex->r);
    return rc;
}

/* ---- execution */

/* The block for this rank itself comes last, as it is the first to be unpacked and still in the cache
 * then. */
static int pack_all(subx_exch ex)
{
    const state *s = ex->state;
    int rc = MPI_SUCCESS;
    for (int i = 1; i <= ex->p && !rc; i++) {
        int q = (ex->r + i) % ex->p;
        rc = sx_exch_part_pack(&ex->side[SX_SEND], q, ex->sendbuf, ex->work + s->of[SX_SEND].start[q]);
    }
    return rc;
}

/* This rank's own block first. */
static int unpack_all(subx_exch ex)
{
    const state *s = ex->state;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < ex->p && !rc; i++) {
        int q = (ex->r + i) % ex->p;
        rc = sx_exch_part_unpack(&ex->side[SX_RECV], q, ex->work + s->of[SX_RECV].start[q], ex->recvbuf);
    }
    return rc;
}

static int send(subx_exch ex)
{
    const state *s = ex->state;
    const packed *out = &s->of[SX_SEND], *in = &s->of[SX_RECV];
    if (s->large) /* the types carry the offsets, and all displacements are 0 */
        return MPI_Alltoallw(ex->work + out->base, out->counts, out->displs, out->types, ex->work + in->base,
                             in->counts, in->displs, in->types, ex->comm);
    return MPI_Alltoallv(ex->work + out->base, out->counts, out->displs, MPI_BYTE, ex->work + in->base,
                         in->counts, in->displs, MPI_BYTE, ex->comm);
}

static int execute(subx_exch ex)
{
    int rc = pack_all(ex);
    if (!rc && ex->p > 1)
        rc = send(ex);
    return rc ? rc : unpack_all(ex);
}

/* What is beyond int has no non-blocking call that is right everywhere, and then all is done here. */
static int start(subx_exch ex)
{
    state *s = ex->state;
    const packed *out = &s->of[SX_SEND], *in = &s->of[SX_RECV];
    int rc = pack_all(ex);
    if (rc || ex->p == 1)
        return rc;
    if (s->large)
        return send(ex);
    return MPI_Ialltoallv(ex->work + out->base, out->counts, out->displs, MPI_BYTE, ex->work + in->base,
                          in->counts, in->displs, MPI_BYTE, ex->comm, &s->request);
}

static int wait_for(subx_exch ex)
{
    state *s = ex->state;
    int rc = MPI_Wait(&s->request, MPI_STATUS_IGNORE);
    return rc ? rc : unpack_all(ex);
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    for (int i = 0; s && i < 2; i++) {
        packed *a = &s->of[i];
        for (int q = 0; a->types && q < ex->p; q++)
            if (a->types[q] != MPI_DATATYPE_NULL)
                MPI_Type_free(&a->types[q]);
        sx_base_free(a->types);
        sx_base_free(a->displs);
        sx_base_free(a->counts);
        sx_base_free(a->start);
    }
    sx_base_free(s);
    ex->state = NULL;
}

/* What started beyond int was done at once, and its request is null. */
static int test(subx_exch ex, int *done)
{
    state *s = ex->state;
    return MPI_Request_get_status(s->request, done, MPI_STATUS_IGNORE);
}

const sx_engine sx_exch_packv = {
    .name = "packv",
    .avoids = avoids,
    .create = create,
    .complete = complete,
    .execute = execute,
    .start = start,
    .test = test,
    .wait = wait_for,
    .free = free_state,
};
