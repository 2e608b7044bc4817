/* problems.h - problems of every shape that a plan can have, for tests in which something fails. */
#ifndef TEST_PROBLEMS_H
#define TEST_PROBLEMS_H

#include "config.h"
#include <subx_fft.h>

/* The problems: boxes on both sides; bricks; a factored axis; several components with truncation and
 * operations; several kinds of transform. */
enum { TEST_PROBLEMS = 5 };

const char *test_problem_get_name(int k);

/* Create problem k, which the caller frees. Create its plan on MPI_COMM_WORLD; this changes the hint
 * subx_grid in `hints`. */
subx_fft_problem test_problem_create(int k);
int test_problem_plan(int k, subx_fft_problem p, MPI_Info hints, subx_fft_plan *plan);

/* The arrays of a plan, and the results of its first execution. */
typedef struct test_arrays {
    ptrdiff_t bytes[3]; /* physical, spectral, result of a convolution (0 without operations) */
    void *from[2];      /* input */
    void *to[3];        /* results of backward, forward, a convolution */
    void *expected[3];  /* the results of the first execution; NULL before it */
    subx_fft_operation operation;
} test_arrays;

/* Create arrays. The input depends only on the rank and the index. */
test_arrays test_arrays_create(subx_fft_plan plan);
void test_arrays_free(test_arrays *a);

/* Execute a plan forward and backward, and a convolution if the plan has operations. Goes on after an error.
 * Returns the first error. */
int test_arrays_execute(test_arrays *a, subx_fft_plan plan);

/* Returns 1 if the results equal the results of the first execution, up to rounding. The first call keeps its
 * results. */
int test_arrays_compare(test_arrays *a, subx_fft_plan plan);

#endif
