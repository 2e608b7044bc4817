/* fft_start.c - plans in flight. Ranks start several plans, test them and wait for them, each rank in its own
 * order. The results must equal the results of subx_fft_execute bit for bit (tests/random compares these with
 * the definition). All engines and strategies are tested, also in place and with operations. Also errors.
 * ranks: 1 2 3 4 6 (on six ranks, some have no data) */
#include "common/array.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

/* ---- a plan with its arrays */

/* The number of an execution: the side of its results (SUBX_FFT_SPECTRAL after forward), or ROUND for a
 * convolution. */
enum { ROUND = 2, NRUNS = 3 };

typedef struct flight {
    subx_fft_plan plan;
    size_t bytes[2];       /* of the arrays, by side */
    int has_data[2];       /* 0: this rank has no elements on the side; its array is never written */
    void *from[2];         /* the input, by side */
    void *expected[NRUNS]; /* the results, by execution; NULL if there is no such execution */
    void *to;
    int run; /* the execution in flight; -1 for none */
} flight;

static subx_fft_operation operation;

static int get_direction(int run)
{
    return run == SUBX_FFT_SPECTRAL ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
}

/* get_input: get the side of an execution's input. get_output: get the side of its results. */
static int get_input(int run)
{
    return run == SUBX_FFT_PHYSICAL ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
}

static int get_output(int run)
{
    return run == ROUND ? SUBX_FFT_PHYSICAL : run;
}

static size_t get_room(const flight *f)
{
    return f->bytes[0] > f->bytes[1] ? f->bytes[0] : f->bytes[1];
}

static int get_ndims(subx_fft_plan plan)
{
    subx_fft_problem problem;
    int ndims = 0;
    EXPECT_OK(subx_fft_plan_get(plan, &problem, NULL, NULL));
    EXPECT_OK(subx_fft_problem_get(problem, &ndims, NULL, NULL, NULL, NULL));
    return ndims;
}

static flight flight_create(subx_fft_plan plan)
{
    flight f = {.plan = plan, .has_data = {1, 1}, .run = -1};
    const int ndims = get_ndims(plan);
    for (int side = 0; side < 2; side++) {
        ptrdiff_t bytes = 0, n[SUBX_NDIMS_MAX];
        EXPECT_OK(subx_fft_plan_get_local(plan, side, n, NULL, NULL, &bytes));
        for (int i = 0; i < ndims; i++)
            f.has_data[side] &= n[i] > 0;
        f.bytes[side] = (size_t)bytes;
        f.from[side] = calloc(1, f.bytes[side]);
    }
    f.to = calloc(1, get_room(&f));
    return f;
}

/* Let subx_fft_execute compute the expected results. The input of backward is the output of forward. */
static void flight_expect(flight *f, int has_operation)
{
    for (int run = NRUNS - 1 - !has_operation; run >= 0; run--) {
        const int in = get_input(run);
        f->expected[run] = calloc(1, f->bytes[get_output(run)]);
        if (run == ROUND)
            EXPECT_OK(subx_fft_execute_convolution(f->plan, f->from[in], f->expected[run], operation));
        else
            EXPECT_OK(subx_fft_execute(f->plan, get_direction(run), f->from[in], f->expected[run]));
        if (run == SUBX_FFT_SPECTRAL)
            memcpy(f->from[run], f->expected[run], f->bytes[run]);
    }
}

static void flight_free(flight *f)
{
    for (int run = 0; run < NRUNS; run++)
        free(f->expected[run]);
    free(f->from[0]);
    free(f->from[1]);
    free(f->to);
    EXPECT_OK(subx_fft_plan_free(&f->plan));
}

static void flight_start(flight *f, int run, int is_in_place)
{
    const int in = get_input(run);
    const void *from = f->from[in];
    memset(f->to, -1, get_room(f));
    if (is_in_place)
        from = memcpy(f->to, f->from[in], f->bytes[in]);
    f->run = run;
    if (run == ROUND)
        EXPECT_OK(subx_fft_start_convolution(f->plan, from, f->to, operation));
    else
        EXPECT_OK(subx_fft_start(f->plan, get_direction(run), from, f->to));
}

static void flight_wait(flight *f)
{
    const int side = get_output(f->run);
    EXPECT_OK(subx_fft_wait(f->plan));
    EXPECT(!f->has_data[side] || memcmp(f->to, f->expected[f->run], f->bytes[side]) == 0);
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
        int run = test_random_int(&common, 0, NRUNS - 1), is_in_place = test_random_int(&common, 0, 3) == 0;
        run = next->expected[run] ? run : SUBX_FFT_SPECTRAL;
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

static void check_flights(flight f[NPLANS], int has_operation, uint64_t number)
{
    for (int i = 0; i < NPLANS; i++)
        flight_expect(&f[i], has_operation);
    check_order(f, 2, 0);
    check_order(f, 3, 0);
    check_order(f, 3, 1);
    check_random(f, 8, number);
    for (int i = 0; i < NPLANS; i++)
        flight_free(&f[i]);
}

/* ---- problems of all kinds */

static long double complex get_anything(const void *context, const ptrdiff_t index[])
{
    const test_array *a = context;
    double sum = 1;
    for (int i = 0; i < a->ndims; i++)
        sum = 1.7 * sum + (double)index[i] * (i + 1);
    return (sum - (int)(sum / 11) * 11) + 0.5 * sum * I;
}

static int create_text_flight(const char *text, const char *hints, flight *f)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    if (!EXPECT_OK(test_plan_create(text, hints, &plan)))
        return 0;
    *f = flight_create(plan);
    test_array u = test_array_create(plan, SUBX_FFT_PHYSICAL);
    test_array_fill(&u, get_anything, &u);
    memcpy(f->from[SUBX_FFT_PHYSICAL], u.data, f->bytes[SUBX_FFT_PHYSICAL]);
    test_array_free(&u);
    return 1;
}

static void halve(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                  const ptrdiff_t stride[], void *data)
{
    double *element = data;
    for (ptrdiff_t i = 0; ndims > 0 && i < n[0]; i++)
        halve(context, ndims - 1, start + 1, n + 1, stride + 1, element + 2 * i * stride[0]);
    for (int part = 0; ndims == 0 && part < 2; part++)
        element[part] *= 0.5;
}

/* Plans of different problems are in flight at the same time: a batch, several components, kinds, a factored
 * axis, bricks, truncation. */
static void check_problems(const char *const texts[NPLANS], const char *hints, int has_operation)
{
    flight f[NPLANS];
    test_context("%s, %s, %s, %s", texts[0], texts[1], texts[2], hints);
    for (int i = 0; i < NPLANS; i++)
        if (!create_text_flight(texts[i], hints, &f[i]))
            return;
    check_flights(f, has_operation, 99);
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
        check_problems(texts, hints, 0);
    }
}

/* ---- errors */

static void check_errors(const char *hints)
{
    flight f[1];
    int flag = 0;
    test_context("errors, %s", hints);
    if (!create_text_flight("c2c:6x5x4", hints, f))
        return;
    flight_expect(f, 0);
    const subx_fft_plan plan = f->plan;
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_test(plan, &flag), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_start(plan, 7, f->from[0], f->to), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_start(SUBX_FFT_PLAN_NULL, SUBX_FFT_FORWARD, f->from[0], f->to), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_start_convolution(plan, f->from[0], f->to, operation), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_start_convolution(plan, f->from[0], f->to, SUBX_FFT_OPERATION_NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_start_operation(plan, SUBX_FFT_FORWARD, f->from[0], f->to, operation));
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_wait(SUBX_FFT_PLAN_NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ACTIVE);
    flight_start(f, SUBX_FFT_SPECTRAL, 0);
    EXPECT_KIND(subx_fft_start(plan, SUBX_FFT_FORWARD, f->from[0], f->to), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, f->from[0], f->to), SUBX_ERR_ACTIVE);
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
    EXPECT_OK(subx_fft_operation_create_function(halve, NULL, &operation));
    for (int k = 0; k + 1 < test_engine_count(); k++)
        check_engine(test_engine_get(k));
    for (int k = 0; carriers[k]; k++) {
        snprintf(hints, sizeof hints, "engine=node between=%s node_ranks=%d slices=2 overlap=both",
                 carriers[k], 1 + k % 2);
        if (!test_engine_is_here(carriers[k]))
            continue;
        check_problems(many, hints, 0);
        check_problems(operations, hints, 1);
    }
    check_problems(many, "engine=auto", 0);
    check_problems(operations, "engine=auto", 1);
    check_errors("strategy=fused");
    check_errors("strategy=stride1");
    EXPECT_OK(subx_fft_operation_free(&operation));
    return test_end();
}
