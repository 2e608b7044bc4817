/* device.c - the fake device: its kernels against plain loops, the order of work in its streams, and errors that it must
 * find in programs. */
#include "common/random.h"
#include "common/unit.h"
#include "device/fake.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static sx_fake *fake;
static void *handle, *stream[2];
static const sx_device *const dev = &sx_device_fake;

static void open_device(unsigned long long seed)
{
    sx_text why = {NULL, 0, 0};
    fake = sx_base_knobs.fake = sx_device_fake_create(seed);
    ck_assert_int_eq(dev->open(&handle, &why), SUBX_ERR_NONE);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(dev->create_stream(handle, &stream[i]), SUBX_ERR_NONE);
}

/* Close the device. Nothing may be left on it. */
static void close_device(void)
{
    for (int i = 0; i < 2; i++)
        dev->free_stream(stream[i]);
    dev->close(handle);
    ck_assert_int_eq(sx_device_fake_free(&fake), 0);
    sx_base_knobs.fake = NULL;
}

static void *alloc(ptrdiff_t bytes)
{
    void *address;
    ck_assert_int_eq(dev->alloc(handle, bytes, &address), SUBX_ERR_NONE);
    return address;
}

static void copy(void *to, const void *from, ptrdiff_t bytes)
{
    ck_assert_int_eq(dev->copy(stream[0], to, from, bytes), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
}

/* ---- kernels */

enum { AXES = 4, LONGEST = 5, WORDS = 4 * 625 };

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

/* An array of random lengths, which is read in one order of its axes and written in another. */
TESTS(a_permuting_copy_is_that_of_plain_loops, 0, 60)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)_i);
    static const ptrdiff_t elements[] = {1, 2, 4, 8, 12, 16};
    const ptrdiff_t element = elements[test_random_int(&r, 0, 5)];
    unsigned from[WORDS], to[WORDS] = {0}, expected[WORDS] = {0};
    ptrdiff_t n[AXES], is[AXES], os[AXES], bytes = element, count = 1, at = element;
    int in[AXES], out[AXES];
    open_device((unsigned)_i);
    test_random_fill(&r, from, sizeof from);
    test_random_permutation(&r, AXES, in);
    test_random_permutation(&r, AXES, out);
    for (int k = 0; k < AXES; k++)
        n[k] = test_random_int(&r, 1, LONGEST);
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
    permute_in_parts(&nest, x, y, test_random_int(&r, 0, sx_base_fit(count)));
    copy(to, y, bytes);
    ck_assert_mem_eq(to, expected, sizeof to);
    ck_assert_int_eq(dev->permute(stream[1], &nest, x + bytes, y), SUBX_ERR_ARG);
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
    ck_assert_int_eq(nest.n[0], 15);
    ck_assert_int_eq(nest.count, 30);
}

TEST(reals_are_scaled)
{
    float x[3] = {1, 2, 3};
    double y[3] = {1, 2, 3};
    open_device(1);
    void *a = alloc(sizeof x), *b = alloc(sizeof y);
    copy(a, x, sizeof x);
    copy(b, y, sizeof y);
    ck_assert_int_eq(dev->scale(stream[0], sizeof(float), a, 3, 0.5), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->scale(stream[0], sizeof(double), b, 3, 0.25), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->scale(stream[0], sizeof(double), b, 4, 0.25), SUBX_ERR_ARG);
    copy(x, a, sizeof x);
    copy(y, b, sizeof y);
    ck_assert(x[2] == 1.5f && y[2] == 0.75);
    dev->free(handle, a);
    dev->free(handle, b);
    close_device();
}

/* exp(-2 pi i j k / 4) has the values 1, -i, -1, i. */
TEST(pencils_are_transformed)
{
    const sx_device_fft p = {
        .real_bytes = sizeof(double), .width = {2, 2}, .sign = -1, .axis = {4, 1, 1}, .keep_input = 1};
    double x[8] = {1, 0, 2, 0, 3, 0, 4, 0};
    const double expected[8] = {10, 0, -2, 2, -2, 0, -2, -2};
    void *t, *none;
    open_device(3);
    ck_assert_int_eq(dev->create_transform(handle, &p, 0, &t), SUBX_ERR_NONE);
    void *a = alloc(sizeof x), *b = alloc(sizeof x);
    copy(a, x, sizeof x);
    ck_assert_int_eq(dev->transform(stream[0], t, a, b), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->transform(stream[0], t, x, b), SUBX_ERR_ARG);
    copy(x, b, sizeof x);
    for (int i = 0; i < 8; i++)
        ck_assert_double_eq_tol(x[i], expected[i], 1e-14);
    fake->fails_after = 0;
    ck_assert_int_eq(dev->create_transform(handle, &p, 0, &none), SUBX_ERR_NO_MEM);
    dev->free_transform(t);
    dev->free(handle, a);
    dev->free(handle, b);
    close_device();
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

/* In one stream copy 1 to the device memory `a`, which holds 0. In another stream copy `a` to the host. Returns the
 * number that the host got: 1 if the second stream waits for the first one's event. */
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

/* Each call that can fail must fail once on demand, and must leave nothing behind. */
TEST(calls_fail_on_demand)
{
    int x = 0;
    void *event = NULL, *a = NULL;
    long n = 0;
    int kinds = 1;
    open_device(1);
    for (; kinds; n++) {
        fake->fails_after = n;
        kinds = dev->alloc(handle, 8, &a) == SUBX_ERR_NO_MEM;
        kinds += dev->create_event(handle, &event) == SUBX_ERR_NO_MEM;
        kinds += dev->pin(handle, &x, sizeof x) == SUBX_ERR_NO_MEM;
        if (a && event) {
            kinds += dev->copy(stream[0], a, &x, sizeof x) == SUBX_ERR_DEVICE;
            kinds += dev->record(stream[0], event) == SUBX_ERR_DEVICE;
            kinds += dev->await(stream[1], event) == SUBX_ERR_DEVICE;
            kinds += dev->wait(event) == SUBX_ERR_DEVICE;
            kinds += dev->finish(stream[0]) == SUBX_ERR_DEVICE;
        }
        ck_assert_int_eq(kinds, fake->fails_after < 0);
        fake->fails_after = -1;
        if (n != 2)
            dev->unpin(handle, &x);
        for (int i = 0; i < 2; i++)
            (void)dev->finish(stream[i]);
        dev->free_event(event);
        dev->free(handle, a);
        a = event = NULL;
    }
    ck_assert_int_eq(n, 9);
    close_device();
}

int main(void)
{
    return test_unit_run_mpi("device");
}
