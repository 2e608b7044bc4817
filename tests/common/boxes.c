/* boxes.c - create boxes from lists of numbers. */
#include "common/boxes.h"

static int create(int ndims, const ptrdiff_t sizes[], int n, const ptrdiff_t starts[], const ptrdiff_t lens[],
                  const int orders[], subx_boxes *boxes)
{
    int rc = subx_boxes_create(ndims, sizes, boxes);
    for (int i = 0; i < n && !rc; i++)
        rc = subx_boxes_add_ordered(*boxes, starts + (ptrdiff_t)i * ndims, lens + (ptrdiff_t)i * ndims,
                                    orders ? orders + (ptrdiff_t)i * ndims : NULL);
    if (rc)
        subx_boxes_free(boxes);
    return rc;
}

subx_boxes test_boxes_create(int ndims, const ptrdiff_t sizes[], int n, const ptrdiff_t starts[],
                             const ptrdiff_t lens[], const int orders[])
{
    subx_boxes boxes;
    (void)create(ndims, sizes, n, starts, lens, orders, &boxes);
    return boxes;
}

int test_boxes_set(subx_fft_problem problem, int side, int n, const ptrdiff_t starts[],
                   const ptrdiff_t lens[], const int orders[])
{
    int ndims, kinds[SUBX_NDIMS_MAX];
    ptrdiff_t points[SUBX_NDIMS_MAX], modes[SUBX_NDIMS_MAX];
    subx_boxes boxes = SUBX_BOXES_NULL;
    int rc = subx_fft_problem_get(problem, &ndims, kinds, NULL, modes, points);
    for (int a = 0; a < ndims && !rc; a++)
        if (kinds[a] == SUBX_FFT_R2C)
            modes[a] = modes[a] / 2 + 1;
    if (!rc)
        rc = create(ndims, side == SUBX_FFT_PHYSICAL ? points : modes, n, starts, lens, orders, &boxes);
    if (!rc)
        rc = subx_fft_problem_set_boxes(problem, side, boxes, 0);
    subx_boxes_free(&boxes);
    return rc;
}
