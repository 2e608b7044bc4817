/* traversal.h - a reference for subarray types: which elements a type visits, and in which order. Each
 * element is computed from the definition, without the library. */
#ifndef TEST_TRAVERSAL_H
#define TEST_TRAVERSAL_H

#include "common/random.h"
#include <mpi.h>

enum { TEST_NDIMS = 5 };

/* The arguments of subx_type_create_subarray. */
typedef struct test_block {
    int ndims, storage;
    int sizes[TEST_NDIMS], subsizes[TEST_NDIMS], starts[TEST_NDIMS], order[TEST_NDIMS];
} test_block;

/* A random block with 1 to maxdims axes. Axes have at most maxlen elements; a length may be 0 only if
 * `empty`. */
test_block test_block_random(test_random *r, int maxdims, int maxlen, int empty);

/* count: get the number of elements of the block. full: get the number of elements of the array that contains
 * the block. */
ptrdiff_t test_block_count(const test_block *b);
ptrdiff_t test_block_full(const test_block *b);

/* Get the place of the i-th element that the type visits: its offset from the array's start, in elements. */
ptrdiff_t test_block_index(const test_block *b, ptrdiff_t i);

/* Call subx_type_create_subarray with these arguments. */
int test_block_type(const test_block *b, MPI_Datatype oldtype, MPI_Datatype *newtype);

/* Pack `count` elements of a type by MPI on MPI_COMM_SELF. Returns the number of bytes, or -1. */
int test_mpi_pack(const void *in, int count, MPI_Datatype type, void *out, int room);

#endif
