/* pieces.c - messages that are sent in several pieces. The library cuts messages of more than 1 GiB into
 * pieces; in this test pieces are short. Exchanges must agree with MPI_Alltoallw, pipes must bring what was
 * sent, and plans must agree with plans that send whole messages.
 * ranks: 2 3 5 (one rank sends no messages; four is left out to save time) */
#include "base/base.h"
#include "common/arrays.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "fault/problems.h"
#include "mpi/pipe_help.h"
#include <string.h>
#include <subx_lowlevel.h>

enum { N0 = 5, N1 = 6, N2 = 7, ROOM = 3 * N1 * N2 };

/* Execute an exchange with an engine twice, and set `out` to the result. The input is the same for all
 * engines. */
static void realign(const char *engine, double out[ROOM])
{
    const ptrdiff_t sizes[] = {N0, N1, N2};
    const int order[] = {0, 2, 1};
    double in[ROOM];
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = test_hints("engine=%s slices=3 radix=2", engine);
    EXPECT_OK(subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 1, NULL, order, MPI_DOUBLE, hints, &ex));
    MPI_Info_free(&hints);
    for (int i = 0; i < ROOM; i++)
        in[i] = 1000 * test_rank + i;
    for (int execution = 0; execution < 2; execution++) {
        int done = 0, rc = MPI_SUCCESS;
        memset(out, 0, ROOM * sizeof *out);
        EXPECT_OK(subx_exch_start(ex, in, out));
        while (execution == 1 && !done && !rc)
            rc = subx_exch_test(ex, &done);
        EXPECT_OK(rc);
        EXPECT_OK(subx_exch_wait(ex));
    }
    EXPECT_OK(subx_exch_free(&ex));
}

static void check(const char *engine, ptrdiff_t piece)
{
    double expected[ROOM], got[ROOM];
    test_context("%s, pieces of %td", engine, piece);
    sx_base_knobs.message_piece = 0;
    realign("alltoallw", expected);
    sx_base_knobs.message_piece = piece;
    realign(engine, got);
    EXPECT(memcmp(got, expected, sizeof got) == 0);
}

/* Check a pipe in two epochs. Some of its blocks are shorter than a piece, others longer. */
static void check_pipe(ptrdiff_t piece)
{
    static const pipe_setting pairwise = {"pairwise", "auto", "0", "2"};
    pipe_job j;
    test_context("pipe, pieces of %td", piece);
    sx_base_knobs.message_piece = piece;
    pipe_set_lengths(&j, 3, PIPE_SORTS);
    if (!EXPECT_OK(pipe_create(&j, &pairwise)))
        return;
    pipe_alloc_areas(1, &j);
    pipe_set_expected(&j);
    for (int run = 0; run < 2; run++)
        pipe_execute(&j, PIPE_POST_FIRST, run);
    pipe_free(1, &j);
}

/* Create a plan. Each rank is on its own node, so all blocks are sent as messages. */
static subx_fft_plan create_plan(int k, const char *engine, ptrdiff_t piece)
{
    subx_fft_problem p = test_problem_create(k);
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info hints = test_hints("engine=%s node_ranks=1 overlap=both slices=2", engine);
    sx_base_knobs.message_piece = piece;
    EXPECT_OK(test_problem_plan(k, p, hints, &plan));
    MPI_Info_free(&hints);
    EXPECT_OK(subx_fft_problem_free(&p));
    return plan;
}

static void check_plan(const test_arrays *a, subx_fft_plan plan)
{
    for (int run = 0; run < a->nruns; run++) {
        memset(a->to, 0, a->room);
        EXPECT_OK(test_arrays_execute(plan, run, a->from[test_run_get_input(run)], a->to, a->op, 0));
        EXPECT(test_arrays_is_close(a, run, a->to));
    }
}

/* The first plan sends whole messages, which other tests compare with the definition. Plans that send pieces
 * must agree with the first plan. */
static void check_plans(int k, const char *engine)
{
    static const ptrdiff_t pieces[] = {0, 8, 101};
    test_arrays arrays = {0};
    for (int i = 0; i < 3; i++) {
        test_context("plan %s, %s, pieces of %td", test_problem_get_name(k), engine, pieces[i]);
        subx_fft_plan plan = create_plan(k, engine, pieces[i]);
        if (i == 0)
            arrays = test_arrays_create(plan);
        for (int execution = 0; execution < 2; execution++)
            check_plan(&arrays, plan);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    test_arrays_free(&arrays);
}

/* Check all available engines of pipes that can send messages: all except shm. */
CHECK(check_engines)
{
    const char *engine;
    int traits;
    for (int i = 0; EXPECT_OK(subx_pipe_query_engine(i, &engine)) && engine; i++) {
        EXPECT_OK(subx_exch_query_traits(engine, &traits));
        if (traits == SUBX_ENGINE_LOCAL || !test_engine_is_here(engine))
            continue;
        check(engine, 8);
        check(engine, 101);
        for (int k = 0; k < TEST_PROBLEMS; k++)
            check_plans(k, engine);
    }
}

CHECK(check_pipes)
{
    check_pipe(8);
    check_pipe(101);
}
