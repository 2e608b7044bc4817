/* realign.c - create the exchange that makes one axis of a distributed array whole and divides another one,
 * with any storage order on each side (Dalcin, Mortensen & Keyes 2019, algorithm 3; Yan for the storage
 * orders). */
#include "exch/exch.h"
#include <limits.h>

/* Before the exchange, axis v is whole and axis w is divided among the ranks; afterwards, w is whole and v is
 * divided. */
typedef struct problem {
    int ndims, v, w, p, r;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    int order[2][SUBX_NDIMS_MAX]; /* storage orders of the send and receive arrays */
    int permuting_side;           /* SX_FROM or SX_TO: the side that changes the order of elements.
                                     Messages have the storage order of the other side */
    MPI_Datatype elemtype;
} problem;

/* ---- arguments */

/* Set the storage orders of both sides. NULL means C order: the last axis is innermost. */
static int set_orders(problem *a, const int sorder[], const int rorder[])
{
    const int *given[2] = {sorder, rorder};
    for (int side = 0; side < 2; side++) {
        if (given[side] && !sx_base_is_permutation(a->ndims, given[side]))
            return subx_error_get_code(SUBX_ERR_ORDER);
        for (int i = 0; i < a->ndims; i++)
            a->order[side][i] = given[side] ? given[side][i] : a->ndims - 1 - i;
    }
    return MPI_SUCCESS;
}

static int set_problem(problem *a, const ptrdiff_t sizes[], const int sorder[], const int rorder[])
{
    if (a->ndims < 2 || a->ndims > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (!sizes || a->v < 0 || a->v >= a->ndims || a->w < 0 || a->w >= a->ndims || a->v == a->w)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int i = 0; i < a->ndims; i++) {
        if (sizes[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
        a->sizes[i] = sizes[i];
    }
    return set_orders(a, sorder, rorder);
}

/* ---- one block: the block for rank q, or from rank q */

/* Get the local lengths on one side: axis `divided` has the length of this rank's block; the other
 * axes keep their lengths. */
static void get_local(const problem *a, int divided, MPI_Count local[])
{
    ptrdiff_t len, start;
    for (int i = 0; i < a->ndims; i++)
        local[i] = a->sizes[i];
    subx_block_get(a->sizes[divided], a->p, a->r, &len, &start);
    local[divided] = len;
}

/* Create the type of the block for rank q (SX_FROM), or from rank q (SX_TO). The local array is described as
 * a Fortran-ordered array whose dimension j is axis storage[j]. Sender and receiver traverse a block in the
 * same order of axes: the storage order of the side that does not permute. */
static int create_type(const problem *a, int side, int q, MPI_Datatype *type)
{
    int whole = side == SX_FROM ? a->v : a->w, divided = side == SX_FROM ? a->w : a->v;
    const int *storage = a->order[side], *traversal = a->order[1 - a->permuting_side];
    MPI_Count local[SUBX_NDIMS_MAX], sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX];
    int position[SUBX_NDIMS_MAX], order[SUBX_NDIMS_MAX];
    ptrdiff_t len, start;
    get_local(a, divided, local);
    subx_block_get(a->sizes[whole], a->p, q, &len, &start);
    for (int j = 0; j < a->ndims; j++) {
        int axis = storage[j];
        position[axis] = j;
        sizes[j] = local[axis];
        subsizes[j] = axis == whole ? len : local[axis];
        starts[j] = axis == whole ? start : 0;
    }
    for (int j = 0; j < a->ndims; j++)
        order[j] = position[traversal[j]];
    return subx_type_create_subarray_c(a->ndims, sizes, subsizes, starts, MPI_ORDER_FORTRAN, order,
                                       a->elemtype, type);
}

/* ---- all blocks */

static int create_types(const problem *a, MPI_Datatype *types)
{
    int rc = MPI_SUCCESS;
    for (int side = 0; side < 2 && !rc; side++)
        for (int q = 0; q < a->p && !rc; q++)
            rc = create_type(a, side, q, &types[side * a->p + q]);
    return rc;
}

/* All types are null at first, so that only the created ones are freed after an error. */
static int alloc_types(const problem *a, MPI_Datatype **types)
{
    *types = sx_base_alloc(2 * (ptrdiff_t)a->p, sizeof(MPI_Datatype));
    if (!*types)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < 2 * a->p; i++)
        (*types)[i] = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

static void free_types(const problem *a, MPI_Datatype *types)
{
    for (int i = 0; types && i < 2 * a->p; i++)
        if (types[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&types[i]);
    sx_base_free(types);
}

/* Print the arguments that must be the same on all ranks. */
static void print_key(const problem *a, char *key, size_t room)
{
    sx_text t = {key, room, 0};
    sx_base_print_sizes(&t, a->ndims, a->sizes);
    sx_base_print(&t, " %d %d %d ", a->v, a->w, a->permuting_side);
    sx_base_print_order(&t, a->ndims, a->order[0]);
    sx_base_print_order(&t, a->ndims, a->order[1]);
}

int subx_exch_create_realign(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int v, int w,
                             const int sorder[], const int rorder[], MPI_Datatype elemtype, MPI_Info hints,
                             subx_exch *ex)
{
    static const char *const sides[] = {SX_WORD_SIDES};
    problem a = {.ndims = ndims, .v = v, .w = w, .p = 1, .elemtype = elemtype};
    MPI_Datatype *types = NULL;
    char key[1024] = "";
    int choice = 0;
    if (comm == MPI_COMM_NULL)
        return sx_exch_create(comm, MPI_SUCCESS, key, NULL, NULL, hints, ex);
    int rc = MPI_Comm_size(comm, &a.p);
    if (!rc)
        rc = MPI_Comm_rank(comm, &a.r);
    if (!rc)
        rc = set_problem(&a, sizes, sorder, rorder);
    if (!rc)
        rc = sx_base_hint_word(hints, "permute", sides, &choice);
    a.permuting_side = choice == 0 ? SX_TO : SX_FROM;
    if (!rc) {
        print_key(&a, key, sizeof key);
        rc = alloc_types(&a, &types);
    }
    if (!rc)
        rc = create_types(&a, types);
    rc = sx_exch_create(comm, rc, key, types, types ? types + a.p : NULL, hints, ex);
    free_types(&a, types);
    return rc;
}
