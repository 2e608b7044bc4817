/* boxes_errors.c - wrong boxes: all ranks get the same error, and its text names the ranks and an element.
 * ranks: 1 2 3 4 5 7 */
#include "common/verdict.h"
#include <stdio.h>
#include <string.h>
#include <subx.h>
#include <subx_boxes.h>

enum { ROWS = 3, COLUMNS = 7 };

/* Rank r has ROWS rows of COLUMNS elements, from row ROWS * r on. */
typedef struct problem {
    ptrdiff_t sizes[2], start[2], len[2];
    int order[2];
} problem;

static problem get_problem(void)
{
    return (problem){.sizes = {(ptrdiff_t)ROWS * test_nranks, COLUMNS},
                     .start = {(ptrdiff_t)ROWS * test_rank, 0},
                     .len = {ROWS, COLUMNS},
                     .order = {1, 0}};
}

static int is_last(void)
{
    return test_rank == test_nranks - 1;
}

/* The kind of the error, and on all ranks the same text. */
static void expect_error(int rc, int kind, const char *words)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;
    EXPECT_EQUAL(subx_error_get_kind(rc), kind);
    MPI_Error_string(rc, text, &len);
    if (!EXPECT(strstr(text, words) != NULL))
        printf("rank %d: \"%s\", not \"%s\"\n", test_rank, text, words);
}

static void expect_exch(const problem *held, const problem *wanted, int kind, const char *words)
{
    subx_exch ex = (subx_exch)&ex;
    test_context("exchange, \"%s\"", words);
    expect_error(subx_exch_create_boxes(MPI_COMM_WORLD, 2, held->sizes, 1, held->start, held->len,
                                        held->order, 1, wanted->start, wanted->len, wanted->order, MPI_INT,
                                        MPI_INFO_NULL, &ex),
                 kind, words);
    EXPECT(ex == SUBX_EXCH_NULL);
}

static void expect_halo(const problem *a, const ptrdiff_t width[], MPI_Datatype type, int kind,
                        const char *words)
{
    subx_halo halo = (subx_halo)&halo;
    test_context("halo, \"%s\"", words);
    expect_error(subx_halo_create(MPI_COMM_WORLD, 2, a->sizes, a->start, a->len, width, width, NULL, a->order,
                                  type, MPI_INFO_NULL, &halo),
                 kind, words);
    EXPECT(halo == SUBX_HALO_NULL);
}

static void expect_boxes(const problem *a, int must_cover, int kind, const char *words)
{
    test_context("boxes, \"%s\"", words);
    expect_error(subx_boxes_check(MPI_COMM_WORLD, 2, a->sizes, 1, a->start, a->len, must_cover), kind, words);
}

/* The last rank also holds the last row of the rank before it. */
static void check_overlap(void)
{
    const problem good = get_problem();
    const ptrdiff_t width[] = {1, 1};
    problem a = good;
    char words[128];
    if (test_nranks == 1)
        return;
    if (is_last()) {
        a.start[0]--;
        a.start[1] = 2;
        a.len[1] = 3;
    }
    snprintf(words, sizeof words, "boxes of ranks %d and %d overlap at (%d,2)", test_nranks - 2,
             test_nranks - 1, ROWS * (test_nranks - 1) - 1);
    expect_exch(&a, &good, SUBX_ERR_OVERLAP, words);
    expect_boxes(&a, 0, SUBX_ERR_OVERLAP, words);
    expect_boxes(&a, 1, SUBX_ERR_OVERLAP, words);
    expect_halo(&a, width, MPI_INT, SUBX_ERR_OVERLAP, words);
}

/* The last rank has two boxes, with one element in common. */
static void check_twice(void)
{
    const problem a = get_problem();
    const ptrdiff_t first = a.start[0], starts[] = {first, 0, first + 1, 3}, lens[] = {2, 4, 2, 4};
    subx_exch ex = (subx_exch)&ex;
    char words[128];
    snprintf(words, sizeof words, "boxes of rank %d overlap at (%d,3)", test_nranks - 1,
             ROWS * (test_nranks - 1) + 1);
    expect_error(subx_boxes_check(MPI_COMM_WORLD, 2, a.sizes, is_last() ? 2 : 1, starts, lens, 0),
                 SUBX_ERR_OVERLAP, words);
    snprintf(words, sizeof words, "rank %d wants (%d,3) twice", test_nranks - 1,
             ROWS * (test_nranks - 1) + 1);
    test_context("wanted twice");
    expect_error(subx_exch_create_boxes(MPI_COMM_WORLD, 2, a.sizes, 1, a.start, a.len, NULL,
                                        is_last() ? 2 : 1, starts, lens, NULL, MPI_INT, MPI_INFO_NULL, &ex),
                 SUBX_ERR_OVERLAP, words);
}

/* The last rank holds nothing of its last column. Rank 0 wants all, and is told first. */
static void check_gap(void)
{
    const problem good = get_problem();
    const ptrdiff_t width[] = {1, 1};
    const int missing = ROWS * (test_nranks - 1);
    problem a = good, all = good;
    char words[128];
    if (is_last())
        a.len[1]--;
    if (test_rank == 0) {
        all.start[0] = 0;
        all.len[0] = all.sizes[0];
    }
    snprintf(words, sizeof words, "nobody holds (%d,%d), which rank 0 wants", missing, COLUMNS - 1);
    expect_exch(&a, &all, SUBX_ERR_GAP, words);
    snprintf(words, sizeof words, "nobody holds (%d,%d), which rank %d wants", missing, COLUMNS - 1,
             test_nranks - 1);
    expect_exch(&a, &good, SUBX_ERR_GAP, words);
    snprintf(words, sizeof words, "nobody holds (%d,%d)", missing, COLUMNS - 1);
    expect_boxes(&a, 1, SUBX_ERR_GAP, words);
    expect_halo(&a, width, MPI_INT, SUBX_ERR_GAP, words);
    EXPECT_OK(subx_boxes_check(MPI_COMM_WORLD, 2, a.sizes, 1, a.start, a.len, 0));
}

/* Only the last rank is wrong. */
static void check_arguments(void)
{
    const problem good = get_problem();
    const ptrdiff_t width[] = {1, 1}, negative[] = {1, is_last() ? -1 : 1};
    problem a = good;
    subx_exch ex;
    if (is_last())
        a.start[0]++;
    expect_exch(&a, &good, SUBX_ERR_SIZE, "leaves the array");
    expect_exch(&good, &a, SUBX_ERR_SIZE, "leaves the array");
    expect_boxes(&a, 0, SUBX_ERR_SIZE, "leaves the array");
    expect_halo(&a, width, MPI_INT, SUBX_ERR_SIZE, "leaves the array");
    expect_halo(&good, negative, MPI_INT, SUBX_ERR_SIZE, "out of its range");
    a = good;
    if (is_last())
        a.order[0] = a.order[1];
    expect_exch(&a, &good, SUBX_ERR_ORDER, "permutation");
    expect_exch(&good, &a, SUBX_ERR_ORDER, "permutation");
    expect_halo(&a, width, MPI_INT, SUBX_ERR_ORDER, "permutation");
    expect_halo(&good, width, is_last() ? MPI_DATATYPE_NULL : MPI_INT, SUBX_ERR_TYPE, "datatype");
    test_context("numbers of boxes and axes");
    expect_error(subx_boxes_check(MPI_COMM_WORLD, 2, good.sizes, is_last() ? -1 : 1, good.start, good.len, 0),
                 SUBX_ERR_ARG, "argument");
    expect_error(
        subx_boxes_check(MPI_COMM_WORLD, 2, good.sizes, 1, is_last() ? NULL : good.start, good.len, 0),
        SUBX_ERR_ARG, "argument");
    expect_error(subx_boxes_check(MPI_COMM_WORLD, is_last() ? 0 : 2, good.sizes, 1, good.start, good.len, 0),
                 SUBX_ERR_NDIMS, "dimensions");
    expect_error(subx_boxes_check(MPI_COMM_NULL, 2, good.sizes, 1, good.start, good.len, 0), SUBX_ERR_COMM,
                 "communicator");
    expect_error(subx_exch_create_boxes(MPI_COMM_WORLD, 2, good.sizes, 0, NULL, NULL, NULL, 0, NULL, NULL,
                                        NULL, MPI_INT, MPI_INFO_NULL, is_last() ? NULL : &ex),
                 SUBX_ERR_ARG, "argument");
}

static void check_differences(void)
{
    problem a = get_problem();
    const ptrdiff_t width[] = {1, 1};
    if (test_nranks == 1)
        return;
    a.sizes[0] += is_last();
    expect_exch(&a, &a, SUBX_ERR_DIFFERS, "ranks gave");
    expect_boxes(&a, 1, SUBX_ERR_DIFFERS, "ranks gave");
    expect_halo(&a, width, MPI_INT, SUBX_ERR_DIFFERS, "ranks gave");
    a = get_problem();
    expect_boxes(&a, is_last(), SUBX_ERR_DIFFERS, "ranks gave");
}

/* After all failures, the right problem is still right. */
static void check_success(void)
{
    const problem a = get_problem();
    int out[ROWS * COLUMNS], in[ROWS * COLUMNS];
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("success");
    for (int i = 0; i < ROWS * COLUMNS; i++)
        out[i] = test_rank + i;
    EXPECT_OK(subx_exch_create_boxes(MPI_COMM_WORLD, 2, a.sizes, 1, a.start, a.len, NULL, 1, a.start, a.len,
                                     NULL, MPI_INT, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_exch_execute(ex, out, in));
    EXPECT(memcmp(out, in, sizeof in) == 0);
    EXPECT_KIND(subx_exch_execute(ex, out, out), SUBX_ERR_ALIAS);
    EXPECT_OK(subx_exch_free(&ex));
}

/* ---- subx_type_get_boxes */

static void expect_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], MPI_Datatype element, int kind)
{
    int n = -1;
    EXPECT_KIND(subx_type_get_boxes(type, ndims, sizes, element, 0, &n, NULL, NULL, NULL, NULL), kind);
    EXPECT_EQUAL(n, -1);
}

static void check_types(void)
{
    const ptrdiff_t sizes[] = {4, 5}, negative[] = {4, -5};
    ptrdiff_t out[4];
    int n;
    MPI_Datatype gap, type;
    test_context("boxes of types");
    MPI_Type_create_resized(MPI_INT, 0, 8, &gap);
    MPI_Type_contiguous(2, gap, &type); /* as an element, it has a gap */
    expect_type(MPI_DATATYPE_NULL, 2, sizes, MPI_INT, SUBX_ERR_TYPE);
    expect_type(MPI_INT, 2, sizes, MPI_DATATYPE_NULL, SUBX_ERR_TYPE);
    expect_type(MPI_INT, 2, sizes, MPI_DOUBLE, SUBX_ERR_TYPE);
    expect_type(type, 2, sizes, type, SUBX_ERR_TYPE);
    expect_type(MPI_INT, 0, sizes, MPI_INT, SUBX_ERR_NDIMS);
    expect_type(MPI_INT, 2, negative, MPI_INT, SUBX_ERR_SIZE);
    expect_type(MPI_INT, 2, NULL, MPI_INT, SUBX_ERR_ARG);
    MPI_Type_free(&type);
    MPI_Type_contiguous(21, MPI_INT, &type);
    expect_type(type, 2, sizes, MPI_INT, SUBX_ERR_SIZE);
    EXPECT_KIND(subx_type_get_boxes(MPI_INT, 2, sizes, MPI_INT, 1, &n, out, out, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_type_get_boxes(MPI_INT, 2, sizes, MPI_INT, 1, NULL, out, out, out, out), SUBX_ERR_ARG);
    MPI_Type_free(&type);
    MPI_Type_free(&gap);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    check_overlap();
    check_twice();
    check_gap();
    check_arguments();
    check_differences();
    check_success();
    check_types();
    return test_end();
}
