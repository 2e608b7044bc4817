/* set.c - setters of a problem. A setter changes a copy of the problem, checks the copy, and replaces the
 * problem if the copy is valid. Only the flag has_operation needs no check, and is set in the problem
 * itself. */
#include "problem/problem.h"
#include <string.h>

static int replace(subx_fft_problem p, const struct subx_fft_problem_s *changed)
{
    char why[SX_ERROR_LEN] = "";
    int rc = sx_problem_check(changed, &(sx_text){why, sizeof why, 0});
    if (!rc)
        *p = *changed;
    return sx_problem_explain(rc, why);
}

static int is_side(int side)
{
    return side == SUBX_FFT_PHYSICAL || side == SUBX_FFT_SPECTRAL;
}

int subx_fft_problem_set_precision(subx_fft_problem problem, int precision)
{
    if (!problem || precision < SUBX_FFT_FLOAT || precision > SUBX_FFT_QUAD)
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    p.precision = precision;
    return replace(problem, &p);
}

int subx_fft_problem_set_batch(subx_fft_problem problem, ptrdiff_t howmany, int interleaved)
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    p.howmany = howmany;
    p.interleaved = interleaved && howmany > 1;
    return replace(problem, &p);
}

int subx_fft_problem_set_modes(subx_fft_problem problem, const ptrdiff_t modes[])
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    memcpy(p.modes, modes ? modes : p.sizes, (size_t)p.ndims * sizeof *modes);
    return replace(problem, &p);
}

int subx_fft_problem_set_points(subx_fft_problem problem, const ptrdiff_t points[])
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    memcpy(p.points, points ? points : p.sizes, (size_t)p.ndims * sizeof *points);
    return replace(problem, &p);
}

int subx_fft_problem_set_order(subx_fft_problem problem, int side, const int order[])
{
    if (!problem || !is_side(side))
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    p.storage[side].has_order = order != NULL;
    if (order)
        memcpy(p.storage[side].order, order, (size_t)p.ndims * sizeof *order);
    return replace(problem, &p);
}

int subx_fft_problem_set_padded(subx_fft_problem problem, int padded)
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    p.storage[SUBX_FFT_PHYSICAL].padded = padded != 0;
    return replace(problem, &p);
}

int subx_fft_problem_set_strides(subx_fft_problem problem, int side, const ptrdiff_t strides[],
                                 ptrdiff_t distance)
{
    if (!problem || !is_side(side))
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    sx_problem_storage *s = &p.storage[side];
    s->has_strides = strides != NULL;
    s->distance = strides ? distance : 0;
    memset(s->strides, 0, sizeof s->strides);
    if (strides)
        memcpy(s->strides, strides, (size_t)p.ndims * sizeof *strides);
    return replace(problem, &p);
}

int subx_fft_problem_set_block(subx_fft_problem problem, int side, int axis, ptrdiff_t block)
{
    if (!problem || !is_side(side) || axis < 0 || axis >= problem->ndims)
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    p.storage[side].block[axis] = block;
    return replace(problem, &p);
}

int subx_fft_problem_set_boxes(subx_fft_problem problem, int side, subx_boxes boxes, ptrdiff_t distance)
{
    if (!problem || !is_side(side))
        return subx_error_get_code(SUBX_ERR_ARG);
    struct subx_fft_problem_s p = *problem;
    sx_problem_boxes *b = &p.storage[side].boxes, old = *b;
    int rc = sx_problem_copy_boxes(boxes, distance, b);
    if (rc)
        return rc;
    rc = replace(problem, &p);
    sx_problem_free_boxes(rc ? b : &old);
    return rc;
}

int subx_fft_problem_set_operation(subx_fft_problem problem, int has_operation)
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    problem->has_operation = has_operation != 0;
    return MPI_SUCCESS;
}
