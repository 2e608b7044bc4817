/* get.c - getters of a problem. */
#include "problem/problem.h"
#include <string.h>

static void copy_lengths(ptrdiff_t to[], const ptrdiff_t from[], int n)
{
    if (to)
        memcpy(to, from, (size_t)n * sizeof *to);
}

int subx_fft_problem_get(subx_fft_problem problem, int *ndims, int kinds[], ptrdiff_t sizes[],
                         ptrdiff_t modes[], ptrdiff_t points[])
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ndims)
        *ndims = problem->ndims;
    if (kinds)
        memcpy(kinds, problem->kinds, (size_t)problem->ndims * sizeof *kinds);
    copy_lengths(sizes, problem->sizes, problem->ndims);
    copy_lengths(modes, problem->modes, problem->ndims);
    copy_lengths(points, problem->points, problem->ndims);
    return MPI_SUCCESS;
}

static int get_int(subx_fft_problem problem, int value, int *out)
{
    if (!problem || !out)
        return subx_error_get_code(SUBX_ERR_ARG);
    *out = value;
    return MPI_SUCCESS;
}

int subx_fft_problem_get_precision(subx_fft_problem problem, int *precision)
{
    return get_int(problem, problem ? problem->precision : 0, precision);
}

int subx_fft_problem_get_batch(subx_fft_problem problem, ptrdiff_t *howmany, int *interleaved)
{
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    copy_lengths(howmany, &problem->howmany, 1);
    if (interleaved)
        *interleaved = problem->interleaved;
    return MPI_SUCCESS;
}

int subx_fft_problem_get_direction(subx_fft_problem problem, int *direction)
{
    int is_backward = problem && problem->is_backward;
    return get_int(problem, is_backward ? SUBX_FFT_BACKWARD : SUBX_FFT_FORWARD, direction);
}
