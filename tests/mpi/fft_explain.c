/* fft_explain.c - every rank can explain any plan in both formats, before and after an execution: bricks, a
 * factored axis, real-to-real kinds, ranks without data, idle ranks.
 * ranks: 1 2 5 (three and four would repeat five: some ranks are idle, and some have no data) */
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text must contain the problem, and end as its format demands. */
static void check_format(subx_fft_plan plan, const char *problem, int format)
{
    char *text = test_plan_get_text(plan, format);
    EXPECT(strstr(text, problem) != NULL);
    EXPECT(strcmp(text + strlen(text) - (format == SUBX_FFT_JSON ? 2 : 1),
                  format == SUBX_FFT_JSON ? "}\n" : "\n") == 0);
    free(text);
}

static void check_both(subx_fft_plan plan, const char *problem)
{
    check_format(plan, problem, SUBX_FFT_TEXT);
    check_format(plan, problem, SUBX_FFT_JSON);
}

static void execute(subx_fft_plan plan)
{
    void *array[2];
    for (int side = 0; side < 2; side++) {
        ptrdiff_t bytes = 0;
        EXPECT_OK(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes));
        array[side] = calloc(1, (size_t)bytes);
    }
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, array[0], array[1]));
    free(array[1]);
    free(array[0]);
}

static void check(const char *text, const char *key, const char *value)
{
    subx_fft_problem problem;
    subx_fft_plan plan;
    test_context("%s, %s %s", text, key, value);
    MPI_Info hints = test_hints("wisdom=none");
    test_hint_set(hints, key, value);
    EXPECT_OK(subx_fft_problem_parse(text, &problem));
    if (EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan))) {
        check_both(plan, text);
        execute(plan);
        check_both(plan, text);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    EXPECT_OK(subx_fft_problem_free(&problem));
    MPI_Info_free(&hints);
}

CHECK(check_plans)
{
    char bricks[32], some[16];
    snprintf(bricks, sizeof bricks, "1x%dx1", test_nranks);
    snprintf(some, sizeof some, "%d", (test_nranks + 1) / 2);
    check("r2c:6x5x8", "subx_grid", bricks);
    check("c2c:60*2", "subx_effort", "estimate");
    check("2*dct2,dst1,r2hc:6x5x8", "strategy", "stride1");
    check("c2c:6x5x8", "node_ranks", "2");
    check("c2c:6x5x8", "subx_effort", "measure");
    check("c2c:2x2", "subx_grid", "0");
    check("c2c:6x5x8", "subx_ranks", some);
}
