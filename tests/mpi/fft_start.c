/* fft_start.c - plans in flight. Ranks start several plans, test them and wait for them, each rank in its own
 * order. The results must equal the results of subx_fft_execute bit for bit (tests/random compares these with
 * the definition). All engines and strategies are tested, also in place and with operations. Also errors.
 * ranks: 1 2 3 4 6 (on six ranks, some have no data) */
#include "common/array.h"
#include "common/arrays.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

/* ---- a plan with its arrays */

typedef struct flight {
    subx_fft_plan plan;
    test_arrays a;
    int run; /* the execution in flight; -1 for none */
} flight;

static int flight_create(const char *text, const char *hints, flight *f)
{
    *f = (flight){.plan = SUBX_FFT_PLAN_NULL, .run = -1};
    if (!EXPECT_OK(test_plan_create(text, hints, &f->plan)))
        return 0;
    f->a = test_arrays_create(f->plan);
    return 1;
}

static void flight_free(flight *f)
{
    test_arrays_free(&f->a);
    EXPECT_OK(subx_fft_plan_free(&f->plan));
}

static void flight_start(flight *f, int run, int is_in_place)
{
    const int in = test_run_get_input(run);
    const void *from = f->a.from[in];
    memset(f->a.to, -1, f->a.room);
    if (is_in_place)
        from = memcpy(f->a.to, f->a.from[in], f->a.bytes[in]);
    f->run = run;
    EXPECT_OK(test_arrays_start(&f->a, f->plan, run, from, f->a.to));
}

static void flight_wait(flight *f)
{
    EXPECT_OK(subx_fft_wait(f->plan));
    EXPECT(test_arrays_is_equal(&f->a, f->run, f->a.to));
    f->run = -1;
}

static int flight_test(flight *f)
{
    int flag = -1;
    if (subx_fft_test(f->plan, &flag) || flag < 0 || flag > 1)
        EXPECT_OK(MPI_ERR_OTHER);
    return flag;
}

/* ---- what ranks do with plans in flight */

enum { NPLANS = 3 };

/* Start all plans. Then the ranks wait for them, each rank in another order. With `polls`, a rank only waits
 * for a plan after a test has said that the plan is complete. */
static void check_order(flight f[NPLANS], int nplans, int polls)
{
    for (int i = 0; i < nplans; i++)
        flight_start(&f[i], SUBX_FFT_SPECTRAL, 0);
    for (int left = nplans, i = test_rank; left > 0; i++) {
        flight *next = &f[i % nplans];
        if (next->run < 0 || (polls && !flight_test(next)))
            continue;
        flight_wait(next);
        left--;
    }
}

/* All ranks start the same plans in the same order. Between the starts, each rank tests or waits for plans at
 * random. */
static void check_random(flight f[NPLANS], int nstarts, uint64_t number)
{
    test_random common = test_random_stream(test_seed(), number);
    test_random own = test_random_stream(test_seed() + 1, number * 64 + (uint64_t)test_rank);
    for (int i = 0; i < nstarts; i++) {
        flight *next = &f[test_random_int(&common, 0, NPLANS - 1)];
        int run = test_random_int(&common, 0, next->a.nruns - 1),
            is_in_place = test_random_int(&common, 0, 3) == 0;
        if (next->run >= 0)
            flight_wait(next);
        flight_start(next, run, is_in_place);
        for (int k = test_random_int(&own, 0, 3); k > 0; k--) {
            flight *other = &f[test_random_int(&own, 0, NPLANS - 1)];
            if (other->run < 0)
                continue;
            if (test_random_int(&own, 0, 1))
                flight_wait(other);
            else
                flight_test(other);
        }
    }
    for (int i = 0; i < NPLANS; i++)
        if (f[(i + test_rank) % NPLANS].run >= 0)
            flight_wait(&f[(i + test_rank) % NPLANS]);
}

static void check_flights(flight f[NPLANS], uint64_t number)
{
    check_order(f, 2, 0);
    check_order(f, 3, 0);
    check_order(f, 3, 1);
    check_random(f, 8, number);
    for (int i = 0; i < NPLANS; i++)
        flight_free(&f[i]);
}

/* ---- problems of all kinds */

/* Plans of different problems are in flight at the same time: a batch, several components, kinds, a factored
 * axis, bricks, truncation. */
static void check_problems(const char *const texts[NPLANS], const char *hints)
{
    flight f[NPLANS];
    test_context("%s, %s, %s, %s", texts[0], texts[1], texts[2], hints);
    for (int i = 0; i < NPLANS; i++)
        if (!flight_create(texts[i], hints, &f[i]))
            return;
    check_flights(f, 99);
}

/* ---- engines and strategies */

/* Check an engine with each strategy that it supports. An engine for local and remote partners is checked
 * with each carrier, on nodes of one rank or of two. On four ranks the grid is 2x2, so that there are two
 * exchanges; but engine node refuses exchanges between ranks that are all on different nodes. */
static void check_engine(const char *engine)
{
    static const char *const strategies[] = {"fused overlap=both", "fused overlap=none", "fused overlap=auto",
                                             "stride1", "natural"};
    static const char *const texts[NPLANS] = {"c2c:9x8x5", "r2c:7x6x8", "c2c:5x12x2"};
    char hints[128];
    int traits;
    if (!EXPECT_OK(subx_exch_query_traits(engine, &traits)) || !test_engine_is_here(engine) ||
        (traits & SUBX_ENGINE_BETWEEN && test_nranks == 1))
        return;
    for (int i = traits & SUBX_ENGINE_TYPES ? 3 : 0; i < 5; i++) {
        snprintf(hints, sizeof hints, "engine=%s strategy=%s node_ranks=%s%s%s", engine, strategies[i],
                 traits & SUBX_ENGINE_BETWEEN ? "2" : "0", traits & SUBX_ENGINE_TYPES ? "" : " slices=3",
                 test_nranks == 4 && !(traits & SUBX_ENGINE_BETWEEN) ? " grid=2x2" : "");
        check_problems(texts, hints);
    }
}

/* ---- errors */

static void check_errors(const char *hints)
{
    flight f[1];
    int flag = 0;
    test_context("errors, %s", hints);
    if (!flight_create("c2c:6x5x4", hints, f))
        return;
    const subx_fft_plan plan = f->plan;
    const subx_fft_operation operation = f->a.op;
    void *const from = f->a.from[0], *const to = f->a.to;
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_test(plan, &flag), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_start(plan, 7, from, to), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_start(SUBX_FFT_PLAN_NULL, SUBX_FFT_FORWARD, from, to), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_start_convolution(plan, from, to, operation), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_start_convolution(plan, from, to, SUBX_FFT_OPERATION_NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_start_operation(plan, SUBX_FFT_FORWARD, from, to, operation));
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_wait(SUBX_FFT_PLAN_NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ACTIVE);
    flight_start(f, SUBX_FFT_SPECTRAL, 0);
    EXPECT_KIND(subx_fft_start(plan, SUBX_FFT_FORWARD, from, to), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, from, to), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_test(plan, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_test(SUBX_FFT_PLAN_NULL, &flag), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_free(&f->plan), SUBX_ERR_ACTIVE);
    EXPECT(f->plan == plan);
    flight_wait(f);
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ACTIVE);
    flight_free(f);
}

int main(int argc, char **argv)
{
    static const char *const many[NPLANS] = {"c2c:60", "dct2,-,r2c:12x5x8*3", "2*c2c:8x6x7"};
    static const char *const operations[NPLANS] = {"c2c:6x7x5/operation", "r2c:8x6x4>12x7x6*3/operation",
                                                   "r2c:9x8x6/operation"};
    static const char *const carriers[] = {"alltoallv", "pairwise", "kway", "persistent", NULL};
    char hints[96];
    test_begin(&argc, &argv);
    for (int k = 0; k + 1 < test_engine_count(); k++)
        check_engine(test_engine_get(k));
    for (int k = 0; carriers[k]; k++) {
        snprintf(hints, sizeof hints, "engine=node between=%s node_ranks=%d slices=2 overlap=both",
                 carriers[k], 1 + k % 2);
        if (!test_engine_is_here(carriers[k]))
            continue;
        check_problems(many, hints);
        check_problems(operations, hints);
    }
    check_problems(many, "engine=auto");
    check_problems(operations, "engine=auto");
    check_errors("strategy=fused");
    check_errors("strategy=stride1");
    return test_end();
}
