/* alltoallw.c - the mover that leaves everything to MPI: one MPI_Alltoallw with the caller's types.
 *
 * The call sets no handle. If the call returns an error, a rank sees from its block for itself whether the call has had
 * its effect. A rank without such a block, or whose block is not strided, cannot see this, and gives the exchange up:
 * if the rank called MPI again, data of one execution could arrive in another execution. */
#include "exch/exch.h"

typedef struct arguments {
    int *counts, *displs;
    MPI_Datatype *types;
} arguments;

typedef struct state {
    arguments of[2];
    int is_given_up;
} state;

static int avoids(subx_exch ex)
{
    (void)ex;
    return 0;
}

/* Where nothing is sent or received, the type is MPI_BYTE, because Open MPI refuses the null type even with count 0. */
static int set_arguments(arguments *a, const sx_side *side, int p)
{
    int rc = MPI_SUCCESS;
    a->counts = sx_base_alloc(p, sizeof *a->counts);
    a->displs = sx_base_alloc(p, sizeof *a->displs);
    a->types = sx_base_alloc(p, sizeof(MPI_Datatype));
    if (!a->counts || !a->displs || !a->types)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int q = 0; q < p && !rc; q++) {
        const sx_block *block = &side->block[q];
        a->types[q] = MPI_BYTE;
        if (block->shape < 0)
            continue;
        const sx_shape *shape = &side->shape[block->shape];
        a->counts[q] = 1;
        a->types[q] = shape->type;
        rc = sx_base_int(block->offset - shape->origin, &a->displs[q]);
    }
    return rc;
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    int rc = set_arguments(&s->of[SX_FROM], &ex->side[SX_FROM], ex->p);
    return rc ? rc : set_arguments(&s->of[SX_TO], &ex->side[SX_TO], ex->p);
}

/* ---- execution */

/* Get the address of the first byte of this rank's block for itself; NULL if there is no such block, or if it is not
 * strided. */
static const char *find_own(const subx_exch ex, int side, const char *buf)
{
    const sx_block *block = &ex->side[side].block[ex->r];
    return block->shape >= 0 && ex->side[side].shape[block->shape].strided ? buf + block->offset : NULL;
}

static int call(subx_exch ex)
{
    const state *s = ex->state;
    const arguments *in = &s->of[SX_FROM], *out = &s->of[SX_TO];
    /* A side without data gets the address of its struct, because MPICH refuses two equal addresses, such as two null
     * pointers. (In an exchange within one array both addresses are equal. MPICH accepts this, because the arrays of
     * counts and types differ.) */
    const void *from = ex->side[SX_FROM].bytes ? (const void *)ex->sendbuf : &ex->side[SX_FROM];
    void *to = ex->side[SX_TO].bytes ? (void *)ex->recvbuf : &ex->side[SX_TO];
    return MPI_Alltoallw(from, in->counts, in->displs, in->types, to, out->counts, out->displs, out->types,
                         ex->comm->comm);
}

/* Execute the whole exchange: MPI_Ialltoallw with derived types is wrong in Open MPI 4.0 and 4.1, so the blocking call
 * is used. Before the call, the first byte of this rank's block for itself is set to a wrong value in the receive buffer.
 * After the call, this byte shows whether the call has had its effect. */
static int start(subx_exch ex)
{
    state *s = ex->state;
    const char *from = find_own(ex, SX_FROM, ex->sendbuf);
    char *to = (char *)find_own(ex, SX_TO, ex->recvbuf);
    if (s->is_given_up)
        return subx_error_get_code(SUBX_ERR_PEER);
    if (from && to)
        *to = (char)~*from;
    const int rc = call(ex);
    s->is_given_up = rc && !(from && to);
    if (rc && from && to && *to != *from)
        (void)call(ex);
    return rc;
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    for (int i = 0; s && i < 2; i++) {
        sx_base_free(s->of[i].types);
        sx_base_free(s->of[i].displs);
        sx_base_free(s->of[i].counts);
    }
    sx_base_free(s);
    ex->state = NULL;
}

extern const sx_mover sx_exch_alltoallw;
const sx_mover sx_exch_alltoallw = {
    .avoids = avoids,
    .create = create,
    .start = start,
    .free = free_state,
};
