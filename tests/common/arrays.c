/* arrays.c - the arrays of any plan, and what its executions give. */
#include "common/arrays.h"
#include "common/random.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int test_run_get_input(int run)
{
    return run == TEST_BACKWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
}

int test_run_get_output(int run)
{
    return run == TEST_ROUND ? SUBX_FFT_PHYSICAL : run;
}

static void halve(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                  const ptrdiff_t stride[], void *data)
{
    double *element = data;
    for (ptrdiff_t i = 0; ndims > 0 && i < n[0]; i++)
        halve(context, ndims - 1, start + 1, n + 1, stride + 1, element + 2 * i * stride[0]);
    for (int part = 0; ndims == 0 && part < 2; part++)
        element[part] *= 0.5;
}

static void fill(test_arrays *a)
{
    test_random r = test_random_stream(test_seed(), (uint64_t)test_rank);
    for (size_t i = 0; i < a->bytes[0] / (a->is_float ? sizeof(float) : sizeof(double)); i++)
        if (a->is_float)
            ((float *)a->from[0])[i] = (float)test_random_double(&r);
        else
            ((double *)a->from[0])[i] = test_random_double(&r);
}

static int get_direction(int run)
{
    return run == TEST_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
}

int test_arrays_start(const test_arrays *a, subx_fft_plan plan, int run, const void *from, void *to)
{
    return run == TEST_ROUND ? subx_fft_start_convolution(plan, from, to, a->op)
                             : subx_fft_start(plan, get_direction(run), from, to);
}

int test_arrays_execute(subx_fft_plan plan, int run, const void *from, void *to, subx_fft_operation op,
                        int is_started)
{
    const test_arrays a = {.op = op};
    if (!is_started)
        return run == TEST_ROUND ? subx_fft_execute_convolution(plan, from, to, op)
                                 : subx_fft_execute(plan, get_direction(run), from, to);
    EXPECT_OK(test_arrays_start(&a, plan, run, from, to));
    return subx_fft_wait(plan);
}

test_arrays test_arrays_create(subx_fft_plan plan)
{
    test_arrays a = {.has_data = {1, 1}};
    char text[256] = "";
    int ndims = 0, precision = 0;
    subx_fft_problem problem;
    EXPECT_OK(subx_fft_plan_get(plan, &problem, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get(problem, &ndims, NULL, NULL, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get_precision(problem, &precision));
    EXPECT_OK(subx_fft_problem_print(problem, sizeof text, text, NULL));
    EXPECT_OK(subx_fft_operation_create_function(halve, NULL, &a.op));
    a.nruns = strstr(text, "/operation") ? TEST_RUNS : TEST_ROUND;
    a.is_float = precision == SUBX_FFT_FLOAT;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t bytes = 0, n[SUBX_NDIMS_MAX];
        EXPECT_OK(subx_fft_plan_get_local(plan, side, n, NULL, NULL, &bytes));
        for (int i = 0; i < ndims; i++)
            a.has_data[side] &= n[i] > 0;
        a.bytes[side] = (size_t)bytes;
        a.room = a.bytes[side] > a.room ? a.bytes[side] : a.room;
        a.from[side] = calloc(1, a.bytes[side]);
    }
    a.to = calloc(1, a.room);
    fill(&a);
    for (int k = 0; k < a.nruns; k++) {
        const int run = k == 0   ? TEST_FORWARD
                        : k == 1 ? TEST_BACKWARD
                                 : TEST_ROUND; /* backward needs a spectrum */
        a.expected[run] = calloc(1, a.bytes[test_run_get_output(run)]);
        EXPECT_OK(test_arrays_execute(plan, run, a.from[test_run_get_input(run)], a.expected[run], a.op, 0));
        if (run == TEST_FORWARD)
            memcpy(a.from[run], a.expected[run], a.bytes[run]);
    }
    return a;
}

void test_arrays_free(test_arrays *a)
{
    for (int run = 0; run < TEST_RUNS; run++)
        free(a->expected[run]);
    free(a->from[0]);
    free(a->from[1]);
    free(a->to);
    EXPECT_OK(subx_fft_operation_free(&a->op));
}

int test_arrays_is_equal(const test_arrays *a, int run, const void *to)
{
    const int side = test_run_get_output(run);
    return !a->has_data[side] || memcmp(to, a->expected[run], a->bytes[side]) == 0;
}

static double get_real(const test_arrays *a, const void *array, size_t i)
{
    return a->is_float ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

/* A NaN is not close to any number. */
int test_arrays_is_close(const test_arrays *a, int run, const void *to)
{
    const int side = test_run_get_output(run);
    const size_t n = a->bytes[side] / (a->is_float ? sizeof(float) : sizeof(double));
    long double largest = 1, worst = 0;
    for (size_t i = 0; a->has_data[side] && i < n; i++) {
        const double expected = get_real(a, a->expected[run], i);
        largest = fmaxl(largest, fabs(expected));
        worst = test_get_worse(worst, fabs(get_real(a, to, i) - expected));
    }
    return worst <= largest * (a->is_float ? 3e-6L : 1e-14L);
}
