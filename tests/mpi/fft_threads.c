/* fft_threads.c - fused passes with several threads give the same bytes as with one thread.
 * (tests/random/fft.c compares plans of several threads with the definition.)
 * ranks: 1 2 3 4 5 */
#include "common/array.h"
#include "common/arrays.h"
#include "common/field.h"
#include "common/verdict.h"
#include <stdio.h>
#include <string.h>

static void check(const char *text, const char *hints)
{
    static const char *const counts[] = {"1", "2", "3", "40"};
    test_arrays a = {0};
    for (int i = 0; i < 4; i++) {
        char all[256];
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        snprintf(all, sizeof all, "strategy=fused %s threads=%s", hints, counts[i]);
        test_context("%s, %s", text, all);
        if (!EXPECT_OK(test_plan_create(text, all, &plan)))
            return;
        if (i == 0)
            a = test_arrays_create(plan);
        for (int run = 0; run < a.nruns; run++) {
            memset(a.to, 0, a.room);
            EXPECT_OK(test_arrays_execute(plan, run, a.from[test_run_get_input(run)], a.to, a.op, 0));
            EXPECT(test_arrays_is_equal(&a, run, a.to));
        }
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    test_arrays_free(&a);
}

static void check_all(void)
{
    static const char *const hints[] = {"grid=0 engine=auto node_ranks=2 overlap=auto cache=100000",
                                        "grid=0x0 engine=pairwise node_ranks=2 overlap=both cache=600",
                                        "grid=0 engine=node node_ranks=2 overlap=receive cache=600",
                                        "grid=0x0 engine=auto node_ranks=2 overlap=send cache=600",
                                        "grid=0 engine=pairwise node_ranks=2 overlap=auto cache=100000",
                                        "grid=0x0 engine=node node_ranks=2 overlap=both cache=600"};
    for (int i = 0; i < 6; i++) {
        check("c2c:9x10x12", hints[i]);
        check("r2c:9x10x12/operation", hints[i]);
    }
}

/* Each rank's hint is valid, but ranks have different ones. */
static void check_difference(void)
{
    const test_field f = {.kind = SUBX_FFT_C2C, .ndims = 2, .sizes = {6, 5}};
    const test_choices c = {.more = {{"subx_threads", test_rank ? "2" : "1"}}};
    subx_fft_plan plan = (subx_fft_plan)&plan;
    test_context("threads differ");
    EXPECT_KIND(test_field_plan(&f, &c, MPI_COMM_WORLD, &plan), test_nranks > 1 ? SUBX_ERR_DIFFERS : 0);
    EXPECT((plan == SUBX_FFT_PLAN_NULL) == (test_nranks > 1));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

int main(int argc, char **argv)
{
    test_begin_funneled(&argc, &argv);
    check_all();
    check_difference();
    return test_end();
}
