/* array.c - fill and compare a plan's local arrays, element by element. */
#include "common/array.h"
#include "common/hints.h"
#include "definition/definition.h"
#include "common/worst.h"
#include <stdlib.h>
#include <string.h>

int test_plan_create(const char *text, const char *hints, subx_fft_plan *plan)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    MPI_Info info = test_hints("%s", hints);
    *plan = SUBX_FFT_PLAN_NULL;
    int rc = subx_fft_problem_parse(text, &problem);
    rc = rc ? rc : subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, info, plan);
    subx_fft_problem_free(&problem);
    MPI_Info_free(&info);
    return rc;
}

/* ---- layout */

static int get_width(subx_fft_problem problem, int side)
{
    int ndims, kinds[SUBX_NDIMS_MAX], is_complex = 0, is_half = 0;
    subx_fft_problem_get(problem, &ndims, kinds, NULL, NULL, NULL);
    for (int i = 0; i < ndims; i++) {
        is_half |= kinds[i] == SUBX_FFT_R2C;
        is_complex |= kinds[i] == SUBX_FFT_C2C;
    }
    return is_half ? 1 + (side == SUBX_FFT_SPECTRAL) : 1 + is_complex;
}

static void set_strides(test_array *a, const int order[], ptrdiff_t howmany, int interleaved)
{
    ptrdiff_t stride = interleaved ? howmany : 1;
    for (int i = 0; i < a->ndims; i++) {
        a->stride[order[i]] = stride;
        stride *= a->n[order[i]];
    }
    a->count = interleaved ? stride : stride * howmany;
    if (howmany == 1)
        return;
    a->n[a->ndims] = howmany;
    a->start[a->ndims] = 0;
    a->stride[a->ndims++] = interleaved ? 1 : stride;
}

test_array test_array_create(subx_fft_plan plan, int side)
{
    test_array a = {0};
    subx_fft_problem problem;
    int order[SUBX_NDIMS_MAX], interleaved;
    ptrdiff_t howmany, bytes;
    subx_fft_plan_get(plan, &problem, NULL, NULL);
    subx_fft_problem_get(problem, &a.ndims, NULL, NULL, NULL, NULL);
    subx_fft_problem_get_precision(problem, &a.precision);
    subx_fft_problem_get_batch(problem, &howmany, &interleaved);
    subx_fft_plan_get_local(plan, side, a.n, a.start, order, &bytes);
    a.width = get_width(problem, side);
    set_strides(&a, order, howmany, interleaved);
    a.data = calloc(1, (size_t)bytes);
    return a;
}

void test_array_free(test_array *a)
{
    free(a->data);
    a->data = NULL;
}

/* ---- elements */

static long double complex get_element(const test_array *a, ptrdiff_t at)
{
    const long double re = sx_definition_get_real(a->precision, a->data, at * a->width);
    return a->width == 2 ? re + sx_definition_get_real(a->precision, a->data, at * 2 + 1) * I : re;
}

long double complex test_array_get(const void *array, const ptrdiff_t index[])
{
    const test_array *a = array;
    ptrdiff_t at = 0;
    for (int i = 0; i < a->ndims; i++)
        at += (index[i] - a->start[i]) * a->stride[i];
    return get_element(a, at);
}

/* Get the global index of local element i, and its offset from the array's start, in elements. */
static ptrdiff_t locate(const test_array *a, ptrdiff_t i, ptrdiff_t index[])
{
    ptrdiff_t at = 0;
    for (int k = a->ndims - 1; k >= 0; k--) {
        index[k] = a->start[k] + i % a->n[k];
        at += i % a->n[k] * a->stride[k];
        i /= a->n[k];
    }
    return at;
}

void test_array_fill(test_array *a, test_value *value, const void *context)
{
    ptrdiff_t index[SUBX_NDIMS_MAX];
    for (ptrdiff_t i = 0; i < a->count; i++) {
        const ptrdiff_t at = locate(a, i, index);
        const long double complex x = value(context, index);
        sx_definition_set_real(a->precision, a->data, at * a->width, creall(x));
        if (a->width == 2)
            sx_definition_set_real(a->precision, a->data, at * 2 + 1, cimagl(x));
    }
}

long double test_array_compare(const test_array *a, test_value *value, const void *context)
{
    ptrdiff_t index[SUBX_NDIMS_MAX];
    long double worst = 0;
    for (ptrdiff_t i = 0; i < a->count; i++) {
        const ptrdiff_t at = locate(a, i, index);
        const long double complex x = get_element(a, at) - value(context, index);
        const long double error = a->width == 2 ? cabsl(x) : creall(x) < 0 ? -creall(x) : creall(x);
        worst = test_get_worse(worst, error);
    }
    return worst;
}

long double test_get_epsilon(int precision)
{
    return sx_definition_get_epsilon(precision);
}
