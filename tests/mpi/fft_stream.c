/* fft_stream.c - plans on device memory with a stream of the caller, by default on the fake device:
 * executions for which the caller does not wait; which work is complete when an execution returns; streams
 * that are replaced or destroyed; device calls that fail.
 *
 * tests/mpi/fft_device.c executes random plans in streams. With TEST_DEVICE=cuda:device the test runs on a
 * GPU, without the parts that need the fake device.
 * ranks: 1 2 4 5 (no exchange, one, two, and one of five ranks) */
#include "common/verdict.h"
#include "mpi/on_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

static const test_task sample = {
    .problem = "r2c:6x5x8", .hints = "grid=0x0 slices=3", .scaling = "forward", .ndims = 3};

static void *create_stream(void)
{
    void *stream = NULL;
    EXPECT_EQUAL(test_device.table->create_stream(test_device.handle, &stream), SUBX_ERR_NONE);
    return stream;
}

static void finish(void *stream)
{
    EXPECT_EQUAL(test_device.table->finish(stream), SUBX_ERR_NONE);
}

static void add_copy(void *stream, void *to, const void *from, ptrdiff_t bytes)
{
    EXPECT_EQUAL(test_device.table->copy(stream, to, from, bytes), SUBX_ERR_NONE);
}

/* Create a plan on the host and execute it, to get the expected spectrum. Create a plan on the device with
 * the same input. */
static int begin(test_run *host, test_run *device)
{
    if (!test_run_begin(&sample, MPI_COMM_WORLD, 0, host) ||
        !test_run_begin(&sample, MPI_COMM_WORLD, 1, device))
        return 0;
    test_run_fill(&sample, host, 0);
    memcpy(device->host[0], host->host[0], (size_t)host->bytes[0]);
    return EXPECT_OK(test_run_execute(host, SUBX_FFT_PHYSICAL));
}

static void end(test_run *host, test_run *device)
{
    test_run_end(device);
    test_run_end(host);
}

/* Many executions, alternately forward and backward. Each execution reads the results of the execution before
 * it. The plan scales its results, so the last spectrum equals the first one. */
static void check_chain(void)
{
    enum { TURNS = 6 };
    test_run host = {0}, device = {0};
    test_context("chain");
    if (!begin(&host, &device))
        return;
    test_run_add_stream(&device);
    add_copy(device.stream, device.device[0], device.host[0], device.bytes[0]);
    for (int i = 0; i < TURNS; i++) {
        EXPECT_OK(subx_fft_execute(device.plan, SUBX_FFT_FORWARD, device.device[0], device.device[1]));
        if (i + 1 < TURNS)
            EXPECT_OK(subx_fft_execute(device.plan, SUBX_FFT_BACKWARD, device.device[1], device.device[0]));
    }
    add_copy(device.stream, device.host[1], device.device[1], device.bytes[1]);
    finish(device.stream);
    test_run_compare(&sample, MPI_COMM_WORLD, &device, &host, SUBX_FFT_SPECTRAL);
    end(&host, &device);
}

/* Right after subx_fft_wait, the caller adds to the stream a copy that overwrites the input. Then the caller
 * frees the plan, and only then waits for the stream. */
static void check_early_end(void)
{
    test_run host = {0}, device = {0};
    test_context("early end");
    if (!begin(&host, &device))
        return;
    test_run_add_stream(&device);
    void *zeros = calloc(1, (size_t)device.bytes[0]);
    add_copy(device.stream, device.device[0], device.host[0], device.bytes[0]);
    EXPECT_OK(subx_fft_start(device.plan, SUBX_FFT_FORWARD, device.device[0], device.device[1]));
    EXPECT_KIND(subx_fft_plan_set_stream(device.plan, NULL), SUBX_ERR_ACTIVE);
    EXPECT_OK(subx_fft_wait(device.plan));
    add_copy(device.stream, device.device[0], zeros, device.bytes[0]);
    EXPECT_OK(subx_fft_plan_free(&device.plan));
    add_copy(device.stream, device.host[1], device.device[1], device.bytes[1]);
    finish(device.stream);
    free(zeros);
    test_run_compare(&sample, MPI_COMM_WORLD, &device, &host, SUBX_FFT_SPECTRAL);
    end(&host, &device);
}

/* A plan is executed in one stream, in another one, and without a stream. All three executions use the same
 * work space. */
static void check_other_streams(void)
{
    test_run host = {0}, device = {0};
    test_context("other streams");
    if (!begin(&host, &device))
        return;
    void *stream[] = {create_stream(), create_stream(), NULL};
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(subx_fft_plan_set_stream(device.plan, stream[i]));
        device.stream = stream[i];
        EXPECT_OK(test_run_execute(&device, SUBX_FFT_PHYSICAL));
        test_run_compare(&sample, MPI_COMM_WORLD, &device, &host, SUBX_FFT_SPECTRAL);
    }
    for (int i = 0; i < 2; i++)
        test_device.table->free_stream(stream[i]);
    end(&host, &device);
}

/* An execution may return before its work on the device is done. Later work in the plan's stream waits for
 * it, but a copy in another stream does not: at least one of many such copies must read too early. */
static void check_late(void)
{
    enum { TRIES = 40 };
    test_run host = {0}, device = {0};
    int early = 0;
    test_context("late");
    if (!begin(&host, &device))
        return;
    test_run_add_stream(&device);
    void *other = create_stream(), *zeros = calloc(1, (size_t)device.bytes[1]);
    test_device_copy(device.device[0], device.host[0], device.bytes[0]);
    for (int i = 0; i < TRIES; i++) {
        test_device_copy(device.device[1], zeros, device.bytes[1]);
        EXPECT_OK(subx_fft_execute(device.plan, SUBX_FFT_FORWARD, device.device[0], device.device[1]));
        add_copy(other, device.host[1], device.device[1], device.bytes[1]);
        finish(other);
        finish(device.stream);
        void *last = malloc((size_t)device.bytes[1]);
        test_device_copy(last, device.device[1], device.bytes[1]);
        early += memcmp(device.host[1], last, (size_t)device.bytes[1]) != 0;
        free(last);
    }
    EXPECT(early > 0);
    free(zeros);
    test_device.table->free_stream(other);
    end(&host, &device);
}

/* One rank has destroyed its stream. All ranks get an error. They go on when the rank has set another
 * stream. */
static void check_destroyed(void)
{
    test_run host = {0}, device = {0};
    const int victim = test_nranks - 1, left = test_device.fake->nobjects;
    test_context("a destroyed stream");
    if (!begin(&host, &device))
        return;
    test_run_add_stream(&device);
    EXPECT_OK(test_run_execute(&device, SUBX_FFT_PHYSICAL));
    if (test_rank == victim)
        test_device.table->free_stream(device.stream);
    for (int d = -1; d <= 1; d += 2) {
        const int from = d == SUBX_FFT_FORWARD ? 0 : 1;
        const int rc = subx_fft_execute(device.plan, d, device.device[from], device.device[!from]);
        EXPECT_KIND(rc, test_rank == victim ? SUBX_ERR_DEVICE : SUBX_ERR_PEER);
    }
    if (test_rank == victim) {
        EXPECT_KIND(subx_fft_plan_set_stream(device.plan, device.stream), SUBX_ERR_DEVICE);
        test_run_add_stream(&device);
    }
    EXPECT_OK(test_run_execute(&device, SUBX_FFT_PHYSICAL));
    test_run_compare(&sample, MPI_COMM_WORLD, &device, &host, SUBX_FFT_SPECTRAL);
    end(&host, &device);
    EXPECT_EQUAL(test_device.fake->nobjects, left);
}

/* Device call n fails on one rank during an execution. This rank gets the error DEVICE; the others get right
 * data or the error PEER. The next execution is right on all ranks. */
static void check_failing(void)
{
    test_run host = {0}, device = {0};
    int has_failed = 1;
    long n = 0;
    if (!begin(&host, &device))
        return;
    test_run_add_stream(&device);
    for (; has_failed; n++) {
        test_context("call %ld fails", n);
        test_device_copy(device.device[0], host.host[0], host.bytes[0]);
        test_device_begin_execution_fault(n);
        const int rc = subx_fft_execute(device.plan, SUBX_FFT_FORWARD, device.device[0], device.device[1]);
        has_failed = test_device_end_execution_fault(rc);
        finish(device.stream);
        EXPECT_OK(test_run_execute(&device, SUBX_FFT_PHYSICAL));
        test_run_compare(&sample, MPI_COMM_WORLD, &device, &host, SUBX_FFT_SPECTRAL);
    }
    EXPECT(n > 5);
    end(&host, &device);
}

/* A plan on the host must refuse a stream. */
static void check_refusals(void)
{
    test_run host = {0}, device = {0};
    test_context("refusals");
    if (!begin(&host, &device))
        return;
    EXPECT_KIND(subx_fft_plan_set_stream(host.plan, NULL), SUBX_ERR_UNAVAILABLE);
    EXPECT_KIND(subx_fft_plan_set_stream(SUBX_FFT_PLAN_NULL, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_plan_set_stream(device.plan, NULL));
    end(&host, &device);
}

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    check_chain();
    check_early_end();
    check_other_streams();
    check_refusals();
    if (test_device.fake) {
        check_late();
        check_destroyed();
        check_failing();
    }
    test_device_close();
    return test_end();
}
