/* matrix.h - the matrix of the transform of one axis: how much an entry of the spectral side has to do with an element of
 * the physical one. */
#ifndef TEST_RANDOM_MATRIX_H
#define TEST_RANDOM_MATRIX_H

#include "random/definition.h"

typedef struct random_axis {
    int kind, is_orthonormal;
    ptrdiff_t n, modes, points, spectral; /* spectral: entries that exist */
} random_axis;

/* Get by how much element j adds to entry k. */
random_pair random_matrix_get_forward(const random_axis *x, ptrdiff_t k, ptrdiff_t j);

/* Get by how much entry k adds to element j; of a halved axis, to its real part. */
random_pair random_matrix_get_backward(const random_axis *x, ptrdiff_t k, ptrdiff_t j);

#endif
