/* intercept.h - let one of the MPI calls of the library fail: without any effect, or after its whole
 * effect. */
#ifndef TEST_INTERCEPT_H
#define TEST_INTERCEPT_H

#include "config.h"

/* Let the n-th MPI call from now on return MPI_ERR_OTHER. The next call is n = 1; with n = 0 no call fails.
 * With TEST_BEFORE the call has no effect, with TEST_AFTER it has its whole effect.
 *
 * How often a rank tests depends on timing. So all calls of a function that tests requests count as one call,
 * until a test succeeds. All calls of MPI_Iprobe count as one, until another function is called. With
 * TEST_AFTER, a function that tests returns the error when its test succeeds; MPI_Iprobe returns the error at
 * once. */
enum { TEST_BEFORE, TEST_AFTER };
void test_intercept_begin(long n, int when);

/* From now on, only calls by the file of the program that has this function count: by the program itself, or
 * a library. */
void test_intercept_only(void (*function)(void));

/* Let all further calls succeed. Returns the name of the function that failed, or NULL if there were fewer
 * than n calls. */
const char *test_intercept_end(void);

#endif
