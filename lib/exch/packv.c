/* packv.c - the engine that packs with our kernels, sends contiguous bytes, and unpacks with our kernels. */
#include "exch/packed.h"
#include <limits.h>

/* By which call the packed blocks travel. All ranks must take the same, for MPI_Alltoallv cannot meet
 * another: the highest that is right for any. */
enum {
    EVEN,   /* MPI_Alltoall */
    UNEVEN, /* MPI_Alltoallv */
    LARGE   /* MPI_Alltoallw, on types that carry the offsets and lengths that an int cannot */
};

typedef struct state {
    sx_packed of[2];
    sx_self self;
    MPI_Datatype *types[2]; /* only if large: 1-d subarrays of bytes */
    int way;
    int block_bytes; /* only if even */
    MPI_Request request;
} state;

/* Runs this long MPI sends as they lie, piece by piece, which beats a pass to pack and another to unpack. */
enum { LONG_RUN = 16 << 10 };

/* Blocks beyond this MPI_Alltoall sends as MPI_Alltoallv does, one by one, and copies a rank's own in
 * addition. */
enum { SMALL_BLOCK = 32 << 10 };

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

/* If every rank's blocks are even, both ways, they are even everywhere, since what one sends the other
 * receives. A single rank sends nothing. */
static int is_even(subx_exch ex)
{
    ptrdiff_t bytes = ex->side[SX_FROM].part[0].bytes;
    for (int i = 0; i < 2; i++)
        for (int q = 0; q < ex->p; q++)
            if (ex->side[i].part[q].bytes != bytes)
                return 0;
    return ex->p > 1 && bytes > 0 && bytes <= SMALL_BLOCK;
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    s->request = MPI_REQUEST_NULL;
    int rc = sx_exch_packed_create(ex, s->of, &s->self, &ex->work_bytes);
    ex->flag = ex->work_bytes > INT_MAX ? LARGE : is_even(ex) ? EVEN : UNEVEN;
    for (int i = 0; i < 2 && !rc; i++) {
        s->types[i] = sx_base_alloc(ex->p, sizeof(MPI_Datatype));
        for (int q = 0; s->types[i] && q < ex->p; q++)
            s->types[i][q] = MPI_DATATYPE_NULL;
        rc = s->types[i] ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
    }
    return rc;
}

/* MPI_Alltoall's blocks lie side by side, with the own one among them; the call copies that. */
static void place_evenly(subx_exch ex)
{
    state *s = ex->state;
    ptrdiff_t bytes = ex->side[SX_FROM].part[0].bytes, first = 0;
    for (int i = 0; i < 2; i++) {
        s->of[i].base = first;
        for (int q = 0; q < ex->p; q++, first += bytes)
            s->of[i].start[q] = first;
        first = sx_exch_round_up(first);
    }
    s->block_bytes = (int)bytes;
    ex->work_bytes = first;
}

static int set_large(subx_exch ex, int i)
{
    state *s = ex->state;
    sx_packed *a = &s->of[i];
    int rc = MPI_SUCCESS;
    for (int q = 0; q < ex->p && !rc; q++) {
        MPI_Count bytes = q == ex->r ? 0 : ex->side[i].part[q].bytes;
        MPI_Count all = ex->work_bytes, start = a->start[q] - a->base;
        MPI_Datatype *type = &s->types[i][q];
        rc = subx_type_create_subarray_c(1, &all, &bytes, &start, MPI_ORDER_C, NULL, MPI_BYTE, type);
        if (!rc)
            rc = MPI_Type_commit(type);
        a->counts[q] = bytes > 0;
    }
    return rc;
}

static int complete(subx_exch ex)
{
    state *s = ex->state;
    s->way = ex->flag;
    if (s->way == UNEVEN)
        return sx_exch_packed_count(ex, s->of);
    if (s->way == EVEN) {
        place_evenly(ex);
        return MPI_SUCCESS;
    }
    /* By then it is alltoallw with as many types as that ever has. */
    if (sx_exch_quirk_get(sx_exch_alltoallw.name, NULL, 2 * ex->p))
        return subx_error_get(SUBX_ERR_UNAVAILABLE);
    int rc = set_large(ex, SX_FROM);
    return rc ? rc : set_large(ex, SX_TO);
}

/* ---- execution */

static int send(subx_exch ex)
{
    const state *s = ex->state;
    const sx_packed *out = &s->of[SX_FROM], *in = &s->of[SX_TO];
    const char *from = ex->work + out->base;
    char *to = ex->work + in->base;
    if (s->way == EVEN)
        return MPI_Alltoall(from, s->block_bytes, MPI_BYTE, to, s->block_bytes, MPI_BYTE, ex->comm);
    if (s->way == LARGE) /* all displacements are 0 */
        return MPI_Alltoallw(from, out->counts, out->displs, s->types[SX_FROM], to, in->counts, in->displs,
                             s->types[SX_TO], ex->comm);
    return MPI_Alltoallv(from, out->counts, out->displs, MPI_BYTE, to, in->counts, in->displs, MPI_BYTE,
                         ex->comm);
}

static int execute(subx_exch ex)
{
    const state *s = ex->state;
    int rc = sx_exch_pack_all(ex, &s->self, s->of[SX_FROM].start, ex->work);
    if (!rc && ex->p > 1)
        rc = send(ex);
    return rc ? rc : sx_exch_unpack_all(ex, &s->self, s->of[SX_TO].start, ex->work);
}

/* What is beyond int has no non-blocking call that is right everywhere, and then all is done here. */
static int start(subx_exch ex)
{
    state *s = ex->state;
    const sx_packed *out = &s->of[SX_FROM], *in = &s->of[SX_TO];
    const char *from = ex->work + out->base;
    char *to = ex->work + in->base;
    int rc = sx_exch_pack_all(ex, &s->self, out->start, ex->work);
    if (rc || ex->p == 1)
        return rc;
    if (s->way == LARGE)
        return send(ex);
    if (s->way == EVEN)
        return MPI_Ialltoall(from, s->block_bytes, MPI_BYTE, to, s->block_bytes, MPI_BYTE, ex->comm,
                             &s->request);
    return MPI_Ialltoallv(from, out->counts, out->displs, MPI_BYTE, to, in->counts, in->displs, MPI_BYTE,
                          ex->comm, &s->request);
}

/* What started beyond int was done at once, and its request is null. */
static int test(subx_exch ex, int *done)
{
    state *s = ex->state;
    return MPI_Request_get_status(s->request, done, MPI_STATUS_IGNORE);
}

static int wait_for(subx_exch ex)
{
    state *s = ex->state;
    int rc = MPI_Wait(&s->request, MPI_STATUS_IGNORE);
    return rc ? rc : sx_exch_unpack_all(ex, &s->self, s->of[SX_TO].start, ex->work);
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    for (int i = 0; s && i < 2; i++) {
        for (int q = 0; s->types[i] && q < ex->p; q++)
            if (s->types[i][q] != MPI_DATATYPE_NULL)
                MPI_Type_free(&s->types[i][q]);
        sx_base_free(s->types[i]);
    }
    if (s)
        sx_exch_packed_free(s->of);
    sx_base_free(s);
    ex->state = NULL;
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
