/* subarray.c - subarray types. In the order of the storage (C or Fortran) they equal MPI's own subarray
 * types. In all other orders they are compared element by element. */
#include "common/traversal.h"
#include "common/unit.h"
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 18 };

static unsigned char array[ROOM], packed[ROOM], expected[ROOM], unpacked[ROOM];

static void check_same_bounds(MPI_Datatype a, MPI_Datatype b)
{
    MPI_Aint lb[2], extent[2], true_lb[2], true_extent[2];
    int size[2];
    MPI_Datatype t[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        MPI_Type_get_extent(t[i], &lb[i], &extent[i]);
        MPI_Type_get_true_extent(t[i], &true_lb[i], &true_extent[i]);
        MPI_Type_size(t[i], &size[i]);
    }
    ck_assert_int_eq(lb[0], lb[1]);
    ck_assert_int_eq(extent[0], extent[1]);
    ck_assert_int_eq(true_lb[0], true_lb[1]);
    ck_assert_int_eq(true_extent[0], true_extent[1]);
    ck_assert_int_eq(size[0], size[1]);
}

static void check_same_envelope(MPI_Datatype a, MPI_Datatype b)
{
    int n[2][4];
    MPI_Type_get_envelope(a, &n[0][0], &n[0][1], &n[0][2], &n[0][3]);
    MPI_Type_get_envelope(b, &n[1][0], &n[1][1], &n[1][2], &n[1][3]);
    ck_assert_mem_eq(n[0], n[1], sizeof n[0]);
    ck_assert_int_eq(n[0][3], MPI_COMBINER_SUBARRAY);
    int i[2][3 * TEST_NDIMS + 2];
    MPI_Aint address[1];
    MPI_Datatype t[2];
    MPI_Type_get_contents(a, n[0][0], n[0][1], n[0][2], i[0], address, &t[0]);
    MPI_Type_get_contents(b, n[0][0], n[0][1], n[0][2], i[1], address, &t[1]);
    ck_assert_mem_eq(i[0], i[1], (size_t)n[0][0] * sizeof(int));
    ck_assert(t[0] == t[1]);
}

static void check_same_bytes(MPI_Datatype a, MPI_Datatype b)
{
    int n = test_mpi_pack(array, 2, a, packed, ROOM);
    ck_assert_int_ge(n, 0);
    ck_assert_int_eq(test_mpi_pack(array, 2, b, expected, ROOM), n);
    ck_assert_mem_eq(packed, expected, (size_t)n);
}

static void set_own_order(test_block *b)
{
    for (int i = 0; i < b->ndims; i++)
        b->order[i] = b->storage == MPI_ORDER_C ? b->ndims - 1 - i : i;
}

TEST(the_storages_own_order_is_mpis_type)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    test_random_fill(&r, array, ROOM);
    for (int k = 0; k < 300; k++) {
        test_block b = test_block_random(&r, TEST_NDIMS, 5, 0);
        MPI_Datatype ours, theirs, old = k % 2 ? MPI_DOUBLE : MPI_SHORT;
        set_own_order(&b);
        const int *order = k % 3 ? b.order : NULL;
        ck_assert_ok(
            subx_type_create_subarray(b.ndims, b.sizes, b.subsizes, b.starts, b.storage, order, old, &ours));
        ck_assert_ok(
            MPI_Type_create_subarray(b.ndims, b.sizes, b.subsizes, b.starts, b.storage, old, &theirs));
        check_same_bounds(ours, theirs);
        check_same_envelope(ours, theirs);
        check_same_bytes(ours, theirs);
        MPI_Type_free(&ours);
        MPI_Type_free(&theirs);
    }
}

/* Pack `count` blocks one element after the other; MPI_Pack packs each element. Returns the number of
 * bytes. */
static int pack_elements(const test_block *b, int count, MPI_Datatype old)
{
    MPI_Aint lb, extent;
    int n = 0;
    MPI_Type_get_extent(old, &lb, &extent);
    for (int c = 0; c < count; c++)
        for (ptrdiff_t i = 0; i < test_block_count(b); i++) {
            ptrdiff_t at = (c * test_block_full(b) + test_block_index(b, i)) * extent;
            n += test_mpi_pack(array + at, 1, old, expected + n, ROOM - n);
        }
    return n;
}

static void check_bounds(const test_block *b, MPI_Datatype old, MPI_Datatype type)
{
    MPI_Aint lb, extent, old_extent;
    int size, old_size;
    MPI_Type_get_extent(old, &lb, &old_extent);
    MPI_Type_size(old, &old_size);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_size(type, &size);
    ck_assert_int_eq(lb, 0);
    ck_assert_int_eq(extent, test_block_full(b) * old_extent);
    ck_assert_int_eq(size, test_block_count(b) * old_size);
}

/* Compare the true lower bound and the true extent with the addresses of the first and the last element in
 * memory. */
static void check_true_bounds(const test_block *b, MPI_Datatype old, MPI_Datatype type)
{
    MPI_Aint lb, extent, first, length, true_lb, true_extent;
    ptrdiff_t least = PTRDIFF_MAX, most = 0;
    MPI_Type_get_extent(old, &lb, &extent);
    MPI_Type_get_true_extent(old, &first, &length);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    for (ptrdiff_t i = 0; i < test_block_count(b); i++) {
        ptrdiff_t at = test_block_index(b, i);
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    ck_assert_int_eq(true_lb, least * extent + first);
    ck_assert_int_eq(true_extent, (most - least) * extent + length);
}

static void check_unpack(MPI_Datatype type, int n, int count)
{
    int position = 0;
    memset(unpacked, 0, ROOM);
    ck_assert_ok(MPI_Unpack(packed, n, &position, unpacked, count, type, MPI_COMM_SELF));
    ck_assert_int_eq(test_mpi_pack(unpacked, count, type, expected, ROOM), n);
    ck_assert_mem_eq(packed, expected, (size_t)n);
}

static void check_block(const test_block *b, MPI_Datatype old)
{
    MPI_Datatype type;
    ck_assert_ok(test_block_type(b, old, &type));
    check_bounds(b, old, type);
    if (test_block_count(b) > 0)
        check_true_bounds(b, old, type);
    int n = pack_elements(b, 2, old);
    ck_assert_int_eq(test_mpi_pack(array, 2, type, packed, ROOM), n);
    ck_assert_mem_eq(packed, expected, (size_t)n);
    check_unpack(type, n, 2);
    MPI_Type_free(&type);
}

/* Create a type of two parts, with gaps before, between and after them. */
static MPI_Datatype create_gappy(void)
{
    MPI_Datatype v, t;
    const int lengths[] = {1, 2}, displacements[] = {1, 4};
    MPI_Type_indexed(2, lengths, displacements, MPI_SHORT, &v);
    MPI_Type_create_resized(v, 0, 14, &t);
    MPI_Type_free(&v);
    return t;
}

TEST(random_orders_in_one_to_five_dimensions)
{
    test_random r = test_random_stream(test_random_seed(), 3);
    MPI_Datatype old[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX, create_gappy()};
    test_random_fill(&r, array, ROOM);
    for (int k = 0; k < 400; k++) {
        test_block b = test_block_random(&r, TEST_NDIMS, 5, 1);
        check_block(&b, old[k % 5]);
    }
    MPI_Type_free(&old[4]);
}

TEST(empty_blocks_have_size_0_and_the_arrays_extent)
{
    const int sizes[] = {4, 5}, subsizes[] = {0, 3}, starts[] = {4, 1}, none[] = {0, 0}, order[] = {0, 1};
    MPI_Datatype t;
    MPI_Aint lb, extent;
    int size;
    ck_assert_ok(subx_type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, order, MPI_INT, &t));
    MPI_Type_get_extent(t, &lb, &extent);
    MPI_Type_size(t, &size);
    ck_assert(size == 0 && lb == 0 && extent == 80);
    MPI_Type_free(&t);
    ck_assert_ok(subx_type_create_subarray(2, none, none, none, MPI_ORDER_C, NULL, MPI_INT, &t));
    MPI_Type_get_extent(t, &lb, &extent);
    MPI_Type_size(t, &size);
    ck_assert(size == 0 && lb == 0 && extent == 0);
    MPI_Type_free(&t);
}

TEST(many_dimensions)
{
    int sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX], order[SUBX_NDIMS_MAX];
    MPI_Datatype t;
    int size;
    for (int i = 0; i < SUBX_NDIMS_MAX; i++) {
        sizes[i] = i % 8 ? 1 : 3;
        subsizes[i] = i % 8 ? 1 : 2;
        starts[i] = i % 8 ? 0 : 1;
        order[i] = (i * 5 + 3) % SUBX_NDIMS_MAX;
    }
    ck_assert_ok(
        subx_type_create_subarray(SUBX_NDIMS_MAX, sizes, subsizes, starts, MPI_ORDER_C, order, MPI_CHAR, &t));
    MPI_Type_size(t, &size);
    ck_assert_int_eq(size, 16);
    ck_assert_int_eq(test_mpi_pack(array, 1, t, packed, ROOM), 16);
    MPI_Type_free(&t);
}
