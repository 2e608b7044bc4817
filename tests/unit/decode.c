/* decode.c - the layouts that datatypes are decoded to: known layouts, and packing by a layout against
 * MPI_Pack. */
#include "common/nested.h"
#include "common/traversal.h"
#include "common/unit.h"
#include <string.h>

enum { ROOM = 1 << 20, MIDDLE = ROOM / 2 };

static unsigned char memory[ROOM], expected[ROOM], got[ROOM];

typedef struct answer {
    int nd;
    MPI_Count n[SUBX_NDIMS_MAX], block;
    MPI_Aint stride[SUBX_NDIMS_MAX], offset;
} answer;

static int ask(MPI_Datatype type, answer *a)
{
    return subx_type_get_layout(type, SUBX_NDIMS_MAX, &a->nd, a->n, a->stride, &a->block, &a->offset);
}

/* Pack by the layout, block by block. Returns the number of bytes. */
static int read_answer(const answer *a, unsigned char *out)
{
    MPI_Count total = a->block > 0;
    for (int i = 0; i < a->nd; i++)
        total *= a->n[i];
    for (MPI_Count t = 0; t < total; t++) {
        MPI_Count rest = t, at = MIDDLE + a->offset;
        for (int i = 0; i < a->nd; i++) {
            at += rest % a->n[i] * a->stride[i];
            rest /= a->n[i];
        }
        memcpy(out + t * a->block, memory + at, (size_t)a->block);
    }
    return (int)(total * a->block);
}

static void check_canonical(const answer *a)
{
    MPI_Aint next = a->block;
    if (a->block == 0)
        ck_assert_int_eq(a->nd, 0);
    for (int i = 0; i < a->nd; i++) {
        ck_assert_int_gt(a->n[i], 1);
        ck_assert_int_ne(a->stride[i], next);
        next = a->n[i] * a->stride[i];
    }
}

static void check_type(MPI_Datatype type)
{
    answer a;
    char text[512] = "";
    subx_type_print(type, sizeof text, text, NULL);
    ck_assert_msg(ask(type, &a) == MPI_SUCCESS, "%s", text);
    check_canonical(&a);
    int n = test_mpi_pack(memory + MIDDLE, 1, type, expected, ROOM);
    ck_assert_int_ge(n, 0);
    ck_assert_msg(read_answer(&a, got) == n, "%s", text);
    ck_assert_msg(memcmp(expected, got, (size_t)n) == 0, "%s", text);
}

/* For any type, packing by the layout must give MPI's bytes, unless the type is reported as not strided. */
TEST(random_nests_of_constructors)
{
    test_random r = test_random_stream(test_random_seed(), 2);
    int strided = 0, not_strided = 0;
    test_random_fill(&r, memory, ROOM);
    for (int k = 0; k < 1000; k++) {
        MPI_Datatype t = test_nested_create(&r, 4, 0);
        answer a;
        if (subx_error_get_kind(ask(t, &a)) == SUBX_ERR_NOT_STRIDED) {
            not_strided++;
        } else {
            strided++;
            check_type(t);
        }
        MPI_Type_free(&t);
    }
    ck_assert_int_gt(strided, 100);
    ck_assert_int_gt(not_strided, 100);
}

static void check_known(MPI_Datatype type, int nd, MPI_Count n, MPI_Aint stride, MPI_Count block,
                        MPI_Aint offset)
{
    answer a;
    ck_assert_ok(ask(type, &a));
    ck_assert_int_eq(a.nd, nd);
    if (nd > 0) {
        ck_assert_int_eq(a.n[0], n);
        ck_assert_int_eq(a.stride[0], stride);
    }
    ck_assert_int_eq(a.block, block);
    ck_assert_int_eq(a.offset, offset);
}

TEST(known_answers)
{
    MPI_Datatype t, u;
    const int sizes[] = {4, 6}, subsizes[] = {3, 2}, starts[] = {1, 2};
    check_known(MPI_DOUBLE, 0, 0, 0, 8, 0);
    MPI_Type_contiguous(5, MPI_INT, &t);
    check_known(t, 0, 0, 0, 20, 0);
    MPI_Type_free(&t);
    MPI_Type_vector(3, 2, 4, MPI_INT, &t);
    check_known(t, 1, 3, 16, 8, 0);
    MPI_Type_dup(t, &u);
    check_known(u, 1, 3, 16, 8, 0);
    MPI_Type_free(&u);
    MPI_Type_free(&t);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t);
    check_known(t, 1, 3, 24, 8, 32);
    MPI_Type_free(&t);
    MPI_Type_create_resized(MPI_SHORT, -2, 10, &t);
    MPI_Type_contiguous(3, t, &u);
    check_known(u, 1, 3, 10, 2, 0);
    MPI_Type_free(&u);
    MPI_Type_free(&t);
    /* the same elements as of a contiguous type, and of one vector */
    MPI_Type_create_hvector(2, 3, 12, MPI_INT, &t);
    check_known(t, 0, 0, 0, 24, 0);
    MPI_Type_free(&t);
    MPI_Type_create_hvector(3, 1, 20, MPI_INT, &t);
    MPI_Type_create_hvector(4, 1, 60, t, &u);
    check_known(u, 1, 12, 20, 4, 0);
    MPI_Type_free(&t);
    MPI_Type_free(&u);
}

TEST(empty_types_are_empty_blocks)
{
    MPI_Datatype t;
    answer a;
    MPI_Type_contiguous(0, MPI_INT, &t);
    ck_assert_ok(ask(t, &a));
    ck_assert(a.nd == 0 && a.block == 0);
    MPI_Type_free(&t);
    MPI_Type_vector(0, 3, 5, MPI_INT, &t);
    ck_assert_ok(ask(t, &a));
    ck_assert(a.nd == 0 && a.block == 0);
    MPI_Type_free(&t);
}

/* 7 x 10 elements on 2 x 3 ranks. The last row and the last column of ranks have fewer elements. */
TEST(arrays_distributed_in_blocks)
{
    const int sizes[] = {7, 10}, grid[] = {2, 3}, orders[] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
    const int block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
    const int any[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    for (int i = 0; i < 2; i++)
        for (int rank = 0; rank < 6; rank++) {
            MPI_Datatype t;
            MPI_Type_create_darray(6, rank, 2, sizes, block, any, grid, orders[i], MPI_INT, &t);
            MPI_Type_commit(&t);
            check_type(t);
            MPI_Type_free(&t);
        }
}

TEST(other_types_are_not_strided)
{
    MPI_Datatype t[4], pair[2] = {MPI_INT, MPI_DOUBLE};
    const int lengths[] = {1, 2, 1}, at[] = {0, 3, 9}, one[] = {1, 1};
    const MPI_Aint disp[] = {0, 8}, apart[] = {0, 40, 41};
    answer a = {.nd = 77};
    MPI_Type_indexed(3, lengths, at, MPI_INT, &t[0]);
    MPI_Type_create_struct(2, one, disp, pair, &t[1]);
    MPI_Type_create_hindexed_block(3, 1, apart, MPI_CHAR, &t[2]);
    MPI_Type_contiguous(2, t[0], &t[3]);
    for (int i = 0; i < 4; i++)
        ck_assert_kind(ask(t[i], &a), SUBX_ERR_NOT_STRIDED);
    ck_assert_kind(ask(MPI_SHORT_INT, &a), SUBX_ERR_NOT_STRIDED);
    ck_assert_int_eq(a.nd, 77);
    for (int i = 0; i < 4; i++)
        MPI_Type_free(&t[i]);
}

TEST(bad_arguments)
{
    MPI_Datatype t;
    answer a = {.nd = 77};
    MPI_Type_vector(3, 2, 4, MPI_INT, &t);
    ck_assert_kind(subx_type_get_layout(t, 0, &a.nd, a.n, a.stride, &a.block, &a.offset), SUBX_ERR_TRUNCATE);
    ck_assert_kind(subx_type_get_layout(t, 4, NULL, a.n, a.stride, &a.block, &a.offset), SUBX_ERR_ARG);
    ck_assert_kind(ask(MPI_DATATYPE_NULL, &a), SUBX_ERR_TYPE);
    ck_assert_int_eq(a.nd, 77);
    MPI_Type_free(&t);
}
