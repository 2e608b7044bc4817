/* boxes.h - boxes from lists of numbers. */
#ifndef TEST_BOXES_H
#define TEST_BOXES_H

#include "config.h"
#include <subx_fft.h>

/* Create n boxes of an array. starts and lens have n * ndims entries; so has orders, or it is NULL for C order. */
subx_boxes test_boxes_create(int ndims, const ptrdiff_t sizes[], int n, const ptrdiff_t starts[],
                             const ptrdiff_t lens[], const int orders[]);

/* Set n boxes of a side. Returns the code of subx_fft_problem_set_boxes, or of the creation of the boxes if that
 * fails. */
int test_boxes_set(subx_fft_problem problem, int side, int n, const ptrdiff_t starts[],
                   const ptrdiff_t lens[], const int orders[]);

#endif
