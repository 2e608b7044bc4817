/* kern.c - every kernel in the table of kernels against a loop over single bytes, on random layouts; without
 * MPI. */
#include "kern/kern.h"
#include "kern/staging.h"
#include "common/random.h"
#include "common/unit.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const sx_kern sx_kern_avx512, sx_kern_avx2, sx_kern_neon;

enum { LEVELS = 5, ROOM = 1 << 20, CASES = 400 };

static const ptrdiff_t elements[] = {1, 2, 3, 4, 8, 12, 16, 32, 48, 64, 200, 1500};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static char source[ROOM], target[ROOM], expected[ROOM];

typedef struct nest {
    int nd;
    ptrdiff_t bytes;
    sx_dim dim[LEVELS];
} nest;

/* Set the strides of an array whose axes lie in memory in a random order, with gaps. Returns the bytes that
 * the array spans. */
static ptrdiff_t spread(test_random *r, const nest *l, ptrdiff_t stride[])
{
    int order[LEVELS];
    ptrdiff_t s = l->bytes + test_random_int(r, 0, 1) * test_random_int(r, 0, 9);
    test_random_permutation(r, l->nd, order);
    for (int i = 0; i < l->nd; i++) {
        stride[order[i]] = s;
        s = s * l->dim[order[i]].n + test_random_int(r, 0, 1) * test_random_int(r, 0, 20);
    }
    return s;
}

/* Draw a loop nest. The array that is read and the array that is written both fit into ROOM bytes. */
static nest make(test_random *r, ptrdiff_t bytes, int longest)
{
    for (;;) {
        nest l = {.nd = test_random_int(r, 0, LEVELS), .bytes = bytes};
        ptrdiff_t is[LEVELS], os[LEVELS];
        for (int i = 0; i < l.nd; i++)
            l.dim[i].n = test_random_int(r, 1, longest);
        ptrdiff_t in = spread(r, &l, is), out = spread(r, &l, os);
        for (int i = 0; i < l.nd; i++) {
            l.dim[i].is = is[i];
            l.dim[i].os = os[i];
        }
        if (in < ROOM - 64 && out < ROOM - 64)
            return l;
    }
}

static void copy_bytes(const nest *l, const char *in, char *out)
{
    ptrdiff_t total = 1;
    for (int i = 0; i < l->nd; i++)
        total *= l->dim[i].n;
    for (ptrdiff_t t = 0; t < total; t++) {
        ptrdiff_t rest = t, from = 0, to = 0;
        for (int i = 0; i < l->nd; i++) {
            from += rest % l->dim[i].n * l->dim[i].is;
            to += rest % l->dim[i].n * l->dim[i].os;
            rest /= l->dim[i].n;
        }
        for (ptrdiff_t b = 0; b < l->bytes; b++)
            out[to + b] = in[from + b];
    }
}

static sx_layout build(const nest *l)
{
    sx_layout layout;
    sx_layout_set(&layout, l->bytes);
    for (int i = 0; i < l->nd; i++)
        ck_assert_ok(sx_layout_add(&layout, l->dim[i].n, l->dim[i].is, l->dim[i].os));
    return layout;
}

/* Compare whole buffers: bytes that the kernel does not write must not change. */
static void check(const sx_kern *kern, const nest *l, ptrdiff_t in, ptrdiff_t out)
{
    sx_layout layout = build(l);
    memset(expected, 0x55, ROOM);
    memset(target, 0x55, ROOM);
    copy_bytes(l, source + in, expected + out);
    kern->copy(&layout, source + in, target + out);
    ck_assert_msg(memcmp(expected, target, ROOM) == 0, "%s, %d levels, %td bytes", kern->name, l->nd,
                  l->bytes);
}

/* Check every kernel twice: its stores go through the caches, then past the caches. */
static void check_ways(const nest *l, ptrdiff_t in, ptrdiff_t out)
{
    for (int past = 0; past < 2; past++) {
        sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
        for (int i = 0; sx_kern_table[i]; i++)
            check(sx_kern_table[i], l, in, out);
    }
    sx_base_knobs.keep = -1;
}

static void check_all(int stream, int longest, int cases)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)stream);
    test_random_fill(&r, source, ROOM);
    for (int k = 0; k < cases; k++) {
        nest l = make(&r, elements[k % ELEMENTS], longest);
        check_ways(&l, test_random_int(&r, 0, 63), test_random_int(&r, 0, 63));
    }
}

TEST(short_nests)
{
    check_all(1, 5, CASES);
}

TEST(nests_longer_than_a_microtile)
{
    check_all(2, 50, CASES);
}

TEST(transposes_of_every_element_size)
{
    test_random r = test_random_stream(test_random_seed(), 3);
    test_random_fill(&r, source, ROOM);
    for (int e = 0; e < ELEMENTS; e++)
        for (int n = 1; n <= 40; n += 13) {
            ptrdiff_t b = elements[e];
            nest l = {2, b, {{n, b, 37 * b}, {37, n * b, b}}};
            if (37 * n * b < ROOM - 64)
                check_ways(&l, 1, 3);
        }
}

/* Copy an array of three axes by three loops over elements. Axis 0 is contiguous where the array is read, and
 * axis order[0] where it is written. */
static void copy_elements(const ptrdiff_t n[3], const int order[3], ptrdiff_t b, const char *in, char *out)
{
    ptrdiff_t at[3];
    for (at[2] = 0; at[2] < n[2]; at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++, in += b) {
                const int x = order[0], y = order[1], z = order[2];
                memcpy(out + ((at[z] * n[y] + at[y]) * n[x] + at[x]) * b, in, (size_t)b);
            }
}

/* Check all kernels against copy_elements. past: 1 if the kernels' stores go past the caches. */
static void check_order(const ptrdiff_t n[3], const int order[3], ptrdiff_t b, ptrdiff_t start, int past)
{
    const ptrdiff_t is[3] = {b, n[0] * b, n[0] * n[1] * b};
    sx_layout l;
    sx_layout_set(&l, b);
    ptrdiff_t os = b;
    for (int k = 0; k < 3; os *= n[order[k++]])
        ck_assert_ok(sx_layout_add(&l, n[order[k]], is[order[k]], os));
    memset(expected, 0x55, ROOM);
    copy_elements(n, order, b, source + start, expected + start);
    sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
    for (int i = 0; sx_kern_table[i]; i++) {
        memset(target, 0x55, ROOM);
        sx_kern_table[i]->copy(&l, source + start, target + start);
        ck_assert_msg(memcmp(expected, target, ROOM) == 0,
                      "%s, %td bytes, %tdx%tdx%td, order %d%d%d, start %td", sx_kern_table[i]->name, b, n[0],
                      n[1], n[2], order[0], order[1], order[2], start);
    }
    sx_base_knobs.keep = -1;
}

/* The lengths are below, at and above the lengths of microtiles. Some are powers of two: then columns share
 * cache sets. Arrays begin at multiples of 4 bytes, but not of a cache line. */
TEST(orders_of_three_axes)
{
    static const ptrdiff_t sizes[] = {1, 2, 4, 8, 12, 16, 32};
    static const ptrdiff_t lengths[][3] = {{1, 37, 41}, {2, 15, 129},  {3, 17, 65},   {7, 9, 33},
                                           {8, 8, 31},  {16, 16, 16},  {63, 3, 17},   {1024, 1, 9},
                                           {64, 16, 8}, {17, 1031, 1}, {20, 1024, 1}, {256, 32, 3}};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    test_random r = test_random_stream(test_random_seed(), 12);
    test_random_fill(&r, source, ROOM);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int k = 0; k < 12; k++) {
                ptrdiff_t bytes = lengths[i][0] * lengths[i][1] * lengths[i][2] * sizes[s];
                ck_assert_int_lt(bytes, ROOM - 64);
                check_order(lengths[i], orders[k / 2], sizes[s], 4 * test_random_int(&r, 1, 15), k % 2);
            }
}

typedef struct large {
    size_t room;
    char *in, *out, *right;
} large;

static large large_begin(uint64_t stream, size_t room)
{
    test_random r = test_random_stream(test_random_seed(), stream);
    char *in = sx_base_alloc(3 * (ptrdiff_t)room, 1);
    test_random_fill(&r, in, room);
    return (large){room, in, in + room, in + 2 * room};
}

static void check_large(const large *m, const nest *l, ptrdiff_t start, int threads)
{
    sx_layout layout = build(l);
    memset(m->right, 0x55, m->room);
    copy_bytes(l, m->in, m->right + start);
    for (int i = 0; sx_kern_table[i]; i++) {
        memset(m->out, 0x55, m->room);
        sx_kern_copy(sx_kern_table[i], &layout, m->in, m->out + start, threads);
        ck_assert_msg(memcmp(m->out, m->right, m->room) == 0,
                      "%s, %td bytes, rows of %td, start %td, %d threads", sx_kern_table[i]->name, l->bytes,
                      l->dim[0].n, start, threads);
    }
}

/* Copies of many patches, past the caches. Some rows and arrays begin at cache lines, others do not. Besides
 * the rows there are two axes: one is shorter than a microtile, the other has any length. */
TEST(copies_larger_than_the_caches)
{
    const ptrdiff_t row[] = {256, 251}, start[] = {0, 4};
    const large m = large_begin(5, 2 << 20);
    sx_base_knobs.keep = 0;
    for (ptrdiff_t b = 4; b <= 32; b *= 2)
        for (int k = 0; k < 4; k++) {
            ptrdiff_t n = row[k & 1], o = 1800 * 1000 / (3 * n * b) + 1;
            nest l = {3, b, {{n, 3 * o * b, b}, {3, b, n * o * b}, {o, 3 * b, n * b}}};
            nest t = {3, b, {{n, 3 * o * b, b}, {o, b, n * b}, {3, o * b, n * o * b}}};
            nest s = {2, b, {{3, n * o * b, b}, {n * o, b, 3 * b}}};
            nest a = {2, b, {{n * o, 3 * b, b}, {3, b, n * o * b}}};
            check_large(&m, &l, start[k / 2], 1);
            check_large(&m, &t, start[k / 2], 1);
            check_large(&m, &s, start[k / 2], 1);
            check_large(&m, &a, start[k / 2], 1);
        }
    sx_base_knobs.keep = -1;
    sx_base_free(m.in);
}

/* Where the copy reads, there are gaps between all elements. The copy writes rows that are 2048 bytes apart,
 * so the elements of a column share a few cache sets. Each layout is copied a second time past the caches. */
TEST(elements_far_apart_where_they_are_read)
{
    const ptrdiff_t near[] = {65, 80, 128, 256};
    const large m = large_begin(8, 2 << 20);
    for (ptrdiff_t b = 4; b <= 64; b *= 2)
        for (int k = 0; k < 4; k++) {
            ptrdiff_t n = 2048 / b, o = (2 << 20) / (n * near[k]) - 1;
            nest l = {2, b, {{n, o * near[k], b}, {o, near[k], n * b}}};
            check_large(&m, &l, 0, 1);
            sx_base_knobs.keep = 0;
            check_large(&m, &l, 0, 1);
            sx_base_knobs.keep = -1;
        }
    sx_base_free(m.in);
}

TEST(rows_in_another_order_or_array)
{
    const ptrdiff_t row[] = {64, 100, 1000, 4096, 5001, 40000};
    const large m = large_begin(6, 2 << 20);
    sx_base_knobs.keep = 0;
    for (int k = 0; k < 6; k++) {
        ptrdiff_t b = row[k], n = 600000 / (5 * b) + 1;
        nest permuted = {2, b, {{n, 5 * b, b}, {5, b, n * b}}};
        nest packed = {2, b, {{5, 2 * b + 7, b}, {n, 11 * b + 40, 5 * b}}};
        nest unpacked = {2, b, {{5, b, 2 * b + 7}, {n, 5 * b, 11 * b + 40}}};
        check_large(&m, &permuted, k, 1);
        check_large(&m, &packed, 8, 1);
        check_large(&m, &unpacked, 8, 1);
    }
    sx_base_knobs.keep = -1;
    sx_base_free(m.in);
}

/* Rows in different pages, which are prefetched; they fit into the caches. Some are read from the last one to
 * the first. */
TEST(rows_in_different_pages)
{
    const ptrdiff_t row[] = {255, 256, 272, 4096, 8192, 8193};
    const large m = large_begin(8, 2 << 20);
    sx_base_knobs.keep = PTRDIFF_MAX;
    for (int k = 0; k < 6; k++) {
        const ptrdiff_t b = row[k], apart = b < 4096 ? 4096 : b + 64;
        const nest forward = {2, b, {{19, apart, b}, {3, 19 * apart, 19 * b}}};
        const nest backward = {1, b, {{57, -apart, b}}};
        check_large(&m, &forward, 8, 1);
        const large from_last = {m.room, m.in + 56 * apart, m.out, m.right};
        check_large(&from_last, &backward, 8, 1);
    }
    sx_base_knobs.keep = -1;
    sx_base_free(m.in);
}

TEST(threads_divide_a_copy)
{
    const large m = large_begin(7, 1 << 20);
    const nest block = {0, 900001, {{0, 0, 0}}}, short_axis = {2, 300000, {{2, 300007, 300000}, {1, 0, 0}}};
    const nest cube = {3, 8, {{47, 8 * 47 * 47, 8}, {47, 8 * 47, 8 * 47}, {47, 8, 8 * 47 * 47}}};
    const nest rows = {2, 1000, {{30, 30 * 1000, 1000}, {30, 1000, 30 * 1000}}};
    for (int past = 0; past < 2; past++) {
        sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
        for (int threads = 1; threads <= 3; threads++) {
            check_large(&m, &block, 3, threads);
            check_large(&m, &short_axis, 3, threads);
            check_large(&m, &cube, 3, threads);
            check_large(&m, &rows, 3, threads);
        }
    }
    sx_base_knobs.keep = -1;
    sx_base_free(m.in);
}

typedef struct errand {
    const sx_layout *layout;
    const large *m;
    const sx_kern *kern;
} errand;

static void *run_errand(void *p)
{
    const errand *e = p;
    e->kern->copy(e->layout, e->m->in, e->m->out);
    return NULL;
}

/* Copy on a thread with a small stack, because some systems give all threads a small stack. */
static void check_thread(errand e)
{
    enum { STACK = 128 << 10 };
    pthread_attr_t attr;
    pthread_t thread;
    memset(e.m->out, 0x55, e.m->room);
    ck_assert_int_eq(pthread_attr_init(&attr), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attr, STACK), 0);
    ck_assert_int_eq(pthread_create(&thread, &attr, run_errand, &e), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attr);
    ck_assert_msg(memcmp(e.m->out, e.m->right, e.m->room) == 0, "%s", e.kern->name);
}

/* Take all stagings. Then the library has none left. */
static void take_stagings(sx_staging *taken[])
{
    for (int i = 0; i < SX_STAGING_COUNT; i++)
        ck_assert_ptr_nonnull(taken[i] = sx_kern_staging_take());
    ck_assert_ptr_null(sx_kern_staging_take());
}

static void give_stagings(sx_staging *taken[])
{
    for (int i = 0; i < SX_STAGING_COUNT; i++)
        sx_kern_staging_give(taken[i]);
}

/* A copy gives its staging back. If all stagings are taken, the copy works without one. */
TEST(threads_need_little_stack_and_no_staging)
{
    sx_staging *taken[SX_STAGING_COUNT];
    const large m = large_begin(9, 1 << 20);
    const nest l = {2, 16, {{250, 16 * 255, 16}, {255, 16, 16 * 250}}};
    const sx_layout layout = build(&l);
    memset(m.right, 0x55, m.room);
    copy_bytes(&l, m.in, m.right);
    sx_base_knobs.keep = 0;
    for (int i = 0; sx_kern_table[i]; i++) {
        check_thread((errand){&layout, &m, sx_kern_table[i]});
        take_stagings(taken);
        check_thread((errand){&layout, &m, sx_kern_table[i]});
        give_stagings(taken);
    }
    sx_base_knobs.keep = -1;
    sx_base_free(m.in);
}

/* If the processor has vector instructions, the vector kernels must accept these layouts. Otherwise the tests
 * above would only compare plain C with plain C. */
TEST(vector_kernels_serve_where_the_processor_has_them)
{
    for (ptrdiff_t b = 4; b <= 32; b *= 2) {
        nest l = {2, b, {{64, 64 * b, b}, {64, b, 64 * b}}};
        sx_layout layout = build(&l);
#if defined(__x86_64__) && defined(__GNUC__)
        ck_assert_int_eq(sx_kern_avx2.suits(&layout), !!__builtin_cpu_supports("avx2"));
        ck_assert_int_eq(sx_kern_avx512.suits(&layout),
                         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"));
#endif
#ifdef __aarch64__
        ck_assert(sx_kern_neon.suits(&layout));
#endif
        ck_assert_ptr_ne(sx_kern_get(&layout), &sx_kern_scalar);
    }
}

TEST(caches_have_sizes)
{
    ck_assert_int_ge(sx_kern_caches_get_level2(), 32 << 10);
    ck_assert_int_gt(sx_kern_caches_get_keep(), 0);
    ck_assert(!sx_kern_caches_exceeded(1000));
    ck_assert(sx_kern_caches_exceeded(sx_kern_caches_get_keep() + (2 << 20)));
}

/* Fewer ranks on a node have larger shares of its caches. A number of ranks that is larger than a known one
 * is ignored. */
TEST(few_ranks_have_larger_shares)
{
    const ptrdiff_t keep = sx_kern_caches_get_keep();
    sx_base_set_ranks(4096);
    ck_assert_int_eq(sx_kern_caches_get_keep(), keep);
    sx_base_set_ranks(1);
    const ptrdiff_t alone = sx_kern_caches_get_keep();
    ck_assert_int_ge(alone, keep);
    sx_base_set_ranks(2);
    ck_assert_int_eq(sx_kern_caches_get_keep(), alone);
}

/* An array between two pages that cannot be accessed (the fences). */
typedef struct fence {
    char *base, *begin;
    size_t page, room; /* bytes between the fences */
} fence;

static fence fence_begin(size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (room + page - 1) / page * page;
    char *base = mmap(NULL, pages + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(base, MAP_FAILED);
    ck_assert_int_eq(mprotect(base + page, pages, PROT_READ | PROT_WRITE), 0);
    return (fence){base, base + page, page, pages};
}

static void fence_end(const fence *f)
{
    munmap(f->base, f->room + 2 * f->page);
}

static ptrdiff_t get_extent(const nest *l, int written)
{
    ptrdiff_t bytes = l->bytes;
    for (int i = 0; i < l->nd; i++)
        bytes += (l->dim[i].n - 1) * (written ? l->dim[i].os : l->dim[i].is);
    return bytes;
}

/* Each array begins right after a fence, or ends right before one. */
static void check_fenced(const fence *in, const fence *out, const nest *l)
{
    const sx_layout layout = build(l);
    for (int k = 0; k < 4; k++) {
        size_t read = (size_t)get_extent(l, 0), written = (size_t)get_extent(l, 1);
        char *from = k & 1 ? in->begin + in->room - read : in->begin;
        char *to = k & 2 ? out->begin + out->room - written : out->begin;
        memcpy(from, source, read);
        memset(expected, 0x55, written);
        copy_bytes(l, from, expected);
        for (int i = 0; sx_kern_table[i]; i++) {
            memset(to, 0x55, written);
            sx_kern_table[i]->copy(&layout, from, to);
            ck_assert_msg(memcmp(to, expected, written) == 0, "%s, case %d", sx_kern_table[i]->name, k);
        }
    }
}

TEST(no_byte_beyond_an_array_is_touched)
{
    const fence in = fence_begin(ROOM), out = fence_begin(ROOM);
    test_random r = test_random_stream(test_random_seed(), 10);
    test_random_fill(&r, source, ROOM);
    for (int past = 0; past < 2; past++) {
        sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
        for (int k = 0; k < CASES / 4; k++) {
            nest l = make(&r, elements[k % ELEMENTS], 40);
            check_fenced(&in, &out, &l);
        }
        for (ptrdiff_t b = 4; b <= 32; b *= 2) {
            nest l = {2, b, {{123, 131 * b, b}, {131, b, 123 * b}}};
            check_fenced(&in, &out, &l);
        }
    }
    sx_base_knobs.keep = -1;
    fence_end(&in);
    fence_end(&out);
}

/* With a stride of 0, the same bytes are read again and again. */
TEST(one_place_is_read_for_many)
{
    test_random r = test_random_stream(test_random_seed(), 11);
    test_random_fill(&r, source, ROOM);
    for (int e = 0; e < ELEMENTS; e++) {
        ptrdiff_t b = elements[e];
        nest inner = {2, b, {{17, 0, b}, {29, b, 17 * b}}};
        nest outer = {2, b, {{29, b, b}, {17, 0, 29 * b}}};
        nest across = {3, b, {{17, 11 * b, b}, {3, 0, 17 * b}, {11, b, 51 * b}}};
        check_ways(&inner, 1, 3);
        check_ways(&outer, 1, 3);
        check_ways(&across, 1, 3);
    }
}

TEST(negative_strides)
{
    nest l = {2, 8, {{20, -8, 160}, {18, 160, -8}}}, m = {2, 8, {{20, -8, 152}, {18, -160, -8}}};
    check_ways(&l, 5000, 5000);
    check_ways(&m, 5000, 5000);
}

TEST(nothing_is_copied_for_nothing)
{
    sx_layout l;
    sx_layout_set(&l, 8);
    ck_assert_ok(sx_layout_add(&l, 0, 16, 8));
    memset(target, 0x55, 64);
    for (int i = 0; sx_kern_table[i]; i++)
        sx_kern_table[i]->copy(&l, source, target);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(target[i], 0x55);
}

TEST(some_kernel_suits_every_layout)
{
    test_random r = test_random_stream(test_random_seed(), 4);
    for (int k = 0; k < CASES; k++) {
        nest l = make(&r, elements[k % ELEMENTS], 30);
        sx_layout layout = build(&l);
        ck_assert(sx_kern_get(&layout)->suits(&layout));
    }
}

int main(void)
{
    return test_unit_run("kern");
}
