/* engine.h - the names of the library's engines, and hints that make them work in uncommon ways. */
#ifndef TEST_ENGINE_H
#define TEST_ENGINE_H

#include "common/random.h"
#include <mpi.h>

/* The number of engines, plus 1 for "auto", which comes last. */
int test_engine_count(void);

/* The name of engine k modulo test_engine_count(). */
const char *test_engine_get(int k);

/* 1 if the engine may be unavailable because MPI or the machine lacks a feature. */
int test_engine_may_lack(const char *engine);

/* 1 if a pipe with this engine can be created on these ranks; always 1 for an engine that needs no special
 * feature. Collective on MPI_COMM_WORLD, which may have at most 64 ranks. */
int test_engine_is_here(const char *engine);

/* Create hints for an engine, without its check at creation: a random window, radix, and number of slices.
 * `text` describes them. The caller frees them. */
MPI_Info test_engine_hints(test_random *r, const char *engine, char text[64]);

#endif
