/* kern.c - every kernel in the table of kernels, and subx_copy, against a loop over single bytes, on random
 * and on chosen layouts. */
#include "kern/kern.h"
#include "kern/staging.h"
#include "common/random.h"
#include "common/unit.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <sys/mman.h>
#include <unistd.h>

extern const sx_kern sx_kern_avx512, sx_kern_avx2, sx_kern_neon;

/* MORE: bytes behind a copy that are compared, too */
enum { LEVELS = 5, ROOM = 2 << 20, MORE = 64, CASES = 400 };

static const ptrdiff_t elements[] = {1, 2, 3, 4, 8, 12, 16, 32, 48, 64, 200, 1500};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static char source[ROOM] __attribute__((aligned(64))), target[ROOM] __attribute__((aligned(64))),
    expected[ROOM] __attribute__((aligned(64)));

/* A loop nest, and the offsets of its first elements, because strides may be negative. */
typedef struct nest {
    int nd;
    ptrdiff_t bytes;
    sx_dim dim[LEVELS];
    ptrdiff_t in, out;
} nest;

/* ---- random nests */

/* Get the strides of an array whose axes lie in memory in a random order, with gaps; some are negative.
 * Returns the bytes that the array spans, and in *start the offset of its first element. */
static ptrdiff_t spread(test_random *r, const nest *l, ptrdiff_t stride[], ptrdiff_t *start)
{
    int order[LEVELS];
    ptrdiff_t s = l->bytes + test_random_int(r, 0, 1) * test_random_int(r, 0, 9);
    test_random_permutation(r, l->nd, order);
    *start = test_random_int(r, 0, 63);
    for (int i = 0; i < l->nd; i++) {
        const ptrdiff_t n = l->dim[order[i]].n, last = n > 0 ? n - 1 : 0;
        const int is_backward = test_random_int(r, 0, 9) == 0;
        stride[order[i]] = is_backward ? -s : s;
        *start += is_backward ? last * s : 0;
        s = s * (last + 1) + test_random_int(r, 0, 1) * test_random_int(r, 0, 20);
    }
    return s;
}

/* Draw a nest. Few lengths are 0. Along an axis with stride 0, the same element is read again and again. */
static nest make(test_random *r, ptrdiff_t bytes, int longest)
{
    for (;;) {
        nest l = {.nd = test_random_int(r, 0, LEVELS), .bytes = bytes};
        ptrdiff_t is[LEVELS], os[LEVELS];
        for (int i = 0; i < l.nd; i++)
            l.dim[i].n = test_random_int(r, 0, 50) ? test_random_int(r, 1, longest) : 0;
        const ptrdiff_t in = spread(r, &l, is, &l.in), out = spread(r, &l, os, &l.out);
        for (int i = 0; i < l.nd; i++) {
            l.dim[i].is = i == 0 && is[i] > 0 && test_random_int(r, 0, 9) == 0 ? 0 : is[i];
            l.dim[i].os = os[i];
        }
        if (in < ROOM / 2 && out < ROOM / 2)
            return l;
    }
}

/* ---- the comparison */

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

/* Get the bytes from the first element to the end of the last one that is written (1) or read (0). */
static ptrdiff_t get_extent(const nest *l, int written)
{
    ptrdiff_t bytes = l->bytes;
    for (int i = 0; i < l->nd; i++) {
        const ptrdiff_t stride = written ? l->dim[i].os : l->dim[i].is;
        bytes += stride > 0 && l->dim[i].n > 0 ? (l->dim[i].n - 1) * stride : 0;
    }
    return bytes;
}

static subx_copy create_copy(const nest *l)
{
    const ptrdiff_t whole[] = {0, 1000, PTRDIFF_MAX};
    ptrdiff_t n[LEVELS], from[LEVELS], to[LEVELS];
    subx_copy copy = SUBX_COPY_NULL;
    for (int i = 0; i < l->nd; i++) {
        n[i] = l->dim[i].n;
        from[i] = l->dim[i].is;
        to[i] = l->dim[i].os;
    }
    ck_assert_ok(subx_copy_create(l->nd, n, from, to, l->bytes, whole[l->dim[0].n % 3], &copy));
    return copy;
}

/* Copy by kernel i of the table. After the last kernel copy by subx_copy, whose prefetch must change nothing.
 * Returns the name, or NULL if there is no i-th way. */
static const char *copy_by(int i, const nest *l, const char *from, char *to, int threads)
{
    const sx_layout layout = build(l);
    int n = 0;
    while (sx_kern_table[n])
        n++;
    if (i < n && threads)
        sx_kern_copy(sx_kern_table[i], &layout, from, to, threads);
    else if (i < n)
        sx_kern_table[i]->copy(&layout, from, to);
    if (i == n) {
        subx_copy copy = create_copy(l);
        ck_assert_ok(subx_copy_prefetch(copy, from));
        ck_assert_ok(subx_copy_execute(copy, from, to));
        ck_assert_ok(subx_copy_free(&copy));
        ck_assert_ptr_null(copy);
    }
    return i < n ? sx_kern_table[i]->name : i == n ? "subx_copy" : NULL;
}

/* Bytes that a copy does not write must not change. threads: 0 if the kernels copy without sx_kern_copy. */
static void check_threads(const nest *l, int threads)
{
    const size_t room = (size_t)(l->out + get_extent(l, 1) + MORE);
    const char *name = "";
    ck_assert_uint_le(room, ROOM);
    memset(expected, 0x55, room);
    copy_bytes(l, source + l->in, expected + l->out);
    for (int i = 0; name; i++) {
        memset(target, 0x55, room);
        name = copy_by(i, l, source + l->in, target + l->out, threads);
        ck_assert_msg(!name || memcmp(expected, target, room) == 0,
                      "%s, %d levels, %td bytes, innermost %td, %td to %td, %d threads", name, l->nd,
                      l->bytes, l->dim[0].n, l->in, l->out, threads);
    }
}

static void check(const nest *l)
{
    check_threads(l, 0);
}

/* Check each way twice: the stores go through the caches, then past the caches. */
static void check_ways(nest l, ptrdiff_t in, ptrdiff_t out)
{
    l.in += in;
    l.out += out;
    for (int past = 0; past < 2; past++) {
        sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
        check(&l);
    }
    sx_base_knobs.keep = -1;
}

static void fill(uint64_t stream)
{
    test_random r = test_random_stream(test_random_seed(), stream);
    test_random_fill(&r, source, ROOM);
}

static void check_all(int stream, int longest, int cases)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)stream);
    fill((uint64_t)stream);
    for (int k = 0; k < cases; k++)
        check_ways(make(&r, elements[k % ELEMENTS], longest), 0, 0);
}

TEST(short_nests)
{
    check_all(1, 5, CASES);
}

TEST(nests_longer_than_a_microtile)
{
    check_all(2, 50, CASES);
}

/* ---- chosen nests */

TEST(transposes_of_every_element_size)
{
    fill(3);
    for (int e = 0; e < ELEMENTS; e++)
        for (int n = 1; n <= 40; n += 13) {
            const ptrdiff_t b = elements[e];
            if (37 * n * b < ROOM / 2)
                check_ways((nest){2, b, {{n, b, 37 * b}, {37, n * b, b}}, 0, 0}, 1, 3);
        }
}

/* The array is read in C order, and written in each order of its axes. The lengths are below, at and above
 * the lengths of microtiles. Some are powers of two: then columns share cache sets. Arrays begin at multiples
 * of 4 bytes, but not of a cache line. */
TEST(orders_of_three_axes)
{
    static const ptrdiff_t sizes[] = {1, 2, 4, 8, 12, 16, 32};
    static const ptrdiff_t lengths[][3] = {{1, 37, 41}, {2, 15, 129},  {3, 17, 65},   {7, 9, 33},
                                           {8, 8, 31},  {16, 16, 16},  {63, 3, 17},   {1024, 1, 9},
                                           {64, 16, 8}, {17, 1031, 1}, {20, 1024, 1}, {256, 32, 3}};
    test_random r = test_random_stream(test_random_seed(), 12);
    fill(12);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (int k = 0; k < 6; k++) {
                const ptrdiff_t b = sizes[s], *n = lengths[i], is[3] = {b, n[0] * b, n[0] * n[1] * b};
                const int start = 4 * test_random_int(&r, 1, 15);
                int order[3];
                test_permutation(3, k, order);
                nest l = {.nd = 3, .bytes = b};
                for (ptrdiff_t j = 0, os = b; j < 3; os *= n[order[j++]])
                    l.dim[j] = (sx_dim){n[order[j]], is[order[j]], os};
                check_ways(l, start, start);
            }
}

/* Copies of many patches, past the caches. Some rows and arrays begin at cache lines, others do not. Besides
 * the rows there are two axes: one is shorter than a microtile, the other has any length. */
TEST(copies_larger_than_the_caches)
{
    fill(5);
    sx_base_knobs.keep = 0;
    for (ptrdiff_t b = 4; b <= 32; b *= 2)
        for (int k = 0; k < 4; k++) {
            const ptrdiff_t n = k & 1 ? 251 : 256, o = 1800 * 1000 / (3 * n * b) + 1, start = k / 2 * 4;
            const nest nests[] = {{3, b, {{n, 3 * o * b, b}, {3, b, n * o * b}, {o, 3 * b, n * b}}, 0, start},
                                  {3, b, {{n, 3 * o * b, b}, {o, b, n * b}, {3, o * b, n * o * b}}, 0, start},
                                  {2, b, {{3, n * o * b, b}, {n * o, b, 3 * b}}, 0, start},
                                  {2, b, {{n * o, 3 * b, b}, {3, b, n * o * b}}, 0, start}};
            for (int i = 0; i < 4; i++)
                check(&nests[i]);
        }
    sx_base_knobs.keep = -1;
}

/* Where the copy reads, there are gaps between all elements. The copy writes rows that are 2048 bytes apart,
 * so the elements of a column share a few cache sets. */
TEST(elements_far_apart_where_they_are_read)
{
    const ptrdiff_t near[] = {65, 80, 128, 256};
    fill(8);
    for (ptrdiff_t b = 4; b <= 64; b *= 2)
        for (int k = 0; k < 4; k++) {
            const ptrdiff_t n = 2048 / b, o = (2 << 20) / (n * near[k]) - 1;
            check_ways((nest){2, b, {{n, o * near[k], b}, {o, near[k], n * b}}, 0, 0}, 0, 0);
        }
}

TEST(rows_in_another_order_or_array)
{
    const ptrdiff_t row[] = {64, 100, 1000, 4096, 5001, 40000};
    fill(6);
    for (int k = 0; k < 6; k++) {
        const ptrdiff_t b = row[k], n = 600000 / (5 * b) + 1;
        check_ways((nest){2, b, {{n, 5 * b, b}, {5, b, n * b}}, 0, k}, 0, 0);
        check_ways((nest){2, b, {{5, 2 * b + 7, b}, {n, 11 * b + 40, 5 * b}}, 0, 8}, 0, 0);
        check_ways((nest){2, b, {{5, b, 2 * b + 7}, {n, 5 * b, 11 * b + 40}}, 0, 8}, 0, 0);
    }
}

/* Rows in different pages, which are prefetched; they fit into the caches. Some are read from the last one to
 * the first. */
TEST(rows_in_different_pages)
{
    const ptrdiff_t row[] = {255, 256, 272, 4096, 8192, 8193};
    fill(8);
    for (int k = 0; k < 6; k++) {
        const ptrdiff_t b = row[k], apart = b < 4096 ? 4096 : b + 64;
        check_ways((nest){2, b, {{19, apart, b}, {3, 19 * apart, 19 * b}}, 0, 8}, 0, 0);
        check_ways((nest){1, b, {{57, -apart, b}}, 56 * apart, 8}, 0, 0);
    }
}

TEST(threads_divide_a_copy)
{
    const nest nests[] = {{0, 900001, {{0, 0, 0}}, 0, 3},
                          {2, 300000, {{2, 300007, 300000}, {1, 0, 0}}, 0, 3},
                          {3, 8, {{47, 8 * 47 * 47, 8}, {47, 8 * 47, 8 * 47}, {47, 8, 8 * 47 * 47}}, 0, 3},
                          {2, 1000, {{30, 30 * 1000, 1000}, {30, 1000, 30 * 1000}}, 0, 3}};
    fill(7);
    for (int past = 0; past < 2; past++) {
        sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
        for (int i = 0; i < 12; i++)
            check_threads(&nests[i % 4], 1 + i / 4);
    }
    sx_base_knobs.keep = -1;
}

/* With a stride of 0, the same bytes are read again and again. */
TEST(one_place_is_read_for_many)
{
    fill(11);
    for (int e = 0; e < ELEMENTS; e++) {
        const ptrdiff_t b = elements[e];
        check_ways((nest){2, b, {{17, 0, b}, {29, b, 17 * b}}, 0, 0}, 1, 3);
        check_ways((nest){2, b, {{29, b, b}, {17, 0, 29 * b}}, 0, 0}, 1, 3);
        check_ways((nest){3, b, {{17, 11 * b, b}, {3, 0, 17 * b}, {11, b, 51 * b}}, 0, 0}, 1, 3);
    }
}

TEST(negative_strides)
{
    check_ways((nest){2, 8, {{20, -8, 160}, {18, 160, -8}}, 0, 0}, 5000, 5000);
    check_ways((nest){2, 8, {{20, -8, 152}, {18, -160, -8}}, 0, 0}, 5000, 5000);
}

/* ---- small stacks, and no staging */

typedef struct errand {
    const sx_layout *layout;
    const sx_kern *kern;
} errand;

static void *run_errand(void *p)
{
    const errand *e = p;
    e->kern->copy(e->layout, source, target);
    return NULL;
}

/* Copy on a thread with a small stack, because some systems give all threads a small stack. */
static void check_stack(errand e, size_t bytes)
{
    enum { STACK = 128 << 10 };
    pthread_attr_t attr;
    pthread_t thread;
    memset(target, 0x55, bytes);
    ck_assert_int_eq(pthread_attr_init(&attr), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attr, STACK), 0);
    ck_assert_int_eq(pthread_create(&thread, &attr, run_errand, &e), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attr);
    ck_assert_msg(memcmp(target, expected, bytes) == 0, "%s", e.kern->name);
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
    const nest l = {2, 16, {{250, 16 * 255, 16}, {255, 16, 16 * 250}}, 0, 0};
    const sx_layout layout = build(&l);
    const size_t bytes = (size_t)get_extent(&l, 1) + MORE;
    fill(9);
    memset(expected, 0x55, bytes);
    copy_bytes(&l, source, expected);
    sx_base_knobs.keep = 0;
    for (int i = 0; sx_kern_table[i]; i++) {
        check_stack((errand){&layout, sx_kern_table[i]}, bytes);
        take_stagings(taken);
        check_stack((errand){&layout, sx_kern_table[i]}, bytes);
        give_stagings(taken);
    }
    sx_base_knobs.keep = -1;
}

/* ---- which kernel serves; caches */

/* If the processor has vector instructions, the vector kernels must accept these layouts. Otherwise the tests
 * above would only compare plain C with plain C. */
TEST(vector_kernels_serve_where_the_processor_has_them)
{
    for (ptrdiff_t b = 4; b <= 32; b *= 2) {
        nest l = {2, b, {{64, 64 * b, b}, {64, b, 64 * b}}, 0, 0};
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

/* ---- memory that must not be accessed */

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

/* Each array begins right after a fence, or ends right before one. */
static void check_fenced(const fence *in, const fence *out, nest l)
{
    for (int i = 0; i < l.nd; i++) {
        l.dim[i].is = labs(l.dim[i].is);
        l.dim[i].os = labs(l.dim[i].os);
    }
    for (int k = 0; k < 4; k++) {
        const size_t read = (size_t)get_extent(&l, 0), written = (size_t)get_extent(&l, 1);
        char *from = k & 1 ? in->begin + in->room - read : in->begin;
        char *to = k & 2 ? out->begin + out->room - written : out->begin;
        const char *name = "";
        memcpy(from, source, read);
        memset(expected, 0x55, written);
        copy_bytes(&l, from, expected);
        for (int i = 0; name; i++) {
            memset(to, 0x55, written);
            name = copy_by(i, &l, from, to, 0);
            ck_assert_msg(!name || memcmp(to, expected, written) == 0, "%s, case %d", name, k);
        }
    }
}

TEST(no_byte_beyond_an_array_is_touched)
{
    const fence in = fence_begin(ROOM), out = fence_begin(ROOM);
    test_random r = test_random_stream(test_random_seed(), 10);
    fill(10);
    for (int past = 0; past < 2; past++) {
        sx_base_knobs.keep = past ? 0 : PTRDIFF_MAX;
        for (int k = 0; k < CASES / 4; k++)
            check_fenced(&in, &out, make(&r, elements[k % ELEMENTS], 40));
        for (ptrdiff_t b = 4; b <= 32; b *= 2)
            check_fenced(&in, &out, (nest){2, b, {{123, 131 * b, b}, {131, b, 123 * b}}, 0, 0});
    }
    sx_base_knobs.keep = -1;
    fence_end(&in);
    fence_end(&out);
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
