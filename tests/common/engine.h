/* engine.h - the engines of the library, and hints that make them work in uncommon ways. */
#ifndef TEST_ENGINE_H
#define TEST_ENGINE_H

#include "common/random.h"
#include <mpi.h>

/* The number of engines, and of "auto" which comes after them. */
int test_engine_count(void);

/* The k-th of these, modulo their number. */
const char *test_engine_get(int k);

/* 1 if the engine may refuse to serve where MPI or the machine lacks what it needs. */
int test_engine_may_lack(const char *engine);

/* Hints for an engine: a window, tiles and rounds of any size, mostly small. Describes them in `text`. */
MPI_Info test_engine_hints(test_random *r, const char *engine, char text[64]);

#endif
