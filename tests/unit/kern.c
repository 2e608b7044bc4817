/* kern.c - every kernel of the table against a loop over single bytes, on random layouts; without MPI. */
#include "kern/kern.h"
#include "common/random.h"
#include "common/unit.h"
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 5, ROOM = 1 << 20, CASES = 400 };

static const ptrdiff_t elements[] = {1, 2, 3, 4, 8, 12, 16, 32};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static char source[ROOM], target[ROOM], expected[ROOM];

typedef struct nest {
    int nd;
    ptrdiff_t bytes;
    sx_dim dim[LEVELS];
} nest;

/* Give the levels the strides of an array whose axes lie in a random order, with gaps. */
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

/* A random nest that fits into ROOM on both sides. */
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

/* What is not written must stay: compare whole buffers. */
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

static void check_all(int stream, int longest, int cases)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)stream);
    test_random_fill(&r, source, ROOM);
    for (int k = 0; k < cases; k++) {
        nest l = make(&r, elements[k % ELEMENTS], longest);
        ptrdiff_t in = test_random_int(&r, 0, 63), out = test_random_int(&r, 0, 63);
        for (int i = 0; sx_kern_table[i]; i++)
            check(sx_kern_table[i], &l, in, out);
    }
}

START_TEST(short_nests)
{
    check_all(1, 5, CASES);
}
END_TEST

START_TEST(nests_longer_than_a_tile)
{
    check_all(2, 50, CASES);
}
END_TEST

START_TEST(transposes_of_every_element_size)
{
    test_random r = test_random_stream(test_random_seed(), 3);
    test_random_fill(&r, source, ROOM);
    for (int e = 0; e < ELEMENTS; e++)
        for (int n = 1; n <= 40; n += 13) {
            ptrdiff_t b = elements[e];
            nest l = {2, b, {{n, b, 37 * b}, {37, n * b, b}}};
            for (int i = 0; sx_kern_table[i]; i++)
                check(sx_kern_table[i], &l, 1, 3);
        }
}
END_TEST

/* Large enough to be written past the caches: rows that begin on a cache line, rows that do not, a start that does
 * not, and a last row and column of tiles that is not whole. */
static void check_large(const sx_kern *kern, const nest *l, ptrdiff_t start, char *in, char *out, char *right,
                        size_t room)
{
    sx_layout layout = build(l);
    memset(out, 0x55, room);
    memset(right, 0x55, room);
    copy_bytes(l, in, right + start);
    kern->copy(&layout, in, out + start);
    ck_assert_msg(memcmp(out, right, room) == 0, "%s, %td bytes, rows of %td, start %td", kern->name,
                  l->bytes, l->dim[0].n, start);
}

START_TEST(copies_larger_than_the_caches)
{
    const ptrdiff_t row[] = {256, 251}, start[] = {0, 4};
    const size_t room = 6 << 20;
    test_random r = test_random_stream(test_random_seed(), 5);
    char *in = aligned_alloc(64, 3 * room), *out = in + room, *right = out + room;
    test_random_fill(&r, in, room);
    for (ptrdiff_t b = 4; b <= 16; b *= 2)
        for (int k = 0; k < 4; k++) {
            ptrdiff_t n = row[k & 1], m = 5000 * 1000 / (3 * n * b) + 1;
            nest l = {3, b, {{n, 3 * m * b, b}, {3, b, n * m * b}, {m, 3 * b, n * b}}};
            nest t = {3, b, {{n, 3 * m * b, b}, {m, b, n * b}, {3, m * b, n * m * b}}};
            for (int i = 0; sx_kern_table[i]; i++) {
                check_large(sx_kern_table[i], &l, start[k / 2], in, out, right, room);
                check_large(sx_kern_table[i], &t, start[k / 2], in, out, right, room);
            }
        }
    free(in);
}
END_TEST

START_TEST(negative_strides)
{
    nest l = {2, 8, {{20, -8, 160}, {18, 160, -8}}};
    for (int i = 0; sx_kern_table[i]; i++)
        check(sx_kern_table[i], &l, 5000, 5000);
}
END_TEST

START_TEST(nothing_is_copied_for_nothing)
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
END_TEST

START_TEST(some_kernel_suits_every_layout)
{
    test_random r = test_random_stream(test_random_seed(), 4);
    for (int k = 0; k < CASES; k++) {
        nest l = make(&r, elements[k % ELEMENTS], 30);
        sx_layout layout = build(&l);
        ck_assert(sx_kern_get(&layout)->suits(&layout));
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, short_nests);
    tcase_add_test(tests, nests_longer_than_a_tile);
    tcase_add_test(tests, transposes_of_every_element_size);
    tcase_add_test(tests, copies_larger_than_the_caches);
    tcase_add_test(tests, negative_strides);
    tcase_add_test(tests, nothing_is_copied_for_nothing);
    tcase_add_test(tests, some_kernel_suits_every_layout);
}

int main(void)
{
    return test_unit_run("kern", add);
}
