/* nested.h - random derived types, for the tests that compare with what MPI does of them. */
#ifndef TEST_NESTED_H
#define TEST_NESTED_H

#include "common/random.h"
#include <mpi.h>

/* A committed type of up to `depth` constructors around a predefined one, whose elements do not overlap,
 * not even when several follow each other. `strided` leaves out the constructors that give more than one
 * strided block. The caller frees it with MPI_Type_free. */
MPI_Datatype test_nested_create(test_random *r, int depth, int strided);

/* What has to be known of a type that is wrapped. */
typedef struct test_inner {
    MPI_Datatype type;
    MPI_Aint extent, true_lb, true_extent;
} test_inner;
test_inner test_inner_get(MPI_Datatype type);

/* The bytes that `count` of a type touch, from the buffer's address: lowest, and length. */
void test_nested_span(MPI_Datatype type, int count, MPI_Aint *lowest, MPI_Aint *length);

#endif
