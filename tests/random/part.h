/* part.h - one side of a plan on this rank: where each element of the global array lies in memory. */
#ifndef TEST_RANDOM_PART_H
#define TEST_RANDOM_PART_H

#include "random/definition.h"

typedef struct random_part_box {
    ptrdiff_t start[RANDOM_NDIMS], len[RANDOM_NDIMS],
        stride[RANDOM_NDIMS + 1]; /* the last stride is between fields */
    ptrdiff_t offset;
} random_part_box;

typedef struct random_part {
    const random_problem *p;
    int side, width, nboxes;
    ptrdiff_t first, second; /* factors of an axis whose entries are out of order; else 0 */
    random_part_box box[RANDOM_BOXES];
    ptrdiff_t count;    /* elements of all boxes and fields */
    ptrdiff_t elements; /* length of the array up to its last element, with the gaps, in elements */
    ptrdiff_t bytes;    /* the least length of an array, as the plan says */
} random_part;

/* Set a part as the problem and the plan's grid require. `position` is the rank's position in the plan's order of
 * ranks. Returns NULL if the plan says the same, else a text that says what differs. */
const char *random_part_set(const random_problem *p, subx_fft_plan plan, int side, int rank, int position,
                            random_part *part);

/* Call a function for each element: its field, its index in C order of the side, its place in memory. */
typedef void random_part_call(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place);
void random_part_for_each(const random_part *part, random_part_call *call, void *context);

/* Write `factor` times the data into an array. The data has one field after the other, with `count` elements each. */
void random_part_fill(const random_part *part, ptrdiff_t count, const random_pair data[], long double factor,
                      void *array);

/* Get the largest distance of an element from `factor` times the data. */
long double random_part_compare(const random_part *part, ptrdiff_t count, const random_pair data[],
                                long double factor, const void *array);

/* Get how many bytes between the elements differ from `byte`. */
ptrdiff_t random_part_count_touched(const random_part *part, unsigned char byte, const unsigned char *array);

#endif
