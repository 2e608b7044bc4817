/* hints.h - create hints from a line of text; set and get hints, and words of the hint subx_tune. */
#ifndef TEST_HINTS_H
#define TEST_HINTS_H

#include "config.h"
#include <mpi.h>

/* Create hints from a text of words KEY=VALUE, separated by blanks: "grid=2x1 slices=2" sets subx_grid to
 * 2x1, and in subx_tune the word slices to 2. Values have no blanks. The caller frees the hints. */
MPI_Info test_hints(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The words of the hint subx_tune, and NULL. */
extern const char *const test_hint_words[];

/* Set or get a hint. A key that does not begin with subx_ is a word of the hint subx_tune. `value` has room
 * for MPI_MAX_INFO_VAL + 1. */
void test_hint_set(MPI_Info hints, const char *key, const char *value);
void test_hint_get(MPI_Info hints, const char *key, char value[], int *found);

#endif
