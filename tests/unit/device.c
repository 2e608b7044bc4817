/* device.c - the fake device: its kernels against plain loops, the order of work in its streams, and errors
 * that it must find in programs. */
#include "common/random.h"
#include "common/unit.h"
#include "device/fake.h"
#include "device/kernel_body.h"
#include "unit/fake_device.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels */

enum { AXES = 4, SHORT = 5, LONG = 70, WORDS = 4 * 2 * 2 * LONG * LONG };

/* Permute the first n elements, then the others, whose addresses are given with an element too much. */
static void permute_in_parts(const sx_device_nest *nest, char *from, char *to, ptrdiff_t n)
{
    sx_device_nest first = *nest, rest = *nest;
    sx_device_nest_reduce(&first, 0, n * nest->element);
    sx_device_nest_reduce(&rest, n * nest->element, (nest->count - n) * nest->element);
    rest.skip[SX_FROM] = rest.skip[SX_TO] = nest->element;
    ck_assert_int_eq(dev->permute(stream[1], &first, from, to), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->permute(stream[1], &rest, from + nest->element, to + nest->element), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[1]), SUBX_ERR_NONE);
}

/* Draw the lengths of the axes: all are short; or two are so long that the copy needs several tiles; or one
 * is so long that it is read in runs, between fields that are interleaved. */
static void draw_lengths(test_random *r, ptrdiff_t n[AXES])
{
    static const ptrdiff_t runs[] = {32, 33, 96, 2048};
    const int style = test_random_int(r, 0, 2), is_short = style == 0;
    for (int k = 0; k < AXES; k++)
        n[k] = test_random_int(r, 1, is_short ? SHORT : style == 1 && k < 2 ? LONG : 2);
    if (style == 2)
        n[test_random_int(r, 0, AXES - 1)] = runs[test_random_int(r, 0, 3)];
}

/* An array of random lengths, which is read in one order of its axes and written in another, as a whole or in
 * two parts. */
TESTS(a_permuting_copy_is_that_of_plain_loops, 0, 180)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)_i);
    static const ptrdiff_t elements[] = {1, 2, 4, 8, 12, 16};
    const ptrdiff_t element = elements[test_random_int(&r, 0, 5)];
    static unsigned from[WORDS], to[WORDS], expected[WORDS];
    ptrdiff_t n[AXES], is[AXES], os[AXES], bytes = element, count = 1, at = element;
    int in[AXES], out[AXES];
    open_device((unsigned)_i);
    test_random_fill(&r, from, sizeof from);
    memset(to, 0, sizeof to);
    memset(expected, 0, sizeof expected);
    test_random_permutation(&r, AXES, in);
    test_random_permutation(&r, AXES, out);
    draw_lengths(&r, n);
    for (int k = 0; k < AXES; k++) {
        is[in[k]] = at;
        os[out[k]] = bytes;
        at *= n[in[k]];
        bytes *= n[out[k]];
        count *= n[k];
    }
    sx_device_nest nest = sx_device_nest_create(element);
    for (int k = 0; k < AXES; k++)
        sx_device_nest_add(&nest, n[out[k]], is[out[k]], os[out[k]]);
    ck_assert_int_eq(nest.count, count);
    for (ptrdiff_t i = 0; i < count; i++) {
        ptrdiff_t rest = i, a = 0, b = 0;
        for (int k = 0; k < AXES; rest /= n[k], k++) {
            a += rest % n[k] * is[k];
            b += rest % n[k] * os[k];
        }
        memcpy((char *)expected + b, (char *)from + a, (size_t)element);
    }
    char *x = alloc(bytes), *y = alloc(bytes);
    copy(x, from, bytes);
    permute_in_parts(&nest, x, y, test_random_int(&r, 0, 1) ? 0 : test_random_int(&r, 0, sx_base_fit(count)));
    copy(to, y, bytes);
    ck_assert_mem_eq(to, expected, sizeof to);
    ck_assert_int_eq(dev->permute(stream[1], &nest, x + bytes, y), SUBX_ERR_ARG);
    dev->free(handle, x);
    dev->free(handle, y);
    close_device();
}

/* Doubles in reverse order, some of them beyond the range of floats, as one or two reals per element; the
 * second half of the elements is converted first. */
TESTS(conversions_are_those_of_the_compiler, 0, 2 * SX_DEVICE_ROUND)
{
    enum { COUNT = 12 };
    static const double special[] = {1e300, -1e300, 1e-300, 3.5e-46, 1e-40, FLT_MAX, 1 + 0x1p-24, -0.0};
    const int width = 1 + _i % 2, converts = 1 + _i / 2, reads = converts == SX_DEVICE_WIDEN,
              writes = converts == SX_DEVICE_NARROW, n = COUNT / width;
    double from[COUNT], to[COUNT] = {0};
    float floats[COUNT], short_to[COUNT] = {0};
    open_device((unsigned)_i);
    for (int i = 0; i < COUNT; i++)
        floats[i] = (float)(from[i] = i < 8 ? special[i] : 1.0 / i);
    sx_device_nest nest = sx_device_nest_create(8 * width), half;
    nest.converts = converts;
    sx_device_nest_add(&nest, n, nest.element / (1 + reads), -nest.element / (1 + writes));
    char *x = alloc(sizeof from), *y = alloc(sizeof to);
    copy(x, reads ? (void *)floats : from, reads ? sizeof floats : sizeof from);
    for (int k = 1; k >= 0; k--) {
        half = nest;
        sx_device_nest_reduce(&half, k * n / 2 * nest.element, n / 2 * nest.element);
        ck_assert_int_eq(
            dev->permute(stream[0], &half, x, y + (n - 1) * sx_device_nest_get_bytes(&nest, SX_TO)),
            SUBX_ERR_NONE);
    }
    copy(writes ? (void *)short_to : to, y, writes ? sizeof short_to : sizeof to);
    for (int i = 0; i < COUNT; i++) {
        const int at = (n - 1 - i / width) * width + i % width;
        ck_assert(writes ? short_to[at] == floats[i] : to[at] == (double)floats[i]);
    }
    dev->free(handle, x);
    dev->free(handle, y);
    close_device();
}

TEST(levels_that_continue_each_other_are_one)
{
    sx_device_nest nest = sx_device_nest_create(8);
    sx_device_nest_add(&nest, 3, 8, 16);
    sx_device_nest_add(&nest, 1, 7, 7);
    sx_device_nest_add(&nest, 5, 24, 48);
    sx_device_nest_add(&nest, 2, 120, 8);
    ck_assert_int_eq(nest.nlevels, 2);
    ck_assert_int_eq(nest.level[0].n, 15);
    ck_assert_int_eq(nest.count, 30);
}

/* Multiply by roots of unity, whose exponent is the product of two indices; a level in the middle does not
 * count. */
TESTS(roots_of_unity_are_those_of_long_double, 0, 2)
{
    const ptrdiff_t n[3] = {7, 3, 31}, first[3] = {40, -1, 900};
    sx_device_product p = {
        .what = SX_DEVICE_ROOTS, .width = 2, .is_conjugate = _i, .nlevels = 3, .circle = 64000};
    for (int k = 0; k < 3; k++) {
        p.n[k] = n[k];
        p.first[k] = first[k];
        p.stride[k] = k ? p.stride[k - 1] * n[k - 1] : 2;
    }
    for (ptrdiff_t i = 0; i < 7 * 3 * 31; i++) {
        float single[2 * 7 * 3 * 31] = {0};
        double both[2 * 7 * 3 * 31] = {0};
        const long double m = (long double)((40 + i % 7) * (900 + i / 21)), angle = 2 * acosl(-1) * m / 64000;
        const long double re = cosl(angle), im = _i ? sinl(angle) : -sinl(angle);
        single[2 * i] = 1;
        both[2 * i] = 1;
        sx_device_multiply_element_float(&p, i, NULL, single);
        sx_device_multiply_element_double(&p, i, NULL, both);
        ck_assert(fabsl(single[2 * i] - re) < 2 * FLT_EPSILON &&
                  fabsl(single[2 * i + 1] - im) < 2 * FLT_EPSILON);
        ck_assert(fabsl(both[2 * i] - re) < 2 * DBL_EPSILON && fabsl(both[2 * i + 1] - im) < 2 * DBL_EPSILON);
    }
}

/* ---- folds */

/* Query whether 2 index + 1, or its negative, plus 4n if the sign is negative, is 1 modulo 8 and `remainder`
 * modulo n. */
static int is_one_of_four(ptrdiff_t n, ptrdiff_t index, int sign, ptrdiff_t remainder)
{
    const ptrdiff_t more = sign < 0 ? 4 * n : 0, a = 2 * index + 1 + more, b = 8 * n + more - 2 * index - 1;
    return (a % 8 == 1 && a % n == remainder) || (b % 8 == 1 && b % n == remainder);
}

/* The indices of DCT-IV of odd length have the properties that kernel_fold_body.h needs. No number exceeds 64
 * bits. */
TEST(odd_lines_may_be_long)
{
    test_random r = test_random_stream(test_random_seed(), 0);
    for (int k = 0; k < 1000; k++) {
        const ptrdiff_t n = ((ptrdiff_t)1 << test_random_int(&r, 1, 58)) + 2 * test_random_int(&r, 0, 9) + 1;
        const ptrdiff_t at = (ptrdiff_t)(test_random_bits(&r) % (uint64_t)n);
        int sign;
        const ptrdiff_t i = sx_device_find_odd_number(n, at, &sign);
        ck_assert(i >= 0 && i < n && is_one_of_four(n, i, sign, at));
        const ptrdiff_t s = sx_device_find_odd_place(n, at, &sign);
        ck_assert(s >= 0 && s < n && is_one_of_four(n, at, sign, s * 8 % n));
    }
}

/* ---- errors of programs that the device must find */

static sigjmp_buf back;

static void jump(int signal)
{
    siglongjmp(back, signal);
}

/* Returns 1 if the host can read this address. */
static int is_readable(const volatile char *at)
{
    struct sigaction act = {.sa_handler = jump}, old[2];
    sigaction(SIGSEGV, &act, &old[0]);
    sigaction(SIGBUS, &act, &old[1]);
    int readable = 0;
    if (!sigsetjmp(back, 1)) {
        readable = *at == *at;
    }
    sigaction(SIGSEGV, &old[0], NULL);
    sigaction(SIGBUS, &old[1], NULL);
    return readable;
}

TEST(only_its_functions_touch_its_memory)
{
    char x[100] = {1};
    open_device(1);
    char *a = alloc(100);
    ck_assert_int_eq(is_readable(x), 1);
    ck_assert_int_eq(is_readable(a), 0);
    copy(a, x, 100);
    ck_assert_int_eq(is_readable(a + 50), 0);
    ck_assert_int_eq(dev->has(handle, a, 100), 1);
    ck_assert_int_eq(dev->has(handle, a + 1, 99), 1);
    ck_assert_int_eq(dev->has(handle, a + 1, 100), 0);
    ck_assert_int_eq(dev->has(handle, x, 1), 0);
    dev->free(handle, a);
    close_device();
}

TEST(memory_that_is_freed_before_its_work_is_found)
{
    const sx_device_nest nest = {.element = 8, .count = 1};
    open_device(1);
    char *a = alloc(8), *b = alloc(8);
    int late = 0;
    for (int k = 0; k < 20 && !late; k++) {
        char *c = alloc(8);
        ck_assert_int_eq(dev->permute(stream[0], &nest, a, c), SUBX_ERR_NONE);
        dev->free(handle, c);
        late = dev->finish(stream[0]) == SUBX_ERR_DEVICE;
    }
    ck_assert_int_eq(late, 1);
    ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
    dev->free(handle, a);
    dev->free(handle, b);
    close_device();
}

/* A process may also import its own memory. Work reads the import, and cannot write it. */
TEST(imported_memory_is_read_and_not_written)
{
    const sx_device_nest nest = {.element = 8, .count = 1};
    const double one = 1;
    double got = 0;
    sx_device_ticket ticket;
    void *theirs, *none;
    open_device(1);
    char *a = alloc(100), *b = alloc(8);
    copy(a, &one, sizeof one);
    ck_assert_int_eq(dev->export_memory(handle, a + 8, &ticket), SUBX_ERR_ARG);
    ck_assert_int_eq(dev->export_memory(handle, a, &ticket), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->import_memory(handle, &ticket, &theirs), SUBX_ERR_NONE);
    ck_assert_ptr_ne(theirs, a);
    ck_assert_int_eq(is_readable(theirs), 0);
    ck_assert_int_eq(dev->permute(stream[0], &nest, theirs, b), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
    copy(&got, b, sizeof got);
    ck_assert(got == one);
    ck_assert_int_eq(dev->permute(stream[0], &nest, b, theirs), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_DEVICE);
    fake->fails_after = 0;
    ck_assert_int_eq(dev->export_memory(handle, a, &ticket), SUBX_ERR_DEVICE);
    fake->fails_after = 0;
    ck_assert_int_eq(dev->import_memory(handle, &ticket, &none), SUBX_ERR_NO_MEM);
    dev->drop_memory(handle, theirs);
    dev->free(handle, a);
    dev->free(handle, b);
    ck_assert_int_eq(dev->import_memory(handle, &ticket, &none), SUBX_ERR_DEVICE);
    close_device();
}

/* In one stream copy 1 to the device memory `a`, which holds 0. In another stream copy `a` to the host.
 * Returns the number that the host got: 1 if the second stream waits for the first one's event. */
static int run_in_two_streams(int has_event)
{
    const int one = 1, zero = 0;
    int got = -1;
    void *event;
    char *a = alloc(sizeof one);
    copy(a, &zero, sizeof zero);
    ck_assert_int_eq(dev->create_event(handle, &event), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->await(stream[1], event), SUBX_ERR_NONE); /* the event is not recorded: no wait */
    ck_assert_int_eq(dev->copy(stream[0], a, &one, sizeof one), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->record(stream[0], event), SUBX_ERR_NONE);
    if (has_event)
        ck_assert_int_eq(dev->await(stream[1], event), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->copy(stream[1], &got, a, sizeof got), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[1]), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->wait(event), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
    dev->free_event(event);
    dev->free(handle, a);
    return got;
}

TEST(streams_keep_the_order_of_events_and_no_other)
{
    int early = 0;
    for (unsigned seed = 0; seed < 20; seed++) {
        open_device(seed);
        ck_assert_int_eq(run_in_two_streams(1), 1);
        early += run_in_two_streams(0) == 0;
        close_device();
    }
    ck_assert_int_gt(early, 0);
    ck_assert_int_lt(early, 20);
}
