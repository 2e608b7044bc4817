/* communicators.h - the number of communicators that the program and the libraries have created and not yet
 * freed. */
#ifndef TEST_COMMUNICATORS_H
#define TEST_COMMUNICATORS_H

#include "config.h"
#include <mpi.h>

extern int test_communicators;

#endif
