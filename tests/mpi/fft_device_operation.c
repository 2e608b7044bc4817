/* fft_device_operation.c - operations on device memory, by default on the fake device. Random problems with
 * derivatives, powers of the Laplacian, tables and functions of the caller are compared with plans on the
 * host. Also: convolutions; a table in the wrong memory; device calls that fail.
 *
 * tests/random/fft.c compares plans on the host with the definition. Half of the plans on the device have a
 * stream of the caller. The variable RANDOM_COUNT is the number of problems. With TEST_DEVICE=cuda:device the
 * test runs on a GPU, without the device calls that fail.
 * ranks: 1 4 7 (on four and seven, some problems have two or three of the ranks) */
#include "common/verdict.h"
#include "mpi/on_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVATIVE, LAPLACIAN, TABLE, FUNCTION, NWHATS };

/* The context of the functions below, which double the spectrum. On the device, the function gets the whole
 * spectrum in one call. */
typedef struct doubling {
    const test_task *task;
    const test_run *run;
} doubling;

static void double_array(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                         const ptrdiff_t stride[], void *data)
{
    const doubling *x = context;
    sx_device_fix f = {.real_bytes = x->task->is_float ? sizeof(float) : sizeof(double),
                       .width = x->task->is_real ? 1 : 2,
                       .nlevels = ndims,
                       .count = 1,
                       .factor = 2};
    (void)start;
    for (int a = 0; a < ndims; a++) {
        f.n[a] = n[a];
        f.from[a] = f.to[a] = stride[a] * f.width;
        f.count *= n[a];
    }
    void *const stream = x->run->stream ? x->run->stream : test_device.stream;
    EXPECT_EQUAL(test_device.table->fix(stream, &f, data, data), SUBX_ERR_NONE);
    if (!x->run->stream)
        EXPECT_EQUAL(test_device.table->finish(stream), SUBX_ERR_NONE);
}

/* The function for plans on the host. It gets boxes with strides, and doubles each of their elements. */
static void double_boxes(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                         const ptrdiff_t stride[], void *data)
{
    const doubling *x = context;
    const int width = x->task->is_real ? 1 : 2;
    ptrdiff_t count = 1;
    (void)start;
    for (int a = 0; a < ndims; a++)
        count *= n[a];
    for (ptrdiff_t i = 0; i < count; i++) {
        ptrdiff_t rest = i, at = 0;
        for (int a = 0; a < ndims; rest /= n[a], a++)
            at += rest % n[a] * stride[a];
        for (int k = 0; k < width; k++)
            if (x->task->is_float)
                ((float *)data)[width * at + k] *= 2;
            else
                ((double *)data)[width * at + k] *= 2;
    }
}

/* ---- one problem */

/* Create an operation for the plan of x. Some kinds of axes have no wavenumbers. If only one point exists,
 * its derivative of an odd order is a sum of numbers that cancel each other: such a result cannot be
 * compared. Plans on the host and on the device get the same operation, but each needs `table` in its own
 * kind of memory. */
static int create(int what, const test_task *t, const test_run *x, const doubling *d, const void *table,
                  test_random r, subx_fft_operation *op)
{
    double lengths[TEST_DEVICE_NDIMS];
    int orders[TEST_DEVICE_NDIMS];
    ptrdiff_t points[TEST_DEVICE_NDIMS];
    subx_fft_problem problem;
    EXPECT_OK(subx_fft_plan_get(x->plan, &problem, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get(problem, NULL, NULL, NULL, NULL, points));
    for (int a = 0; a < t->ndims; a++) {
        lengths[a] = 1 + test_random_double(&r);
        const int order = test_random_int(&r, 0, 2),
                  may_be_odd = t->kinds[a] <= SUBX_FFT_C2R && points[a] > 1;
        orders[a] = t->kinds[a] == SUBX_FFT_NONE ? 0 : may_be_odd ? order : order / 2 * 2;
    }
    switch (what) {
    case DERIVATIVE:
        return subx_fft_operation_create_derivative(x->plan, lengths, orders, op);
    case LAPLACIAN:
        return subx_fft_operation_create_laplacian(x->plan, lengths, test_random_int(&r, -1, 2), op);
    case TABLE:
        return subx_fft_operation_create_table(x->plan, table, test_random_int(&r, 0, 1), op);
    default:
        return subx_fft_operation_create_function(x->device[0] ? double_array : double_boxes,
                                                  (void *)(size_t)d, op);
    }
}

/* Transform host[side] to host[to] with an operation. If both are the physical side, execute a
 * convolution. */
static int execute(test_run *x, int side, int to, subx_fft_operation op)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    const int is_on_device = x->device[0] != NULL;
    void *const output = is_on_device ? test_device_alloc(x->bytes[to]) : calloc(1, (size_t)x->bytes[to]);
    const void *const input = is_on_device ? x->device[side] : x->host[side];
    if (is_on_device)
        test_device_copy(x->device[side], x->host[side], x->bytes[side]);
    const int rc = side == to ? subx_fft_execute_convolution(x->plan, input, output, op)
                              : subx_fft_execute_operation(x->plan, d, input, output, op);
    if (x->stream)
        EXPECT_EQUAL(test_device.table->finish(x->stream), SUBX_ERR_NONE);
    if (is_on_device)
        test_device_copy(x->host[to], output, x->bytes[to]);
    else
        memcpy(x->host[to], output, (size_t)x->bytes[to]);
    if (is_on_device)
        test_device.table->free(test_device.handle, output);
    else
        free(output);
    return rc;
}

/* Compare the plans: forward, backward, and a convolution, each from the same input. Errors of all three are
 * relative to the spectrum of the first, because the results of the others may be sums in which everything
 * cancels. */
static void compare(const test_task *t, MPI_Comm comm, test_run *host, test_run *device,
                    const subx_fft_operation op[], uint64_t number)
{
    static const int from[] = {0, 1, 0}, to[] = {1, 0, 0};
    for (int k = 0; k < 3; k++) {
        test_run_fill(t, host, number);
        if (from[k] == SUBX_FFT_SPECTRAL)
            EXPECT_OK(test_run_execute(host, SUBX_FFT_PHYSICAL));
        memcpy(device->host[from[k]], host->host[from[k]], (size_t)host->bytes[from[k]]);
        EXPECT_OK(execute(host, from[k], to[k], op[0]));
        EXPECT_OK(execute(device, from[k], to[k], op[1]));
        host->large = test_run_compare(t, comm, device, host, to[k]);
    }
    host->large = 0;
}

static void check_operation(int what, const test_task *t, MPI_Comm comm, test_run *host, test_run *device,
                            uint64_t number)
{
    const test_random r = test_random_stream(test_seed() + 2, number * NWHATS + (uint64_t)what);
    const doubling d[2] = {{t, host}, {t, device}};
    subx_fft_operation op[2] = {SUBX_FFT_OPERATION_NULL, SUBX_FFT_OPERATION_NULL};
    void *table[2] = {calloc(1, (size_t)host->bytes[1]), test_device_alloc(host->bytes[1])};
    memcpy(table[0], host->host[1], (size_t)host->bytes[1]);
    test_device_copy(table[1], table[0], host->bytes[1]);
    const int rc = create(what, t, host, &d[0], table[0], r, &op[0]);
    const int may_be_refused = what <= LAPLACIAN || (what == TABLE && (t->boxes[1] || t->is_brick));
    const int is_refused = may_be_refused && subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE;
    EXPECT(is_refused || rc == MPI_SUCCESS);
    EXPECT_KIND(create(what, t, device, &d[1], table[1], r, &op[1]), subx_error_get_kind(rc));
    if (rc == MPI_SUCCESS)
        compare(t, comm, host, device, op, number);
    for (int k = 0; k < 2; k++)
        EXPECT_OK(subx_fft_operation_free(&op[k]));
    test_device.table->free(test_device.handle, table[1]);
    free(table[0]);
}

static void check_problem(const test_task *t, MPI_Comm comm, uint64_t number)
{
    test_run host = {0}, device = {0};
    if (!test_run_begin(t, comm, 0, &host) || !test_run_begin(t, comm, 1, &device))
        return;
    if (number % 2)
        test_run_add_stream(&device);
    test_run_fill(t, &host, number);
    EXPECT_OK(test_run_execute(&host, SUBX_FFT_PHYSICAL));
    for (int what = 0; what < NWHATS; what++) {
        test_context("problem %d: %s %s, boxes %d %d, on %d ranks, operation %d", (int)number, t->problem,
                     t->hints, t->boxes[0], t->boxes[1], t->nranks, what);
        check_operation(what, t, comm, &host, &device, number);
    }
    test_run_end(&device);
    test_run_end(&host);
}

static void check_random(uint64_t number)
{
    test_task t = test_task_draw(number);
    MPI_Comm comm = test_task_begin(&t);
    if (comm == MPI_COMM_NULL)
        return;
    strcat(t.problem, "/operation");
    if (!t.is_factored) /* such plans have no operations */
        check_problem(&t, comm, number);
    MPI_Comm_free(&comm);
}

/* ---- faults */

static const test_task sample = {
    .problem = "r2c:4x5x6>6x5x9/operation", .hints = "grid=0x0 slices=3", .scaling = "backward", .ndims = 3};

/* Rank 0's table is in host memory. An execution must return ARG on rank 0, and on the other ranks no error,
 * or PEER. */
static void check_wrong_table(void)
{
    test_run x = {0};
    subx_fft_operation op = SUBX_FFT_OPERATION_NULL;
    test_context("a table in the wrong memory");
    if (!test_run_begin(&sample, MPI_COMM_WORLD, 1, &x))
        return;
    EXPECT_OK(subx_fft_operation_create_table(x.plan, test_rank == 0 ? x.host[1] : x.device[1], 0, &op));
    const int rc = execute(&x, SUBX_FFT_PHYSICAL, SUBX_FFT_PHYSICAL, op);
    if (test_rank == 0)
        EXPECT_KIND(rc, SUBX_ERR_ARG);
    else
        EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
    EXPECT_OK(subx_fft_operation_free(&op));
    EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    test_run_end(&x);
}

/* Device call n fails during a convolution. */
static void check_failing(void)
{
    test_run x = {0};
    subx_fft_operation op = SUBX_FFT_OPERATION_NULL;
    int has_failed = 1;
    if (!test_run_begin(&sample, MPI_COMM_WORLD, 1, &x))
        return;
    EXPECT_OK(subx_fft_operation_create_laplacian(x.plan, NULL, -1, &op));
    for (long n = 0; has_failed; n++) {
        test_context("call %ld fails", n);
        void *const to = test_device_alloc(x.bytes[0]);
        test_device_begin_execution_fault(n);
        const int rc = subx_fft_execute_convolution(x.plan, x.device[0], to, op);
        has_failed = test_device_end_execution_fault(rc);
        EXPECT(has_failed || n > 5);
        test_device.table->free(test_device.handle, to);
    }
    EXPECT_OK(subx_fft_operation_free(&op));
    test_run_end(&x);
}

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    const uint64_t n = test_device_get_count(60);
    for (uint64_t i = 0; i < n; i++)
        check_random(i);
    check_wrong_table();
    if (test_device.fake)
        check_failing();
    test_device_close();
    return test_end();
}
