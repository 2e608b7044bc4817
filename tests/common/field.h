/* field.h - for tests of transforms: a random global field, its reference spectrum, and a plan's local parts
 * of both. */
#ifndef TEST_FIELD_H
#define TEST_FIELD_H

#include "common/random.h"
#include <complex.h>
#include <subx_fft.h>

enum { TEST_FIELD_NDIMS = 5 };

/* A problem, its whole field, and the field's whole spectrum, computed by the definition. Both arrays are in
 * C order and equal on all ranks. */
typedef struct test_field {
    int kind, ndims;
    ptrdiff_t sizes[TEST_FIELD_NDIMS], spectral[TEST_FIELD_NDIMS]; /* lengths of the two sides */
    ptrdiff_t count, spectral_count;
    double complex *u, *spectrum; /* u is real for transforms of real data */
} test_field;

test_field test_field_create(int kind, int ndims, const ptrdiff_t sizes[], uint64_t seed);
void test_field_free(test_field *f);

/* Values of hints for a plan; NULL for the default. */
typedef struct test_choices {
    const char *grid, *strategy, *output, *scaling, *serial, *engine, *permute;
    const char *more[6][2]; /* further hints as pairs of key and value; keys may be NULL */
} test_choices;

int test_field_plan(const test_field *f, const test_choices *c, MPI_Comm comm, subx_fft_plan *plan);

/* This rank's part of one side of a plan. */
typedef struct test_part {
    int ndims, is_real;
    ptrdiff_t shape[TEST_FIELD_NDIMS], start[TEST_FIELD_NDIMS], bytes, count;
    int order[TEST_FIELD_NDIMS];
} test_part;

test_part test_part_get(const test_field *f, subx_fft_plan plan, int side);

/* Get the global index of element i of the local array: its index in the whole array of the side, in C
 * order. */
ptrdiff_t test_part_global(const test_field *f, const test_part *p, int side, ptrdiff_t i);

/* Fill an array with `scale` times this rank's part of the field or of the spectrum, whichever is on this
 * side. */
void test_part_fill(const test_field *f, const test_part *p, int side, double scale, void *array);

/* Get the largest difference between an array and `scale` times this rank's part of the field or of the
 * spectrum. */
double test_part_compare(const test_field *f, const test_part *p, int side, double scale, const void *array);

/* Transform the field forward by a plan, and compare with the reference; then transform backward, and compare
 * with `scale` times the field (f->count if nothing is scaled). */
void test_field_check(const test_field *f, subx_fft_plan plan, double scale);

#endif
