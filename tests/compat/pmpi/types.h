/* types.h - random datatypes with a given number of basic elements. */
#ifndef TEST_PMPI_TYPES_H
#define TEST_PMPI_TYPES_H

#include "common/nested.h"

/* Draw a basic type, of 1 to 16 bytes. */
MPI_Datatype types_basic(test_random *r);

/* Draw a number of basic elements, from 0 to `most`. It is a product of small factors, so that a type with
 * this number of elements can have several levels. */
int types_elements(test_random *r, int most);

/* How the bytes of a type may lie. APART: no byte belongs to two elements. INSIDE: a byte may belong to two
 * basic elements of one element. ANY: also to two elements that follow one another, and the extent may be 0
 * or negative. */
typedef enum types_lie { TYPES_APART, TYPES_INSIDE, TYPES_ANY } types_lie;

/* Draw a type, not committed, of n elements of `basic`. Unless `lie` is TYPES_ANY, its extent is at least its
 * true extent. The caller frees the type. */
MPI_Datatype types_draw(test_random *r, MPI_Datatype basic, int n, types_lie lie);

#endif
