/* boxes.c - memory for the boxes that a caller placed. */
#include "problem/problem.h"
#include <string.h>

void sx_problem_free_boxes(sx_problem_boxes *b)
{
    sx_base_free(b->starts);
    sx_base_free(b->lens);
    sx_base_free(b->orders);
    sx_base_free(b->offsets);
    sx_base_free(b->strides);
    *b = (sx_problem_boxes){.n = -1};
}

/* Returns 1 if there is nothing to copy, or it is copied. */
static int copy_array(const void *from, ptrdiff_t n, size_t size, void **to)
{
    *to = NULL;
    if (!from)
        return 1;
    *to = sx_base_alloc(n, size);
    if (*to)
        memcpy(*to, from, (size_t)n * size);
    return *to != NULL;
}

int sx_problem_copy_boxes(int ndims, const sx_problem_boxes *boxes, sx_problem_boxes *copy)
{
    const ptrdiff_t n = boxes->n > 0 ? boxes->n : 0, all = n * ndims;
    void *array[5] = {NULL, NULL, NULL, NULL, NULL};
    int ok = n == 0 || (copy_array(boxes->starts, all, sizeof(ptrdiff_t), &array[0]) &&
                        copy_array(boxes->lens, all, sizeof(ptrdiff_t), &array[1]) &&
                        copy_array(boxes->orders, all, sizeof(int), &array[2]) &&
                        copy_array(boxes->offsets, n, sizeof(ptrdiff_t), &array[3]) &&
                        copy_array(boxes->strides, all, sizeof(ptrdiff_t), &array[4]));
    *copy = (sx_problem_boxes){boxes->n, array[0], array[1], array[2], array[3], array[4], boxes->distance};
    if (ok)
        return MPI_SUCCESS;
    sx_problem_free_boxes(copy);
    return subx_error_get_code(SUBX_ERR_NO_MEM);
}
