/* on_device_fault.c - calls of the fake device that fail while a plan is created or executed. */
#include "common/on_device.h"
#include "common/verdict.h"

/* Device call n, or allocation n of the library, fails on one rank while a plan is created. Returns 1 if
 * there was such a call or allocation. Either all ranks get the same kind of error, or all get the plan: a
 * plan can be created without pinned memory. If a call fails while an exchange is tried, or if the fake
 * device cannot allocate its record of some work then, the exchange counts as unavailable. Nothing may be
 * left on the device. */
static int fail_creation(const test_task *sample, subx_fft_problem problem, int is_device, long n)
{
    const int victim = test_nranks - 1, left = test_device_count();
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("creation of %s, %s %ld fails", sample->hints, is_device ? "call" : "allocation", n);
    test_device_begin_fault(victim, is_device, n);
    const int rc =
        test_device_create_problem_plan(problem, sample->hints, MPI_COMM_WORLD, test_device.place, &plan);
    const int has_failed = test_device_end_fault(victim, is_device, rc);
    EXPECT(!plan == (rc != MPI_SUCCESS));
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_EQUAL(test_device_count(), left);
    return has_failed;
}

void test_fault_check_creation(const test_task *sample, int is_device)
{
    const int step = is_device ? 1 : 7;
    subx_fft_problem problem;
    long n = (long)(test_seed() % (uint64_t)step);
    EXPECT_OK(subx_fft_problem_parse(sample->problem, &problem));
    while (fail_creation(sample, problem, is_device, n))
        n += step;
    EXPECT(n > 10);
    EXPECT_OK(subx_fft_problem_free(&problem));
}

/* Device call n fails on rank 0 during an execution. Rank 0 gets the error DEVICE; the others get right data
 * or the error PEER. The next execution is right on all ranks. */
void test_fault_check_execution(const test_task *sample, int is_on_device, int has_stream)
{
    test_run reference = {0}, device = {0};
    int has_failed = 1;
    long n = 0;
    if (!test_runs_begin(sample, is_on_device, &reference, &device))
        return;
    if (has_stream)
        test_run_add_stream(&device);
    for (; has_failed; n++) {
        test_context("execution of %s, call %ld fails", sample->hints, n);
        test_device_copy(device.device[0], device.host[0], device.bytes[0]);
        test_device_begin_execution_fault(n);
        const int rc = subx_fft_execute(device.plan, SUBX_FFT_FORWARD, device.device[0], device.device[1]);
        has_failed = test_device_end_execution_fault(rc);
        if (has_stream)
            test_device_finish(device.stream);
        EXPECT_OK(test_run_execute(&device, SUBX_FFT_PHYSICAL));
        test_run_compare(MPI_COMM_WORLD, &device, &reference, SUBX_FFT_SPECTRAL);
    }
    EXPECT(n > 5);
    test_runs_end(&reference, &device);
}
