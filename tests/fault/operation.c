/* operation.c - each allocation fails in turn while an operation is created. The function must return an
 * error and no object, and the next call must work.
 * ranks: 1 (all of these calls are local) */
#include "base/base.h"
#include "common/array.h"
#include "common/verdict.h"

/* An upper bound: none of the functions makes so many allocations. */
enum { ATTEMPTS_MAX = 20 };

typedef int attempt(subx_fft_plan plan, subx_fft_operation *op);

static void nothing(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                    const ptrdiff_t stride[], void *data)
{
    (void)context, (void)ndims, (void)start, (void)n, (void)stride, (void)data;
}

static int create_function(subx_fft_plan plan, subx_fft_operation *op)
{
    (void)plan;
    return subx_fft_operation_create_function(nothing, NULL, op);
}

static int create_table(subx_fft_plan plan, subx_fft_operation *op)
{
    static const double table[2 * 4 * 3];
    return subx_fft_operation_create_table(plan, table, 0, op);
}

static int create_derivative(subx_fft_plan plan, subx_fft_operation *op)
{
    static const int orders[] = {1, 0};
    return subx_fft_operation_create_derivative(plan, NULL, orders, op);
}

static int create_laplacian(subx_fft_plan plan, subx_fft_operation *op)
{
    return subx_fft_operation_create_laplacian(plan, NULL, 1, op);
}

/* Let the first, the second, .. allocation fail, until there are no more. At least `least` must have
 * failed. */
static void check(attempt *create, subx_fft_plan plan, const char *what, long least)
{
    int rc = -1;
    long n;
    test_context("%s", what);
    for (n = 0; rc && n < ATTEMPTS_MAX; n++) {
        subx_fft_operation op = (subx_fft_operation)&op;
        sx_base_fail_after(n);
        rc = create(plan, &op);
        sx_base_fail_after(-1);
        EXPECT_KIND(rc, rc ? SUBX_ERR_NO_MEM : SUBX_ERR_NONE);
        EXPECT((op == SUBX_FFT_OPERATION_NULL) == (rc != MPI_SUCCESS));
        EXPECT_OK(subx_fft_operation_free(&op));
    }
    EXPECT(n > least && n < ATTEMPTS_MAX);
}

int main(int argc, char **argv)
{
    subx_fft_plan plan;
    test_begin(&argc, &argv);
    if (EXPECT_OK(test_plan_create("c2c:4x3/operation", "", &plan))) {
        check(create_function, plan, "function", 2);
        check(create_table, plan, "table", 2);
        check(create_derivative, plan, "derivative", 3);
        check(create_laplacian, plan, "laplacian", 3);
    }
    EXPECT_OK(subx_fft_plan_free(&plan));
    return test_end();
}
