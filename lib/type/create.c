/* create.c - create a subarray type: by MPI's own constructor if it can express the type, else by nested
 * hvectors. */
#include "type/type.h"
#include <limits.h>

/* ---- arguments */

/* Wrong arguments must not be passed to MPI, whose default error handler aborts. */
static int check_block(const sx_subarray *a)
{
    for (int i = 0; i < a->ndims; i++) {
        if (a->sizes[i] < 0 || a->subsizes[i] < 0 || a->starts[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
        if (a->subsizes[i] > a->sizes[i] || a->starts[i] > a->sizes[i] - a->subsizes[i])
            return subx_error_get_code(SUBX_ERR_SIZE);
    }
    return MPI_SUCCESS;
}

/* Get the bytes of the full array; SUBX_ERR_TOO_LARGE if they exceed 63 bits. The number of elements is
 * checked first: it may overflow even if the array has 0 bytes, because its elements have the extent 0. */
static int get_full_extent(const sx_subarray *a, MPI_Aint extent, ptrdiff_t *full)
{
    ptrdiff_t elements = 1;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < a->ndims; i++)
        if (a->sizes[i] == 0)
            elements = 0;
    for (int i = 0; i < a->ndims && !rc; i++)
        rc = sx_base_mul(elements, a->sizes[i], &elements);
    return rc ? rc : sx_base_mul(elements, extent, full);
}

/* Get the i-th axis in the order of the storage: the fastest axis first. */
static int get_own_axis(const sx_subarray *a, int i)
{
    return a->storage == MPI_ORDER_FORTRAN ? i : a->ndims - 1 - i;
}

static int set_order(sx_subarray *a, const int order[])
{
    if (a->storage != MPI_ORDER_C && a->storage != MPI_ORDER_FORTRAN)
        return subx_error_get_code(SUBX_ERR_ORDER);
    if (order && !sx_base_is_permutation(a->ndims, order))
        return subx_error_get_code(SUBX_ERR_ORDER);
    for (int i = 0; i < a->ndims; i++)
        a->order[i] = order ? order[i] : get_own_axis(a, i);
    return MPI_SUCCESS;
}

/* ---- construction */

/* Query whether MPI's constructor can create the type: the traversal has the order of the storage, lengths
 * fit an int, and the block is not empty: Open MPI refuses a length of 0. */
static int is_mpis_own(const sx_subarray *a)
{
    for (int i = 0; i < a->ndims; i++)
        if (a->order[i] != get_own_axis(a, i) || a->sizes[i] > INT_MAX || a->subsizes[i] == 0)
            return 0;
    return 1;
}

static int create_mpis_own(const sx_subarray *a, MPI_Datatype *newtype)
{
    int sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX], rc = MPI_SUCCESS;
    for (int i = 0; i < a->ndims && !rc; i++) {
        rc = sx_base_int(a->sizes[i], &sizes[i]);
        if (!rc)
            rc = sx_base_int(a->subsizes[i], &subsizes[i]);
        if (!rc)
            rc = sx_base_int(a->starts[i], &starts[i]);
    }
    return rc ? rc
              : MPI_Type_create_subarray(a->ndims, sizes, subsizes, starts, a->storage, a->oldtype, newtype);
}

/* Check all arguments before MPI creates anything. */
static int create(sx_subarray *a, const int order[], MPI_Datatype *newtype)
{
    MPI_Aint lb, extent;
    MPI_Datatype t = MPI_DATATYPE_NULL;
    ptrdiff_t full;
    int rc = check_block(a);
    if (!rc)
        rc = set_order(a, order);
    if (!rc)
        rc = a->oldtype == MPI_DATATYPE_NULL ? subx_error_get_code(SUBX_ERR_TYPE)
                                             : MPI_Type_get_extent(a->oldtype, &lb, &extent);
    if (!rc)
        rc = get_full_extent(a, extent, &full);
    if (!rc)
        rc = is_mpis_own(a) ? create_mpis_own(a, &t) : sx_type_create_nested(a, extent, full, &t);
    if (rc)
        return rc;
    rc = sx_type_set_subarray(t, a);
    if (rc)
        MPI_Type_free(&t);
    else
        *newtype = t;
    return rc;
}

/* ---- the two public forms */

static int check_arguments(int ndims, const void *sizes, const void *subsizes, const void *starts,
                           MPI_Datatype *newtype)
{
    if (!newtype)
        return subx_error_get_code(SUBX_ERR_ARG);
    *newtype = MPI_DATATYPE_NULL;
    if (ndims < 1 || ndims > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    return sizes && subsizes && starts ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_ARG);
}

int subx_type_create_subarray(int ndims, const int sizes[], const int subsizes[], const int starts[],
                              int storage, const int order[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    sx_subarray a = {.ndims = ndims, .storage = storage, .oldtype = oldtype};
    int rc = check_arguments(ndims, sizes, subsizes, starts, newtype);
    if (rc)
        return rc;
    for (int i = 0; i < ndims; i++) {
        a.sizes[i] = sizes[i];
        a.subsizes[i] = subsizes[i];
        a.starts[i] = starts[i];
    }
    return create(&a, order, newtype);
}

int subx_type_create_subarray_c(int ndims, const MPI_Count sizes[], const MPI_Count subsizes[],
                                const MPI_Count starts[], int storage, const int order[],
                                MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    sx_subarray a = {.ndims = ndims, .storage = storage, .oldtype = oldtype};
    int rc = check_arguments(ndims, sizes, subsizes, starts, newtype);
    if (rc)
        return rc;
    for (int i = 0; i < ndims; i++) {
        a.sizes[i] = sizes[i];
        a.subsizes[i] = subsizes[i];
        a.starts[i] = starts[i];
    }
    return create(&a, order, newtype);
}
