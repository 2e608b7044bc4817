/* boxes.h - create boxes from lists of numbers. */
#ifndef TEST_BOXES_H
#define TEST_BOXES_H

#include "config.h"
#include <subx_fft.h>

/* Create n boxes of an array. starts, lens and orders have n * ndims entries; orders may be NULL, which means
 * C order. */
subx_boxes test_boxes_create(int ndims, const ptrdiff_t sizes[], int n, const ptrdiff_t starts[],
                             const ptrdiff_t lens[], const int orders[]);

/* Create n boxes and set them as this rank's boxes on a side of the problem. Returns the code of the first
 * call that failed. */
int test_boxes_set(subx_fft_problem problem, int side, int n, const ptrdiff_t starts[],
                   const ptrdiff_t lens[], const int orders[]);

#endif
