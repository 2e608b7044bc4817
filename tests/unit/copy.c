/* copy.c - subx_copy against a loop over single bytes, with random shapes, strides and lengths; its
 * errors. */
#include "base/base.h"
#include "common/random.h"
#include "common/unit.h"
#include "kern/kern.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AXES = 5, ROOM = 1 << 18, CASES = 600 };

static char source[ROOM], target[ROOM], expected[ROOM];

/* The arguments of a copy, and the offset of the first element in each buffer. The offsets are needed because
 * strides may be negative. */
typedef struct arguments {
    int ndims;
    ptrdiff_t n[AXES], from[AXES], to[AXES], block_bytes, whole_bytes;
    ptrdiff_t from_start, to_start;
} arguments;

static ptrdiff_t get_places(const arguments *a)
{
    ptrdiff_t places = 1;
    for (int i = 0; i < a->ndims; i++)
        places *= a->n[i];
    return places;
}

/* ---- random copies */

/* Get the strides of an array whose axes lie in memory in a random order, with gaps; some strides are
 * negative. Returns the bytes that the array spans, and in *start the offset of its first element. */
static ptrdiff_t spread(test_random *r, const arguments *a, ptrdiff_t stride[], ptrdiff_t *start)
{
    int order[AXES];
    ptrdiff_t s = a->block_bytes + (test_random_int(r, 0, 2) ? 0 : test_random_int(r, 0, 9));
    test_random_permutation(r, a->ndims, order);
    *start = 0;
    for (int i = 0; i < a->ndims; i++) {
        const ptrdiff_t n = a->n[order[i]], last = n > 0 ? n - 1 : 0;
        const int backwards = test_random_int(r, 0, 4) == 0;
        stride[order[i]] = backwards ? -s : s;
        *start += backwards ? last * s : 0;
        s = s * (last + 1) + (test_random_int(r, 0, 2) ? 0 : test_random_int(r, 0, 20));
    }
    return s;
}

/* Draw a copy. Few lengths are 0. Along an axis with stride 0, the copy reads the same element again and
 * again. */
static arguments make(test_random *r)
{
    for (;;) {
        arguments a = {.ndims = test_random_int(r, 0, AXES), .block_bytes = test_random_int(r, 1, 40)};
        const ptrdiff_t whole[] = {0, 1000, PTRDIFF_MAX};
        a.whole_bytes = whole[test_random_int(r, 0, 2)];
        for (int i = 0; i < a.ndims; i++)
            a.n[i] = test_random_int(r, 0, 30) ? test_random_int(r, 1, a.ndims < 3 ? 60 : 9) : 0;
        ptrdiff_t in = spread(r, &a, a.from, &a.from_start), out = spread(r, &a, a.to, &a.to_start);
        if (a.ndims > 0 && test_random_int(r, 0, 9) == 0 && a.from[0] > 0)
            a.from[0] = 0;
        a.from_start += test_random_int(r, 0, 63);
        a.to_start += test_random_int(r, 0, 63);
        if (in < ROOM - 64 && out < ROOM - 64)
            return a;
    }
}

static void copy_bytes(const arguments *a, const char *in, char *out)
{
    for (ptrdiff_t t = 0; t < get_places(a); t++) {
        ptrdiff_t rest = t, from = 0, to = 0;
        for (int i = 0; i < a->ndims; i++) {
            from += rest % a->n[i] * a->from[i];
            to += rest % a->n[i] * a->to[i];
            rest /= a->n[i];
        }
        for (ptrdiff_t b = 0; b < a->block_bytes; b++)
            out[to + b] = in[from + b];
    }
}

static subx_copy create(const arguments *a)
{
    subx_copy copy = SUBX_COPY_NULL;
    ck_assert_ok(subx_copy_create(a->ndims, a->n, a->from, a->to, a->block_bytes, a->whole_bytes, &copy));
    ck_assert_ptr_nonnull(copy);
    return copy;
}

/* Compare whole buffers: bytes that the copy does not write must not change. A prefetch must change
 * nothing. */
static void check(const arguments *a)
{
    subx_copy copy = create(a);
    memset(expected, 0x55, ROOM);
    memset(target, 0x55, ROOM);
    copy_bytes(a, source + a->from_start, expected + a->to_start);
    ck_assert_ok(subx_copy_prefetch(copy, source + a->from_start));
    ck_assert_ok(subx_copy_execute(copy, source + a->from_start, target + a->to_start));
    ck_assert_msg(memcmp(expected, target, ROOM) == 0, "%d axes, %td bytes, whole %td", a->ndims,
                  a->block_bytes, a->whole_bytes);
    ck_assert_ok(subx_copy_free(&copy));
    ck_assert_ptr_null(copy);
}

static void check_random(uint64_t stream)
{
    test_random r = test_random_stream(test_random_seed(), stream);
    test_random_fill(&r, source, ROOM);
    for (int k = 0; k < CASES; k++) {
        arguments a = make(&r);
        check(&a);
    }
}

TEST(any_strides)
{
    check_random(1);
}

TEST(any_strides_past_the_caches)
{
    sx_base_knobs.keep = 0;
    check_random(2);
    sx_base_knobs.keep = -1;
}

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
    memset(target, 0x55, ROOM);
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

TEST(one_copy_serves_many_addresses)
{
    const arguments a = {2, {7, 5}, {40, 8}, {8, 56}, 8, 0, 0, 0};
    test_random r = test_random_stream(test_random_seed(), 3);
    subx_copy copy = create(&a);
    test_random_fill(&r, source, ROOM);
    for (int k = 0; k < 20; k++) {
        const int in = test_random_int(&r, 0, 9000), out = test_random_int(&r, 0, 9000);
        memset(expected, 0x55, 10000);
        memset(target, 0x55, 10000);
        copy_bytes(&a, source + in, expected + out);
        ck_assert_ok(subx_copy_execute(copy, source + in, target + out));
        ck_assert_mem_eq(target, expected, 10000);
    }
    ck_assert_ok(subx_copy_free(&copy));
}

/* ---- copies without bytes */

TEST(nothing_needs_no_addresses)
{
    const arguments none[] = {
        {1, {0}, {8}, {8}, 8, 0, 0, 0},
        {3, {4, 0, 4}, {8, 32, 32}, {32, 8, 32}, 8, PTRDIFF_MAX, 0, 0},
        {2, {4, 4}, {8, 32}, {32, 8}, 0, 0, 0, 0},
        {.ndims = 0, .block_bytes = 0},
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        subx_copy copy = create(&none[i]);
        memset(target, 0x55, 256);
        memset(expected, 0x55, 256);
        ck_assert_ok(subx_copy_execute(copy, NULL, NULL));
        ck_assert_ok(subx_copy_execute(copy, source, target));
        ck_assert_ok(subx_copy_prefetch(copy, NULL));
        ck_assert_ok(subx_copy_prefetch(copy, source));
        ck_assert_mem_eq(target, expected, 256);
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

/* ---- memory that must not be accessed */

/* The array that is read begins right after, or ends right before, a page that cannot be accessed. Neither a
 * copy nor a prefetch may access that page. */
TEST(no_byte_beyond_an_array_is_touched)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = 16 * page;
    char *base = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(base, MAP_FAILED);
    ck_assert_int_eq(mprotect(base + page, room, PROT_READ | PROT_WRITE), 0);
    memcpy(base + page, source, room);
    for (ptrdiff_t b = 1; b <= 40; b += 3) {
        const ptrdiff_t rows = 7, columns = (ptrdiff_t)room / (rows * b);
        const arguments a = {2, {rows, columns}, {columns * b, b}, {b, rows * b}, b, 0, 0, 0};
        for (int at_end = 0; at_end < 2; at_end++) {
            const char *from = base + page + (at_end ? (ptrdiff_t)room - rows * columns * b : 0);
            subx_copy copy = create(&a);
            copy_bytes(&a, from, expected);
            ck_assert_ok(subx_copy_prefetch(copy, from));
            ck_assert_ok(subx_copy_execute(copy, from, target));
            ck_assert_mem_eq(target, expected, (size_t)(rows * columns * b));
            ck_assert_ok(subx_copy_free(&copy));
        }
    }
    munmap(base, room + 2 * page);
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
        {{1, {-1}, {8}, {8}, 8, 0, 0, 0}, SUBX_ERR_SIZE},
        {{2, {0, -1}, {8, 8}, {8, 8}, 8, 0, 0, 0}, SUBX_ERR_SIZE},
        {{1, {1}, {8}, {8}, -1, 0, 0, 0}, SUBX_ERR_SIZE},
        {{1, {1}, {8}, {8}, 8, -1, 0, 0}, SUBX_ERR_SIZE},
        {{2, {half, half}, {8, 8}, {8, 8}, 8, 0, 0, 0}, SUBX_ERR_TOO_LARGE},
        {{1, {half}, {8}, {8}, half, 0, 0, 0}, SUBX_ERR_TOO_LARGE},
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

int main(void)
{
    return test_unit_run_mpi("copy");
}
