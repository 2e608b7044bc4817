/* reference.h - subarrays element by element, straight from their definition; knows nothing of the
 * library. */
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include "common/random.h"
#include <mpi.h>

enum { TEST_NDIMS = 5 };

/* The arguments of subx_type_create_subarray. */
typedef struct test_block {
    int ndims, storage;
    int sizes[TEST_NDIMS], subsizes[TEST_NDIMS], starts[TEST_NDIMS], order[TEST_NDIMS];
} test_block;

/* A random block of 1 to maxdims axes, no longer than maxlen; lengths of 0 only if `empty` allows them. */
test_block test_block_random(test_random *r, int maxdims, int maxlen, int empty);

/* How many elements the block, and the array around it, have. */
ptrdiff_t test_block_count(const test_block *b);
ptrdiff_t test_block_full(const test_block *b);

/* Where in memory, in elements from the array's start, the i-th traversed element lies. */
ptrdiff_t test_block_index(const test_block *b, ptrdiff_t i);

/* The type that the library makes of it. */
int test_block_type(const test_block *b, MPI_Datatype oldtype, MPI_Datatype *newtype);

/* The bytes of `count` of a type, packed by MPI on MPI_COMM_SELF. Returns their number, or -1. */
int test_mpi_pack(const void *in, int count, MPI_Datatype type, void *out, int room);

#endif
