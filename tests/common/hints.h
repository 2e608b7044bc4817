/* hints.h - the hints of tests, in a line. */
#ifndef TEST_HINTS_H
#define TEST_HINTS_H

#include "config.h"
#include <mpi.h>

/* Make hints of words such as "engine=%s slices=2", which is the hint subx_slices; values have no blanks. The caller frees them. */
MPI_Info test_hints(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
