/* hints.h - create hints from a line of text. */
#ifndef TEST_HINTS_H
#define TEST_HINTS_H

#include "config.h"
#include <mpi.h>

/* Create hints from a text of words KEY=VALUE, separated by blanks: "slices=2" sets the hint subx_slices to 2.
 * Values have no blanks. The caller frees the hints. */
MPI_Info test_hints(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
