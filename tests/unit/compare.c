/* compare.c - the functions by which tests compare arrays notice NaN and infinity at any element. */
#include "common/array.h"
#include "common/field.h"
#include "common/unit.h"
#include "common/worst.h"
#include <math.h>

enum { N = 3 };

TEST(nan_is_the_worst_error)
{
    ck_assert(test_get_worse(1, 2) == 2 && test_get_worse(2, 1) == 2);
    ck_assert(isnan(test_get_worse(NAN, 1)) && isnan(test_get_worse(1, NAN)));
    ck_assert(isnan(test_get_worse(NAN, INFINITY)) && isnan(test_get_worse(INFINITY, NAN)));
    ck_assert(isinf(test_get_worse(INFINITY, 1)) && isinf(test_get_worse(1, INFINITY)));
}

/* A test_value (common/array.h). */
static long double complex get_half(const void *context, const ptrdiff_t index[])
{
    (void)context, (void)index;
    return 0.5L;
}

TEST(nan_in_an_array_is_noticed)
{
    for (int i = 0; i < N; i++) {
        double data[N] = {0.5, 0.25, 0.5};
        const test_array a = {.ndims = 1,
                              .precision = SUBX_FFT_DOUBLE,
                              .width = 1,
                              .n = {N},
                              .stride = {1},
                              .count = N,
                              .data = data};
        ck_assert(test_array_compare(&a, get_half, NULL) == 0.25L);
        data[i] = NAN;
        ck_assert(isnan(test_array_compare(&a, get_half, NULL)));
        data[i] = -INFINITY;
        ck_assert(isinf(test_array_compare(&a, get_half, NULL)));
    }
}

TEST(nan_in_a_part_is_noticed)
{
    double complex u[N] = {0.5, 0.5, 0.5};
    const test_field f = {.kind = SUBX_FFT_R2C, .ndims = 1, .sizes = {N}, .count = N, .u = u};
    const test_part p = {.ndims = 1, .is_real = 1, .shape = {N}, .count = N};
    for (int i = 0; i < N; i++) {
        double data[N] = {0.5, 0.25, 0.5};
        ck_assert(test_part_compare(&f, &p, SUBX_FFT_PHYSICAL, 1, data) == 0.25);
        data[i] = NAN;
        ck_assert(isnan(test_part_compare(&f, &p, SUBX_FFT_PHYSICAL, 1, data)));
        data[i] = INFINITY;
        ck_assert(isinf(test_part_compare(&f, &p, SUBX_FFT_PHYSICAL, 1, data)));
    }
}

int main(void)
{
    return test_unit_run("compare");
}
