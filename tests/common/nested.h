/* nested.h - random derived types, for tests that compare with MPI. */
#ifndef TEST_NESTED_H
#define TEST_NESTED_H

#include "common/random.h"
#include <mpi.h>

/* Create a committed type: a predefined type inside up to `depth` constructors. Elements do not overlap, even
 * if several elements of the type follow each other. If `strided` is 1, the type has only constructors whose
 * result is a single strided block. The caller frees the type with MPI_Type_free. */
MPI_Datatype test_nested_create(test_random *r, int depth, int strided);

/* A type and its properties. The next constructor takes this type as its old type. */
typedef struct test_inner {
    MPI_Datatype type;
    MPI_Aint extent, true_lb, true_extent;
} test_inner;
test_inner test_inner_get(MPI_Datatype type);

/* Get the range of bytes that `count` elements of a type touch: its beginning, as a displacement from the
 * buffer's address, and its length in bytes. */
void test_nested_span(MPI_Datatype type, int count, MPI_Aint *lowest, MPI_Aint *length);

#endif
