/* intercept.h - MPI's functions as the library meets them, and one call that fails: without doing anything, or after it
 * has done all. */
#ifndef TEST_INTERCEPT_H
#define TEST_INTERCEPT_H

#include "config.h"

/* Let the n-th call from now on, from 1, return MPI_ERR_OTHER, instead of what it should do or after it; none if n is 0. A
 * function that asks again and again whether something has come to its end counts once, until it has: how often it is
 * asked is a matter of timing. If it fails after it has done all, it does so when that has come to its end. */
enum { TEST_BEFORE, TEST_AFTER };
void test_intercept_begin(long n, int when);

/* Let all calls through again. Returns the name of the function that failed, NULL if there were not so many calls. */
const char *test_intercept_end(void);

#endif
