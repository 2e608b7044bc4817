/* array.h - this rank's array on a side of a plan, for any problem; its elements are told by global indices. */
#ifndef TEST_ARRAY_H
#define TEST_ARRAY_H

#include "config.h"
#include <complex.h>
#include <subx_fft.h>

/* The last axis is that of the fields, if there are several. */
typedef struct test_array {
    int ndims, precision, width; /* width: reals per element */
    ptrdiff_t n[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX], count; /* elements */
    void *data;
} test_array;

/* The value of an element. */
typedef long double complex test_value(const void *context, const ptrdiff_t index[]);

/* Create a plan on MPI_COMM_WORLD from the text of a problem, with hints: pairs of key and value up to a NULL key. */
int test_plan_create(const char *text, const char *const hints[][2], subx_fft_plan *plan);

/* All elements are 0. Works where the side has strides that follow from its order. */
test_array test_array_create(subx_fft_plan plan, int side);
void test_array_free(test_array *a);

void test_array_fill(test_array *a, test_value *value, const void *context);

/* The largest difference. Of real arrays, imaginary parts of the values are ignored. */
long double test_array_compare(const test_array *a, test_value *value, const void *context);

/* The value of an element of this rank: a test_value, whose context is a test_array. */
long double complex test_array_get(const void *array, const ptrdiff_t index[]);

/* The rounding error of a number of a precision. */
long double test_get_epsilon(int precision);

#endif
