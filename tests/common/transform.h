/* transform.h - tests for complex and for real transforms, with every grid, strategy, engine and backend. */
#ifndef TEST_TRANSFORM_H
#define TEST_TRANSFORM_H

#include "config.h"
#include <stddef.h>

/* Transform a problem forward and backward in all ways that the number of ranks allows, and compare both sides with the
 * definition. Collective on MPI_COMM_WORLD. */
void test_transform(int kind, int ndims, const ptrdiff_t sizes[]);

/* Test strategy fused in the same way. Each grid is tested with some of the choices, in turn. */
void test_fused(int kind, int ndims, const ptrdiff_t sizes[]);

#endif
