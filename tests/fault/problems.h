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

#endif
