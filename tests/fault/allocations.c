/* allocations.c - an allocation fails on one rank during a collective creation (sx_base_fail_after in
 * lib/base/mem.c). All ranks must get an error, and no rank may wait for ever.
 * ranks: 1 2 3 4 5 */
#include "base/base.h"
#include "common/boxes.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "fault/problems.h"
#include "machine/machine.h"
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>
#include <subx_lowlevel.h>
#include <subx_boxes.h>

/* An upper bound: no creation makes so many allocations. */
enum { ATTEMPTS_MAX = 3000 };

/* Create and free one object. Sets *made to 1 if the creation gave a handle. */
typedef int attempt(int *made);

static int create_grid(int *made)
{
    subx_grid grid = SUBX_GRID_NULL;
    const int dims[] = {test_nranks};
    int rc = subx_grid_create(MPI_COMM_WORLD, 1, dims, &grid);
    *made = grid != SUBX_GRID_NULL;
    subx_grid_free(&grid);
    return rc;
}

static int create_placement(int *made)
{
    sx_placement p;
    int rc = sx_placement_create(MPI_COMM_WORLD, MPI_INFO_NULL, &p);
    *made = p.node != NULL;
    sx_placement_free(&p);
    return rc;
}

/* Find warnings. There is no object, so *made is 1 if the call succeeded. */
static int find_warnings(int *made)
{
    int flags, rc = sx_machine_find_warnings(MPI_COMM_WORLD, 1, &flags);
    *made = rc == MPI_SUCCESS;
    return rc;
}

/* The engine that create_exchange, create_pipe and create_plan ask for. The check at creation does the same
 * for all engines, so it is only made with "auto". */
static const char *engine;

static int create_exchange(int *made)
{
    const ptrdiff_t sizes[] = {4, 5, 3};
    const int order[] = {0, 2, 1};
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = test_hints("engine=%s", engine);
    if (strcmp(engine, "auto") != 0)
        test_hint_set(hints, "check", "no");
    int rc = subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 1, NULL, order, MPI_DOUBLE, hints, &ex);
    MPI_Info_free(&hints);
    *made = ex != SUBX_EXCH_NULL;
    subx_exch_free(&ex);
    return rc;
}

static subx_boxes held, wanted;

static int create_boxes(int *made)
{
    subx_exch ex = SUBX_EXCH_NULL;
    int rc = subx_exch_create_boxes(MPI_COMM_WORLD, held, wanted, MPI_DOUBLE, MPI_INFO_NULL, &ex);
    *made = ex != SUBX_EXCH_NULL;
    subx_exch_free(&ex);
    return rc;
}

static int create_halo(int *made)
{
    const ptrdiff_t sizes[] = {test_nranks, 3}, start[] = {test_rank, 0}, len[] = {1, 3}, width[] = {1, 1};
    const int periodic[] = {1, 1};
    subx_halo halo = SUBX_HALO_NULL;
    int rc = subx_halo_create(MPI_COMM_WORLD, 2, sizes, start, len, width, width, periodic, NULL, MPI_DOUBLE,
                              MPI_INFO_NULL, &halo);
    *made = halo != SUBX_HALO_NULL;
    subx_halo_free(&halo);
    return rc;
}

/* Create a pipe and its areas. Nodes have two ranks, so if there are three ranks, one is on another node. */
static int create_pipe(int *made)
{
    enum { SLICES = 2, RANKS_MAX = 3 };
    ptrdiff_t bytes[SLICES * RANKS_MAX], need[2];
    void *area[2] = {NULL, NULL};
    subx_pipe pipe = SUBX_PIPE_NULL;
    for (int i = 0; i < SLICES * RANKS_MAX; i++)
        bytes[i] = 8;
    MPI_Info hints = test_hints("engine=%s node_ranks=2", engine);
    int rc = subx_pipe_create(MPI_COMM_WORLD, SLICES, bytes, bytes, hints, &pipe);
    MPI_Info_free(&hints);
    if (!rc)
        EXPECT_OK(subx_pipe_get(pipe, NULL, &need[0], &need[1]));
    for (int i = 0; i < 2 && !rc; i++)
        rc = subx_mem_alloc(MPI_COMM_WORLD, need[i], MPI_INFO_NULL, &area[i]);
    if (!rc)
        rc = subx_pipe_set_work(pipe, area[0], area[1]);
    *made = rc == MPI_SUCCESS;
    EXPECT_OK(subx_pipe_free(&pipe));
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_mem_free(&area[i]));
    return rc;
}

static const char *strategy, *effort = "estimate";

/* Strategy fused with messages in slices: the library first creates its pipes without slices, then again with
 * slices. */
static int create_plan(int *made)
{
    const ptrdiff_t sizes[] = {4, 5, 6};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info hints = test_hints(
        "strategy=%s effort=%s engine=%s node_ranks=2 overlap=both slices=2 cache=200 check=no scaling=symmetric grid=0x0 serial=naive",
        strategy, effort, engine);
    int rc = subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, sizes, hints, &plan);
    MPI_Info_free(&hints);
    *made = plan != SUBX_FFT_PLAN_NULL;
    subx_fft_plan_free(&plan);
    return rc;
}

static int number;
static subx_fft_problem problem;

/* Messages are sent in slices, as in create_plan. */
static int create_problem_plan(int *made)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info hints = test_hints("engine=node node_ranks=2 overlap=both slices=2 serial=naive");
    int rc = test_problem_plan(number, problem, hints, &plan);
    MPI_Info_free(&hints);
    *made = plan != SUBX_FFT_PLAN_NULL;
    subx_fft_plan_free(&plan);
    return rc;
}

/* Let allocation n (from 0) fail on rank `victim`. Returns the kind of error, which must be the same on all
 * ranks. */
static int check_once(attempt *a, int victim, long n)
{
    int made = -1;
    if (test_rank == victim)
        sx_base_fail_after(n);
    int rc = a(&made), kind = subx_error_get_kind(rc);
    sx_base_fail_after(-1);
    EXPECT_EQUAL(made, rc == MPI_SUCCESS);
    EXPECT(kind == SUBX_ERR_NO_MEM || rc == MPI_SUCCESS);
    /* If only some ranks succeeded, these ranks would later wait for ever for the ranks that failed. */
    EXPECT_SAME(kind);
    return kind;
}

/* On one or two ranks, each rank fails at each of its allocations. With `shares`, one of two ranks fails at
 * the even allocations, and the other at the odd ones. On more ranks, only the last rank fails, to save time:
 * on three and four ranks at every other allocation, on more at every 7th. There must be at least `least`
 * allocations. */
static void check(attempt *a, const char *what, int least, int shares)
{
    const int step = test_nranks > 4 ? 7 : test_nranks > 2 || (shares && test_nranks == 2) ? 2 : 1;
    for (int victim = test_nranks > 2 ? test_nranks - 1 : 0; victim < test_nranks; victim++) {
        long n = shares && test_nranks == 2 ? victim : 0;
        int made = 0;
        test_context("%s, rank %d fails", what, victim);
        while (check_once(a, victim, n) && n < ATTEMPTS_MAX)
            n += step;
        EXPECT(n >= least && n < ATTEMPTS_MAX);
        EXPECT_OK(a(&made));
    }
}

/* Every rank holds one row, which is cut into two boxes. Rank 0 wants the whole array. */
static void check_boxes(void)
{
    const ptrdiff_t sizes[] = {test_nranks, 6}, starts[] = {test_rank, 0, test_rank, 2},
                    lens[] = {1, 2, 1, 4};
    const ptrdiff_t zero[] = {0, 0};
    held = test_boxes_create(2, sizes, 2, starts, lens, NULL);
    wanted = test_boxes_create(2, sizes, test_rank == 0, zero, sizes, NULL);
    check(create_boxes, "boxes", 10, 0);
    EXPECT_OK(subx_boxes_free(&wanted));
    EXPECT_OK(subx_boxes_free(&held));
}

static void check_engines(void)
{
    for (int k = 0; k < test_engine_count(); k++) {
        int made = 0;
        engine = test_engine_get(k);
        if (!test_engine_may_lack(engine) ||
            subx_error_get_kind(create_exchange(&made)) != SUBX_ERR_UNAVAILABLE)
            check(create_exchange, engine, 3, 0);
    }
}

static void check_pipes(void)
{
    static const char *const engines[] = {"node", "pairwise", "alltoallv"};
    for (int i = 0; i < 3; i++) {
        engine = engines[i];
        check(create_pipe, engine, 10, 0);
    }
}

/* If there are three ranks or more, some partners are remote. On four ranks the grid has rows and columns, so
 * the rank that fails is not in all of them. */
static void check_plans(void)
{
    static const char *const plans[][2] = {
        {"fused", "pairwise"}, {"fused", "node"}, {"stride1", "alltoallv"}, {"natural", "auto"}};
    const int end = test_nranks < 4 ? 4 : 2;
    for (int i = 0; i < end; i++) {
        strategy = plans[i][0];
        engine = plans[i][1];
        check(create_plan, strategy, 5, 0);
    }
}

static void check_problems(void)
{
    for (number = 0; number < TEST_PROBLEMS; number++) {
        problem = test_problem_create(number);
        check(create_problem_plan, test_problem_get_name(number), 5, 1);
        EXPECT_OK(subx_fft_problem_free(&problem));
    }
}

/* An allocation fails while a search measures strategies. Then either the search leaves this strategy out, or
 * the creation of the plan fails. Not on four ranks, because searches take time. */
static void check_trials(void)
{
    enum { PLACES = 500, STEP = 31 };
    int made = 0;
    strategy = engine = "auto";
    effort = "measure";
    test_context("trials");
    for (long n = 0; n < PLACES; n += STEP)
        check_once(create_plan, test_nranks - 1, n);
    EXPECT_OK(create_plan(&made));
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    if (test_nranks < 4) {
        check(create_grid, "grid", 1, 0);
        check(create_placement, "placement", 3, 0);
        check(find_warnings, "warnings", 0, 0);
        check_boxes();
        check(create_halo, "halo", 10, 0);
        check_engines();
        check_pipes();
    }
    check_plans();
    check_problems();
    if (test_nranks < 4)
        check_trials();
    return test_end();
}
