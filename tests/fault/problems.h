/* problems.h - problems of every shape that a plan can have, for the tests in which something fails. */
#ifndef TEST_PROBLEMS_H
#define TEST_PROBLEMS_H

#include "config.h"
#include <subx_fft.h>

/* Boxes on both sides, bricks, an axis that is factored, components of a truncated transform with operations, several
 * kinds of transform. */
enum { TEST_PROBLEMS = 5 };

const char *test_problem_get_name(int k);

/* Create problem k; the caller frees it. Create its plan on MPI_COMM_WORLD; sets the hint subx_grid in `hints`. */
subx_fft_problem test_problem_create(int k);
int test_problem_plan(int k, subx_fft_problem p, MPI_Info hints, subx_fft_plan *plan);

/* The arrays of a plan, and the results of the first execution. */
typedef struct test_arrays {
    ptrdiff_t bytes[3]; /* physical, spectral, a convolution (0 without operations) */
    void *from[2];      /* input */
    void *to[3];        /* output of backward, forward, a convolution */
    void *expected[3];  /* NULL until there was an execution */
    subx_fft_operation operation;
} test_arrays;

/* Create arrays whose input depends on the rank and the place only. */
test_arrays test_arrays_create(subx_fft_plan plan);
void test_arrays_free(test_arrays *a);

/* Execute a plan forward, then backward; if it has operations, also a convolution. All are executed, also after an error.
 * Returns the first error. */
int test_arrays_execute(test_arrays *a, subx_fft_plan plan);

/* Returns 1 if the outputs equal the outputs of the first execution, up to rounding. The first call keeps its
 * outputs. */
int test_arrays_compare(test_arrays *a, subx_fft_plan plan);

#endif
