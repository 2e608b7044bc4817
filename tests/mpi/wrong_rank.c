/* wrong_rank.c - one rank executes with wrong arguments: it gets its error, its partners get SUBX_ERR_PEER,
 * and no rank waits for ever. Afterwards the exchange or the plan works as before. All engines and
 * strategies, at once and by start and wait.
 * ranks: 1 2 3 4 */
#include "common/array.h"
#include "common/arrays.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

/* MPI_Alltoallw cannot tell partners that data is wrong. */
static int is_silent(const char *engine)
{
    return strcmp(engine, "alltoallw") == 0;
}

/* Expect the outcome of an execution in which rank `wrong` has an error of a kind. */
static void expect(int rc, int wrong, int kind, const char *engine)
{
    if (test_rank == wrong)
        EXPECT_KIND(rc, kind);
    else if (is_silent(engine))
        EXPECT(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_PEER);
    else
        EXPECT_KIND(rc, SUBX_ERR_PEER);
}

/* ---- exchanges */

enum { COUNT = 1000 }; /* integers for each rank */

typedef struct exchange {
    subx_exch ex;
    const char *engine;
    int *out, *in;
} exchange;

static int execute(const exchange *x, const void *out, void *in, int is_started)
{
    int flag = 0;
    if (!is_started)
        return subx_exch_execute(x->ex, out, in);
    EXPECT_OK(subx_exch_start(x->ex, out, in));
    EXPECT_OK(subx_exch_test(x->ex, &flag));
    return subx_exch_wait(x->ex);
}

static void check_right(const exchange *x, int is_started)
{
    memset(x->in, 0, (size_t)test_nranks * COUNT * sizeof(int));
    EXPECT_OK(execute(x, x->out, x->in, is_started));
    for (int q = 0; q < test_nranks; q++)
        EXPECT(x->in[q * COUNT] == q && x->in[q * COUNT + COUNT - 1] == q);
}

static void check_exchange(const exchange *x, int is_started)
{
    for (int k = 0; k < 3; k++) {
        const int wrong = k % test_nranks, is_mine = test_rank == wrong;
        test_context("exchange, engine %s, argument %d of rank %d is wrong, started %d", x->engine, k, wrong,
                     is_started);
        const int *out = is_mine && k == 0 ? NULL : x->out;
        int *in = !is_mine || k == 0 ? x->in : k == 1 ? NULL : x->out;
        expect(execute(x, out, in, is_started), wrong, k == 2 ? SUBX_ERR_ALIAS : SUBX_ERR_ARG, x->engine);
        check_right(x, is_started);
    }
}

static void check_exchanges(const char *engine)
{
    MPI_Datatype *types = malloc((size_t)test_nranks * sizeof *types), block;
    MPI_Datatype *places = malloc((size_t)test_nranks * sizeof *places);
    exchange x = {.engine = engine,
                  .out = malloc((size_t)test_nranks * COUNT * sizeof(int)),
                  .in = malloc((size_t)test_nranks * COUNT * sizeof(int))};
    MPI_Info hints = test_hints("engine=%s", engine);
    MPI_Type_contiguous(COUNT, MPI_INT, &block);
    for (int q = 0; q < test_nranks; q++) {
        MPI_Aint at = (MPI_Aint)q * COUNT * (MPI_Aint)sizeof(int);
        types[q] = block;
        MPI_Type_create_hindexed_block(1, 1, &at, block, &places[q]);
    }
    for (int i = 0; i < test_nranks * COUNT; i++)
        x.out[i] = test_rank;
    int rc = subx_exch_create(MPI_COMM_WORLD, types, places, hints, &x.ex);
    if (subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE && EXPECT_OK(rc))
        for (int is_started = 0; is_started < 2; is_started++)
            check_exchange(&x, is_started);
    subx_exch_free(&x.ex);
    for (int q = 0; q < test_nranks; q++)
        MPI_Type_free(&places[q]);
    MPI_Type_free(&block);
    MPI_Info_free(&hints);
    free(x.in);
    free(x.out);
    free(places);
    free(types);
}

/* ---- plans */

static void check_execution(const test_arrays *a, subx_fft_plan plan, const char *name, const char *engine,
                            int run, int is_started)
{
    void *const from = a->from[test_run_get_input(run)];
    for (int k = 0; k < (run == TEST_ROUND ? 3 : 2); k++) {
        const int wrong = (test_nranks - 1 + k) % test_nranks, is_mine = test_rank == wrong;
        test_context("plan %s, engine %s, execution %d, argument %d of rank %d is wrong, started %d", name,
                     engine, run, k, wrong, is_started);
        expect(test_arrays_execute(plan, run, is_mine && k == 0 ? NULL : from,
                                   is_mine && k == 1 ? NULL : a->to,
                                   is_mine && k == 2 ? SUBX_FFT_OPERATION_NULL : a->op, is_started),
               wrong, SUBX_ERR_ARG, engine);
        memset(a->to, 0, a->room);
        EXPECT_OK(test_arrays_execute(plan, run, from, a->to, a->op, 0));
        EXPECT(test_arrays_is_equal(a, run, a->to));
    }
}

static void check_plan(const char *text, const char *words, const char *engine)
{
    char name[128], hints[128];
    subx_fft_plan plan;
    snprintf(name, sizeof name, "%s %s", text, words);
    snprintf(hints, sizeof hints, "wisdom=none engine=%s %s", engine, words);
    test_context("plan %s, engine %s", name, engine);
    int rc = test_plan_create(text, hints, &plan);
    if (subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE && EXPECT_OK(rc)) {
        test_arrays a = test_arrays_create(plan);
        for (int i = 0; i < 2 * a.nruns; i++)
            check_execution(&a, plan, name, engine, i / 2, i % 2);
        test_arrays_free(&a);
    }
    EXPECT_OK(subx_fft_plan_free(&plan));
}

CHECK(check_all_engines)
{
    for (int k = 0; k < test_engine_count(); k++) {
        const char *engine = test_engine_get(k);
        check_exchanges(engine);
        if (strcmp(engine, "types") != 0 && !is_silent(engine)) /* the others can serve fused plans */
            check_plan("c2c:8x12x10", "strategy=fused", engine);
        check_plan("r2c:8x12x10", "strategy=stride1", engine);
        check_plan("c2c:8x12x10", "strategy=natural", engine);
    }
    check_plan("c2c:8x12x10/operation", "strategy=fused", "auto");
    check_plan("r2c:8x12x10/operation", "strategy=fused slices=2", "pairwise");
    check_plan("2*c2c:8x12x10", "grid=0x0x0", "auto");
    check_plan("c2c:16", "", "auto");
}
