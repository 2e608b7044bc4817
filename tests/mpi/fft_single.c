/* fft_single.c - if MPI is initialised for a single thread, plans use one thread, and the library refuses
 * requests for more.
 * ranks: 1 2 3 4 5 */
#include "common/field.h"
#include "common/verdict.h"

static const test_field problem = {.kind = SUBX_FFT_R2C, .ndims = 3, .sizes = {6, 5, 4}};

/* If all ranks ask for two threads, all get the error. If only the last rank asks, all ranks get its error,
 * or DIFFERS. */
static void check_refused(const char *strategy, int all)
{
    const int asks = all || test_rank == test_nranks - 1;
    const test_choices c = {.strategy = strategy, .more = {{"subx_threads", asks ? "2" : "1"}}};
    subx_fft_plan plan = (subx_fft_plan)&plan;
    test_context("strategy %s, two threads on %s", strategy, all ? "all ranks" : "one rank");
    int got = subx_error_get_kind(test_field_plan(&problem, &c, MPI_COMM_WORLD, &plan));
    if (all || got != SUBX_ERR_DIFFERS)
        EXPECT_EQUAL(got, SUBX_ERR_UNAVAILABLE);
    EXPECT_SAME(got);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

static void check_one(const char *strategy)
{
    const test_choices c = {.strategy = strategy, .more = {{"subx_threads", "1"}}};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("strategy %s, one thread", strategy);
    EXPECT_OK(test_field_plan(&problem, &c, MPI_COMM_WORLD, &plan));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

int main(int argc, char **argv)
{
    static const char *const strategies[] = {"fused", "stride1", "natural"};
    int level = MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    if (level > MPI_THREAD_SINGLE) {
        MPI_Finalize();
        return 77;
    }
    test_begin(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        check_refused(strategies[i], 1);
        check_refused(strategies[i], 0);
        check_one(strategies[i]);
    }
    return test_end();
}
