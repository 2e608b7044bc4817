/* create.c - create a random problem in the library. */
#include "common/boxes.h"
#include "random/storage.h"

static int set_boxes(const random_problem *p, int side, int rank, subx_fft_problem problem)
{
    random_box box[RANDOM_BOXES];
    const int n = random_storage_get_boxes(p, side, rank, box);
    ptrdiff_t starts[RANDOM_BOXES * RANDOM_NDIMS], lens[RANDOM_BOXES * RANDOM_NDIMS];
    int orders[RANDOM_BOXES * RANDOM_NDIMS];
    for (int i = 0; i < n * p->ndims; i++) {
        starts[i] = box[i / p->ndims].start[i % p->ndims];
        lens[i] = box[i / p->ndims].len[i % p->ndims];
        orders[i] = box[i / p->ndims].order[i % p->ndims];
    }
    return test_boxes_set(problem, side, n, starts, lens, p->side[side].has_box_orders ? orders : NULL);
}

static int set_side(const random_problem *p, int side, int rank, subx_fft_problem problem)
{
    const random_side *s = &p->side[side];
    ptrdiff_t strides[RANDOM_NDIMS + 1];
    int rc = MPI_SUCCESS;
    random_storage_get_strides(p, side, rank, strides);
    if (s->has_order)
        rc = subx_fft_problem_set_order(problem, side, s->order);
    for (int a = 0; a < p->ndims && !rc; a++)
        rc = subx_fft_problem_set_block(problem, side, a, s->block[a]);
    if (!rc && s->has_boxes)
        rc = set_boxes(p, side, rank, problem);
    if (!rc && s->has_strides)
        rc = subx_fft_problem_set_strides(problem, side, strides, strides[p->ndims]);
    return rc;
}

static int set_lengths(const random_problem *p, subx_fft_problem problem)
{
    int rc = subx_fft_problem_set_precision(problem, p->precision);
    if (!rc)
        rc = subx_fft_problem_set_batch(problem, p->howmany, p->interleaved);
    if (!rc)
        rc = subx_fft_problem_set_modes(problem, p->modes);
    if (!rc)
        rc = subx_fft_problem_set_points(problem, p->points);
    return rc ? rc : subx_fft_problem_set_operation(problem, p->has_operation);
}

int random_problem_create(const random_problem *p, int rank, subx_fft_problem *problem)
{
    int rc = subx_fft_problem_create(p->ndims, p->kinds, p->sizes, problem);
    if (!rc)
        rc = set_lengths(p, *problem);
    for (int side = 0; side < 2 && !rc; side++)
        rc = set_side(p, side, rank, *problem);
    return rc ? rc : subx_fft_problem_set_padded(*problem, p->padded);
}
