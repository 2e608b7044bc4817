/* huge.c - datatypes whose lengths or bytes exceed an int. Most are only examined; few bytes are touched. */
#include "common/random.h"
#include "common/unit.h"
#include <stdint.h>
#include <sys/mman.h>

static const MPI_Count G = 1000000000;

typedef struct answer {
    int nd;
    MPI_Count n[SUBX_NDIMS_MAX], block;
    MPI_Aint stride[SUBX_NDIMS_MAX], offset;
} answer;

static MPI_Datatype create(int ndims, const MPI_Count sizes[], const MPI_Count subsizes[],
                           const MPI_Count starts[], const int order[], MPI_Datatype old)
{
    MPI_Datatype t;
    ck_assert_ok(subx_type_create_subarray_c(ndims, sizes, subsizes, starts, MPI_ORDER_C, order, old, &t));
    return t;
}

static void check_bounds(MPI_Datatype t, MPI_Count size, MPI_Count extent, MPI_Count true_lb,
                         MPI_Count true_extent)
{
    MPI_Count s, lb, e;
    MPI_Type_size_x(t, &s);
    MPI_Type_get_extent_x(t, &lb, &e);
    ck_assert_int_eq(s, size);
    ck_assert_int_eq(lb, 0);
    ck_assert_int_eq(e, extent);
    MPI_Type_get_true_extent_x(t, &lb, &e);
    ck_assert_int_eq(lb, true_lb);
    ck_assert_int_eq(e, true_extent);
}

static answer ask(MPI_Datatype t)
{
    answer a;
    ck_assert_ok(subx_type_get_layout(t, SUBX_NDIMS_MAX, &a.nd, a.n, a.stride, &a.block, &a.offset));
    return a;
}

TEST(more_elements_than_an_int)
{
    const MPI_Count sizes[] = {70000, 80000}, subsizes[] = {66000, 70000}, starts[] = {4000, 5000};
    const int orders[2][2] = {{1, 0}, {0, 1}};
    for (int k = 0; k < 2; k++) {
        MPI_Datatype t = create(2, sizes, subsizes, starts, orders[k], MPI_INT);
        MPI_Count first = 4 * (4000 * 80000 + 5000), last = 4 * (69999 * (MPI_Count)80000 + 74999);
        check_bounds(t, 4 * 66000 * (MPI_Count)70000, 4 * 70000 * (MPI_Count)80000, first, last - first + 4);
        MPI_Type_free(&t);
    }
}

TEST(an_axis_longer_than_an_int)
{
    const MPI_Count sizes[] = {2, 3 * G}, subsizes[] = {2, 5 * G / 2 + 1}, starts[] = {0, 7};
    MPI_Datatype t = create(2, sizes, subsizes, starts, NULL, MPI_SHORT);
    check_bounds(t, 4 * subsizes[1], 12 * G, 14, 6 * G + 2 * subsizes[1]);
    answer a = ask(t);
    ck_assert_int_eq(a.nd, 1);
    ck_assert(a.n[0] == 2 && a.stride[0] == 6 * G && a.block == 2 * subsizes[1] && a.offset == 14);
    MPI_Type_free(&t);
}

TEST(a_long_axis_in_another_order)
{
    const MPI_Count sizes[] = {3 * G, 2}, subsizes[] = {5 * G / 2 + 1, 2}, starts[] = {G / 2 - 1, 0};
    const int order[] = {0, 1};
    MPI_Datatype t = create(2, sizes, subsizes, starts, order, MPI_CHAR);
    check_bounds(t, 2 * subsizes[0], 6 * G, 2 * starts[0], 2 * subsizes[0]);
    answer a = ask(t);
    ck_assert_int_eq(a.nd, 2);
    ck_assert(a.n[0] == subsizes[0] && a.stride[0] == 2 && a.n[1] == 2 && a.stride[1] == 1);
    ck_assert(a.block == 1 && a.offset == 2 * starts[0]);
    MPI_Type_free(&t);
}

/* Lengths around the largest int. */
TEST(lengths_around_an_int)
{
    for (MPI_Count n = (MPI_Count)INT32_MAX - 2; n <= (MPI_Count)INT32_MAX + 2; n++)
        for (int twice = 1; twice <= 2; twice++) {
            const MPI_Count sizes[] = {twice * n, 3}, subsizes[] = {twice * n, 1}, starts[] = {0, 1};
            const int order[] = {0, 1};
            MPI_Datatype t = create(2, sizes, subsizes, starts, order, MPI_CHAR);
            check_bounds(t, twice * n, 3 * twice * n, 1, 3 * twice * n - 2);
            answer a = ask(t);
            ck_assert(a.nd == 1 && a.n[0] == twice * n && a.stride[0] == 3 && a.block == 1 && a.offset == 1);
            MPI_Type_free(&t);
        }
}

TEST(arguments_come_back)
{
    const MPI_Count sizes[] = {3 * G, 2}, subsizes[] = {5 * G / 2, 1}, starts[] = {17, 1};
    MPI_Count n[3][2];
    int ndims, storage, order[2];
    MPI_Datatype old, t = create(2, sizes, subsizes, starts, NULL, MPI_DOUBLE);
    ck_assert_ok(subx_type_get_subarray(t, 2, &ndims, n[0], n[1], n[2], &storage, order, &old));
    ck_assert(ndims == 2 && storage == MPI_ORDER_C && order[0] == 1 && order[1] == 0 && old == MPI_DOUBLE);
    ck_assert_mem_eq(n[0], sizes, sizeof sizes);
    ck_assert_mem_eq(n[1], subsizes, sizeof subsizes);
    ck_assert_mem_eq(n[2], starts, sizeof starts);
    MPI_Type_free(&t);
}

TEST(beyond_63_bits_is_an_error)
{
    const MPI_Count sizes[] = {(MPI_Count)1 << 32, (MPI_Count)1 << 31}, one[] = {1, 1}, none[] = {0, 0};
    MPI_Datatype t = MPI_INT;
    ck_assert_kind(subx_type_create_subarray_c(2, sizes, one, none, MPI_ORDER_C, NULL, MPI_CHAR, &t),
                   SUBX_ERR_TOO_LARGE);
    ck_assert(t == MPI_DATATYPE_NULL);
    const MPI_Count fits[] = {(MPI_Count)1 << 31, (MPI_Count)1 << 31};
    ck_assert_kind(subx_type_create_subarray_c(2, fits, one, none, MPI_ORDER_C, NULL, MPI_DOUBLE, &t),
                   SUBX_ERR_TOO_LARGE);
    t = create(2, fits, one, none, NULL, MPI_CHAR);
    check_bounds(t, 1, (MPI_Count)1 << 62, 0, 1);
    MPI_Type_free(&t);
}

/* Bytes beyond 2^31 are packed. The array is not allocated in full: only pages that are touched exist. */
TEST(far_bytes_are_packed)
{
    const MPI_Count sizes[] = {3, G}, subsizes[] = {3, 2}, starts[] = {0, G - 2};
    const int order[] = {0, 1};
    unsigned char out[6] = {0}, *far = mmap(NULL, (size_t)(3 * G), PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MPI_Count position = 0;
    ck_assert(far != MAP_FAILED);
    MPI_Datatype t = create(2, sizes, subsizes, starts, order, MPI_BYTE);
    for (int i = 0; i < 3; i++) {
        far[(i + 1) * G - 2] = (unsigned char)(10 + i);
        far[(i + 1) * G - 1] = (unsigned char)(20 + i);
    }
    ck_assert_ok(subx_type_pack(far, 1, t, out, sizeof out, &position));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(out[i], 10 + i);
        ck_assert_int_eq(out[3 + i], 20 + i);
        out[i] = (unsigned char)(50 + i);
    }
    position = 0;
    ck_assert_ok(subx_type_unpack(out, sizeof out, &position, far, 1, t));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(far[(i + 1) * G - 2], 50 + i);
    MPI_Type_free(&t);
    munmap(far, (size_t)(3 * G));
}
