/* create.c - create, copy and free a problem. */
#include "problem/problem.h"
#include <string.h>

void sx_problem_set_defaults(subx_fft_problem p, int ndims)
{
    *p = (struct subx_fft_problem_s){.ndims = ndims, .precision = SUBX_FFT_DOUBLE, .howmany = 1};
    for (int a = 0; a < ndims; a++)
        p->kinds[a] = SUBX_FFT_C2C;
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++)
        p->storage[side].boxes.n = -1;
}

int sx_problem_set_kinds(subx_fft_problem p, const int kinds[], sx_text *why)
{
    int nreal = 0;
    p->is_backward = 0;
    for (int a = 0; a < p->ndims; a++) {
        if (kinds[a] < SUBX_FFT_NONE || kinds[a] > SUBX_FFT_HC2R)
            return SX_REFUSE(SUBX_ERR_ARG,
                             "axis %d has kind %d, kinds are %d (SUBX_FFT_NONE) to %d (SUBX_FFT_HC2R)", a,
                             kinds[a], SUBX_FFT_NONE, SUBX_FFT_HC2R);
        nreal += kinds[a] == SUBX_FFT_R2C || kinds[a] == SUBX_FFT_C2R;
        p->is_backward |= kinds[a] == SUBX_FFT_C2R;
        p->kinds[a] = kinds[a] == SUBX_FFT_C2R ? SUBX_FFT_R2C : kinds[a];
    }
    return nreal <= 1 ? MPI_SUCCESS
                      : SX_REFUSE(SUBX_ERR_ARG, "%d axes are r2c or c2r, at most one can be", nreal);
}

int sx_problem_explain(int rc, const char *why)
{
    char text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    sx_base_print(&t, "subx: problem: %s", why);
    if (rc && *why)
        sx_base_set_error_text(subx_error_get_kind(rc), text);
    return rc;
}

int sx_problem_create(const struct subx_fft_problem_s *from, subx_fft_problem *problem)
{
    int rc = MPI_SUCCESS;
    subx_fft_problem p = *problem = sx_base_alloc(1, sizeof *p);
    if (!p)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    *p = *from;
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++) {
        const sx_problem_boxes *boxes = &from->storage[side].boxes;
        int rc2 = sx_problem_copy_boxes(boxes->list, boxes->distance, &p->storage[side].boxes);
        rc = rc ? rc : rc2;
    }
    if (rc)
        subx_fft_problem_free(problem);
    return rc;
}

int subx_fft_problem_create(int ndims, const int kinds[], const ptrdiff_t sizes[], subx_fft_problem *problem)
{
    struct subx_fft_problem_s p;
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    if (!problem)
        return subx_error_get_code(SUBX_ERR_ARG);
    *problem = SUBX_FFT_PROBLEM_NULL;
    if (ndims < 1 || ndims > SX_PROBLEM_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (!kinds || !sizes)
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_problem_set_defaults(&p, ndims);
    for (int a = 0; a < ndims; a++)
        p.sizes[a] = p.modes[a] = p.points[a] = sizes[a];
    int rc = sx_problem_set_kinds(&p, kinds, &t);
    if (!rc)
        rc = sx_problem_check(&p, &t);
    return rc ? sx_problem_explain(rc, why) : sx_problem_create(&p, problem);
}

int subx_fft_problem_create_copy(subx_fft_problem problem, subx_fft_problem *copy)
{
    if (!copy)
        return subx_error_get_code(SUBX_ERR_ARG);
    *copy = SUBX_FFT_PROBLEM_NULL;
    return problem ? sx_problem_create(problem, copy) : subx_error_get_code(SUBX_ERR_ARG);
}

int subx_fft_problem_free(subx_fft_problem *problem)
{
    if (!problem || !*problem)
        return MPI_SUCCESS;
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++)
        sx_problem_free_boxes(&(*problem)->storage[side].boxes);
    sx_base_free(*problem);
    *problem = SUBX_FFT_PROBLEM_NULL;
    return MPI_SUCCESS;
}
