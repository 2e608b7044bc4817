/* dft.h - the discrete Fourier transform by its definition, as the reference of transform tests. */
#ifndef TEST_DFT_H
#define TEST_DFT_H

#include "config.h"
#include <complex.h>
#include <stddef.h>

enum { TEST_DFT_NDIMS = 5, TEST_DFT_LENGTH = 64 };

/* out[k] = sum over j of in[j] exp(sign 2 pi i (k0 j0/n0 + ..)), both arrays in C order. The time is proportional to
 * the square of the number of elements. At most TEST_DFT_NDIMS axes, each of at most TEST_DFT_LENGTH. */
void test_dft(int ndims, const ptrdiff_t n[], int sign, const double complex *in, double complex *out);

#endif
