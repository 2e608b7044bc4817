/* definition.h - transforms by their definition, as a reference for programs and tests.
 *
 * The sums are written out in long double, and use nothing of the library. Complex numbers are pairs of
 * reals, as in C99. The library's own backend naive (fft/serial) is another implementation of the definition.
 */
#ifndef SX_DEFINITION_H
#define SX_DEFINITION_H

#include "config.h"
#include <stddef.h>
#include <subx_fft.h>

/* An axis. C2R is SUBX_FFT_R2C in direction backward. */
typedef struct sx_definition_axis {
    int kind;
    ptrdiff_t size, modes, points; /* size: the length of the transform; modes: the length of the spectral
                                      side, before halving; points: the length of the physical side */
} sx_definition_axis;

/* Get the length of an axis on a side, SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL. Get its length after a
 * transform in a direction. */
ptrdiff_t sx_definition_get_length(const sx_definition_axis *axis, int side);
ptrdiff_t sx_definition_get_result(const sx_definition_axis *axis, int direction);

/* Get the number of elements of an array. */
ptrdiff_t sx_definition_get_volume(int ndims, const ptrdiff_t n[]);

/* Get the factor by which a forward transform and a backward transform together multiply the data. */
long double sx_definition_get_factor(int ndims, const sx_definition_axis axes[]);

/* The matrix that transforms the lines of an axis in a direction. */
typedef struct sx_definition_matrix {
    int kind, direction, is_orthonormal;
    ptrdiff_t n, modes, period;
    long double *root; /* [m], m < period: the complex number exp(2 pi i m / period) */
} sx_definition_matrix;

/* Set the matrix. Returns 1 if there is no memory, else 0. */
int sx_definition_create(const sx_definition_axis *axis, int direction, int is_orthonormal,
                         sx_definition_matrix *matrix);
void sx_definition_free(sx_definition_matrix *matrix);

/* Get an entry of the matrix, a complex number: the factor of input entry `in` in the sum that gives output
 * entry `out`. The result of backward R2C is the real part of this sum. */
void sx_definition_get(const sx_definition_matrix *matrix, ptrdiff_t in, ptrdiff_t out, long double value[2]);

/* Transform an array of complex numbers in C order, without scaling. The function frees the input *array,
 * which was allocated by malloc, and sets *array to the result, which the caller frees. Returns 0, or 1 if
 * there is no memory: then *array is the input or an intermediate array, which the caller frees. */
int sx_definition_execute(int ndims, const sx_definition_axis axes[], int direction, int is_orthonormal,
                          long double **array);

/* Get and set real number i of an array of any precision (SUBX_FFT_FLOAT and others). */
long double sx_definition_get_real(int precision, const void *array, ptrdiff_t i);
void sx_definition_set_real(int precision, void *array, ptrdiff_t i, long double value);

/* Get the machine epsilon of a precision, or of long double if that is larger. */
double sx_definition_get_epsilon(int precision);

#endif /* SX_DEFINITION_H */
