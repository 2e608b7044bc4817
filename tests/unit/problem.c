/* problem.c - creating, changing, comparing and copying problems. */
#include "common/boxes.h"
#include "common/unit.h"
#include "unit/problem_help.h"
#include <string.h>

/* ---- create and set */

TEST(create_checks)
{
    int kinds[SUBX_NDIMS_MAX] = {SUBX_FFT_C2C, SUBX_FFT_R2C};
    ptrdiff_t sizes[SUBX_NDIMS_MAX] = {4, 6};
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    ck_assert_kind(subx_fft_problem_create(0, kinds, sizes, &p), SUBX_ERR_NDIMS);
    ck_assert_kind(subx_fft_problem_create(SX_PROBLEM_NDIMS_MAX + 1, kinds, sizes, &p), SUBX_ERR_NDIMS);
    ck_assert_kind(subx_fft_problem_create(2, NULL, sizes, &p), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_create(2, kinds, NULL, &p), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, NULL), SUBX_ERR_ARG);
    kinds[0] = SUBX_FFT_C2R;
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, &p), SUBX_ERR_ARG);
    kinds[0] = SUBX_FFT_HC2R + 1;
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, &p), SUBX_ERR_ARG);
    kinds[0] = -1;
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, &p), SUBX_ERR_ARG);
    kinds[0] = SUBX_FFT_DCT1;
    sizes[0] = 1;
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, &p), SUBX_ERR_SIZE);
    sizes[0] = -4;
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, &p), SUBX_ERR_SIZE);
    sizes[0] = (ptrdiff_t)1 << 62;
    ck_assert_kind(subx_fft_problem_create(2, kinds, sizes, &p), SUBX_ERR_TOO_LARGE);
    ck_assert_ptr_null(p);
    ck_assert_ok(subx_fft_problem_free(&p));
    ck_assert_ok(subx_fft_problem_free(NULL));
}

TEST(null_arguments)
{
    int value = 0;
    subx_fft_problem null = SUBX_FFT_PROBLEM_NULL, p = test_problem_parse("c2c:4x4"), q = null;
    ck_assert_kind(subx_fft_problem_parse(NULL, &q), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_parse("c2c:4x4", NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_create_copy(null, &q), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_create_copy(p, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_print(null, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_query_equal(p, null, &value), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_query_equal(null, p, &value), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_query_equal(p, p, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_precision(null, SUBX_FFT_FLOAT), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_batch(null, 1, 0), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_modes(null, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_points(null, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_order(null, PHYSICAL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_padded(null, 0), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_strides(null, PHYSICAL, NULL, 0), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_block(null, PHYSICAL, 0, 0), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_boxes(null, PHYSICAL, SUBX_BOXES_NULL, 0), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_set_operation(null, 0), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_get(null, NULL, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_get_batch(null, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_get_precision(null, &value), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_get_precision(p, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_problem_get_direction(null, &value), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_problem_get(p, NULL, NULL, NULL, NULL, NULL));
    ck_assert_ok(subx_fft_problem_get_batch(p, NULL, NULL));
    subx_fft_problem_free(&p);
}

/* Expect that a setter fails with this kind of error and does not change the problem. memcmp also compares
 * what the text does not show. */
#define REFUSED(p, call, kind)                                                                               \
    do {                                                                                                     \
        struct subx_fft_problem_s before;                                                                    \
        memcpy(&before, (p), sizeof before);                                                                 \
        ck_assert_kind((call), (kind));                                                                      \
        ck_assert_mem_eq(&before, (p), sizeof before);                                                       \
    } while (0)

TEST(setters_check)
{
    const ptrdiff_t more[] = {5, 6}, none[] = {0, 6}, negative[] = {1, -1};
    const int twice[] = {0, 0}, fortran[] = {0, 1};
    subx_fft_problem p = test_problem_parse("r2c:4x6");
    REFUSED(p, subx_fft_problem_set_precision(p, 0), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_precision(p, SUBX_FFT_QUAD + 1), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_batch(p, 0, 0), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_batch(p, (ptrdiff_t)1 << 60, 0), SUBX_ERR_TOO_LARGE);
    REFUSED(p, subx_fft_problem_set_modes(p, more), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_points(p, more), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_modes(p, none), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_points(p, none), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_order(p, PHYSICAL, twice), SUBX_ERR_ORDER);
    REFUSED(p, subx_fft_problem_set_order(p, 2, fortran), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_strides(p, SPECTRAL, negative, 0), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_strides(p, SPECTRAL, more, -1), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_strides(p, -1, more, 0), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_block(p, PHYSICAL, 0, -1), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_block(p, PHYSICAL, 2, 1), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_block(p, PHYSICAL, -1, 1), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_block(p, 2, 0, 1), SUBX_ERR_ARG);
    test_problem_expect(p, "r2c:4x6");
    subx_fft_problem_free(&p);
}

TEST(storage_does_not_contradict_itself)
{
    const ptrdiff_t strides[] = {6, 1}, starts[] = {0, 0, 2, 0}, lens[] = {2, 6, 2, 6};
    const int fortran[] = {0, 1};
    subx_fft_problem p = test_problem_parse("r2c:4x6/padded");
    REFUSED(p, subx_fft_problem_set_order(p, PHYSICAL, fortran), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_strides(p, PHYSICAL, strides, 0), SUBX_ERR_ARG);
    REFUSED(p, test_boxes_set(p, PHYSICAL, 2, starts, lens, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_problem_set_padded(p, 0));
    ck_assert_ok(subx_fft_problem_set_order(p, PHYSICAL, fortran));
    REFUSED(p, subx_fft_problem_set_padded(p, 1), SUBX_ERR_ARG);
    REFUSED(p, subx_fft_problem_set_strides(p, PHYSICAL, strides, 0), SUBX_ERR_ARG);
    REFUSED(p, test_boxes_set(p, PHYSICAL, 2, starts, lens, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_problem_set_order(p, PHYSICAL, NULL));
    ck_assert_ok(subx_fft_problem_set_block(p, PHYSICAL, 1, 2));
    REFUSED(p, test_boxes_set(p, PHYSICAL, 2, starts, lens, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_problem_set_block(p, PHYSICAL, 1, 0));
    ck_assert_ok(subx_fft_problem_set_strides(p, PHYSICAL, strides, 0));
    REFUSED(p, subx_fft_problem_set_order(p, PHYSICAL, fortran), SUBX_ERR_ARG);
    REFUSED(p, test_boxes_set(p, PHYSICAL, 2, starts, lens, NULL), SUBX_ERR_ARG);
    /* the two fields would be 0 elements apart */
    REFUSED(p, subx_fft_problem_set_batch(p, 2, 0), SUBX_ERR_SIZE);
    ck_assert_ok(subx_fft_problem_set_strides(p, PHYSICAL, strides, 24));
    ck_assert_ok(subx_fft_problem_set_batch(p, 2, 0));
    test_problem_expect(p, "2*r2c:4x6/physical-strides");
    ck_assert_ok(subx_fft_problem_set_strides(p, PHYSICAL, NULL, 0));
    ck_assert_ok(test_boxes_set(p, PHYSICAL, 2, starts, lens, NULL));
    REFUSED(p, subx_fft_problem_set_block(p, PHYSICAL, 1, 2), SUBX_ERR_ARG);
    test_problem_expect(p, "2*r2c:4x6/physical-boxes");
    subx_fft_problem_free(&p);
}

TEST(boxes_are_checked)
{
    const ptrdiff_t starts[] = {0, 0, 2, 1}, lens[] = {2, 4, 2, 3}, cut[] = {3, 4}, sizes[] = {4, 4};
    const ptrdiff_t longer[] = {4, 6}, volume[] = {4, 4, 1}, strides[] = {8, 2};
    const int orders[] = {0, 1, 1, 0};
    subx_fft_problem p = test_problem_parse("r2c:4x6");
    subx_boxes none = test_boxes_create(2, sizes, 0, NULL, NULL, NULL);
    subx_boxes other = test_boxes_create(2, longer, 2, starts, lens, NULL);
    subx_boxes cube = test_boxes_create(3, volume, 0, NULL, NULL, NULL);
    REFUSED(p, subx_fft_problem_set_boxes(p, SPECTRAL, other, 0), SUBX_ERR_SIZE);
    REFUSED(p, subx_fft_problem_set_boxes(p, SPECTRAL, cube, 0), SUBX_ERR_NDIMS);
    REFUSED(p, subx_fft_problem_set_boxes(p, 2, none, 0), SUBX_ERR_ARG);
    ck_assert_ok(test_boxes_set(p, SPECTRAL, 2, starts, lens, orders));
    ck_assert_int_eq(p->storage[SPECTRAL].boxes.n, 2);
    test_problem_expect(p, "r2c:4x6/spectral-boxes");
    /* the boxes were made for a longer array */
    REFUSED(p, subx_fft_problem_set_modes(p, cut), SUBX_ERR_SIZE);
    ck_assert_ok(subx_fft_problem_set_boxes(p, SPECTRAL, none, 0));
    REFUSED(p, subx_fft_problem_set_modes(p, cut), SUBX_ERR_SIZE);
    ck_assert_ok(subx_boxes_add_strided(none, starts, lens, 0, strides));
    ck_assert_int_eq(p->storage[SPECTRAL].boxes.n, 0); /* the problem has its own copy */
    ck_assert_ok(subx_fft_problem_set_batch(p, 2, 1));
    /* the fields would be 0 elements apart */
    REFUSED(p, subx_fft_problem_set_boxes(p, SPECTRAL, none, 0), SUBX_ERR_SIZE);
    ck_assert_ok(subx_fft_problem_set_boxes(p, SPECTRAL, none, 1));
    ck_assert_ok(subx_fft_problem_set_boxes(p, SPECTRAL, SUBX_BOXES_NULL, 0));
    ck_assert_ok(subx_fft_problem_set_modes(p, cut));
    test_problem_expect(p, "r2c:3x4>4x6*2");
    subx_boxes_free(&cube);
    subx_boxes_free(&other);
    subx_boxes_free(&none);
    subx_fft_problem_free(&p);
}

TEST(setters_set_back)
{
    const ptrdiff_t cut[] = {3, 4};
    const int fortran[] = {0, 1};
    subx_fft_problem p = test_problem_parse("dht:4x6"), q = test_problem_parse("dht:4x6");
    ck_assert_ok(subx_fft_problem_set_modes(p, cut));
    ck_assert_ok(subx_fft_problem_set_points(p, cut));
    ck_assert_ok(subx_fft_problem_set_order(p, SPECTRAL, fortran));
    ck_assert_ok(subx_fft_problem_set_batch(p, 3, 1));
    ck_assert_ok(subx_fft_problem_set_operation(p, 1));
    test_problem_expect(p, "dht:3x4>4x6>3x4*3/spectral-order=0,1/operation");
    ck_assert_int_eq(test_problem_equal(p, q), 0);
    ck_assert_ok(subx_fft_problem_set_modes(p, NULL));
    ck_assert_ok(subx_fft_problem_set_points(p, NULL));
    ck_assert_ok(subx_fft_problem_set_order(p, SPECTRAL, NULL));
    ck_assert_ok(subx_fft_problem_set_batch(p, 1, 1));
    ck_assert_ok(subx_fft_problem_set_operation(p, 0));
    test_problem_expect(p, "dht:4x6");
    ck_assert_int_eq(test_problem_equal(p, q), 1);
    subx_fft_problem_free(&p);
    subx_fft_problem_free(&q);
}

/* ---- copies; strides and boxes, of which the text only says that they exist */

TEST(copies_are_equal_and_independent)
{
    const ptrdiff_t starts[] = {0, 0, 2, 1}, lens[] = {2, 4, 2, 3}, strides[] = {8, 1}, others[] = {1, 8};
    const int orders[] = {0, 1, 1, 0};
    subx_fft_problem p = test_problem_parse("c2c:4x6"), q;
    ck_assert_ok(test_boxes_set(p, SPECTRAL, 2, starts, lens, orders));
    ck_assert_ok(subx_fft_problem_set_strides(p, PHYSICAL, strides, 32));
    ck_assert_ok(subx_fft_problem_create_copy(p, &q));
    ck_assert_int_eq(test_problem_equal(p, q), 1);
    ck_assert_ptr_ne(p->storage[SPECTRAL].boxes.list, q->storage[SPECTRAL].boxes.list);
    /* p and q keep the same text, but they are equal only if their strides and boxes are equal, too */
    ck_assert_ok(subx_fft_problem_set_strides(q, PHYSICAL, others, 32));
    ck_assert_int_eq(test_problem_equal(p, q), 0);
    ck_assert_ok(subx_fft_problem_set_strides(q, PHYSICAL, strides, 33));
    ck_assert_int_eq(test_problem_equal(p, q), 0);
    ck_assert_ok(subx_fft_problem_set_strides(q, PHYSICAL, strides, 32));
    ck_assert_int_eq(test_problem_equal(p, q), 1);
    ck_assert_ok(test_boxes_set(q, SPECTRAL, 2, starts, lens, NULL));
    ck_assert_int_eq(test_problem_equal(p, q), 0);
    ck_assert_ok(test_boxes_set(q, SPECTRAL, 2, starts, starts, orders));
    ck_assert_int_eq(test_problem_equal(p, q), 0);
    ck_assert_ok(test_boxes_set(q, SPECTRAL, 1, starts, lens, orders));
    ck_assert_int_eq(test_problem_equal(p, q), 0);
    subx_fft_problem_free(&p);
    test_problem_expect(q, "c2c:4x6/physical-strides/spectral-boxes");
    subx_fft_problem_free(&q);
}

/* ---- no memory */

static int parse_and_place(subx_fft_problem *copy)
{
    const ptrdiff_t starts[] = {0, 0}, lens[] = {2, 3};
    const int orders[] = {0, 1};
    subx_fft_problem p;
    int rc = subx_fft_problem_parse("c2c:4x6", &p);
    if (!rc)
        rc = test_boxes_set(p, PHYSICAL, 1, starts, lens, orders);
    if (!rc)
        rc = subx_fft_problem_create_copy(p, copy);
    subx_fft_problem_free(&p);
    return rc;
}

/* Eight allocations can fail: one of the problem, two of the boxes, two of the problem's copy of the boxes,
 * and three of the copy of the problem. */
TEST(every_allocation_may_fail)
{
    for (long n = 0; n < 8; n++) {
        subx_fft_problem copy = SUBX_FFT_PROBLEM_NULL;
        sx_base_fail_after(n);
        int rc = parse_and_place(&copy);
        sx_base_fail_after(-1);
        ck_assert_kind(rc, SUBX_ERR_NO_MEM);
        ck_assert_ptr_null(copy);
    }
    subx_fft_problem copy = SUBX_FFT_PROBLEM_NULL;
    sx_base_fail_after(8);
    ck_assert_ok(parse_and_place(&copy));
    sx_base_fail_after(-1);
    subx_fft_problem_free(&copy);
}

TEST(a_setter_without_memory_changes_nothing)
{
    const ptrdiff_t sizes[] = {4, 6}, starts[] = {0, 0}, lens[] = {2, 3};
    subx_fft_problem p = test_problem_parse("c2c:4x6");
    subx_boxes boxes = test_boxes_create(2, sizes, 1, starts, lens, NULL);
    for (long n = 0; n < 2; n++) {
        sx_base_fail_after(n);
        REFUSED(p, subx_fft_problem_set_boxes(p, PHYSICAL, boxes, 0), SUBX_ERR_NO_MEM);
        sx_base_fail_after(-1);
    }
    subx_boxes_free(&boxes);
    subx_fft_problem_free(&p);
}
