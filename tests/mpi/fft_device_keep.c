/* fft_device_keep.c - freed plans on device memory are kept for equal requests (hint subx_keep), by default
 * on the fake device, which counts what is created on it: for an equal request nothing is.
 * (tests/mpi/fft_keep.c tests the same hint, and its limit, on the host.) Also: a plan whose device has
 * failed, or is not the current one, is not used again; calls that fail.
 * ranks: 1 2 3 5 */
#include "common/on_device.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* Pencils, also with floats in messages; boxes of bricks; one axis on several ranks; a plan with idle
 * ranks. */
static const test_task samples[] = {
    {"r2c:6x5x8", "grid=0x0 slices=2 keep=100000000"},
    {"c2c:6x5x8", "grid=0 engine=pairwise wire=float keep=100000000"},
    {"dct2:6x5x4", "grid=0x0x0 engine=node scaling=forward keep=100000000"},
    {"c2c:35", "grid=0 scaling=backward keep=100000000"},
    {"r2c:5x4", "ranks=1 grid=1 keep=100000000"},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static ptrdiff_t get_kept(void)
{
    ptrdiff_t bytes = -1;
    EXPECT_OK(subx_fft_query_kept(&bytes));
    return bytes;
}

/* Returns how many objects were created on the fake device up to now. */
static long count_created(void)
{
    return test_device.fake ? test_device.fake->ncreated : 0;
}

/* Create a plan. Expect that objects are created on the device for it, or that none are. */
static subx_fft_plan create(const test_task *t, MPI_Comm comm, int is_new)
{
    const long before = count_created();
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    EXPECT_OK(test_device_create_plan(t, comm, test_device.place, &plan));
    EXPECT(!test_device.fake || !is_new == (count_created() == before) || strstr(t->hints, "ranks=1"));
    return plan;
}

static void use(const test_task *t, int is_new)
{
    subx_fft_plan plan = create(t, MPI_COMM_WORLD, is_new);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

/* Compare an execution of a plan with one of a plan that is not kept; with a stream of the caller if
 * has_stream. */
static void execute(const test_task *t, MPI_Comm comm, int has_stream)
{
    char hints[128];
    test_run x = {0}, reference = {0};
    snprintf(hints, sizeof hints, "%.*s", (int)(strstr(t->hints, " keep=") - t->hints), t->hints);
    const test_task other = {t->problem, hints};
    if (!test_run_begin(&other, comm, 1, &reference) || !test_run_begin(t, comm, 1, &x))
        return;
    if (has_stream)
        test_run_add_stream(&x);
    test_run_fill(&reference, 0);
    memcpy(x.host[0], reference.host[0], (size_t)x.bytes[0]);
    EXPECT_OK(test_run_execute(&reference, SUBX_FFT_PHYSICAL));
    EXPECT_OK(test_run_execute(&x, SUBX_FFT_PHYSICAL));
    EXPECT(memcmp(x.host[1], reference.host[1], (size_t)x.bytes[1]) == 0);
    test_run_end(&x);
    test_run_end(&reference);
}

/* An equal request gets the kept plan, also on another communicator, whose later end is no matter. The stream
 * of the caller is forgotten. Plans in use are not given twice. */
static void check_equal(const test_task *t)
{
    MPI_Comm copy;
    test_context("equal requests: %s %s", t->problem, t->hints);
    use(t, 1);
    const ptrdiff_t one = get_kept();
    EXPECT(one > 0);
    EXPECT_SAME(one);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    execute(t, copy, 1);
    MPI_Comm_free(&copy);
    execute(t, MPI_COMM_WORLD, 0);
    use(t, 0);
    EXPECT_EQUAL(get_kept(), one);
    subx_fft_plan first = create(t, MPI_COMM_WORLD, 0), second = create(t, MPI_COMM_WORLD, 1);
    EXPECT(first != second);
    EXPECT_EQUAL(get_kept(), 0);
    EXPECT_OK(subx_fft_plan_free(&first));
    EXPECT_OK(subx_fft_plan_free(&second));
    EXPECT_EQUAL(get_kept(), 2 * one);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    EXPECT_EQUAL(get_kept(), 0);
}

/* A plan on a device does not serve a request for the host, nor the reverse. */
static void check_memory(void)
{
    subx_fft_plan host = SUBX_FFT_PLAN_NULL;
    test_context("memory of the host");
    use(&samples[0], 1);
    const ptrdiff_t one = get_kept();
    EXPECT_OK(test_device_create_plan(&samples[0], MPI_COMM_WORLD, SX_DEVICE_SYSTEM, &host));
    EXPECT_EQUAL(get_kept(), one);
    EXPECT_OK(subx_fft_plan_free(&host));
    use(&samples[0], 0);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
}

/* ---- faults, on rank 0 */

/* Rank 0 has another device current, and gets no kept plan; so no rank does. Later the older plan is taken
 * again. */
static void check_current(const test_task *t)
{
    test_context("another device is current");
    use(t, 1);
    test_device.fake->is_away = test_rank == 0;
    subx_fft_plan plan = create(t, MPI_COMM_WORLD, 1);
    EXPECT_OK(subx_fft_plan_free(&plan));
    test_device.fake->is_away = 0;
    subx_fft_plan first = create(t, MPI_COMM_WORLD, 0), second = create(t, MPI_COMM_WORLD, 0);
    EXPECT_OK(subx_fft_plan_free(&first));
    EXPECT_OK(subx_fft_plan_free(&second));
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
}

/* The device fails when a plan is freed, or when it is asked for a kept plan: then a new plan is created. */
static void check_failed(const test_task *t)
{
    test_context("the device fails while a plan is freed");
    subx_fft_plan plan = create(t, MPI_COMM_WORLD, 1);
    test_device.fake->fails_after = test_rank == 0 ? 0 : -1;
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT(test_device.fake->fails_after < 0);
    use(t, 1);
    test_context("the device fails while a plan is taken");
    test_device.fake->fails_after = test_rank == 0 ? 0 : -1;
    use(t, 1);
    EXPECT(test_device.fake->fails_after < 0);
    execute(t, MPI_COMM_WORLD, 0);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
}

/* Call n fails while a plan is created and another one is kept. All ranks get the plan or the same error. If
 * memory is short, they free the kept plan, and get the new one. */
static void check_calls(const test_task *t, const test_task *kept)
{
    const int victim = test_nranks - 1, left = test_device_count();
    int has_failed = 1, gave = 0;
    for (long n = 0; has_failed; n += 2) {
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("call %ld fails while another plan is kept", n);
        use(kept, 1);
        test_device_begin_fault(victim, 1, n);
        const int rc = test_device_create_plan(t, MPI_COMM_WORLD, test_device.place, &plan);
        has_failed = test_device_end_fault(victim, 1, rc);
        EXPECT_SAME(get_kept());
        gave += get_kept() == 0;
        EXPECT_OK(subx_fft_plan_free(&plan));
        EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
        EXPECT_EQUAL(test_device_count(), left);
    }
    EXPECT(gave > 0);
}

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    const int left = test_device_count();
    for (int messages = SX_FAKE_REFUSES_MESSAGES; messages <= SX_FAKE_TAKES_MESSAGES; messages++) {
        test_device_set_messages((uint64_t)messages);
        for (int k = 0; k < SAMPLES; k++)
            check_equal(&samples[k]);
    }
    check_memory();
    if (test_device.fake) {
        check_current(&samples[0]);
        check_failed(&samples[1]);
        check_calls(&samples[0], &samples[1]);
    }
    EXPECT_EQUAL(test_device_count(), left);
    use(&samples[0], 1); /* this plan is kept when MPI_Finalize is called; so the device is not closed */
    return test_end();
}
