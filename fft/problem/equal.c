/* equal.c - compare problems, also in what their text only marks. */
#include "problem/problem.h"
#include <string.h>

/* Both NULL, or equal. */
static int are_equal(const void *a, const void *b, size_t bytes)
{
    return !a || !b ? a == b : memcmp(a, b, bytes) == 0;
}

static int are_boxes_equal(int ndims, const sx_problem_boxes *a, const sx_problem_boxes *b)
{
    const size_t n = a->n > 0 ? (size_t)a->n * (size_t)ndims : 0;
    return a->n == b->n && are_equal(a->starts, b->starts, n * sizeof *a->starts) &&
           are_equal(a->lens, b->lens, n * sizeof *a->lens) &&
           are_equal(a->orders, b->orders, n * sizeof *a->orders) &&
           are_equal(a->offsets, b->offsets, (a->n > 0 ? (size_t)a->n : 0) * sizeof *a->offsets) &&
           are_equal(a->strides, b->strides, n * sizeof *a->strides) && a->distance == b->distance;
}

/* Compare what the text only marks. */
static int are_local_equal(int ndims, const sx_problem_storage *a, const sx_problem_storage *b)
{
    return memcmp(a->strides, b->strides, sizeof a->strides) == 0 && a->distance == b->distance &&
           are_boxes_equal(ndims, &a->boxes, &b->boxes);
}

static int are_texts_equal(subx_fft_problem a, subx_fft_problem b)
{
    char first[SX_PROBLEM_TEXT], second[SX_PROBLEM_TEXT];
    sx_problem_print(a, &(sx_text){first, sizeof first, 0});
    sx_problem_print(b, &(sx_text){second, sizeof second, 0});
    return strcmp(first, second) == 0;
}

int subx_fft_problem_query_equal(subx_fft_problem a, subx_fft_problem b, int *equal)
{
    if (!a || !b || !equal)
        return subx_error_get_code(SUBX_ERR_ARG);
    *equal = are_texts_equal(a, b);
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++)
        *equal = *equal && are_local_equal(a->ndims, &a->storage[side], &b->storage[side]);
    return MPI_SUCCESS;
}
