/* types.c - each allocation fails in turn in functions on types and on operations of plans. The function must
 * return an error and no object, and the next call must work.
 * ranks: 1 (all of these calls are local) */
#include "base/base.h"
#include "common/array.h"
#include "common/verdict.h"
#include <string.h>
#include <subx_boxes.h>

/* An upper bound: none of the functions makes so many allocations. */
enum { ATTEMPTS_MAX = 200 };

typedef int attempt(MPI_Datatype type);

static const int sizes[] = {5, 6, 7}, subsizes[] = {2, 3, 4}, starts[] = {1, 2, 3}, order[] = {1, 2, 0};

static int create(MPI_Datatype type)
{
    MPI_Datatype t = MPI_INT;
    int rc = subx_type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, order, type, &t);
    if (rc)
        EXPECT(t == MPI_DATATYPE_NULL);
    else
        MPI_Type_free(&t);
    return rc;
}

static int get_layout(MPI_Datatype type)
{
    int nd;
    MPI_Count n[SUBX_NDIMS_MAX], block;
    MPI_Aint stride[SUBX_NDIMS_MAX], offset;
    return subx_type_get_layout(type, SUBX_NDIMS_MAX, &nd, n, stride, &block, &offset);
}

static int print(MPI_Datatype type)
{
    char text[512];
    return subx_type_print(type, sizeof text, text, NULL);
}

static int match(MPI_Datatype type)
{
    int same;
    return subx_type_query_match(type, MPI_DOUBLE, &same, NULL, NULL, NULL);
}

static int query_fileview(MPI_Datatype type)
{
    int ok;
    return subx_type_query_fileview(type, &ok);
}

static int create_boxes(MPI_Datatype type)
{
    const ptrdiff_t all[] = {5, 6, 7};
    subx_boxes boxes = (subx_boxes)&boxes;
    int rc = subx_boxes_create_type(type, 3, all, MPI_DOUBLE, &boxes);
    EXPECT(!rc == (boxes != SUBX_BOXES_NULL));
    subx_boxes_free(&boxes);
    return rc;
}

/* Fill a list of boxes, and copy it. At first the list has room for fewer than five boxes, so it must
 * grow. */
static int fill_boxes(MPI_Datatype type)
{
    const ptrdiff_t all[] = {5, 6}, start[] = {0, 0}, len[] = {1, 2};
    subx_boxes boxes, copy = SUBX_BOXES_NULL;
    int count = 0, added = 0, rc = subx_boxes_create(2, all, &boxes);
    (void)type;
    for (; added < 5 && !rc; added += !rc)
        rc = subx_boxes_add(boxes, start, len);
    if (boxes)
        EXPECT_OK(subx_boxes_get(boxes, NULL, NULL, &count, NULL, NULL));
    EXPECT_EQUAL(count, added);
    if (!rc)
        rc = subx_boxes_create_copy(boxes, &copy);
    EXPECT(!rc == (copy != SUBX_BOXES_NULL));
    subx_boxes_free(&copy);
    subx_boxes_free(&boxes);
    return rc;
}

static int pack(MPI_Datatype type)
{
    static char in[8192], out[4096]; /* the type spans 6720 bytes */
    MPI_Count position = 0;
    int rc = subx_type_pack(in, 1, type, out, sizeof out, &position);
    EXPECT(!rc == (position > 0));
    return rc;
}

/* ---- operations of a plan, which get a type, too, but do not use it */

static subx_fft_plan plan;

static void nothing(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                    const ptrdiff_t stride[], void *data)
{
    (void)context, (void)ndims, (void)start, (void)n, (void)stride, (void)data;
}

static int end(int rc, subx_fft_operation op)
{
    EXPECT((op == SUBX_FFT_OPERATION_NULL) == (rc != MPI_SUCCESS));
    EXPECT_OK(subx_fft_operation_free(&op));
    return rc;
}

static int create_function(MPI_Datatype type)
{
    subx_fft_operation op = (subx_fft_operation)&op;
    const int rc = subx_fft_operation_create_function(nothing, NULL, &op);
    (void)type;
    return end(rc, op);
}

static int create_table(MPI_Datatype type)
{
    static const double table[2 * 4 * 3];
    subx_fft_operation op = (subx_fft_operation)&op;
    const int rc = subx_fft_operation_create_table(plan, table, 0, &op);
    (void)type;
    return end(rc, op);
}

static int create_derivative(MPI_Datatype type)
{
    static const int orders[] = {1, 0};
    subx_fft_operation op = (subx_fft_operation)&op;
    const int rc = subx_fft_operation_create_derivative(plan, NULL, orders, &op);
    (void)type;
    return end(rc, op);
}

static int create_laplacian(MPI_Datatype type)
{
    subx_fft_operation op = (subx_fft_operation)&op;
    const int rc = subx_fft_operation_create_laplacian(plan, NULL, 1, &op);
    (void)type;
    return end(rc, op);
}

/* Let the first, the second, .. allocation fail, until there are no more. */
static void check(attempt *a, MPI_Datatype type, const char *what, int least)
{
    int rc = -1;
    long n;
    test_context("%s", what);
    for (n = 0; rc && n < ATTEMPTS_MAX; n++) {
        sx_base_fail_after(n);
        rc = a(type);
        if (rc)
            EXPECT_KIND(rc, SUBX_ERR_NO_MEM);
    }
    sx_base_fail_after(-1);
    EXPECT_OK(rc);
    /* at least `least` allocations must have failed */
    EXPECT(n - 1 >= least);
    EXPECT_OK(a(type));
}

CHECK(check_all)
{
    MPI_Datatype ours, theirs, nested;
    EXPECT_OK(subx_type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, order, MPI_DOUBLE, &ours));
    MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &theirs);
    MPI_Type_vector(2, 1, 3, theirs, &nested);
    MPI_Type_commit(&nested);
    check(create, MPI_DOUBLE, "create", 1);
    check(get_layout, nested, "get_layout", 1);
    check(pack, nested, "pack", 1);
    check(print, nested, "print", 0);
    check(print, ours, "print a subarray", 0);
    check(match, nested, "query_match", 1);
    check(create_boxes, ours, "boxes of a type", 6);
    check(fill_boxes, MPI_DOUBLE, "boxes", 7);
    check(query_fileview, nested, "query_fileview", 1);
    EXPECT_OK(test_plan_create("c2c:4x3/operation", "", &plan));
    check(create_function, MPI_DOUBLE, "function", 2);
    check(create_table, MPI_DOUBLE, "table", 2);
    check(create_derivative, MPI_DOUBLE, "derivative", 3);
    check(create_laplacian, MPI_DOUBLE, "laplacian", 3);
    EXPECT_OK(subx_fft_plan_free(&plan));
    MPI_Type_free(&ours);
    MPI_Type_free(&theirs);
    MPI_Type_free(&nested);
}
