/* boxes_errors.c - wrong boxes. All ranks get the same error, and the error's text names the ranks and an
 * element.
 * ranks: 1 2 3 4 5 7 */
#include "common/boxes.h"
#include "common/verdict.h"
#include <stdio.h>
#include <string.h>
#include <subx_lowlevel.h>

enum { ROWS = 3, COLUMNS = 7 };

/* A rank's box in an array. If nothing is wrong, rank r has ROWS rows of COLUMNS elements, from row ROWS * r
 * on. */
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

/* Create this rank's box; NULL if the library refuses the box. */
static subx_boxes get_boxes(const problem *a)
{
    return test_boxes_create(2, a->sizes, 1, a->start, a->len, a->order);
}

static void expect_exch(const problem *held, const problem *wanted, int kind, const char *words)
{
    subx_exch ex = (subx_exch)&ex;
    subx_boxes send = get_boxes(held), recv = get_boxes(wanted);
    test_context("exchange, \"%s\"", words);
    EXPECT_REFUSED(subx_exch_create_boxes(MPI_COMM_WORLD, send, recv, MPI_INT, MPI_INFO_NULL, &ex), kind,
                   words);
    EXPECT(ex == SUBX_EXCH_NULL);
    EXPECT_OK(subx_boxes_free(&recv));
    EXPECT_OK(subx_boxes_free(&send));
}

static void expect_halo(const problem *a, const ptrdiff_t width[], MPI_Datatype type, int kind,
                        const char *words)
{
    subx_halo halo = (subx_halo)&halo;
    test_context("halo, \"%s\"", words);
    EXPECT_REFUSED(subx_halo_create(MPI_COMM_WORLD, 2, a->sizes, a->start, a->len, width, width, NULL,
                                    a->order, type, MPI_INFO_NULL, &halo),
                   kind, words);
    EXPECT(halo == SUBX_HALO_NULL);
}

static void expect_boxes(const problem *a, int must_cover, int kind, const char *words)
{
    subx_boxes boxes = get_boxes(a);
    test_context("boxes, \"%s\"", words);
    EXPECT_REFUSED(subx_boxes_check(MPI_COMM_WORLD, boxes, must_cover), kind, words);
    EXPECT_OK(subx_boxes_free(&boxes));
}

/* The boxes of the last two ranks overlap: the last box begins in the last row of the other one, at column
 * 2. */
CHECK(check_overlap)
{
    const problem good = get_problem();
    const ptrdiff_t width[] = {1, 1};
    problem a = good;
    char words[128];
    if (test_nranks == 1)
        return;
    if (test_is_last()) {
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

/* The last rank has two boxes that overlap. */
CHECK(check_twice)
{
    const problem a = get_problem();
    const ptrdiff_t first = a.start[0], starts[] = {first, 0, first + 1, 3}, lens[] = {2, 4, 2, 4};
    subx_exch ex = (subx_exch)&ex;
    char words[128];
    snprintf(words, sizeof words, "boxes of rank %d overlap at (%d,3)", test_nranks - 1,
             ROWS * (test_nranks - 1) + 1);
    subx_boxes good = get_boxes(&a),
               twice = test_boxes_create(2, a.sizes, test_is_last() ? 2 : 1, starts, lens, NULL);
    EXPECT_REFUSED(subx_boxes_check(MPI_COMM_WORLD, twice, 0), SUBX_ERR_OVERLAP, words);
    snprintf(words, sizeof words, "rank %d wants (%d,3) twice", test_nranks - 1,
             ROWS * (test_nranks - 1) + 1);
    test_context("wanted twice");
    EXPECT_REFUSED(subx_exch_create_boxes(MPI_COMM_WORLD, good, twice, MPI_INT, MPI_INFO_NULL, &ex),
                   SUBX_ERR_OVERLAP, words);
    EXPECT_OK(subx_boxes_free(&twice));
    EXPECT_OK(subx_boxes_free(&good));
}

/* No rank holds the last column of the last rank's rows. If rank 0 wants the whole array, the error names
 * rank 0. If each rank wants the rows that it should hold, the error names the last rank. */
CHECK(check_gap)
{
    const problem good = get_problem();
    const ptrdiff_t width[] = {1, 1};
    const int missing = ROWS * (test_nranks - 1);
    problem a = good, all = good;
    char words[128];
    if (test_is_last())
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
    subx_boxes boxes = get_boxes(&a);
    EXPECT_OK(subx_boxes_check(MPI_COMM_WORLD, boxes, 0));
    EXPECT_OK(subx_boxes_free(&boxes));
}

/* ---- functions of boxes, which are local */

static void expect_added(subx_boxes boxes, int count, ptrdiff_t elements)
{
    ptrdiff_t got = -1;
    int n = -1;
    EXPECT_OK(subx_boxes_get(boxes, NULL, NULL, &n, NULL, &got));
    EXPECT(n == count && got == elements);
}

/* A call that is refused must not change the boxes. */
CHECK(check_boxes)
{
    const ptrdiff_t sizes[] = {4, 5}, start[] = {1, 2}, len[] = {3, 3}, beyond[] = {2, 2},
                    negative[] = {-1, 2};
    const ptrdiff_t stride[] = {3, 1}, flat[] = {0, 1}, none[] = {3, 0}, far[] = {PTRDIFF_MAX, 1};
    const int order[] = {0, 1}, twice[] = {1, 1}, past[] = {1, 2};
    subx_boxes b = SUBX_BOXES_NULL, copy = SUBX_BOXES_NULL;
    int is_strided = -1;
    test_context("objects");
    EXPECT_OK(subx_boxes_create(2, sizes, &b));
    EXPECT_OK(subx_boxes_add_ordered(b, start, len, order));
    EXPECT_KIND(subx_boxes_add(b, beyond, len), SUBX_ERR_SIZE);
    EXPECT_KIND(subx_boxes_add(b, negative, len), SUBX_ERR_SIZE);
    EXPECT_KIND(subx_boxes_add(b, start, negative), SUBX_ERR_SIZE);
    EXPECT_KIND(subx_boxes_add(b, NULL, len), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_add(b, start, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_add(SUBX_BOXES_NULL, start, len), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_add_ordered(b, start, len, twice), SUBX_ERR_ORDER);
    EXPECT_KIND(subx_boxes_add_ordered(b, start, len, past), SUBX_ERR_ORDER);
    EXPECT_KIND(subx_boxes_add_strided(b, start, len, -1, stride), SUBX_ERR_SIZE);
    EXPECT_KIND(subx_boxes_add_strided(b, start, len, 0, negative), SUBX_ERR_SIZE);
    EXPECT_KIND(subx_boxes_add_strided(b, start, len, 0, flat), SUBX_ERR_SIZE);
    EXPECT_KIND(subx_boxes_add_strided(b, start, len, 0, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_add_strided(b, start, len, 0, far), SUBX_ERR_TOO_LARGE);
    EXPECT_KIND(subx_boxes_add_strided(b, start, len, PTRDIFF_MAX, stride), SUBX_ERR_TOO_LARGE);
    expect_added(b, 1, 9);
    EXPECT_OK(subx_boxes_get(b, NULL, NULL, NULL, &is_strided, NULL));
    EXPECT_EQUAL(is_strided, 0);
    EXPECT_KIND(subx_boxes_get(SUBX_BOXES_NULL, NULL, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_get_box(b, 1, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_get_box(b, -1, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_create_copy(SUBX_BOXES_NULL, &copy), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_create_copy(b, NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_boxes_create_copy(b, &copy));
    EXPECT_OK(subx_boxes_add_strided(copy, start, len, 20, stride));
    expect_added(copy, 2, 29);
    EXPECT_OK(subx_boxes_add_strided(copy, start, none, 40, flat));
    expect_added(copy, 3, 29);
    EXPECT_OK(subx_boxes_get(copy, NULL, NULL, NULL, &is_strided, NULL));
    EXPECT_EQUAL(is_strided, 1);
    expect_added(b, 1, 9);
    EXPECT_OK(subx_boxes_free(&copy));
    EXPECT_OK(subx_boxes_free(&b));
    EXPECT(b == SUBX_BOXES_NULL && copy == SUBX_BOXES_NULL);
    EXPECT_OK(subx_boxes_free(&b));
}

CHECK(check_creation)
{
    const ptrdiff_t sizes[] = {4, 5}, negative[] = {4, -5}, large[] = {PTRDIFF_MAX / 4, 5};
    subx_boxes b = (subx_boxes)&b;
    EXPECT_KIND(subx_boxes_create(2, negative, &b), SUBX_ERR_SIZE);
    EXPECT(b == SUBX_BOXES_NULL);
    EXPECT_KIND(subx_boxes_create(0, sizes, &b), SUBX_ERR_NDIMS);
    EXPECT_KIND(subx_boxes_create(SUBX_NDIMS_MAX + 1, sizes, &b), SUBX_ERR_NDIMS);
    EXPECT_KIND(subx_boxes_create(2, NULL, &b), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_create(2, sizes, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_boxes_create(2, large, &b), SUBX_ERR_TOO_LARGE);
}

/* ---- collective calls: only the last rank has wrong arguments */

CHECK(check_arguments)
{
    const problem good = get_problem();
    const ptrdiff_t width[] = {1, 1}, negative[] = {1, test_is_last() ? -1 : 1};
    problem a = good;
    subx_exch ex;
    if (test_is_last())
        a.start[0]++;
    expect_exch(&a, &good, SUBX_ERR_ARG, "argument");
    expect_exch(&good, &a, SUBX_ERR_ARG, "argument");
    expect_boxes(&a, 0, SUBX_ERR_ARG, "argument");
    expect_halo(&a, width, MPI_INT, SUBX_ERR_SIZE, "leaves the array");
    expect_halo(&good, negative, MPI_INT, SUBX_ERR_SIZE, "out of its range");
    a = good;
    if (test_is_last())
        a.order[0] = a.order[1];
    expect_halo(&a, width, MPI_INT, SUBX_ERR_ORDER, "permutation");
    expect_halo(&good, width, test_is_last() ? MPI_DATATYPE_NULL : MPI_INT, SUBX_ERR_TYPE, "datatype");
    subx_boxes b = get_boxes(&good);
    test_context("null arguments");
    EXPECT_REFUSED(subx_boxes_check(MPI_COMM_NULL, b, 0), SUBX_ERR_COMM, "communicator");
    EXPECT_REFUSED(subx_exch_create_boxes(MPI_COMM_NULL, b, b, MPI_INT, MPI_INFO_NULL, &ex), SUBX_ERR_COMM,
                   "communicator");
    EXPECT_REFUSED(subx_exch_create_boxes(MPI_COMM_WORLD, b, b, test_is_last() ? MPI_DATATYPE_NULL : MPI_INT,
                                          MPI_INFO_NULL, &ex),
                   SUBX_ERR_TYPE, "datatype");
    EXPECT_REFUSED(
        subx_exch_create_boxes(MPI_COMM_WORLD, b, b, MPI_INT, MPI_INFO_NULL, test_is_last() ? NULL : &ex),
        SUBX_ERR_ARG, "argument");
    EXPECT_OK(subx_boxes_free(&b));
}

/* A box of two elements whose strides lead beyond 63 bits. */
CHECK(check_bytes)
{
    const ptrdiff_t sizes[] = {PTRDIFF_MAX / 2}, start[] = {0}, len[] = {2}, stride[] = {PTRDIFF_MAX / 2};
    subx_boxes held = test_boxes_create(1, sizes, test_rank == 0, start, len, NULL);
    subx_boxes wanted = test_boxes_create(1, sizes, 0, NULL, NULL, NULL);
    subx_exch ex = (subx_exch)&ex;
    if (test_is_last())
        EXPECT_OK(subx_boxes_add_strided(wanted, start, len, 0, stride));
    test_context("a box that ends beyond 63 bits");
    EXPECT_REFUSED(subx_exch_create_boxes(MPI_COMM_WORLD, held, wanted, MPI_INT, MPI_INFO_NULL, &ex),
                   SUBX_ERR_TOO_LARGE, "too large");
    EXPECT_OK(subx_boxes_free(&wanted));
    EXPECT_OK(subx_boxes_free(&held));
}

static void expect_different(int ndims, const ptrdiff_t sizes[], int rank)
{
    const problem good = get_problem();
    subx_boxes usual = get_boxes(&good), other = test_boxes_create(ndims, sizes, 0, NULL, NULL, NULL);
    subx_exch ex = (subx_exch)&ex;
    const int is_other = test_rank == rank;
    test_context("an array of %d axes on rank %d", ndims, rank);
    EXPECT_REFUSED(
        subx_exch_create_boxes(MPI_COMM_WORLD, usual, is_other ? other : usual, MPI_INT, MPI_INFO_NULL, &ex),
        SUBX_ERR_DIFFERS, "must be equal");
    EXPECT(ex == SUBX_EXCH_NULL);
    EXPECT_OK(subx_boxes_free(&other));
    EXPECT_OK(subx_boxes_free(&usual));
}

/* First, one rank holds boxes of one array and wants boxes of another. Then ranks differ in the array, or in
 * must_cover. */
CHECK(check_differences)
{
    const ptrdiff_t longer[] = {(ptrdiff_t)ROWS * test_nranks, COLUMNS + 1};
    expect_different(2, longer, test_nranks - 1);
    expect_different(1, longer, 0);
    problem a = get_problem();
    const ptrdiff_t width[] = {1, 1};
    if (test_nranks == 1)
        return;
    a.sizes[0] += test_is_last();
    expect_exch(&a, &a, SUBX_ERR_DIFFERS, "must be equal");
    expect_boxes(&a, 1, SUBX_ERR_DIFFERS, "must be equal");
    expect_halo(&a, width, MPI_INT, SUBX_ERR_DIFFERS, "must be equal");
    a = get_problem();
    expect_boxes(&a, test_is_last(), SUBX_ERR_DIFFERS, "must be equal");
}

/* After all failures, an exchange without errors works. */
CHECK(check_success)
{
    const problem a = get_problem();
    int out[ROWS * COLUMNS], in[ROWS * COLUMNS];
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("success");
    for (int i = 0; i < ROWS * COLUMNS; i++)
        out[i] = test_rank + i;
    subx_boxes boxes = get_boxes(&a);
    EXPECT_OK(subx_exch_create_boxes(MPI_COMM_WORLD, boxes, boxes, MPI_INT, MPI_INFO_NULL, &ex));
    EXPECT_OK(subx_boxes_free(&boxes));
    EXPECT_OK(subx_exch_execute(ex, out, in));
    EXPECT(memcmp(out, in, sizeof in) == 0);
    EXPECT_KIND(subx_exch_execute(ex, out, out), SUBX_ERR_ALIAS);
    EXPECT_OK(subx_exch_free(&ex));
}

/* ---- subx_boxes_create_type */

static void expect_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], MPI_Datatype element, int kind)
{
    subx_boxes b = (subx_boxes)&b;
    EXPECT_KIND(subx_boxes_create_type(type, ndims, sizes, element, &b), kind);
    EXPECT(b == SUBX_BOXES_NULL);
}

CHECK(check_types)
{
    const ptrdiff_t sizes[] = {4, 5}, negative[] = {4, -5};
    MPI_Datatype gap, type;
    test_context("boxes of types");
    MPI_Type_create_resized(MPI_INT, 0, 8, &gap);
    MPI_Type_contiguous(2, gap, &type); /* a wrong element: it has a gap */
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
    EXPECT_KIND(subx_boxes_create_type(MPI_INT, 2, sizes, MPI_INT, NULL), SUBX_ERR_ARG);
    MPI_Type_free(&type);
    MPI_Type_free(&gap);
}
