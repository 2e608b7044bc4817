/* definition.h - transforms by their definition, as a reference for programs and tests.
 *
 * The sums are written out in long double, and use nothing of the library. Complex numbers are pairs of reals, as in
 * C99. The library's own backend naive (fft/serial) is another implementation of the definition.
 */
#ifndef SX_DEFINITION_H
#define SX_DEFINITION_H

#include "config.h"
#include <stddef.h>
#include <subx_fft.h>

/* An axis, with the lengths of the transform, of the spectral side before halving, and of the physical side. C2R is
 * SUBX_FFT_R2C backward. */
typedef struct sx_definition_axis {
    int kind;
    ptrdiff_t size, modes, points;
} sx_definition_axis;

/* Get the length of an axis on a side; get its length after a transform in a direction. */
ptrdiff_t sx_definition_get_length(const sx_definition_axis *axis, int side);
ptrdiff_t sx_definition_get_result(const sx_definition_axis *axis, int direction);

/* Get the number of elements of an array. */
ptrdiff_t sx_definition_get_volume(int ndims, const ptrdiff_t n[]);

/* Get the factor by which forward and then backward multiply the data. */
long double sx_definition_get_factor(int ndims, const sx_definition_axis axes[]);

/* The matrix that transforms the lines of an axis in a direction. */
typedef struct sx_definition_matrix {
    int kind, direction, is_orthonormal;
    ptrdiff_t n, modes, period;
    long double *root; /* pairs exp(2 pi i m / period) */
} sx_definition_matrix;

/* Set the matrix. Returns 1 if there is no memory, else 0. */
int sx_definition_create(const sx_definition_axis *axis, int direction, int is_orthonormal,
                         sx_definition_matrix *matrix);
void sx_definition_free(sx_definition_matrix *matrix);

/* Get the factor of input entry `in` in output entry `out`, a complex number. For backward R2C, only the real part of
 * the sum is the result. */
void sx_definition_get(const sx_definition_matrix *matrix, ptrdiff_t in, ptrdiff_t out, long double value[2]);

/* Transform an array of pairs in C order, without scaling. Its memory is freed; *array becomes the result, which the
 * caller frees. `show` may be NULL; else it is called from time to time with the share that is done. Returns 0; 1 if
 * there is no memory, and *array then is an intermediate array, which the caller frees, too. */
int sx_definition_execute(int ndims, const sx_definition_axis axes[], int direction, int is_orthonormal,
                          void (*show)(double done), long double **array);

/* Get, and set, number i of an array of any precision of the library. */
long double sx_definition_get_real(int precision, const void *array, ptrdiff_t i);
void sx_definition_set_real(int precision, void *array, ptrdiff_t i, long double value);

/* Get the relative rounding error of a precision, or of long double if that is larger. */
double sx_definition_get_epsilon(int precision);

#endif /* SX_DEFINITION_H */
