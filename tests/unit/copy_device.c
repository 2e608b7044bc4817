/* copy_device.c - copies in the memory of the fake device: packing and unpacking give the same bytes as
 * MPI_Pack and MPI_Unpack; streams of the caller; wrong memory; calls that fail. */
#include "common/traversal.h"
#include "common/unit.h"
#include "copy/copy.h"
#include "unit/fake_device.h"
#include "type/type.h"
#include <string.h>

enum { ROOM = 1 << 14, MIDDLE = ROOM / 2 };

static unsigned char memory[ROOM], packed[ROOM], expected[ROOM], got[ROOM];
static void *on_device[2];

static void begin(unsigned long long seed)
{
    open_device(seed);
    for (int i = 0; i < 2; i++)
        on_device[i] = alloc(ROOM);
}

static void end(void)
{
    for (int i = 0; i < 2; i++)
        dev->free(handle, on_device[i]);
    close_device();
}

/* Execute a copy from on_device[0] + from to on_device[1] + to, with the bytes of `in` and `out`. All bytes
 * of on_device[1] are in `got` afterwards. */
static void execute(subx_copy c, int in_stream, const void *in, int from, const void *out, int to)
{
    ck_assert_ok(subx_copy_set_memory(c, SX_DEVICE_FAKE, in_stream ? stream[0] : NULL));
    ck_assert_int_eq(dev->copy(stream[0], on_device[0], in, ROOM), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->copy(stream[0], on_device[1], out, ROOM), SUBX_ERR_NONE);
    if (!in_stream)
        ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
    ck_assert_ok(subx_copy_execute(c, (char *)on_device[0] + from, (char *)on_device[1] + to));
    copy(got, on_device[1], ROOM);
}

/* Create the copy that packs `count` elements of a type, or with side SX_FROM the one that unpacks them. */
static int create_packing(int count, MPI_Datatype type, int side, subx_copy *copy)
{
    sx_layout layout;
    MPI_Datatype basic;
    MPI_Aint offset;
    MPI_Count lb, extent;
    *copy = SUBX_COPY_NULL;
    int rc = sx_type_get_layout(type, &layout, &offset, &basic);
    if (rc)
        return rc;
    MPI_Type_get_extent_x(type, &lb, &extent);
    ck_assert_ok(sx_layout_add_packed(&layout, count, (ptrdiff_t)extent));
    if (side == SX_TO)
        return sx_copy_create(&layout, offset, 0, copy);
    sx_layout_swap(&layout);
    return sx_copy_create(&layout, 0, offset, copy);
}

static void check(MPI_Datatype type, int count, int in_stream)
{
    subx_copy copy;
    int position = 0;
    memset(expected, 0x5a, ROOM);
    memset(packed, 0x5a, ROOM);
    const int n = test_mpi_pack(memory + MIDDLE, count, type, expected + 3, ROOM - 3);
    ck_assert_ok(create_packing(count, type, SX_TO, &copy));
    execute(copy, in_stream, memory, MIDDLE, packed, 3);
    ck_assert_mem_eq(got, expected, ROOM);
    ck_assert_ok(subx_copy_free(&copy));

    memcpy(packed, expected, ROOM);
    memset(expected, 0xa5, ROOM);
    if (n > 0)
        ck_assert_ok(MPI_Unpack(packed + 3, n, &position, expected + MIDDLE, count, type, MPI_COMM_SELF));
    memset(memory, 0xa5, ROOM);
    ck_assert_ok(create_packing(count, type, SX_FROM, &copy));
    execute(copy, in_stream, packed, 3, memory, MIDDLE);
    ck_assert_mem_eq(got, expected, ROOM);
    ck_assert_ok(subx_copy_free(&copy));
}

TEST(subarrays_in_any_order_are_packed_and_unpacked_as_by_mpi)
{
    test_random r = test_random_stream(test_random_seed(), 2);
    begin(6);
    for (int i = 0; i < 60; i++) {
        const test_block b = test_block_random(&r, TEST_NDIMS, 3, 1);
        MPI_Datatype t;
        ck_assert_ok(test_block_type(&b, i % 3 ? MPI_DOUBLE : MPI_SHORT, &t));
        ck_assert_ok(MPI_Type_commit(&t));
        test_random_fill(&r, memory, ROOM);
        check(t, 1, i % 2);
        MPI_Type_free(&t);
    }
    end();
}

static subx_copy create_sample(void)
{
    static const ptrdiff_t n[] = {3, 5}, from[] = {40, 8}, to[] = {-8, 24};
    subx_copy copy = SUBX_COPY_NULL;
    ck_assert_ok(subx_copy_create(2, n, from, to, 8, 0, &copy));
    return copy;
}

TEST(other_memory_is_refused)
{
    begin(7);
    subx_copy copy = create_sample();
    char *const from = on_device[0], *const to = on_device[1];
    ck_assert_kind(subx_copy_set_memory(copy, "gpu", NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_set_memory(SUBX_COPY_NULL, SX_DEVICE_FAKE, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_copy_set_memory(copy, SX_DEVICE_FAKE, NULL));
    ck_assert_ok(subx_copy_execute(copy, from, to + 16));
    ck_assert_kind(subx_copy_execute(copy, memory, to + 16), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_execute(copy, from, memory + 16), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_execute(copy, from, to + 8), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_execute(copy, from + ROOM - 119, to + 16), SUBX_ERR_ARG);
    ck_assert_ok(subx_copy_prefetch(copy, from));
    ck_assert_ok(subx_copy_set_memory(copy, SX_DEVICE_SYSTEM, NULL));
    ck_assert_ok(subx_copy_execute(copy, memory, packed + 16));
    ck_assert_ok(subx_copy_free(&copy));
    end();
}

/* A copy whose device fails still works when the device does. */
static void fail_calls(int in_stream)
{
    subx_copy copy = create_sample();
    int has_failed = 1;
    for (long n = 0; has_failed; n++) {
        fake->fails_after = n;
        int rc = subx_copy_set_memory(copy, SX_DEVICE_FAKE, in_stream ? stream[0] : NULL);
        if (rc == MPI_SUCCESS)
            rc = subx_copy_execute(copy, on_device[0], (char *)on_device[1] + 16);
        has_failed = fake->fails_after < 0;
        fake->fails_after = -1;
        ck_assert_int_eq(rc != MPI_SUCCESS, has_failed);
        ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
    }
    ck_assert_ok(subx_copy_free(&copy));
}

TEST(failing_calls_are_reported)
{
    begin(8);
    fail_calls(0);
    fail_calls(1);
    end();
}
