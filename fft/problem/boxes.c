/* boxes.c - the copy of the caller's boxes that a problem owns. */
#include "problem/problem.h"

void sx_problem_free_boxes(sx_problem_boxes *b)
{
    subx_boxes_free(&b->list);
    *b = (sx_problem_boxes){.n = -1};
}

int sx_problem_copy_boxes(subx_boxes list, ptrdiff_t distance, sx_problem_boxes *copy)
{
    *copy = (sx_problem_boxes){.n = -1};
    if (list == SUBX_BOXES_NULL)
        return MPI_SUCCESS;
    int rc = subx_boxes_create_copy(list, &copy->list);
    if (!rc)
        rc = subx_boxes_get(copy->list, NULL, NULL, &copy->n, &copy->is_strided, NULL);
    copy->distance = copy->is_strided ? distance : 0;
    return rc;
}
