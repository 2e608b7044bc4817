/* traversal.c - in which order a traversal visits the elements of an array, computed for one element at a
 * time. */
#include "common/traversal.h"
#include <subx.h>

test_block test_block_random(test_random *r, int maxdims, int maxlen, int empty)
{
    test_block b = {.ndims = test_random_int(r, 1, maxdims)};
    b.storage = test_random_int(r, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    for (int i = 0; i < b.ndims; i++) {
        b.sizes[i] = test_random_int(r, 1, maxlen);
        b.subsizes[i] = test_random_int(r, empty && test_random_int(r, 0, 9) == 0 ? 0 : 1, b.sizes[i]);
        b.starts[i] = test_random_int(r, 0, b.sizes[i] - b.subsizes[i]);
    }
    test_random_permutation(r, b.ndims, b.order);
    return b;
}

static ptrdiff_t product(int n, const int lengths[])
{
    ptrdiff_t p = 1;
    for (int i = 0; i < n; i++)
        p *= lengths[i];
    return p;
}

ptrdiff_t test_block_count(const test_block *b)
{
    return product(b->ndims, b->subsizes);
}

ptrdiff_t test_block_full(const test_block *b)
{
    return product(b->ndims, b->sizes);
}

ptrdiff_t test_block_index(const test_block *b, ptrdiff_t i)
{
    ptrdiff_t x[TEST_NDIMS], index = 0;
    /* The indices along the axes are the digits of i. Axis order[0] changes fastest, so its index is the
     * lowest digit. */
    for (int k = 0; k < b->ndims; k++) {
        int axis = b->order[k];
        x[axis] = b->starts[axis] + i % b->subsizes[axis];
        i /= b->subsizes[axis];
    }
    /* In C storage the last axis is contiguous, in Fortran storage the first. */
    for (int k = 0; k < b->ndims; k++) {
        int axis = b->storage == MPI_ORDER_C ? k : b->ndims - 1 - k;
        index = index * b->sizes[axis] + x[axis];
    }
    return index;
}

int test_block_type(const test_block *b, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return subx_type_create_subarray(b->ndims, b->sizes, b->subsizes, b->starts, b->storage, b->order,
                                     oldtype, newtype);
}

int test_mpi_pack(const void *in, int count, MPI_Datatype type, void *out, int room)
{
    int position = 0;
    MPI_Type_commit(&type);
    int rc = MPI_Pack(in, count, type, out, room, &position, MPI_COMM_SELF);
    return rc == MPI_SUCCESS ? position : -1;
}
