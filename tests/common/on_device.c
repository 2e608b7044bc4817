/* on_device.c - the device that a test uses, exchanges and plans on it. */
#include "common/on_device.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

test_device_state test_device = {.table = &sx_device_fake, .place = SX_DEVICE_FAKE};

/* ---- memory of the device */

void *test_device_alloc(ptrdiff_t bytes)
{
    void *address = NULL;
    EXPECT_EQUAL(test_device.table->alloc(test_device.handle, bytes, &address), SUBX_ERR_NONE);
    return address;
}

void *test_device_alloc_readable(MPI_Comm comm, ptrdiff_t bytes)
{
    MPI_Info hints = test_hints("memory_kind=%s", test_device.place);
    void *memory = NULL;
    EXPECT_OK(subx_mem_alloc(comm, bytes, hints, &memory));
    MPI_Info_free(&hints);
    return memory;
}

void test_device_free(void *address)
{
    test_device.table->free(test_device.handle, address);
}

void test_device_add_copy(void *stream, void *to, const void *from, ptrdiff_t bytes)
{
    EXPECT_EQUAL(test_device.table->copy(stream, to, from, bytes), SUBX_ERR_NONE);
}

void *test_device_create_stream(void)
{
    void *stream = NULL;
    EXPECT_EQUAL(test_device.table->create_stream(test_device.handle, &stream), SUBX_ERR_NONE);
    return stream;
}

void test_device_finish(void *stream)
{
    EXPECT_EQUAL(test_device.table->finish(stream), SUBX_ERR_NONE);
}

void test_device_copy(void *to, const void *from, ptrdiff_t bytes)
{
    test_device_add_copy(test_device.stream, to, from, bytes);
    test_device_finish(test_device.stream);
}

/* Returns 0 if there is no such device. */
static int find_device(const char *kind, uint64_t seed)
{
    char text[SX_ERROR_LEN] = "";
    sx_text why = {text, sizeof text, 0};
    if (!kind)
        test_device.fake = sx_base_knobs.fake = sx_device_fake_create(seed);
    test_device.place = kind ? kind : test_device.place;
    if (sx_device_find(test_device.place, &test_device.table, &why) ||
        test_device.table->open(&test_device.handle, &why)) {
        printf("no device: %s\n", text);
        return 0;
    }
    test_device.stream = test_device_create_stream();
    return 1;
}

void test_device_open(void)
{
    enum { SKIPPED = 77 };
    if (find_device(getenv("TEST_DEVICE"), test_seed() + (uint64_t)test_rank))
        return;
    MPI_Finalize();
    exit(SKIPPED);
}

void test_device_begin(int *argc, char ***argv)
{
    test_begin(argc, argv);
    test_device_open();
}

uint64_t test_device_get_count(uint64_t usual)
{
    const char *count = getenv("RANDOM_COUNT");
    return count && *count ? strtoull(count, NULL, 10) : usual;
}

int test_device_count(void)
{
    return test_device.fake ? test_device.fake->nobjects : 0;
}

int test_device_create_realign(const char *text, const char *memory, const ptrdiff_t sizes[],
                               const int order[], subx_exch *ex)
{
    MPI_Info hints = test_hints("%s memory_kind=%s", text, memory);
    const int rc =
        subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 1, NULL, order, MPI_DOUBLE, hints, ex);
    MPI_Info_free(&hints);
    return rc;
}

void test_device_get_info(subx_exch ex, const char *key, char value[])
{
    MPI_Info info;
    int found = 0;
    *value = '\0';
    EXPECT_OK(subx_exch_get_info(ex, &info));
    test_hint_get(info, key, value, &found);
    MPI_Info_free(&info);
}

void test_device_set_messages(uint64_t number)
{
    if (test_device.fake)
        test_device.fake->messages = (int)(number % (SX_FAKE_SPOILS_MESSAGES + 1));
}

void test_device_begin_fault(int victim, int is_device, long n)
{
    if (test_rank == victim && is_device)
        test_device.fake->fails_after = n;
    if (test_rank == victim && !is_device)
        sx_base_fail_after(n);
}

void test_device_begin_execution_fault(long n)
{
    test_device.fake->fails_after = test_rank == 0 ? n : -1;
}

int test_device_end_execution_fault(int rc)
{
    int has_failed = test_rank == 0 && test_device.fake->fails_after < 0;
    test_device.fake->fails_after = -1;
    if (has_failed)
        EXPECT_KIND(rc, SUBX_ERR_DEVICE);
    else
        EXPECT(rc == MPI_SUCCESS || (test_rank > 0 && subx_error_get_kind(rc) == SUBX_ERR_PEER));
    MPI_Bcast(&has_failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT(has_failed || rc == MPI_SUCCESS);
    return has_failed;
}

void test_device_expect_wrong(int rc, int kind)
{
    if (test_rank == 0)
        EXPECT_KIND(rc, kind);
    else
        EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
}

int test_device_end_fault(int victim, int is_device, int rc)
{
    const int kind = subx_error_get_kind(rc);
    int has_failed = is_device ? test_device.fake->fails_after < 0 : sx_base_fail_after(-1) < 0;
    test_device.fake->fails_after = -1;
    MPI_Bcast(&has_failed, 1, MPI_INT, victim, MPI_COMM_WORLD);
    EXPECT(rc == MPI_SUCCESS || kind == SUBX_ERR_NO_MEM || kind == SUBX_ERR_UNAVAILABLE);
    EXPECT(has_failed || rc == MPI_SUCCESS);
    EXPECT_SAME(kind);
    return has_failed;
}

void test_device_close(void)
{
    test_device.table->free_stream(test_device.stream);
    test_device.table->close(test_device.handle);
    if (test_device.fake)
        EXPECT_EQUAL(sx_device_fake_free(&test_device.fake), 0);
    sx_base_knobs.fake = NULL;
}

/* ---- executions of plans on the device with arrays of the host */

static int start(const test_launch *x, const void *from, void *to)
{
    int is_complete = 0;
    EXPECT_OK(x->direction ? subx_fft_start_operation(x->plan, x->direction, from, to, x->op)
                           : subx_fft_start_convolution(x->plan, from, to, x->op));
    /* a plan on a device does all its work when it is started */
    EXPECT_OK(subx_fft_test(x->plan, &is_complete));
    EXPECT(is_complete);
    return subx_fft_wait(x->plan);
}

/* If there is a stream, the host waits only at the end. */
int test_device_launch(const test_launch *x)
{
    const int is_in_place = x->to == x->from, narrays = is_in_place ? 1 : 2;
    void *const host[2] = {x->from, x->to}, *stream = x->stream ? x->stream : test_device.stream, *device[2];
    for (int k = 0; k < narrays; k++) {
        device[k] = host[k] ? test_device_alloc(x->bytes[k]) : NULL;
        if (host[k])
            test_device_add_copy(stream, device[k], host[k], x->bytes[k]);
    }
    if (!x->stream)
        test_device_finish(stream);
    void *const to = device[narrays - 1];
    const int rc = x->is_started  ? start(x, device[0], to)
                   : x->direction ? subx_fft_execute_operation(x->plan, x->direction, device[0], to, x->op)
                                  : subx_fft_execute_convolution(x->plan, device[0], to, x->op);
    for (int k = 0; k < narrays; k++)
        if (host[k])
            test_device_add_copy(stream, host[k], device[k], x->bytes[k]);
    test_device_finish(stream);
    for (int k = 0; k < narrays; k++)
        test_device_free(device[k]);
    return rc;
}

/* ---- plans with their arrays */

int test_device_create_problem_plan(subx_fft_problem problem, const char *hints, MPI_Comm comm,
                                    const char *memory, subx_fft_plan *plan)
{
    MPI_Info info = test_hints("%s memory_kind=%s", hints, memory);
    const int rc = subx_fft_plan_create_problem(comm, problem, info, plan);
    MPI_Info_free(&info);
    return rc;
}

int test_device_create_plan(const test_task *t, MPI_Comm comm, const char *memory, subx_fft_plan *plan)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(t->problem, &problem));
    const int rc = test_device_create_problem_plan(problem, t->hints, comm, memory, plan);
    EXPECT_OK(subx_fft_problem_free(&problem));
    return rc;
}

int test_run_begin(const test_task *t, MPI_Comm comm, int is_on_device, test_run *x)
{
    if (!EXPECT_OK(
            test_device_create_plan(t, comm, is_on_device ? test_device.place : SX_DEVICE_SYSTEM, &x->plan)))
        return 0;
    x->is_float = strstr(t->problem, ".f32") != NULL;
    for (int side = 0; side < 2; side++) {
        EXPECT_OK(subx_fft_plan_get_local(x->plan, side, NULL, NULL, NULL, &x->bytes[side]));
        x->host[side] = calloc(1, (size_t)x->bytes[side]);
        x->device[side] = is_on_device ? test_device_alloc(x->bytes[side]) : NULL;
        if (is_on_device)
            test_device_copy(x->device[side], x->host[side], x->bytes[side]);
    }
    return 1;
}

void test_run_end(test_run *x)
{
    for (int side = 0; side < 2; side++) {
        free(x->host[side]);
        test_device_free(x->device[side]);
    }
    EXPECT_OK(subx_fft_plan_free(&x->plan));
    test_device.table->free_stream(x->stream);
}

int test_runs_begin(const test_task *t, int is_on_device, test_run *reference, test_run *device)
{
    if (!test_run_begin(t, MPI_COMM_WORLD, is_on_device, reference) ||
        !test_run_begin(t, MPI_COMM_WORLD, 1, device))
        return 0;
    test_run_fill(reference, 0);
    memcpy(device->host[0], reference->host[0], (size_t)reference->bytes[0]);
    return EXPECT_OK(test_run_execute(reference, SUBX_FFT_PHYSICAL));
}

void test_runs_end(test_run *reference, test_run *device)
{
    test_run_end(device);
    test_run_end(reference);
}

/* If the plan has a stream, the host waits only at the end. */
int test_run_execute(test_run *x, int side)
{
    const int d = side == SUBX_FFT_PHYSICAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    void *const stream = x->stream ? x->stream : test_device.stream;
    if (!x->device[0])
        return subx_fft_execute(x->plan, d, x->host[side], x->host[!side]);
    test_device_add_copy(stream, x->device[side], x->host[side], x->bytes[side]);
    if (!x->stream)
        test_device_finish(stream);
    const int rc = subx_fft_execute(x->plan, d, x->device[side], x->device[!side]);
    test_device_add_copy(stream, x->host[!side], x->device[!side], x->bytes[!side]);
    test_device_finish(stream);
    return rc;
}

void test_run_add_stream(test_run *x)
{
    x->stream = test_device_create_stream();
    EXPECT_OK(subx_fft_plan_set_stream(x->plan, x->stream));
}

static ptrdiff_t count_reals(const test_run *x, int side)
{
    return x->bytes[side] / (ptrdiff_t)(x->is_float ? sizeof(float) : sizeof(double));
}

static double get(const test_run *x, int side, ptrdiff_t i)
{
    return x->is_float ? (double)((float *)x->host[side])[i] : ((double *)x->host[side])[i];
}

void test_run_compare(MPI_Comm comm, const test_run *a, const test_run *b, int side)
{
    double worst[2] = {0, 0}; /* the largest number, and the largest difference */
    EXPECT_EQUAL(a->bytes[side], b->bytes[side]);
    for (ptrdiff_t i = 0; i < count_reals(a, side); i++) {
        worst[0] = fmax(worst[0], fabs(get(b, side, i)));
        worst[1] = (double)test_get_worse(worst[1], fabs(get(a, side, i) - get(b, side, i)));
    }
    MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, comm);
    EXPECT(worst[1] <= worst[0] * (a->is_float ? 1e-5 : 1e-13));
}

void test_run_fill(test_run *x, uint64_t number)
{
    test_random r = test_random_stream(test_seed() + 1, number * 16 + (uint64_t)test_rank);
    for (ptrdiff_t i = 0; i < count_reals(x, 0); i++)
        if (x->is_float)
            ((float *)x->host[0])[i] = (float)test_random_double(&r);
        else
            ((double *)x->host[0])[i] = test_random_double(&r);
}
