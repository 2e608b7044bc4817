/* fft_ranks.c - plans on some of the ranks, and on ranks in the order of nodes: results against the
 * definition; idle ranks; errors. In the end all communicators must be freed. (tests/random/fft.c has such
 * plans with operations, and compares where each rank's elements lie.)
 * ranks: 1 2 3 5 7 (on five and seven there are also plans on four of the ranks) */
#include "base/base.h"
#include "common/boxes.h"
#include "common/field.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "mpi/communicators.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plans */

typedef struct setup {
    int kind, ndims;
    ptrdiff_t sizes[3];
    const char *hints;
} setup;

static const setup setups[] = {
    {SUBX_FFT_C2C, 3, {6, 5, 8}, "grid=0 strategy=fused"},
    {SUBX_FFT_R2C, 3, {6, 5, 8}, "grid=0x0 strategy=fused"},
    {SUBX_FFT_R2C, 3, {6, 5, 8}, "grid=0x0 strategy=stride1"},
    {SUBX_FFT_C2C, 3, {6, 5, 8}, "strategy=natural threads=1"},
    {SUBX_FFT_C2C, 2, {7, 8}, "strategy=fused engine=pairwise"},
    {SUBX_FFT_C2C, 3, {6, 5, 8}, "strategy=stride1 output_order=transposed"},
    {SUBX_FFT_R2C, 3, {6, 5, 8}, "grid=0x0 node_ranks=2"},
    {SUBX_FFT_R2C, 3, {6, 5, 8}, "memory=100000 engine=node"},
    {SUBX_FFT_C2C, 3, {6, 5, 8}, "grid=0x0x0"},
    {SUBX_FFT_C2C, 1, {36}, "output_order=natural"},
    {SUBX_FFT_C2C, 2, {4, 6}, "effort=measure"},
};
enum { SETUPS = sizeof setups / sizeof setups[0] };

static subx_fft_problem create_problem(const setup *s)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    char text[64] = "";
    int used = snprintf(text, sizeof text, s->kind == SUBX_FFT_C2C ? "c2c:" : "r2c:");
    for (int i = 0; i < s->ndims; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%td", i ? "x" : "", s->sizes[i]);
    EXPECT_OK(subx_fft_problem_parse(text, &problem));
    return problem;
}

static int create_plan(MPI_Comm comm, const setup *s, subx_fft_problem problem, const char *ranks,
                       const char *reorder, subx_fft_plan *plan)
{
    MPI_Info hints = test_hints("%s", s->hints);
    MPI_Info_set(hints, "subx_ranks", ranks); /* set directly, because a wrong value may contain blanks */
    test_hint_set(hints, "reorder", reorder);
    int rc = subx_fft_plan_create_problem(comm, problem, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

static int create(MPI_Comm comm, const setup *s, const char *ranks, const char *reorder, subx_fft_plan *plan)
{
    subx_fft_problem problem = create_problem(s);
    int rc = create_plan(comm, s, problem, ranks, reorder, plan);
    EXPECT_OK(subx_fft_problem_free(&problem));
    return rc;
}

/* ---- queries */

static void check_stages(subx_fft_plan plan)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        int count = 0, kind = 0;
        const char *name = NULL;
        double last = -1, total = -1;
        EXPECT_OK(subx_fft_plan_get_nstages(plan, direction, &count));
        EXPECT_SAME(count);
        for (int i = 0; i < count; i++) {
            EXPECT_OK(subx_fft_plan_get_stage(plan, direction, i, &kind, &name, &last, &total));
            EXPECT_SAME(kind);
            EXPECT(name && *name && last >= 0 && total >= 0);
        }
    }
    EXPECT_OK(subx_fft_plan_set_times_zero(plan));
}

static void check_idle(const test_field *f, subx_fft_plan plan)
{
    for (int side = 0; side < 2; side++) {
        const test_part p = test_part_get(f, plan, side);
        int seen = 0;
        for (int i = 0; i < p.ndims; i++) {
            EXPECT(p.shape[i] == 0 && p.start[i] == 0);
            seen |= 1 << p.order[i];
        }
        EXPECT_EQUAL(seen, (1 << p.ndims) - 1);
    }
    ptrdiff_t work = -1;
    EXPECT_OK(subx_fft_plan_get_work(plan, &work));
    EXPECT_EQUAL(work, 0);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, NULL, NULL));
    EXPECT_OK(subx_fft_plan_get_frequencies(plan, 0, (ptrdiff_t[1]){0}));
}

static void check_queries(const test_field *f, subx_fft_plan plan, int nranks, int is_idle)
{
    int g = 0, dims[3] = {0}, product = 1;
    char value[16];
    EXPECT_OK(subx_fft_plan_get(plan, NULL, &g, dims));
    for (int k = 0; k < g; k++)
        product *= dims[k];
    EXPECT_EQUAL(product, nranks);
    EXPECT_EQUAL(test_plan_says(plan, TEST_PRINTED, "it is idle"), is_idle);
    snprintf(value, sizeof value, "%d", nranks);
    test_plan_expect(plan, "subx_ranks", value);
    check_stages(plan);
    if (is_idle)
        check_idle(f, plan);
}

/* ---- some of the ranks */

/* Plans on 1, 2, .. ranks exist at the same time. */
static void check_ranks(const setup *s)
{
    /* plan[n] is on n ranks */
    subx_fft_plan *plan = calloc((size_t)test_nranks + 1, sizeof *plan);
    test_field f = test_field_create(s->kind, s->ndims, s->sizes, test_seed());
    for (int n = 1; n <= test_nranks; n++) {
        char ranks[12];
        snprintf(ranks, sizeof ranks, "%d", n);
        test_context("%td on %d ranks", s - setups, n);
        if (!EXPECT_OK(create(MPI_COMM_WORLD, s, ranks, "no", &plan[n])))
            break;
        check_queries(&f, plan[n], n, test_rank >= n);
    }
    for (int n = 1; n <= test_nranks && plan[n]; n++) {
        test_context("%td on %d ranks, results", s - setups, n);
        test_field_check(&f, plan[n], (double)f.count);
        EXPECT_OK(subx_fft_plan_free(&plan[n]));
    }
    free(plan);
    test_field_free(&f);
}

/* ---- the order of nodes */

/* Create a communicator whose order of ranks differs from the order of nodes. Of MPI_COMM_WORLD, ranks 0 and
 * 1 share a node, 2 and 3 share the next one, and so on. The communicator has the ranks 0 2 4 6 1 3 5. So a
 * plan that sorts the ranks by nodes has the order of MPI_COMM_WORLD. */
static MPI_Comm create_shuffled(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_WORLD, 0, test_rank % 2 * test_nranks + test_rank, &comm);
    return comm;
}

static void check_order(const setup *s, const char *strategy, MPI_Comm comm, int n)
{
    static const char *const grids[] = {"0", "0x0"};
    test_field f = test_field_create(s->kind, s->ndims, s->sizes, test_seed());
    for (int i = 0; i < 2; i++) {
        setup nodes = *s;
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        ptrdiff_t start[3], shape[3], expected[2];
        char ranks[12], hints[64];
        snprintf(ranks, sizeof ranks, "%d", n);
        snprintf(hints, sizeof hints, "grid=%s strategy=%s node_ranks=2", grids[i], strategy);
        nodes.hints = hints;
        test_context("nodes in order, %s, %d ranks", hints, n);
        if (!EXPECT_OK(create(comm, &nodes, ranks, "yes", &plan)))
            continue;
        check_queries(&f, plan, n, test_rank >= n);
        test_field_check(&f, plan, (double)f.count);
        EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, shape, start, NULL, NULL));
        if (i == 0 && test_rank < n) {
            EXPECT_OK(subx_block_get(s->sizes[0], n, test_rank, &expected[0], &expected[1]));
            EXPECT(shape[0] == expected[0] && (shape[0] == 0 || start[0] == expected[1]));
        }
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    test_field_free(&f);
}

/* Each rank gives a slab as its box; the highest rank has the first slab. The plan may sort the ranks, but
 * each rank must keep its slab. */
static void check_boxes(MPI_Comm comm)
{
    static const setup s = {SUBX_FFT_C2C, 3, {6, 5, 8}, "node_ranks=2 strategy=fused"};
    test_field f = test_field_create(s.kind, s.ndims, s.sizes, test_seed());
    subx_fft_problem problem = create_problem(&s);
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t start[3] = {0}, len[3] = {6, 5, 8};
    test_context("boxes");
    EXPECT_OK(subx_block_get(6, test_nranks, test_nranks - 1 - test_rank, &len[0], &start[0]));
    for (int sides = 1; sides <= 2; sides++) {
        EXPECT_OK(test_boxes_set(problem, sides - 1, 1, start, len, NULL));
        if (!EXPECT_OK(create_plan(comm, &s, problem, "all", "yes", &plan)))
            continue;
        const test_part p = test_part_get(&f, plan, SUBX_FFT_PHYSICAL);
        EXPECT(p.shape[0] == len[0] && (len[0] == 0 || p.start[0] == start[0]));
        test_field_check(&f, plan, (double)f.count);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    if (test_nranks > 1) {
        int got = subx_error_get_kind(create_plan(comm, &s, problem, "1", "no", &plan));
        EXPECT_EQUAL(got, SUBX_ERR_UNAVAILABLE);
        EXPECT(plan == SUBX_FFT_PLAN_NULL);
    }
    EXPECT_OK(subx_fft_problem_free(&problem));
    test_field_free(&f);
}

/* ---- errors */

static void expect_failure(const char *ranks, const char *reorder, int kind)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    test_context("ranks %s, reorder %s", ranks, reorder);
    EXPECT_REFUSED(create(MPI_COMM_WORLD, &setups[0], ranks, reorder, &plan), kind, "");
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

CHECK(check_errors)
{
    static const char *const wrong[] = {"0", "-1", "8", "x", "1x1", "1.5", "99999999999999999999", "2 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_failure(wrong[i], "no", SUBX_ERR_HINT);
    expect_failure("all", "perhaps", SUBX_ERR_HINT);
    if (test_nranks == 1)
        return;
    expect_failure(test_is_last() ? "1" : "2", "no", SUBX_ERR_DIFFERS);
    expect_failure("all", test_is_last() ? "yes" : "no", SUBX_ERR_DIFFERS);
}

/* If an allocation fails on any rank, even on an idle one, all ranks get the error. */
CHECK(check_memory)
{
    enum { PLACES = 120, STEP = 5 };
    subx_fft_problem problem = create_problem(&setups[1]);
    const char *ranks = test_nranks > 2 ? "2" : "1";
    for (int where = 0; where < 2; where++)
        for (long n = where; n < PLACES; n += STEP) {
            subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
            test_context("allocation %ld fails on the %s rank", n, where ? "last" : "first");
            if (test_rank == (where ? test_nranks - 1 : 0))
                sx_base_fail_after(n);
            int kind =
                subx_error_get_kind(create_plan(MPI_COMM_WORLD, &setups[1], problem, ranks, "yes", &plan));
            sx_base_fail_after(-1);
            EXPECT(kind == 0 || kind == SUBX_ERR_NO_MEM);
            EXPECT_SAME(kind);
            EXPECT_EQUAL(plan == SUBX_FFT_PLAN_NULL, kind != 0);
            EXPECT_OK(subx_fft_plan_free(&plan));
        }
    EXPECT_OK(subx_fft_problem_free(&problem));
}

/* ---- communicators */

/* Plans that are freed leave no communicators, of which MPICH has about 2,000. */
CHECK(check_many)
{
    enum { MANY = 50 };
    const int before = test_communicators;
    static const setup s = {SUBX_FFT_C2C, 2, {4, 3}, "strategy=fused"};
    test_context("many plans");
    for (int i = 0; i < MANY; i++) {
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        if (!EXPECT_OK(create(MPI_COMM_WORLD, &s, test_nranks > 2 ? "2" : "1", "no", &plan)))
            break;
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    EXPECT_EQUAL(test_communicators, before);
}

CHECK(check_all_ranks)
{
    for (int i = 0; i < SETUPS; i++)
        check_ranks(&setups[i]);
    MPI_Comm shuffled = create_shuffled();
    for (int n = 1; n <= test_nranks; n++) {
        check_order(&setups[1], "fused", shuffled, n);
        check_order(&setups[2], "stride1", shuffled, n);
    }
    check_boxes(shuffled);
    PMPI_Comm_free(&shuffled);
}
