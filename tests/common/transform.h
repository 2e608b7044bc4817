/* transform.h - test complex and real transforms on every process grid of the ranks. */
#ifndef TEST_TRANSFORM_H
#define TEST_TRANSFORM_H

#include "config.h"
#include <stddef.h>

/* Transform a problem forward and backward by strategies natural, stride1 and fused, and compare both
 * sides with the definition. On each grid some combinations of strategy, engine, backend and other hints
 * are tested. On up to three ranks, also test a plan of effort measure, which may choose any strategy.
 * Collective on MPI_COMM_WORLD. */
void test_transform(int kind, int ndims, const ptrdiff_t sizes[]);

#endif
