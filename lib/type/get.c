/* get.c - get the arguments that created a subarray type. */
#include "type/type.h"

/* Get the description of a subarray that MPI's constructor created: MPI traverses it in the order of its
 * storage. */
static void read_contents(const sx_contents *c, sx_subarray *a)
{
    const ptrdiff_t *sizes = c->i + 1;
    a->ndims = sx_base_fit(c->i[0]);
    a->storage = sx_base_fit(c->i[3 * c->i[0] + 1]);
    for (int k = 0; k < a->ndims; k++) {
        a->sizes[k] = sizes[k];
        a->subsizes[k] = sizes[a->ndims + k];
        a->starts[k] = sizes[2 * a->ndims + k];
        a->order[k] = a->storage == MPI_ORDER_FORTRAN ? k : a->ndims - 1 - k;
    }
}

/* Get a handle of the element's type. The caller must free the handle unless the type is predefined. */
static int copy_handle(MPI_Datatype oldtype, MPI_Datatype *copy)
{
    int predefined;
    int rc = sx_type_is_predefined(oldtype, &predefined);
    if (rc)
        return rc;
    *copy = oldtype;
    return predefined ? MPI_SUCCESS : MPI_Type_dup(oldtype, copy);
}

/* Get the description of a type that the library did not create: a type of MPI's subarray constructor, or a
 * duplicate of such a type. The caller frees the description's old type by free_handle. */
static int ask_mpi(MPI_Datatype type, sx_subarray *a)
{
    sx_contents c;
    int rc = sx_type_contents_get(type, &c);
    if (rc)
        return rc;
    if (c.combiner == MPI_COMBINER_SUBARRAY && c.i[0] <= SUBX_NDIMS_MAX) {
        read_contents(&c, a);
        rc = copy_handle(c.t[0], &a->oldtype);
    } else if (c.combiner == MPI_COMBINER_DUP) {
        rc = ask_mpi(c.t[0], a);
    } else {
        rc = subx_error_get_code(SUBX_ERR_NOT_SUBARRAY);
    }
    sx_type_contents_free(&c);
    return rc;
}

static int describe(MPI_Datatype type, sx_subarray *a)
{
    const sx_subarray *ours = NULL;
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = sx_type_get_subarray(type, &ours);
    if (rc)
        return rc;
    if (!ours)
        return ask_mpi(type, a);
    *a = *ours;
    return copy_handle(ours->oldtype, &a->oldtype);
}

static int free_handle(MPI_Datatype *type)
{
    int predefined;
    int rc = sx_type_is_predefined(*type, &predefined);
    return rc || predefined ? rc : MPI_Type_free(type);
}

static void copy_lengths(int n, const ptrdiff_t from[], MPI_Count to[])
{
    for (int k = 0; to && k < n; k++)
        to[k] = from[k];
}

int subx_type_get_subarray(MPI_Datatype type, int maxdims, int *ndims, MPI_Count sizes[],
                           MPI_Count subsizes[], MPI_Count starts[], int *storage, int order[],
                           MPI_Datatype *oldtype)
{
    sx_subarray a;
    if (!ndims || maxdims < 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = describe(type, &a);
    if (rc)
        return rc;
    if (a.ndims > maxdims && (sizes || subsizes || starts || order)) {
        free_handle(&a.oldtype);
        return subx_error_get_code(SUBX_ERR_TRUNCATE);
    }
    *ndims = a.ndims;
    copy_lengths(a.ndims, a.sizes, sizes);
    copy_lengths(a.ndims, a.subsizes, subsizes);
    copy_lengths(a.ndims, a.starts, starts);
    for (int k = 0; order && k < a.ndims; k++)
        order[k] = a.order[k];
    if (storage)
        *storage = a.storage;
    if (!oldtype)
        return free_handle(&a.oldtype);
    *oldtype = a.oldtype;
    return MPI_SUCCESS;
}
