/* part.h - this rank's part of one side of a plan: where each element of the global array lies in memory. */
#ifndef TEST_RANDOM_PART_H
#define TEST_RANDOM_PART_H

#include "random/definition.h"

typedef struct random_part_box {
    ptrdiff_t start[RANDOM_NDIMS], len[RANDOM_NDIMS],
        stride[RANDOM_NDIMS + 1]; /* the last one is the stride between fields */
    ptrdiff_t offset;
} random_part_box;

typedef struct random_part {
    const random_problem *p;
    int side, width, nboxes;
    ptrdiff_t first, second; /* the two factors if the elements of the axis are in transposed order; else 0 */
    random_part_box box[RANDOM_BOXES];
    ptrdiff_t count;    /* elements of all boxes and fields */
    ptrdiff_t elements; /* elements from the start of the array to its last element, with gaps */
    ptrdiff_t bytes;    /* the bytes that the plan says an array needs */
} random_part;

/* Compute a rank's part of a side from the problem and the plan's grid. `position` is the rank's position in
 * the plan's order of ranks. Returns NULL if the plan gives the same part, else a text that says what
 * differs. */
const char *random_part_set(const random_problem *p, subx_fft_plan plan, int side, int rank, int position,
                            random_part *part);

/* Call a function for each element, with its field, its index in the side's global array (C order), and its
 * offset in memory (`place`, in elements). */
typedef void random_part_call(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place);
void random_part_for_each(const random_part *part, random_part_call *call, void *context);

/* Write `factor` times the data into an array. `data` has one field after the other, with `count` elements
 * each. */
void random_part_fill(const random_part *part, ptrdiff_t count, const random_pair data[], long double factor,
                      void *array);

/* Get the largest distance of an element from `factor` times its data. */
long double random_part_compare(const random_part *part, ptrdiff_t count, const random_pair data[],
                                long double factor, const void *array);

/* Count the bytes in gaps between elements that are not `byte`. */
ptrdiff_t random_part_count_touched(const random_part *part, unsigned char byte, const unsigned char *array);

#endif
