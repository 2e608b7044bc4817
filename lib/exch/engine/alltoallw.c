/* alltoallw.c - the engine that leaves everything to MPI: one MPI_Alltoallw with the caller's types. */
#include "exch/exch.h"

typedef struct arguments {
    int *counts, *displs;
    MPI_Datatype *types;
} arguments;

typedef struct state {
    arguments of[2];
} state;

static int avoids(subx_exch ex)
{
    (void)ex;
    return 0;
}

/* Where nothing is sent or received, the type is MPI_BYTE, because Open MPI refuses the null type even with
 * count 0. */
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

/* Execute the whole exchange: MPI_Ialltoallw with derived types is wrong in Open MPI 4.0 and 4.1, so the
 * blocking call is used. */
static int start(subx_exch ex)
{
    const state *s = ex->state;
    const arguments *in = &s->of[SX_FROM], *out = &s->of[SX_TO];
    /* A side without data gets the address of its struct, because MPICH refuses two equal addresses, such as
     * two null pointers. (In an exchange within one array both addresses are equal. MPICH accepts this,
     * because the arrays of counts and types differ.) */
    const void *from = ex->side[SX_FROM].bytes ? (const void *)ex->sendbuf : &ex->side[SX_FROM];
    void *to = ex->side[SX_TO].bytes ? (void *)ex->recvbuf : &ex->side[SX_TO];
    return MPI_Alltoallw(from, in->counts, in->displs, in->types, to, out->counts, out->displs, out->types,
                         ex->comm->comm);
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

extern const sx_engine_functions sx_exch_alltoallw;
const sx_engine_functions sx_exch_alltoallw = {
    .avoids = avoids,
    .create = create,
    .start = start,
    .free = free_state,
};
