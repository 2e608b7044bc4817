/* fft_plan.c - what can be queried of a plan: problem, grid, sequence, stages, times, texts. Also plans on
 * other communicators.
 * ranks: 1 2 3 4 5 7 */
#include "common/array.h"
#include "common/boxes.h"
#include "common/field.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

static const ptrdiff_t sizes[] = {6, 5, 8};

static subx_fft_plan create(int kind, const char *grid)
{
    const test_field f = {.kind = kind, .ndims = 3, .sizes = {6, 5, 8}};
    const test_choices c = {.grid = grid};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    EXPECT_OK(test_field_plan(&f, &c, MPI_COMM_WORLD, &plan));
    return plan;
}

static void check_problem(int kind)
{
    subx_fft_plan plan = create(kind, "0x0");
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    int kinds[3] = {-1, -1, -1}, ndims = -1, g = -1, dims[2] = {-1, -1};
    ptrdiff_t n[3] = {-1, -1, -1};
    test_context("problem of kind %d", kind);
    EXPECT_OK(subx_fft_plan_get(plan, &problem, &g, dims));
    EXPECT_OK(subx_fft_problem_get(problem, &ndims, kinds, n, NULL, NULL));
    EXPECT(kinds[0] == SUBX_FFT_C2C && kinds[1] == SUBX_FFT_C2C);
    EXPECT_EQUAL(kinds[2], kind == SUBX_FFT_C2C ? SUBX_FFT_C2C : SUBX_FFT_R2C);
    EXPECT_EQUAL(ndims, 3);
    EXPECT(n[0] == sizes[0] && n[1] == sizes[1] && n[2] == sizes[2]);
    EXPECT_EQUAL(g, 2);
    EXPECT_EQUAL(dims[0] * dims[1], test_nranks);
    EXPECT_OK(subx_fft_plan_get(plan, NULL, NULL, NULL));
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, NULL));
    EXPECT_KIND(subx_fft_plan_get_local(plan, 2, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get(SUBX_FFT_PLAN_NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* The default grid has one dimension (slabs) if slabs give all ranks data on both sides. */
CHECK(check_default_grid)
{
    subx_fft_plan plan = create(SUBX_FFT_C2C, NULL);
    int g = -1, dims[2] = {-1, -1};
    test_context("default grid");
    EXPECT_OK(subx_fft_plan_get(plan, NULL, &g, dims));
    if (test_nranks <= 5) {
        EXPECT_EQUAL(g, 1);
        EXPECT_EQUAL(dims[0], test_nranks);
    } else {
        /* 7 is prime and exceeds the lengths of axes 0 and 1, so no grid gives data to every rank. */
        EXPECT_EQUAL(g, 2);
        EXPECT_EQUAL(dims[0] * dims[1], test_nranks);
    }
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* ---- the caller's boxes decide the grid */

/* Create a plan of 12 x 10 x 8 elements. On the physical side the ranks' boxes are slabs along axis 1. On the
 * spectral side blocks have `block` elements along axis 0 (0: the library chooses). */
static subx_fft_plan create_slabs(const char *sequence, ptrdiff_t block)
{
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t start[3] = {0, 0, 0}, len[3] = {12, 10, 8};
    test_context("slabs along axis 1, sequence %s, blocks of %td", sequence, block);
    EXPECT_OK(subx_block_get(len[1], test_nranks, test_rank, &len[1], &start[1]));
    EXPECT_OK(subx_fft_problem_parse("c2c:12x10x8", &p));
    EXPECT_OK(test_boxes_set(p, SUBX_FFT_PHYSICAL, 1, start, len, NULL));
    EXPECT_OK(subx_fft_problem_set_block(p, SUBX_FFT_SPECTRAL, 0, block));
    MPI_Info hints = test_hints("sequence=%s", sequence);
    EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, p, hints, &plan));
    MPI_Info_free(&hints);
    EXPECT_OK(subx_fft_problem_free(&p));
    return plan;
}

/* Check along which axis the spectral side is divided. The plan's info and text must have the expected
 * sequence. */
static void check_slabs(const char *sequence, ptrdiff_t block, const char *expected, int divided)
{
    static const ptrdiff_t n[] = {12, 10, 8};
    subx_fft_plan plan = create_slabs(sequence, block);
    ptrdiff_t shape[3] = {-1, -1, -1}, start[3], len, first;
    char line[64];
    if (!plan)
        return;
    EXPECT_OK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape, start, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(
            subx_block_get(n[i], i == divided ? test_nranks : 1, i == divided ? test_rank : 0, &len, &first));
        EXPECT_EQUAL(shape[i], len);
        EXPECT_EQUAL(start[i], first);
    }
    test_plan_expect(plan, "subx_sequence", expected);
    snprintf(line, sizeof line, "sequence %s,", expected);
    EXPECT(test_plan_says(plan, TEST_PRINTED, line));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* If the caller gives no sequence, the plan takes the slabs as its grid, and transforms all other axes before
 * the axis that the slabs divide. The plan keeps a sequence that the caller gives. It also keeps blocks that
 * the caller gives: blocks of one element are too short for a grid of slabs, so the plan then does not take
 * the slabs. */
CHECK(check_boxes)
{
    if (test_nranks == 1)
        return;
    check_slabs("auto", 0, "2,0,1", 0);
    check_slabs("0,2,1", 0, "0,2,1", 2);
    check_slabs("2,1,0", 0, "2,1,0", 1);
    check_slabs("auto", 1, "auto", 1);
}

/* Strides determine the order of axes. The bytes of the array include gaps between elements, but no gap after
 * the last element. */
CHECK(check_strides)
{
    static const ptrdiff_t strides[] = {1, 9, 30};
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t shape[3] = {0, 0, 0}, bytes = 0, elements = 1;
    int order[3] = {-1, -1, -1};
    test_context("strides 1, 9, 30");
    EXPECT_OK(subx_fft_problem_parse("c2c:9x3x7", &p));
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_problem_set_strides(p, side, strides, 0));
    EXPECT_OK(subx_fft_plan_create_problem(MPI_COMM_WORLD, p, MPI_INFO_NULL, &plan));
    for (int side = 0; side < 2; side++) {
        EXPECT_OK(subx_fft_plan_get_local(plan, side, shape, NULL, order, &bytes));
        EXPECT(order[0] == 0 && order[1] == 1 && order[2] == 2);
        elements = 1;
        for (int i = 0; i < 3 && shape[0] * shape[1] * shape[2] > 0; i++)
            elements += (shape[i] - 1) * strides[i];
        EXPECT_EQUAL(bytes, 16 * elements);
    }
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_problem_free(&p));
}

static void execute(subx_fft_plan plan, int direction)
{
    ptrdiff_t bytes[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes[side]));
    void *a = calloc(1, (size_t)bytes[0]), *b = calloc(1, (size_t)bytes[1]);
    EXPECT_OK(direction == SUBX_FFT_FORWARD ? subx_fft_execute(plan, direction, a, b)
                                            : subx_fft_execute(plan, direction, b, a));
    free(a);
    free(b);
}

/* Get the times of all stages of a direction. Returns the sum of the stages' total times. Sets *last_sum to
 * the sum of their times in the last execution, and adds the number of stages of each kind to kinds[]. */
static double get_times(subx_fft_plan plan, int direction, double *last_sum, int kinds[4])
{
    int count = 0, kind = 0;
    double total_sum = 0, last, total;
    const char *name;
    *last_sum = 0;
    EXPECT_OK(subx_fft_plan_get_nstages(plan, direction, &count));
    for (int i = 0; i < count; i++) {
        EXPECT_OK(subx_fft_plan_get_stage(plan, direction, i, &kind, &name, &last, &total));
        EXPECT(kind >= SUBX_FFT_STAGE_SERIAL && kind <= SUBX_FFT_STAGE_SCALE);
        EXPECT(name && *name);
        EXPECT(last >= 0 && total >= last);
        kinds[kind & 3]++;
        *last_sum += last;
        total_sum += total;
    }
    EXPECT_KIND(subx_fft_plan_get_stage(plan, direction, count, &kind, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_stage(plan, direction, -1, &kind, NULL, NULL, NULL), SUBX_ERR_ARG);
    return total_sum;
}

static void check_stages(int direction)
{
    subx_fft_plan plan = create(SUBX_FFT_R2C, "0x0");
    double last = -1;
    int kinds[4] = {0};
    test_context("stages of direction %d", direction);
    EXPECT(get_times(plan, direction, &last, kinds) == 0 && last == 0);
    EXPECT(kinds[SUBX_FFT_STAGE_SERIAL] >= 1 && kinds[SUBX_FFT_STAGE_SERIAL] <= 3);
    EXPECT(test_nranks == 1 || kinds[SUBX_FFT_STAGE_EXCHANGE] >= 1);
    execute(plan, direction);
    double once = get_times(plan, direction, &last, kinds);
    EXPECT(once > 0 && last > 0);
    execute(plan, direction);
    EXPECT(get_times(plan, direction, &last, kinds) >= once);
    EXPECT_OK(subx_fft_plan_set_times_zero(plan));
    EXPECT(get_times(plan, direction, &last, kinds) == 0 && last == 0);
    EXPECT_KIND(subx_fft_plan_get_nstages(plan, 0, &(int){0}), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

static int create_within(ptrdiff_t bytes, const char *effort, subx_fft_plan *plan)
{
    const test_field f = {.kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {6, 5, 8}};
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)bytes);
    const test_choices c = {.grid = "0x0", .more = {{"subx_memory", text}, {"subx_effort", effort}}};
    return test_field_plan(&f, &c, MPI_COMM_WORLD, plan);
}

/* A plan can be created if the limit on work space equals its work space, but not if the limit is one
 * byte. */
CHECK(check_work)
{
    subx_fft_plan plan = create(SUBX_FFT_C2C, "0x0");
    ptrdiff_t bytes = -1;
    test_context("work space");
    EXPECT_OK(subx_fft_plan_get_work(plan, &bytes));
    EXPECT(bytes >= 0); /* 0 on ranks without data */
    EXPECT_KIND(subx_fft_plan_get_work(plan, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_work(SUBX_FFT_PLAN_NULL, &bytes), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_plan_free(&plan));
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_COUNT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT(bytes > 0);
    for (int i = 0; i < 2; i++) {
        const char *effort = i ? "measure" : "estimate";
        EXPECT_OK(create_within(bytes, effort, &plan));
        EXPECT_OK(subx_fft_plan_free(&plan));
        EXPECT_KIND(create_within(1, effort, &plan), SUBX_ERR_NO_MEM);
        EXPECT(plan == SUBX_FFT_PLAN_NULL);
    }
}

/* Get the work space of all ranks together, in bytes. */
static ptrdiff_t sum_work(const char *engine)
{
    const test_field f = {.kind = SUBX_FFT_C2C, .ndims = 3, .sizes = {6, 5, 8}};
    const test_choices c = {.grid = "0", .engine = engine, .more = {{"radix", "2"}, {"slices", "1"}}};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t bytes = 0;
    EXPECT_OK(test_field_plan(&f, &c, MPI_COMM_WORLD, &plan));
    EXPECT_OK(subx_fft_plan_get_work(plan, &bytes));
    EXPECT_OK(subx_fft_plan_free(&plan));
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_COUNT, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* If engine kway has several rounds, it forwards blocks, and the work space has room for these. Of the
 * numbers of ranks of this test, only four gives several rounds. */
CHECK(check_forwarded)
{
    test_context("work space of kway");
    EXPECT_EQUAL(sum_work("kway") > sum_work("pairwise"), test_nranks == 4);
}

CHECK(check_print)
{
    subx_fft_plan plan = create(SUBX_FFT_R2C, NULL);
    char text[8192], cut[40];
    size_t needed = 0, again = 0;
    test_context("print");
    memset(cut, '#', sizeof cut);
    EXPECT_OK(subx_fft_plan_print(plan, sizeof text, text, &needed));
    EXPECT(needed > 0 && needed < sizeof text && strlen(text) == needed);
    EXPECT(strstr(text, "r2c:6x5x8") != NULL);
    EXPECT_OK(subx_fft_plan_print(plan, 20, cut, &again));
    EXPECT(again == needed && strlen(cut) == 19 && strncmp(cut, text, 19) == 0 && cut[20] == '#');
    EXPECT_OK(subx_fft_plan_print(plan, 0, NULL, &again));
    EXPECT_KIND(subx_fft_plan_print(plan, 5, NULL, &again), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* Two groups of ranks have plans of different problems at the same time. Then all ranks have a plan on a
 * communicator with the ranks in reverse order. */
CHECK(check_other_communicators)
{
    MPI_Comm half, reversed;
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, test_rank, &half);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &reversed);
    test_field f = test_field_create(test_rank % 2 ? SUBX_FFT_R2C : SUBX_FFT_C2C, 3, sizes, test_seed());
    const MPI_Comm comm[] = {half, reversed};
    const test_choices c = {0};
    for (int i = 0; i < 2; i++) {
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("other communicators, %d", i);
        if (i == 1) {
            test_field_free(&f);
            f = test_field_create(SUBX_FFT_R2C, 3, sizes, test_seed());
        }
        EXPECT_OK(test_field_plan(&f, &c, comm[i], &plan));
        test_field_check(&f, plan, (double)f.count);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
    test_field_free(&f);
    MPI_Comm_free(&half);
    MPI_Comm_free(&reversed);
}

/* ---- every rank can explain any plan in both formats, before and after an execution: bricks, a factored axis,
 * real-to-real kinds, ranks without data, idle ranks */

/* The text must contain the problem, and end as its format demands. */
static void check_text(subx_fft_plan plan, const char *problem, int format)
{
    char *text = test_plan_get_text(plan, format);
    EXPECT(strstr(text, problem) != NULL);
    EXPECT(strcmp(text + strlen(text) - (format == SUBX_FFT_JSON ? 2 : 1),
                  format == SUBX_FFT_JSON ? "}\n" : "\n") == 0);
    free(text);
}

static void check_texts(subx_fft_plan plan, const char *problem)
{
    check_text(plan, problem, SUBX_FFT_TEXT);
    check_text(plan, problem, SUBX_FFT_JSON);
}

static void explain(const char *text, const char *hints)
{
    subx_fft_plan plan;
    test_context("%s, %s", text, hints);
    if (EXPECT_OK(test_plan_create(text, hints, &plan))) {
        check_texts(plan, text);
        execute(plan, SUBX_FFT_FORWARD);
        check_texts(plan, text);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

CHECK(check_explanations)
{
    char bricks[64], some[64];
    snprintf(bricks, sizeof bricks, "wisdom=none grid=1x%dx1", test_nranks);
    snprintf(some, sizeof some, "wisdom=none ranks=%d", (test_nranks + 1) / 2);
    explain("r2c:6x5x8", bricks);
    explain("c2c:60*2", "wisdom=none effort=estimate");
    explain("2*dct2,dst1,r2hc:6x5x8", "wisdom=none strategy=stride1");
    explain("c2c:6x5x8", "wisdom=none node_ranks=2");
    explain("c2c:6x5x8", "wisdom=none effort=measure");
    explain("c2c:2x2", "wisdom=none grid=0");
    explain("c2c:6x5x8", some);
}

CHECK(check_problems_and_stages)
{
    check_problem(SUBX_FFT_C2C);
    check_problem(SUBX_FFT_R2C);
    check_problem(SUBX_FFT_C2R);
    check_stages(SUBX_FFT_FORWARD);
    check_stages(SUBX_FFT_BACKWARD);
}
