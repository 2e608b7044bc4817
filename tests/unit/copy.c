/* copy.c - subx_copy: as many axes as there may be, copies without bytes, errors. kern.c compares random
 * copies. */
#include "base/base.h"
#include "common/unit.h"
#include <string.h>
#include <subx_lowlevel.h>

enum { AXES = 3, ROOM = 1 << 18 };

static char source[ROOM], target[ROOM];

typedef struct arguments {
    int ndims;
    ptrdiff_t n[AXES], from[AXES], to[AXES], block_bytes, whole_bytes;
} arguments;

/* Most axes have length 1. Their strides would lead outside the buffers, but must not matter. */
TEST(as_many_axes_as_there_may_be)
{
    ptrdiff_t n[SUBX_NDIMS_MAX], from[SUBX_NDIMS_MAX], to[SUBX_NDIMS_MAX];
    subx_copy copy = SUBX_COPY_NULL;
    for (int i = 0; i < SUBX_NDIMS_MAX; i++) {
        n[i] = i % 8 == 3 ? 3 : 1;
        from[i] = i % 8 == 3 ? (ptrdiff_t)2 << i / 2 : PTRDIFF_MAX;
        to[i] = i % 8 == 3 ? (ptrdiff_t)2 << (31 - i) / 2 : PTRDIFF_MAX;
    }
    for (int i = 0; i < ROOM; i++)
        source[i] = (char)((ptrdiff_t)i * i / 7);
    ck_assert_ok(subx_copy_create(SUBX_NDIMS_MAX, n, from, to, 2, 0, &copy));
    ck_assert_ok(subx_copy_execute(copy, source, target));
    ck_assert_ok(subx_copy_free(&copy));
    for (int k = 0; k < 81; k++) {
        const int i[] = {k % 3, k / 3 % 3, k / 9 % 3, k / 27};
        ptrdiff_t in = 0, out = 0;
        for (int a = 0; a < 4; a++) {
            in += i[a] * from[8 * a + 3];
            out += i[a] * to[8 * a + 3];
        }
        ck_assert_mem_eq(target + out, source + in, 2);
    }
}

/* ---- copies without bytes */

TEST(nothing_needs_no_addresses)
{
    const arguments none[] = {
        {1, {0}, {8}, {8}, 8, 0},
        {3, {4, 0, 4}, {8, 32, 32}, {32, 8, 32}, 8, PTRDIFF_MAX},
        {2, {4, 4}, {8, 32}, {32, 8}, 0, 0},
        {.ndims = 0, .block_bytes = 0},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const arguments *a = &none[i];
        subx_copy copy = SUBX_COPY_NULL;
        memset(target, 0x55, 256);
        ck_assert_ok(subx_copy_create(a->ndims, a->n, a->from, a->to, a->block_bytes, a->whole_bytes, &copy));
        ck_assert_ok(subx_copy_execute(copy, NULL, NULL));
        ck_assert_ok(subx_copy_execute(copy, source, target));
        ck_assert_ok(subx_copy_prefetch(copy, NULL));
        ck_assert_ok(subx_copy_prefetch(copy, source));
        for (int k = 0; k < 256; k++)
            ck_assert_int_eq(target[k], 0x55);
        ck_assert_ok(subx_copy_free(&copy));
    }
}

/* Without axes there is one block of bytes. The arrays of lengths and strides may be NULL. */
TEST(no_axes_are_one_block)
{
    subx_copy copy = SUBX_COPY_NULL;
    ck_assert_ok(subx_copy_create(0, NULL, NULL, NULL, 13, 0, &copy));
    memset(target, 0x55, 32);
    ck_assert_ok(subx_copy_execute(copy, source, target));
    ck_assert_mem_eq(target, source, 13);
    ck_assert_int_eq(target[13], 0x55);
    ck_assert_ok(subx_copy_free(&copy));
}

/* ---- errors */

typedef struct refusal {
    arguments a;
    int kind;
} refusal;

TEST(wrong_arguments_are_refused)
{
    const ptrdiff_t half = (ptrdiff_t)1 << 32;
    const refusal refusals[] = {
        {{.ndims = -1, .block_bytes = 8}, SUBX_ERR_NDIMS},
        {{.ndims = SUBX_NDIMS_MAX + 1, .block_bytes = 8}, SUBX_ERR_NDIMS},
        {{1, {-1}, {8}, {8}, 8, 0}, SUBX_ERR_SIZE},
        {{2, {0, -1}, {8, 8}, {8, 8}, 8, 0}, SUBX_ERR_SIZE},
        {{1, {1}, {8}, {8}, -1, 0}, SUBX_ERR_SIZE},
        {{1, {1}, {8}, {8}, 8, -1}, SUBX_ERR_SIZE},
        {{2, {half, half}, {8, 8}, {8, 8}, 8, 0}, SUBX_ERR_TOO_LARGE},
        {{1, {half}, {8}, {8}, half, 0}, SUBX_ERR_TOO_LARGE},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const arguments *a = &refusals[i].a;
        subx_copy copy = (subx_copy)&copy;
        ck_assert_kind(
            subx_copy_create(a->ndims, a->n, a->from, a->to, a->block_bytes, a->whole_bytes, &copy),
            refusals[i].kind);
        ck_assert_ptr_null(copy);
    }
}

TEST(null_arguments_are_refused)
{
    const ptrdiff_t one[] = {1};
    subx_copy copy = (subx_copy)&copy;
    ck_assert_kind(subx_copy_create(1, NULL, one, one, 8, 0, &copy), SUBX_ERR_ARG);
    ck_assert_ptr_null(copy);
    ck_assert_kind(subx_copy_create(1, one, NULL, one, 8, 0, &copy), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_create(1, one, one, NULL, 8, 0, &copy), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_create(1, one, one, one, 8, 0, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_execute(SUBX_COPY_NULL, source, target), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_prefetch(SUBX_COPY_NULL, source), SUBX_ERR_ARG);
    ck_assert_ok(subx_copy_create(1, one, one, one, 8, 0, &copy));
    ck_assert_kind(subx_copy_execute(copy, NULL, target), SUBX_ERR_ARG);
    ck_assert_kind(subx_copy_execute(copy, source, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_copy_prefetch(copy, NULL));
    ck_assert_ok(subx_copy_free(&copy));
    ck_assert_ok(subx_copy_free(&copy));
    ck_assert_ok(subx_copy_free(NULL));
}

TEST(memory_is_short)
{
    const ptrdiff_t n[] = {3, 4}, from[] = {8, 24}, to[] = {32, 8};
    int failures = 0, rc;
    do {
        subx_copy copy = (subx_copy)&copy;
        sx_base_fail_after(failures);
        rc = subx_copy_create(2, n, from, to, 8, 0, &copy);
        sx_base_fail_after(-1);
        ck_assert(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_NO_MEM);
        ck_assert_int_eq(copy != SUBX_COPY_NULL, rc == MPI_SUCCESS);
        ck_assert_ok(subx_copy_free(&copy));
        failures += rc != MPI_SUCCESS;
    } while (rc != MPI_SUCCESS && failures < 20);
    ck_assert_int_ge(failures, 1);
    ck_assert_int_lt(failures, 20);
}
