/* communicators.h - how many communicators there are that the program and the libraries have made. */
#ifndef TEST_COMMUNICATORS_H
#define TEST_COMMUNICATORS_H

#include "config.h"
#include <mpi.h>

extern int test_communicators;

#endif
