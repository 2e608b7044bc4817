/* fft_problem_errors.c - wrong problems and arguments, and problems that have no plan. All ranks get the same
 * kind of error and no plan, no rank waits for ever, and a good plan can be created
 * afterwards. (tests/unit/problem.c has the errors of the setters, which are local.)
 * ranks: 1 2 3 5 (four would repeat three: the checks only tell one rank from several) */
#include "common/boxes.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_fft.h>

static subx_fft_problem parse(const char *text)
{
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(text, &p));
    return p;
}

/* ---- plans */

static int create(subx_fft_problem p, const char *text, subx_fft_plan *plan)
{
    MPI_Info hints = test_hints("%s", text);
    int rc = subx_fft_plan_create_problem(MPI_COMM_WORLD, p, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

static void expect_good_plan(void)
{
    subx_fft_problem p = parse("c2c:6x5x7");
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    ptrdiff_t bytes[2];
    EXPECT_OK(create(p, "", &plan));
    for (int side = 0; side < 2; side++)
        EXPECT_OK(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &bytes[side]));
    void *array = calloc(1, (size_t)(bytes[0] > bytes[1] ? bytes[0] : bytes[1]));
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, array, array));
    free(array);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_problem_free(&p));
}

/* Expect the same kind of error on all ranks: `kind`, or `other` if two kinds are allowed. The text of the
 * error must contain `words`. Frees the problem. */
static void expect_refused(subx_fft_problem p, const char *hints, int kind, int other, const char *words)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    EXPECT_REFUSED_OR(create(p, hints, &plan), kind, other, words);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    EXPECT_OK(subx_fft_problem_free(&p));
    expect_good_plan();
}

/* All ranks have the wrong problem or hints. Then only the last rank has them; the other ranks have a good
 * problem and no hints. */
static void expect_refusal(const char *text, const char *hints, int kind)
{
    test_context("%s, %s", text, hints);
    expect_refused(parse(text), hints, kind, kind, "");
    test_context("%s, %s, on the last rank", text, hints);
    expect_refused(parse(test_is_last() ? text : "c2c:6x5x7"), test_is_last() ? hints : "", kind,
                   test_nranks > 1 ? SUBX_ERR_DIFFERS : kind, "");
}

static void expect_accepted(const char *text, const char *hints)
{
    subx_fft_problem p = parse(text);
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("%s, %s", text, hints);
    EXPECT_OK(create(p, hints, &plan));
    EXPECT(plan != SUBX_FFT_PLAN_NULL);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_problem_free(&p));
}

/* ---- problems that a strategy or an engine cannot solve */

/* Strategies stride1 and natural, and the engines that only these two have, cannot solve these problems. */
static const char *const beyond[] = {"c2c:4x4x4>6x6x6", "c2c:6x6x6>6x6x6>4x4x4", "c2c:6x5x7/operation",
                                     "c2c:12x10x7/physical-block=12x10x0/spectral-block=12x10x0",
                                     "-,-,-:6x5x7"};

CHECK(check_strategies)
{
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        expect_refusal(beyond[i], "strategy=stride1", SUBX_ERR_UNAVAILABLE);
        expect_refusal(beyond[i], "strategy=natural", SUBX_ERR_UNAVAILABLE);
        expect_refusal(beyond[i], "engine=types", SUBX_ERR_UNAVAILABLE);
        expect_refusal(beyond[i], "engine=alltoallw", SUBX_ERR_UNAVAILABLE);
        expect_refusal(beyond[i], "engine=alltoallw effort=measure", SUBX_ERR_UNAVAILABLE);
        /* hints that are wrong for any problem */
        expect_refusal(beyond[i], "engine=alltoallw strategy=fused", SUBX_ERR_HINT);
        expect_refusal(beyond[i], "engine=steam", SUBX_ERR_HINT);
        expect_refusal(beyond[i], "strategy=luck", SUBX_ERR_HINT);
        expect_accepted(beyond[i], "");
        expect_accepted(beyond[i], "strategy=fused");
        expect_accepted(beyond[i], "effort=measure");
    }
    expect_refusal("c2c:6x5x7", "scaling=orthonormal strategy=stride1", SUBX_ERR_UNAVAILABLE);
    expect_accepted("c2c:6x5x7", "scaling=orthonormal");
}

/* Compilers load quads from multiples of 16 only. */
static void check_quads(subx_fft_plan plan)
{
    static union {
        long double aligned;
        char bytes[16 * 2 * 6 * 5 * 7 + 16];
    } array[2];
    char *from = array[0].bytes, *to = array[1].bytes;
    EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, from + 8, to), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, from, to + 1), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_start(plan, SUBX_FFT_BACKWARD, from + 1, to + 1));
    EXPECT_KIND(subx_fft_wait(plan), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, from, to));
}

/* Not every build can transform long doubles and quads. All ranks must get a plan, or all must get the error
 * UNAVAILABLE. */
CHECK(check_precisions)
{
    static const char *const texts[] = {"c2c.long:6x5x7", "c2c.f128:6x5x7"};
    static const char *const hints[] = {"serial=fftw3", "serial=naive", ""};
    for (int i = 0; i < 6; i++) {
        subx_fft_problem p = parse(texts[i / 3]);
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("%s, %s", texts[i / 3], hints[i % 3]);
        const int kind = subx_error_get_kind(create(p, hints[i % 3], &plan));
        EXPECT(kind == SUBX_ERR_NONE || kind == SUBX_ERR_UNAVAILABLE);
        EXPECT_SAME(kind);
        EXPECT_EQUAL(plan != SUBX_FFT_PLAN_NULL, kind == SUBX_ERR_NONE);
        if (plan && i / 3 == 1)
            check_quads(plan);
        EXPECT_OK(subx_fft_plan_free(&plan));
        EXPECT_OK(subx_fft_problem_free(&p));
        if (kind)
            expect_refusal(texts[i / 3], hints[i % 3], SUBX_ERR_UNAVAILABLE);
    }
}

/* ---- hints that do not suit a problem */

CHECK(check_sequences)
{
    static const char *const wrong[] = {"0,1",
                                        "0,1,2,0",
                                        "0,1,3",
                                        "0,0,1",
                                        "2,1,0,",
                                        ",2,1,0",
                                        "2 1 0",
                                        "a,b,c",
                                        "-1,0,1",
                                        "2,,1",
                                        "99999999999999999999,1,0"};
    char hint[128];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(hint, sizeof hint, "sequence=%s", wrong[i]);
        if (!strchr(wrong[i], ' '))
            expect_refusal("c2c:6x5x7", hint, SUBX_ERR_HINT);
    }
    expect_refusal("c2c,-,c2c:6x5x7", "sequence=0,1,2", SUBX_ERR_HINT); /* axis 1 is not transformed */
    expect_refusal("r2c:6x5x7", "sequence=0,1,2", SUBX_ERR_HINT);       /* the halved axis must come first */
    expect_refusal("3*c2c:6x5", "sequence=0,1,2", SUBX_ERR_HINT);       /* there is no axis 2 */
    expect_accepted("c2c:6x5x7", "sequence=0,2,1");
    expect_accepted("c2c,-,c2c:6x5x7", "sequence=0,2");
}

CHECK(check_grids)
{
    expect_refusal("c2c:6x5x7", "grid=1000", SUBX_ERR_GRID);
    expect_refusal("c2c:6x5x7", "grid=1000x0", SUBX_ERR_GRID);
    expect_refusal("c2c:6x5x7", "grid=0x0x0x0", SUBX_ERR_GRID);
    expect_refusal("c2c:7", "grid=0x0", test_nranks > 1 ? SUBX_ERR_FACTOR : SUBX_ERR_GRID);
    expect_refusal("c2c:12", "grid=0x0", SUBX_ERR_GRID);
    expect_refusal("-,-,-:6x5x7", "grid=0x0x0x0", SUBX_ERR_GRID);
    expect_refusal("c2c:6x5x7", "grid=7x1x1", SUBX_ERR_GRID);
    expect_refusal("c2c:6x5x7", "grid=3000000000x1x1", SUBX_ERR_GRID);
    expect_refusal("c2c:6x5x7", "grid=2by2", SUBX_ERR_HINT);
    expect_accepted("c2c:6x5x7", "grid=0x0x0");
}

CHECK(check_factors)
{
    if (test_nranks == 1) {
        expect_accepted("c2c:7", "");
        return;
    }
    expect_refusal("c2c:7", "", SUBX_ERR_FACTOR);
    expect_refusal("c2c:1", "", SUBX_ERR_FACTOR);
    expect_refusal("5*c2c:1009", "", SUBX_ERR_FACTOR);
    expect_refusal("r2c:12", "", SUBX_ERR_UNAVAILABLE);
    expect_refusal("dct2:12", "", SUBX_ERR_UNAVAILABLE);
    expect_refusal("c2c:6>12", "", SUBX_ERR_UNAVAILABLE);
    expect_refusal("c2c:12/operation", "", SUBX_ERR_UNAVAILABLE);
    expect_refusal("c2c:12", "strategy=stride1", SUBX_ERR_UNAVAILABLE);
    expect_accepted("c2c:40/spectral-block=20", "output_order=transposed");
    expect_accepted("c2c:12", "output_order=transposed");
}

/* If an axis is divided, the caller's blocks must be so long that all ranks together have the whole axis.
 * Blocks of other axes are ignored. */
CHECK(check_blocks)
{
    char grid[64];
    expect_accepted("c2c:40x40x40/physical-block=0x0x1", "");
    if (test_nranks == 1)
        return;
    expect_refusal("c2c:40x40x40/physical-block=7x0x0", "", SUBX_ERR_SIZE);
    expect_refusal("c2c:40x40x40/spectral-block=0x7x0", "", SUBX_ERR_SIZE);
    snprintf(grid, sizeof grid, "grid=1x%d", test_nranks);
    expect_refusal("c2c:40x40x40/physical-block=0x7x0", grid, SUBX_ERR_SIZE);
    snprintf(grid, sizeof grid, "grid=1x%dx1", test_nranks);
    expect_refusal("c2c:40x40x40/physical-block=0x7x0", grid, SUBX_ERR_SIZE);
    expect_refusal("c2c:40x40x40/spectral-block=0x7x0", grid, SUBX_ERR_SIZE);
    expect_refusal("c2c:40/physical-block=7", "", SUBX_ERR_SIZE);
    expect_refusal("c2c:40/spectral-block=7", "", SUBX_ERR_SIZE);
    expect_refusal("-,c2c,c2c:40x5x5/physical-block=20x0x0", "", SUBX_ERR_UNAVAILABLE);
}

/* ---- problems that differ between ranks */

CHECK(check_differences)
{
    static const char *const texts[] = {"r2c:6x5x7",
                                        "c2c:6x5x8",
                                        "c2c:6x5",
                                        "c2c.f32:6x5x7",
                                        "2*c2c:6x5x7",
                                        "c2c:6x5x7*2",
                                        "c2c:6x4x7>6x5x7",
                                        "c2c:6x5x7>6x5x7>6x5x6",
                                        "c2c:6x5x7/spectral-order=0,1,2",
                                        "c2c:6x5x7/physical-block=6x0x0",
                                        "c2c:6x5x7/operation",
                                        "dct2:6x5x7"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts && test_nranks > 1; i++) {
        test_context("the last rank has %s", texts[i]);
        expect_refused(parse(test_is_last() ? texts[i] : "c2c:6x5x7"), "", SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS,
                       "");
    }
    test_context("strides on the last rank");
    subx_fft_problem p = parse("c2c:6x5x7");
    const ptrdiff_t strides[] = {35, 7, 1};
    if (test_is_last())
        EXPECT_OK(subx_fft_problem_set_strides(p, SUBX_FFT_SPECTRAL, strides, 0));
    if (test_nranks > 1)
        expect_refused(p, "", SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS, "");
    else
        EXPECT_OK(subx_fft_problem_free(&p));
}

/* ---- boxes: each rank has ROWS rows */

enum { ROWS = 6 };

typedef struct rows {
    ptrdiff_t start[3], len[3];
} rows;

static subx_fft_problem create_rows(int ndims, rows *r)
{
    const int kinds[] = {SUBX_FFT_C2C, SUBX_FFT_C2C, SUBX_FFT_C2C};
    const ptrdiff_t sizes[] = {(ptrdiff_t)ROWS * test_nranks, 5, 7};
    const ptrdiff_t mine = sizes[0] / test_nranks;
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    *r = (rows){{mine * test_rank, 0, 0}, {mine, 5, 7}};
    EXPECT_OK(subx_fft_problem_create(ndims, kinds, sizes, &p));
    return p;
}

static void set_rows(subx_fft_problem p, int side, const rows *r)
{
    EXPECT_OK(test_boxes_set(p, side, 1, r->start, r->len, NULL));
}

static void check_overlap(int side, int ndims)
{
    rows r;
    char words[128];
    subx_fft_problem p = create_rows(ndims, &r);
    if (test_is_last() && test_rank > 0)
        r.start[0]--;
    set_rows(p, side, &r);
    snprintf(words, sizeof words, "boxes of ranks %d and %d overlap at (%d", test_nranks - 2, test_nranks - 1,
             ROWS * (test_nranks - 1) - 1);
    test_context("overlap on side %d, %d axes", side, ndims);
    if (test_nranks > 1)
        expect_refused(p, "", SUBX_ERR_OVERLAP, SUBX_ERR_OVERLAP, words);
    else
        EXPECT_OK(subx_fft_problem_free(&p));
}

static void check_gap(int side, int ndims)
{
    rows r;
    char words[128];
    subx_fft_problem p = create_rows(ndims, &r);
    if (test_is_last())
        r.len[0]--;
    set_rows(p, side, &r);
    snprintf(words, sizeof words, "nobody holds (%d", ROWS * test_nranks - 1);
    test_context("gap on side %d, %d axes", side, ndims);
    expect_refused(p, "", SUBX_ERR_GAP, SUBX_ERR_GAP, words);
}

/* The last rank sets no boxes on this side, while the other ranks do. Then it sets an empty subx_boxes
 * object. */
static void check_missing_boxes(int side)
{
    rows r;
    subx_fft_problem p = create_rows(3, &r);
    if (!test_is_last())
        set_rows(p, side, &r);
    test_context("one rank lets the library distribute side %d", side);
    if (test_nranks > 1)
        expect_refused(p, "", SUBX_ERR_DIFFERS, SUBX_ERR_DIFFERS, "");
    else
        EXPECT_OK(subx_fft_problem_free(&p));
    p = create_rows(3, &r);
    if (test_is_last())
        EXPECT_OK(test_boxes_set(p, side, 0, NULL, NULL, NULL));
    else
        set_rows(p, side, &r);
    test_context("one rank has no boxes on side %d", side);
    expect_refused(p, "", SUBX_ERR_GAP, SUBX_ERR_GAP, "nobody holds");
}

/* On the last rank, the strides lead to offsets beyond 63 bits. */
static void check_strides(int has_boxes)
{
    const ptrdiff_t far[] = {PTRDIFF_MAX / 4, 7, 1}, near[] = {35, 7, 1};
    rows r;
    subx_fft_problem p = create_rows(3, &r);
    if (has_boxes)
        set_rows(p, SUBX_FFT_SPECTRAL, &r);
    EXPECT_OK(subx_fft_problem_set_strides(p, SUBX_FFT_SPECTRAL, test_is_last() ? far : near, 0));
    test_context("strides beyond 63 bits, %s", has_boxes ? "a box" : "no box");
    expect_refused(p, "grid=0", SUBX_ERR_TOO_LARGE, SUBX_ERR_TOO_LARGE, "");
}

CHECK(check_engines_with_boxes)
{
    static const char *const hints[] = {"engine=types", "engine=alltoallw", "strategy=stride1",
                                        "strategy=natural"};
    rows r;
    for (int i = 0; i < 4; i++) {
        subx_fft_problem p = create_rows(3, &r);
        set_rows(p, i % 2, &r);
        test_context("boxes, %s", hints[i]);
        expect_refused(p, hints[i], SUBX_ERR_UNAVAILABLE, SUBX_ERR_UNAVAILABLE, "");
    }
}

/* ---- arguments of subx_fft_plan_create */

typedef struct arguments {
    int kind, ndims;
    ptrdiff_t sizes[3];
    const char *key, *value;
} arguments;

static const arguments good = {SUBX_FFT_C2C, 3, {6, 5, 4}, "grid", "0"};

/* `words` are in the text of the error; NULL: ranks may also be found to differ. */
static void expect_wrong(const arguments *a, int kind, const char *words)
{
    subx_fft_plan plan = (subx_fft_plan)&plan;
    MPI_Info hints = test_hints("%s=%s", a->key, a->value);
    test_context("kind %d, %d axes, %s=%s", a->kind, a->ndims, a->key, a->value);
    EXPECT_REFUSED_OR(subx_fft_plan_create(MPI_COMM_WORLD, a->kind, a->ndims, a->sizes, hints, &plan), kind,
                      words || test_nranks == 1 ? kind : SUBX_ERR_DIFFERS, words ? words : "");
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    MPI_Info_free(&hints);
}

/* All ranks have a wrong argument, then only the last rank has it. */
CHECK(check_wrong_arguments)
{
    static const struct {
        arguments a;
        int kind;
    } wrong[] = {
        {{99, 3, {6, 5, 4}, "grid", "0"}, SUBX_ERR_ARG},
        {{-1, 3, {6, 5, 4}, "grid", "0"}, SUBX_ERR_ARG},
        {{SUBX_FFT_C2C, 0, {6, 5, 4}, "grid", "0"}, SUBX_ERR_NDIMS},
        {{SUBX_FFT_C2C, SUBX_NDIMS_MAX + 1, {6, 5, 4}, "grid", "0"}, SUBX_ERR_NDIMS},
        {{SUBX_FFT_C2C, 3, {6, 0, 4}, "grid", "0"}, SUBX_ERR_SIZE},
        {{SUBX_FFT_R2C, 3, {6, 5, -4}, "grid", "0"}, SUBX_ERR_SIZE},
        {{SUBX_FFT_C2C, 3, {(ptrdiff_t)1 << 40, (ptrdiff_t)1 << 40, 4}, "grid", "0"}, SUBX_ERR_TOO_LARGE}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_wrong(&wrong[i].a, wrong[i].kind, "");
        expect_wrong(test_is_last() ? &wrong[i].a : &good, wrong[i].kind, NULL);
    }
}

/* Each rank's arguments are valid, but ranks have different ones. The text has the values of the first and
 * the last rank. */
CHECK(check_different_arguments)
{
    static const char *const keys[][3] = {{"strategy", "natural", "stride1"},
                                          {"output_order", "natural", "transposed"},
                                          {"scaling", "none", "symmetric"},
                                          {"engine", "alltoallv", "alltoallw"},
                                          {"engine", "alltoallv", "pairwise"}};
    arguments a = good;
    if (test_nranks == 1)
        return;
    a.sizes[2] += test_is_last();
    expect_wrong(&a, SUBX_ERR_DIFFERS, "c2c:6x5x4");
    expect_wrong(&a, SUBX_ERR_DIFFERS, "c2c:6x5x5");
    a = good;
    a.kind = test_is_last() ? SUBX_FFT_R2C : SUBX_FFT_C2C;
    expect_wrong(&a, SUBX_ERR_DIFFERS, "\"r2c");
    a = good;
    a.ndims -= test_is_last();
    expect_wrong(&a, SUBX_ERR_DIFFERS, "");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        a = good;
        a.key = keys[i][0];
        a.value = keys[i][1 + test_is_last()];
        expect_wrong(&a, SUBX_ERR_DIFFERS, keys[i][1]);
        expect_wrong(&a, SUBX_ERR_DIFFERS, keys[i][2]);
    }
}

/* ---- null arguments; operations on a plan whose problem does not allow operations */

CHECK(check_null_arguments)
{
    subx_fft_problem p = parse("c2c:6x5x7"), none = SUBX_FFT_PROBLEM_NULL;
    subx_fft_plan plan = (subx_fft_plan)&plan;
    test_context("null arguments");
    EXPECT_KIND(subx_fft_plan_create_problem(MPI_COMM_NULL, p, MPI_INFO_NULL, &plan), SUBX_ERR_COMM);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    EXPECT_KIND(subx_fft_plan_create_problem(MPI_COMM_WORLD, p, MPI_INFO_NULL, test_is_last() ? NULL : &plan),
                SUBX_ERR_ARG);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    EXPECT_REFUSED_OR(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, 3,
                                           test_is_last() ? NULL : good.sizes, MPI_INFO_NULL, &plan),
                      SUBX_ERR_ARG, test_nranks > 1 ? SUBX_ERR_DIFFERS : -1, "");
    EXPECT_KIND(subx_fft_plan_create(MPI_COMM_NULL, SUBX_FFT_C2C, 3, good.sizes, MPI_INFO_NULL, &plan),
                SUBX_ERR_COMM);
    EXPECT_KIND(subx_fft_execute(SUBX_FFT_PLAN_NULL, SUBX_FFT_FORWARD, &p, &p), SUBX_ERR_ARG);
    expect_refused(none, "", SUBX_ERR_ARG, SUBX_ERR_ARG, "");
    expect_refused(test_is_last() ? none : parse("c2c:6x5x7"), "", SUBX_ERR_ARG, SUBX_ERR_ARG, "");
    EXPECT_KIND(subx_fft_execute_convolution(SUBX_FFT_PLAN_NULL, &p, &p, SUBX_FFT_OPERATION_NULL),
                SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_problem_free(&p));
}

/* If the plan does not allow operations, the library must refuse an operation without reading it. */
CHECK(check_operations)
{
    static const char *const hints[] = {"strategy=fused", "strategy=stride1"};
    double array[2 * 7 * 8] = {0};
    subx_fft_operation op = (subx_fft_operation)(void *)array;
    for (int i = 0; i < 2; i++) {
        subx_fft_problem p = parse("c2c:7x8");
        subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
        test_context("operations, %s", hints[i]);
        EXPECT_OK(create(p, hints[i], &plan));
        EXPECT_KIND(subx_fft_execute_operation(plan, SUBX_FFT_FORWARD, array, array, op), SUBX_ERR_ARG);
        EXPECT_KIND(subx_fft_execute_operation(plan, SUBX_FFT_BACKWARD, array, array, op), SUBX_ERR_ARG);
        EXPECT_KIND(subx_fft_execute_convolution(plan, array, array, op), SUBX_ERR_ARG);
        EXPECT_KIND(subx_fft_execute(plan, 0, array, array), SUBX_ERR_ARG);
        EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, NULL, array), SUBX_ERR_ARG);
        EXPECT_KIND(subx_fft_execute(plan, SUBX_FFT_FORWARD, array, NULL), SUBX_ERR_ARG);
        EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, array, array));
        EXPECT_OK(subx_fft_plan_free(&plan));
        EXPECT_OK(subx_fft_problem_free(&p));
    }
    subx_fft_problem p = parse("c2c:7x8/operation");
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    test_context("operations that are missing");
    EXPECT_OK(create(p, "", &plan));
    EXPECT_KIND(subx_fft_execute_convolution(plan, array, array, SUBX_FFT_OPERATION_NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_execute_operation(plan, SUBX_FFT_FORWARD, array, array, SUBX_FFT_OPERATION_NULL));
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_problem_free(&p));
}

CHECK(check_sides)
{
    for (int side = 0; side < 2; side++) {
        for (int ndims = 1; ndims <= 3; ndims += 2) {
            check_overlap(side, ndims);
            check_gap(side, ndims);
        }
        check_missing_boxes(side);
        check_strides(side);
    }
    expect_good_plan();
}
