/* problems.c - problems of every shape that a plan can have, their plans, and arrays for the plans. */
#include "fault/problems.h"
#include "common/boxes.h"
#include "common/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- problems */

static const struct {
    const char *name, *text, *grid;
} problems[TEST_PROBLEMS] = {{"boxes", "c2c:12x7x4", "auto"},
                             {"bricks", "c2c:12x7x4", "0x0x0"},
                             {"axis", "2*c2c:60", "auto"},
                             {"components", "r2c:8x6x4>12x7x6*3/operation", "auto"},
                             {"kinds", "dct2,-,r2c.f32:12x5x8", "auto"}};

const char *test_problem_get_name(int k)
{
    return problems[k].name;
}

/* Set boxes. On the physical side each rank has a block of axis 0, in two boxes; the order of the ranks is
 * reversed. On the spectral side each rank has a block of axis 2, which is empty on the last of five
 * ranks. */
static int set_boxes(subx_fft_problem p)
{
    static const int orders[] = {2, 1, 0, 0, 2, 1};
    ptrdiff_t start[] = {0, 0, 0, 0, 3, 0}, len[] = {12, 3, 4, 12, 4, 4};
    for (int i = 0; i < 6; i += 3)
        (void)subx_block_get(12, test_nranks, test_nranks - 1 - test_rank, &len[i], &start[i]);
    int rc = test_boxes_set(p, SUBX_FFT_PHYSICAL, 2, start, len, orders);
    ptrdiff_t plane_start[] = {0, 0, 0}, plane_len[] = {12, 7, 4};
    (void)subx_block_get(4, test_nranks, test_rank, &plane_len[2], &plane_start[2]);
    const int has_data = plane_len[2] > 0;
    return rc ? rc : test_boxes_set(p, SUBX_FFT_SPECTRAL, has_data, plane_start, plane_len, orders + 3);
}

subx_fft_problem test_problem_create(int k)
{
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(problems[k].text, &p));
    if (k == 0)
        EXPECT_OK(set_boxes(p));
    return p;
}

int test_problem_plan(int k, subx_fft_problem p, MPI_Info hints, subx_fft_plan *plan)
{
    PMPI_Info_set(hints, "subx_grid", problems[k].grid);
    return subx_fft_plan_create_problem(MPI_COMM_WORLD, p, hints, plan);
}

/* ---- arrays */

static int get_precision(subx_fft_plan plan)
{
    subx_fft_problem p;
    int precision = 0;
    (void)subx_fft_plan_get(plan, &p, NULL, NULL);
    (void)subx_fft_problem_get_precision(p, &precision);
    return precision;
}

static void fill(void *array, ptrdiff_t bytes, int precision)
{
    const int is_float = precision == SUBX_FFT_FLOAT;
    for (ptrdiff_t i = 0; i < bytes / (is_float ? 4 : 8); i++) {
        const double value = sin(1.0 + (double)i * 0.7 + test_rank);
        if (is_float)
            ((float *)array)[i] = (float)value;
        else
            ((double *)array)[i] = value;
    }
}

/* An operation that halves all elements. */
static void halve(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                  const ptrdiff_t stride[], void *data)
{
    double *element = data;
    for (ptrdiff_t i = 0; ndims > 0 && i < n[0]; i++)
        halve(context, ndims - 1, start + 1, n + 1, stride + 1, element + 2 * i * stride[0]);
    for (int part = 0; ndims == 0 && part < 2; part++)
        element[part] *= 0.5;
}

static int has_operation(subx_fft_plan plan)
{
    subx_fft_problem p;
    char text[128] = "";
    (void)subx_fft_plan_get(plan, &p, NULL, NULL);
    (void)subx_fft_problem_print(p, sizeof text, text, NULL);
    return strstr(text, "/operation") != NULL;
}

test_arrays test_arrays_create(subx_fft_plan plan)
{
    test_arrays a = {0};
    for (int side = 0; side < 2; side++) {
        (void)subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &a.bytes[side]);
        a.from[side] = calloc(1, (size_t)a.bytes[side]);
        a.to[side] = calloc(1, (size_t)a.bytes[side]);
        fill(a.from[side], a.bytes[side], get_precision(plan));
    }
    a.bytes[2] = has_operation(plan) ? a.bytes[0] : 0;
    a.to[2] = calloc(1, (size_t)a.bytes[0]);
    EXPECT_OK(subx_fft_operation_create_function(halve, NULL, &a.operation));
    return a;
}

void test_arrays_free(test_arrays *a)
{
    for (int i = 0; i < 3; i++) {
        free(i < 2 ? a->from[i] : NULL);
        free(a->to[i]);
        free(a->expected[i]);
    }
    EXPECT_OK(subx_fft_operation_free(&a->operation));
    *a = (test_arrays){0};
}

int test_arrays_execute(test_arrays *a, subx_fft_plan plan)
{
    int round = MPI_SUCCESS;
    for (int i = 0; i < 3; i++)
        memset(a->to[i], 0, (size_t)a->bytes[i]);
    int forward = subx_fft_execute(plan, SUBX_FFT_FORWARD, a->from[0], a->to[1]);
    int backward = subx_fft_execute(plan, SUBX_FFT_BACKWARD, a->from[1], a->to[0]);
    if (a->bytes[2] > 0)
        round = subx_fft_execute_convolution(plan, a->from[0], a->to[2], a->operation);
    return forward ? forward : backward ? backward : round;
}

/* The comparisons are written so that a NaN is not close to any number. */
static int is_close(const void *a, const void *b, ptrdiff_t bytes, int precision)
{
    const int is_float = precision == SUBX_FFT_FLOAT;
    for (ptrdiff_t i = 0; i < bytes / (is_float ? 4 : 8); i++) {
        const double difference = is_float ? (double)(((const float *)a)[i] - ((const float *)b)[i])
                                           : ((const double *)a)[i] - ((const double *)b)[i];
        if (!(fabs(difference) <= (is_float ? 1e-3 : 1e-11)))
            return 0;
    }
    return 1;
}

int test_arrays_compare(test_arrays *a, subx_fft_plan plan)
{
    int is_same = 1;
    for (int i = 0; i < 3; i++) {
        if (!a->expected[i]) {
            a->expected[i] = calloc(1, (size_t)a->bytes[i] + 1);
            memcpy(a->expected[i], a->to[i], (size_t)a->bytes[i]);
        }
        is_same = is_same && is_close(a->to[i], a->expected[i], a->bytes[i], get_precision(plan));
    }
    return is_same;
}
