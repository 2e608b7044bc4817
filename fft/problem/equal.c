/* equal.c - compare problems: their texts, and the strides and boxes, which the texts do not have. */
#include "problem/problem.h"
#include <string.h>

static int is_box_equal(subx_boxes a, subx_boxes b, int i)
{
    enum { START, LEN, STRIDE, OFFSET };
    ptrdiff_t first[4][SUBX_NDIMS_MAX] = {{0}}, second[4][SUBX_NDIMS_MAX] = {{0}};
    (void)subx_boxes_get_box(a, i, first[START], first[LEN], first[OFFSET], first[STRIDE]);
    (void)subx_boxes_get_box(b, i, second[START], second[LEN], second[OFFSET], second[STRIDE]);
    return memcmp(first, second, sizeof first) == 0;
}

static int are_boxes_equal(const sx_problem_boxes *a, const sx_problem_boxes *b)
{
    int is_equal = a->n == b->n && a->is_strided == b->is_strided && a->distance == b->distance;
    for (int i = 0; i < a->n && is_equal; i++)
        is_equal = is_box_equal(a->list, b->list, i);
    return is_equal;
}

/* Compare strides and boxes. The text of a problem tells only that a side has strides or boxes, not which
 * ones. */
static int are_local_equal(const sx_problem_storage *a, const sx_problem_storage *b)
{
    return memcmp(a->strides, b->strides, sizeof a->strides) == 0 && a->distance == b->distance &&
           are_boxes_equal(&a->boxes, &b->boxes);
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
        *equal = *equal && are_local_equal(&a->storage[side], &b->storage[side]);
    return MPI_SUCCESS;
}
