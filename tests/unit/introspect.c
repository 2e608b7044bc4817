/* introspect.c - a query returns the arguments of a subarray type, whichever call made the type, and whatever
 * was freed in the meantime. */
#include "common/traversal.h"
#include "common/unit.h"
#include <string.h>

typedef struct answer {
    int ndims, storage, order[SUBX_NDIMS_MAX];
    MPI_Count sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX];
    MPI_Datatype oldtype;
} answer;

static int ask(MPI_Datatype type, answer *a)
{
    return subx_type_get_subarray(type, SUBX_NDIMS_MAX, &a->ndims, a->sizes, a->subsizes, a->starts,
                                  &a->storage, a->order, &a->oldtype);
}

static void check_answer(MPI_Datatype type, const test_block *b)
{
    answer a;
    ck_assert_ok(subx_type_get_subarray(type, SUBX_NDIMS_MAX, &a.ndims, a.sizes, a.subsizes, a.starts,
                                        &a.storage, a.order, NULL));
    ck_assert_int_eq(a.ndims, b->ndims);
    ck_assert_int_eq(a.storage, b->storage);
    for (int i = 0; i < b->ndims; i++) {
        ck_assert_int_eq(a.sizes[i], b->sizes[i]);
        ck_assert_int_eq(a.subsizes[i], b->subsizes[i]);
        ck_assert_int_eq(a.starts[i], b->starts[i]);
        ck_assert_int_eq(a.order[i], b->order[i]);
    }
}

TEST(arguments_come_back)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < 300; k++) {
        test_block b = test_block_random(&r, TEST_NDIMS, 9, 1);
        MPI_Datatype t;
        answer a;
        ck_assert_ok(test_block_type(&b, MPI_DOUBLE, &t));
        check_answer(t, &b);
        ck_assert_ok(ask(t, &a));
        ck_assert(a.oldtype == MPI_DOUBLE);
        MPI_Type_free(&t);
    }
}

TEST(dups_answer_like_the_original)
{
    test_random r = test_random_stream(test_random_seed(), 2);
    for (int k = 0; k < 100; k++) {
        test_block b = test_block_random(&r, TEST_NDIMS, 9, 1);
        MPI_Datatype t, dup, dupdup;
        ck_assert_ok(test_block_type(&b, MPI_INT, &t));
        ck_assert_ok(MPI_Type_dup(t, &dup));
        MPI_Type_free(&t);
        check_answer(dup, &b);
        ck_assert_ok(MPI_Type_dup(dup, &dupdup));
        MPI_Type_free(&dup);
        check_answer(dupdup, &b);
        MPI_Type_free(&dupdup);
    }
}

TEST(mpis_own_subarrays_answer_too)
{
    const int own[2][3] = {{2, 1, 0}, {0, 1, 2}};
    for (int s = 0; s < 2; s++) {
        test_block b = {3, s ? MPI_ORDER_FORTRAN : MPI_ORDER_C, {4, 5, 6}, {2, 5, 1}, {1, 0, 5}, {0}};
        MPI_Datatype t, dup;
        memcpy(b.order, own[s], sizeof own[s]);
        MPI_Type_create_subarray(3, b.sizes, b.subsizes, b.starts, b.storage, MPI_FLOAT, &t);
        check_answer(t, &b);
        MPI_Type_dup(t, &dup);
        MPI_Type_free(&t);
        check_answer(dup, &b);
        MPI_Type_free(&dup);
    }
}

/* The caller frees the datatype of the elements, but the library keeps this datatype. Each query returns a
 * new handle of it, and the caller frees the handle. */
TEST(derived_elements_come_back)
{
    MPI_Datatype old, t;
    test_block b = {2, MPI_ORDER_C, {4, 5}, {2, 3}, {1, 2}, {0, 1}};
    answer a;
    int size;
    MPI_Type_vector(2, 1, 3, MPI_INT, &old);
    ck_assert_ok(test_block_type(&b, old, &t));
    MPI_Type_free(&old);
    check_answer(t, &b);
    for (int i = 0; i < 3; i++) {
        ck_assert_ok(ask(t, &a));
        MPI_Type_size(a.oldtype, &size);
        ck_assert_int_eq(size, 8);
        MPI_Type_free(&a.oldtype);
    }
    MPI_Type_free(&t);
}

TEST(outputs_may_be_left_out)
{
    test_block b = {2, MPI_ORDER_FORTRAN, {4, 5}, {2, 3}, {1, 2}, {1, 0}};
    MPI_Datatype t, old;
    int ndims = -1;
    MPI_Type_contiguous(2, MPI_INT, &old);
    ck_assert_ok(test_block_type(&b, old, &t));
    ck_assert_ok(subx_type_get_subarray(t, 2, &ndims, NULL, NULL, NULL, NULL, NULL, NULL));
    ck_assert_int_eq(ndims, 2);
    ck_assert_kind(subx_type_get_subarray(t, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    MPI_Type_free(&t);
    MPI_Type_free(&old);
}

TEST(too_little_room)
{
    test_block b = {3, MPI_ORDER_C, {4, 5, 6}, {2, 3, 4}, {1, 2, 0}, {1, 0, 2}};
    MPI_Datatype t;
    int ndims = 77;
    MPI_Count n[3] = {77, 77, 77};
    ck_assert_ok(test_block_type(&b, MPI_INT, &t));
    ck_assert_kind(subx_type_get_subarray(t, 2, &ndims, n, NULL, NULL, NULL, NULL, NULL), SUBX_ERR_TRUNCATE);
    ck_assert_int_eq(ndims, 77);
    ck_assert(n[0] == 77 && n[1] == 77 && n[2] == 77);
    MPI_Type_free(&t);
}

TEST(other_types_are_not_subarrays)
{
    MPI_Datatype t[3];
    answer a = {.ndims = 77};
    MPI_Type_contiguous(3, MPI_INT, &t[0]);
    MPI_Type_vector(3, 2, 4, MPI_INT, &t[1]);
    MPI_Type_create_resized(MPI_INT, 0, 16, &t[2]);
    for (int i = 0; i < 3; i++) {
        ck_assert_kind(ask(t[i], &a), SUBX_ERR_NOT_SUBARRAY);
        MPI_Type_free(&t[i]);
    }
    ck_assert_kind(ask(MPI_DOUBLE, &a), SUBX_ERR_NOT_SUBARRAY);
    ck_assert_int_ne(ask(MPI_DATATYPE_NULL, &a), MPI_SUCCESS);
    ck_assert_int_eq(a.ndims, 77);
}
