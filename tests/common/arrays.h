/* arrays.h - the arrays of any plan, and what its executions give. The operation of convolutions halves the
 * spectrum. */
#ifndef TEST_ARRAYS_H
#define TEST_ARRAYS_H

#include "config.h"
#include <subx_fft.h>

/* The number of an execution is the side of its results, or TEST_ROUND for a convolution. */
enum { TEST_BACKWARD = SUBX_FFT_PHYSICAL, TEST_FORWARD = SUBX_FFT_SPECTRAL, TEST_ROUND = 2, TEST_RUNS = 3 };

typedef struct test_arrays {
    int nruns;             /* TEST_RUNS if the plan has operations, else 2 */
    int is_float;          /* all other precisions are double here */
    size_t bytes[2], room; /* bytes: of an array, by side; room: the larger one */
    int has_data[2];       /* 0: this rank has no elements on the side; its array is never written */
    void *from[2];         /* inputs, by side: random numbers, and their spectrum */
    void *expected[TEST_RUNS];
    void *to; /* room for each result */
    subx_fft_operation op;
} test_arrays;

/* The side where an execution begins, and the side where it ends. */
int test_run_get_input(int run);
int test_run_get_output(int run);

/* Create the arrays, and let subx_fft_execute compute the expected results. */
test_arrays test_arrays_create(subx_fft_plan plan);
void test_arrays_free(test_arrays *a);

/* Execute by subx_fft_execute, or by subx_fft_start and subx_fft_wait. Returns the error. start: only
 * start. */
int test_arrays_start(const test_arrays *a, subx_fft_plan plan, int run, const void *from, void *to);
int test_arrays_execute(subx_fft_plan plan, int run, const void *from, void *to, subx_fft_operation op,
                        int is_started);

/* 1 if `to` has the expected results of an execution: all their bits, or up to rounding. */
int test_arrays_is_equal(const test_arrays *a, int run, const void *to);
int test_arrays_is_close(const test_arrays *a, int run, const void *to);

#endif
