/* pack.c - packing and unpacking give the same bytes as MPI_Pack and MPI_Unpack. */
#include "common/nested.h"
#include "common/traversal.h"
#include "common/unit.h"
#include <string.h>

enum { ROOM = 1 << 16, MIDDLE = ROOM / 2 };

static unsigned char memory[ROOM], packed[ROOM], expected[ROOM], ours[ROOM], theirs[ROOM];

/* Pack behind `before` other bytes. Bytes before and after the packed bytes must not change. */
static MPI_Count check_pack(MPI_Datatype type, int count, int before)
{
    MPI_Count position = before;
    memset(packed, 0x5a, ROOM);
    memset(expected, 0x5a, ROOM);
    int n = test_mpi_pack(memory + MIDDLE, count, type, expected + before, ROOM - before);
    ck_assert_int_ge(n, 0);
    ck_assert_ok(subx_type_pack(memory + MIDDLE, count, type, packed, before + n, &position));
    ck_assert_int_eq(position, before + n);
    ck_assert_mem_eq(packed, expected, ROOM);
    return n;
}

static void check_unpack(MPI_Datatype type, int count, int before, MPI_Count n)
{
    MPI_Count position = before;
    int theirs_position = before;
    memset(ours, 0xa5, ROOM);
    memset(theirs, 0xa5, ROOM);
    /* with nothing to unpack, MPICH 4.0 divides by zero */
    if (n > 0)
        ck_assert_ok(MPI_Unpack(packed, before + (int)n, &theirs_position, theirs + MIDDLE, count, type,
                                MPI_COMM_SELF));
    ck_assert_ok(subx_type_unpack(packed, before + n, &position, ours + MIDDLE, count, type));
    ck_assert_int_eq(position, before + n);
    ck_assert_mem_eq(ours, theirs, ROOM);
}

static void check_truncation(MPI_Datatype type, int count, MPI_Count n)
{
    MPI_Count position = 0;
    if (n == 0)
        return;
    ck_assert_kind(subx_type_pack(memory + MIDDLE, count, type, packed, n - 1, &position), SUBX_ERR_TRUNCATE);
    ck_assert_int_eq(position, 0);
    position = 1;
    ck_assert_kind(subx_type_unpack(packed, n, &position, ours + MIDDLE, count, type), SUBX_ERR_TRUNCATE);
    ck_assert_int_eq(position, 1);
}

static int fits(MPI_Datatype type, int count)
{
    MPI_Aint lowest, length;
    test_nested_span(type, count, &lowest, &length);
    return length < MIDDLE / 2 && lowest > -MIDDLE / 2 && lowest < MIDDLE / 2 - length;
}

static void check_random(int stream, int cases, int depth, int strided)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)stream);
    test_random_fill(&r, memory, ROOM);
    int checked = 0;
    while (checked < cases) {
        MPI_Datatype t = test_nested_create(&r, depth, strided);
        int count = test_random_int(&r, 0, 3),
            before = test_random_int(&r, 0, 1) * test_random_int(&r, 0, 40);
        if (fits(t, count)) {
            MPI_Count n = check_pack(t, count, before);
            check_unpack(t, count, before, n);
            check_truncation(t, count, n);
            checked++;
        }
        MPI_Type_free(&t);
    }
}

TEST(strided_types)
{
    check_random(1, 500, 4, 1);
}

TEST(all_types)
{
    check_random(2, 500, 4, 0);
}

TEST(predefined_types)
{
    check_random(3, 50, 0, 1);
}

TEST(uncommitted_strided_types_can_be_packed)
{
    const int data[] = {1, 2, 3, 4, 5, 6};
    int out[3] = {0, 0, 0};
    MPI_Datatype t;
    MPI_Count position = 0;
    MPI_Type_vector(3, 1, 2, MPI_INT, &t);
    ck_assert_ok(subx_type_pack(data, 1, t, out, sizeof out, &position));
    ck_assert(out[0] == 1 && out[1] == 3 && out[2] == 5);
    MPI_Type_free(&t);
}

/* The traversal has another order than the storage, and is larger than a patch of the kernels. */
TEST(a_transpose)
{
    static double a[70][90], out[90][70], back[70][90];
    const int sizes[] = {70, 90}, starts[] = {0, 0}, order[] = {0, 1};
    MPI_Datatype t;
    MPI_Count position = 0;
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 90; j++)
            a[i][j] = 100 * i + j;
    ck_assert_ok(subx_type_create_subarray(2, sizes, sizes, starts, MPI_ORDER_C, order, MPI_DOUBLE, &t));
    ck_assert_ok(subx_type_pack(a, 1, t, out, sizeof out, &position));
    ck_assert_int_eq(position, sizeof out);
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 90; j++)
            ck_assert(out[j][i] == a[i][j]);
    position = 0;
    ck_assert_ok(subx_type_unpack(out, sizeof out, &position, back, 1, t));
    ck_assert_mem_eq(a, back, sizeof a);
    MPI_Type_free(&t);
}

TEST(bad_arguments)
{
    int in[4] = {0}, out[4];
    MPI_Count position = 0, negative = -1;
    ck_assert_kind(subx_type_pack(in, 1, MPI_DATATYPE_NULL, out, 16, &position), SUBX_ERR_TYPE);
    ck_assert_kind(subx_type_unpack(in, 16, &position, out, 1, MPI_DATATYPE_NULL), SUBX_ERR_TYPE);
    ck_assert_kind(subx_type_pack(in, -1, MPI_INT, out, 16, &position), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_unpack(in, 16, &position, out, -1, MPI_INT), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_pack(in, 1, MPI_INT, out, 16, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_unpack(in, 16, NULL, out, 1, MPI_INT), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_pack(in, 1, MPI_INT, out, 16, &negative), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_unpack(in, 16, &negative, out, 1, MPI_INT), SUBX_ERR_ARG);
    ck_assert_kind(subx_type_pack(in, 1, MPI_INT, NULL, 16, &position), SUBX_ERR_ARG);
    ck_assert_int_eq(position, 0);
}
