/* array.h - this rank's array on a side of a plan, for any problem. Elements are addressed by their global
 * indices. */
#ifndef TEST_ARRAY_H
#define TEST_ARRAY_H

#include "config.h"
#include <complex.h>
#include <subx_fft.h>

/* This rank's array. If the problem has several fields, the last axis is the number of the field. */
typedef struct test_array {
    int ndims, precision, width; /* width: reals per element */
    ptrdiff_t n[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX], count; /* elements */
    void *data;
} test_array;

/* A function that returns the value of an element. */
typedef long double complex test_value(const void *context, const ptrdiff_t index[]);

/* Create a plan on MPI_COMM_WORLD from the text of a problem, with hints as test_hints takes them. */
int test_plan_create(const char *text, const char *hints, subx_fft_plan *plan);

/* Create an array with elements 0. Its strides follow from the order of axes on this side of the plan. */
test_array test_array_create(subx_fft_plan plan, int side);
void test_array_free(test_array *a);

void test_array_fill(test_array *a, test_value *value, const void *context);

/* Get the largest difference between the elements of the array and the results of `value`. For real arrays,
 * imaginary parts of these results are ignored. */
long double test_array_compare(const test_array *a, test_value *value, const void *context);

/* Get the value of an element of this rank's array. This function is a test_value; its context is the
 * test_array. */
long double complex test_array_get(const void *array, const ptrdiff_t index[]);

/* Get the difference between 1 and the next larger number of a precision. */
long double test_get_epsilon(int precision);

#endif
