/* storage.h - how the arrays of a random problem are stored: drawn, told to the library, and where each element lies. */
#ifndef TEST_RANDOM_STORAGE_H
#define TEST_RANDOM_STORAGE_H

#include "random/problem.h"

typedef struct random_box {
    int rank;
    ptrdiff_t start[RANDOM_NDIMS], len[RANDOM_NDIMS];
    int order[RANDOM_NDIMS]; /* of storage, innermost first */
} random_box;

/* Draw orders, blocks, and whether there are strides and boxes. */
void random_storage_draw(random_problem *p, test_random *r);

/* Get the boxes of a rank on a side, and their number. They share the array between all ranks, unless there
 * is a fault. */
int random_storage_get_boxes(const random_problem *p, int side, int rank, random_box box[RANDOM_BOXES]);

/* What is wrong with the boxes of a side: nothing, one is missing, or one is there twice. */
enum { RANDOM_RIGHT, RANDOM_GAP, RANDOM_OVERLAP };
int random_storage_get_fault(const random_problem *p, int side);

/* Get the strides of a rank on a side, in elements; the last one is between fields. */
void random_storage_get_strides(const random_problem *p, int side, int rank,
                                ptrdiff_t strides[RANDOM_NDIMS + 1]);

/* create.c: tell the library all of the problem. */
int random_problem_create(const random_problem *p, int rank, subx_fft_problem *problem);

#endif
