/* intercept.h - MPI's functions as the library meets them, and one call that fails: without doing anything, or after it
 * has done all. */
#ifndef TEST_INTERCEPT_H
#define TEST_INTERCEPT_H

#include "config.h"

/* Let the n-th call from now on, from 1, return MPI_ERR_OTHER: without any effect, or after its whole effect. None if
 * n is 0. A function that tests requests counts once until a test succeeds, because the number of tests depends on
 * timing; MPI_Iprobe counts once until another call is made. With TEST_AFTER a test returns the error when it succeeds,
 * and MPI_Iprobe at once. */
enum { TEST_BEFORE, TEST_AFTER };
void test_intercept_begin(long n, int when);

/* Let all calls through again. Returns the name of the function that failed, NULL if there were not so many calls. */
const char *test_intercept_end(void);

#endif
