/* fft_wire.c - floats in messages (hint subx_wire): where the hint has an effect, where it has none, and
 * where it is refused; values that are too large or too small for a float. (tests/random/wire.c compares the
 * errors with their bound.)
 * ranks: 1 2 3 4 5 */
#include "common/array.h"
#include "common/field.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "mpi/wire_range.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const test_field problem = {.kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {6, 5, 4}};

/* ---- effect */

/* Create a plan with floats in messages. */
static subx_fft_plan create(const char *text, const char *engine)
{
    char hints[64];
    subx_fft_plan plan;
    snprintf(hints, sizeof hints, "engine=%s wire=float", engine);
    EXPECT_OK(test_plan_create(text, hints, &plan));
    return plan;
}

/* If no messages are sent, or if the precision is float, nothing is rounded. The plan then reports that the
 * hint has no effect. */
static void check_effect(const char *text, const char *engine, int has_effect)
{
    subx_fft_plan plan = create(text, engine);
    test_context("%s, engine %s", text, engine);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "hints    wire float\n") == has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "1 exchange carries floats") == has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, " bytes of floats") == has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "wire float\n") !=
               test_plan_says(plan, TEST_PRINTED, "wire full\n") ||
           !has_effect);
    EXPECT(test_plan_says(plan, TEST_PRINTED, "has no effect here: ") == !has_effect);
    test_plan_expect(plan, "subx_wire", has_effect ? "float" : "full");
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* ---- refusals */

/* All ranks get the same error. Its text names the hint. */
static void check_refused(const char *strategy, const char *engine)
{
    const test_choices c = {.strategy = strategy, .engine = engine, .more = {{"subx_wire", "float"}}};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("strategy %s, engine %s", strategy ? strategy : "auto", engine ? engine : "auto");
    EXPECT_REFUSED(test_field_plan(&problem, &c, MPI_COMM_WORLD, &plan), SUBX_ERR_UNAVAILABLE,
                   "hint subx_wire is \"float\"; only strategy fused sends floats");
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

/* If a plan cannot send floats, it ignores the environment variable SUBX_WIRE. All other plans obey the
 * variable. */
static void check_variable(void)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("SUBX_WIRE");
    setenv("SUBX_WIRE", "float", 1);
    EXPECT_OK(test_field_plan(&problem, &(test_choices){.strategy = "stride1"}, MPI_COMM_WORLD, &plan));
    EXPECT(test_plan_says(plan, TEST_PRINTED, "has no effect here: the environment variable for subx_wire"));
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(test_field_plan(&problem, &(test_choices){.engine = "alltoallv"}, MPI_COMM_WORLD, &plan));
    EXPECT(test_plan_says(plan, TEST_PRINTED, "1 exchange carries floats"));
    EXPECT_OK(subx_fft_plan_free(&plan));
    unsetenv("SUBX_WIRE");
}

/* ---- the range of floats */

/* The transform that check_range takes. */
static double transform_delta(double value, double *first)
{
    subx_fft_plan plan = create("c2c:6x5", "pairwise");
    const test_field f = {.kind = SUBX_FFT_C2C, .ndims = 2, .sizes = {6, 5}, .spectral = {6, 5}};
    const test_part from = test_part_get(&f, plan, SUBX_FFT_PHYSICAL),
                    to = test_part_get(&f, plan, SUBX_FFT_SPECTRAL);
    double *in = calloc((size_t)from.bytes + 1, 1), *out = calloc((size_t)to.bytes + 1, 1), worst = 0;
    if (test_rank == 0)
        in[0] = value;
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, in, out));
    for (ptrdiff_t i = 0; i < to.count; i++)
        worst = fmax(worst, fabs(out[2 * i] - value));
    *first = to.count > 0 ? out[0] : value;
    free(out);
    free(in);
    EXPECT_OK(subx_fft_plan_free(&plan));
    return worst;
}

CHECK(check_all)
{
    const int several = test_nranks > 1;
    check_effect("c2c:6x5", "pairwise", several);
    check_effect("c2c:6x5", "shm", 0);
    check_effect("c2c.f32:6x5", "pairwise", 0);
    if (several) {
        check_refused("stride1", NULL);
        check_refused("natural", NULL);
        check_refused(NULL, "types");
        check_refused(NULL, "alltoallw");
        check_variable();
    }
    const double large = check_range(transform_delta);
    EXPECT(several ? !isfinite(large) : large == 1e39);
}
