/* storage.h - how the arrays of a random problem are stored. */
#ifndef TEST_RANDOM_STORAGE_H
#define TEST_RANDOM_STORAGE_H

#include "random/problem.h"

typedef struct random_box {
    int rank;
    ptrdiff_t start[RANDOM_NDIMS], len[RANDOM_NDIMS];
    int order[RANDOM_NDIMS]; /* the order of storage, contiguous axis first */
} random_box;

/* Draw orders and blocks, and decide whether there are strides and boxes. */
void random_storage_draw(random_problem *p, test_random *r);

/* Get a rank's boxes on a side. Returns their number. The boxes of all ranks together cover the array exactly
 * once, unless they have a fault. */
int random_storage_get_boxes(const random_problem *p, int side, int rank, random_box box[RANDOM_BOXES]);

/* The fault in the boxes of a side: none; one box is missing; one box exists twice. */
enum { RANDOM_RIGHT, RANDOM_GAP, RANDOM_OVERLAP };
int random_storage_get_fault(const random_problem *p, int side);

/* Get a rank's strides on a side, in elements. The last one is the stride between fields. */
void random_storage_get_strides(const random_problem *p, int side, int rank,
                                ptrdiff_t strides[RANDOM_NDIMS + 1]);

/* create.c: create the problem in the library, with the boxes and strides of this rank. The caller frees
 * it. */
int random_problem_create(const random_problem *p, int rank, subx_fft_problem *problem);

#endif
