/* fft_stream.c - plans on device memory with a stream of the caller, by default on the fake device:
 * executions for which the caller does not wait; which work is complete when an execution returns; streams
 * that are replaced or destroyed; device calls that fail.
 *
 * tests/mpi/fft_device.c executes random plans in streams. With TEST_DEVICE=cuda:device the test runs on a
 * GPU, without the parts that need the fake device.
 * ranks: 1 2 4 5 (no exchange, one, two, and one of five ranks) */
#include "common/on_device.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

static const test_task sample = {"r2c:6x5x8", "grid=0x0 slices=3 scaling=forward"};

/* Many executions, alternately forward and backward. Each execution reads the results of the execution before
 * it. The plan scales its results, so the last spectrum equals the first one. */
static void check_chain(test_run *host, test_run *device)
{
    enum { TURNS = 6 };
    test_run_add_stream(device);
    test_device_add_copy(device->stream, device->device[0], device->host[0], device->bytes[0]);
    for (int i = 0; i < TURNS; i++) {
        EXPECT_OK(subx_fft_execute(device->plan, SUBX_FFT_FORWARD, device->device[0], device->device[1]));
        if (i + 1 < TURNS)
            EXPECT_OK(
                subx_fft_execute(device->plan, SUBX_FFT_BACKWARD, device->device[1], device->device[0]));
    }
    test_device_add_copy(device->stream, device->host[1], device->device[1], device->bytes[1]);
    test_device_finish(device->stream);
    test_run_compare(MPI_COMM_WORLD, device, host, SUBX_FFT_SPECTRAL);
}

/* Right after subx_fft_wait, the caller adds to the stream a copy that overwrites the input. Then the caller
 * frees the plan, and only then waits for the stream. */
static void check_early_end(test_run *host, test_run *device)
{
    test_run_add_stream(device);
    void *zeros = calloc(1, (size_t)device->bytes[0]);
    test_device_add_copy(device->stream, device->device[0], device->host[0], device->bytes[0]);
    EXPECT_OK(subx_fft_start(device->plan, SUBX_FFT_FORWARD, device->device[0], device->device[1]));
    EXPECT_KIND(subx_fft_plan_set_stream(device->plan, NULL), SUBX_ERR_ACTIVE);
    EXPECT_OK(subx_fft_wait(device->plan));
    test_device_add_copy(device->stream, device->device[0], zeros, device->bytes[0]);
    EXPECT_OK(subx_fft_plan_free(&device->plan));
    test_device_add_copy(device->stream, device->host[1], device->device[1], device->bytes[1]);
    test_device_finish(device->stream);
    free(zeros);
    test_run_compare(MPI_COMM_WORLD, device, host, SUBX_FFT_SPECTRAL);
}

/* A plan is executed in one stream, in another one, and without a stream. All three executions use the same
 * work space. */
static void check_other_streams(test_run *host, test_run *device)
{
    void *stream[] = {test_device_create_stream(), test_device_create_stream(), NULL};
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(subx_fft_plan_set_stream(device->plan, stream[i]));
        device->stream = stream[i];
        EXPECT_OK(test_run_execute(device, SUBX_FFT_PHYSICAL));
        test_run_compare(MPI_COMM_WORLD, device, host, SUBX_FFT_SPECTRAL);
    }
    for (int i = 0; i < 2; i++)
        test_device.table->free_stream(stream[i]);
}

/* An execution may return before its work on the device is done. Later work in the plan's stream waits for
 * it, but a copy in another stream does not: at least one of many such copies must read too early. */
static void check_late(test_run *host, test_run *device)
{
    enum { TRIES = 40 };
    int early = 0;
    (void)host;
    test_run_add_stream(device);
    void *other = test_device_create_stream(), *zeros = calloc(1, (size_t)device->bytes[1]);
    test_device_copy(device->device[0], device->host[0], device->bytes[0]);
    for (int i = 0; i < TRIES; i++) {
        test_device_copy(device->device[1], zeros, device->bytes[1]);
        EXPECT_OK(subx_fft_execute(device->plan, SUBX_FFT_FORWARD, device->device[0], device->device[1]));
        test_device_add_copy(other, device->host[1], device->device[1], device->bytes[1]);
        test_device_finish(other);
        test_device_finish(device->stream);
        void *last = malloc((size_t)device->bytes[1]);
        test_device_copy(last, device->device[1], device->bytes[1]);
        early += memcmp(device->host[1], last, (size_t)device->bytes[1]) != 0;
        free(last);
    }
    EXPECT(early > 0);
    free(zeros);
    test_device.table->free_stream(other);
}

/* One rank has destroyed its stream. All ranks get an error. They go on when the rank has set another
 * stream. */
static void check_destroyed(test_run *host, test_run *device)
{
    const int victim = test_nranks - 1;
    test_run_add_stream(device);
    EXPECT_OK(test_run_execute(device, SUBX_FFT_PHYSICAL));
    if (test_rank == victim)
        test_device.table->free_stream(device->stream);
    for (int d = -1; d <= 1; d += 2) {
        const int from = d == SUBX_FFT_FORWARD ? 0 : 1;
        const int rc = subx_fft_execute(device->plan, d, device->device[from], device->device[!from]);
        EXPECT_KIND(rc, test_rank == victim ? SUBX_ERR_DEVICE : SUBX_ERR_PEER);
    }
    if (test_rank == victim) {
        EXPECT_KIND(subx_fft_plan_set_stream(device->plan, device->stream), SUBX_ERR_DEVICE);
        test_run_add_stream(device);
    }
    EXPECT_OK(test_run_execute(device, SUBX_FFT_PHYSICAL));
    test_run_compare(MPI_COMM_WORLD, device, host, SUBX_FFT_SPECTRAL);
}

/* A plan on the host must refuse a stream. */
static void check_refusals(test_run *host, test_run *device)
{
    EXPECT_KIND(subx_fft_plan_set_stream(host->plan, NULL), SUBX_ERR_UNAVAILABLE);
    EXPECT_KIND(subx_fft_plan_set_stream(SUBX_FFT_PLAN_NULL, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_plan_set_stream(device->plan, NULL));
}

static void run(const char *what, void (*check)(test_run *host, test_run *device))
{
    test_run host = {0}, device = {0};
    const int left = test_device_count();
    test_context("%s", what);
    if (test_runs_begin(&sample, 0, &host, &device)) {
        check(&host, &device);
        test_runs_end(&host, &device);
    }
    EXPECT_EQUAL(test_device_count(), left);
}

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    run("chain", check_chain);
    run("early end", check_early_end);
    run("other streams", check_other_streams);
    run("refusals", check_refusals);
    if (test_device.fake) {
        run("late", check_late);
        run("a destroyed stream", check_destroyed);
        test_fault_check_execution(&sample, 0, 1);
    }
    test_device_close();
    return test_end();
}
