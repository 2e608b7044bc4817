/* types.h - random datatypes with a given number of basic elements. */
#ifndef TEST_PMPI_TYPES_H
#define TEST_PMPI_TYPES_H

#include "common/nested.h"

/* A basic type, of 1 to 16 bytes. */
MPI_Datatype types_basic(test_random *r);

/* A number of basic elements that lets a type have several levels: 0 to `most`. */
int types_elements(test_random *r, int most);

/* A type, not committed, of n elements of `basic`. Its elements do not overlap, unless `overlapping` allows it, and its
 * extent is at least its true extent. The caller frees it. */
MPI_Datatype types_draw(test_random *r, MPI_Datatype basic, int n, int overlapping);

#endif
