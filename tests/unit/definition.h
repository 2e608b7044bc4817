/* definition.h - transforms by their definitions in long double, the reference of the tests of serial backends. */
#ifndef TEST_DEFINITION_H
#define TEST_DEFINITION_H

#include "config.h"
#include <complex.h>
#include <stddef.h>

enum { TEST_DEFINITION_NDIMS = 2, TEST_DEFINITION_LENGTH = 40 };

/* out[k] = sum over j of in[j] exp(sign 2 pi i (k0 j0/n0 + ..)), both in C order; at most TEST_DEFINITION_NDIMS axes of
 * at most TEST_DEFINITION_LENGTH. */
void test_define_dft(int naxes, const ptrdiff_t n[], int sign, const long double complex *in,
                     long double complex *out);

/* By how much input j of a real-to-real kind adds to output k. */
long double test_define_r2r_term(int kind, ptrdiff_t n, ptrdiff_t j, ptrdiff_t k);

/* A real-to-real kind of a line of n. */
void test_define_r2r(int kind, ptrdiff_t n, const long double complex *in, long double complex *out);

#endif
