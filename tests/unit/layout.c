/* layout.c - after a layout is fused, sorted, zipped or sliced, it still moves the same bytes to the same
 * offsets. */
#include "layout/layout.h"
#include "common/random.h"
#include "common/unit.h"
#include <stdlib.h>

enum { LEVELS = 5, MOVES_MAX = 100000, CASES = 2000 };

/* A byte is copied from offset `from` to offset `to`. */
typedef struct move {
    ptrdiff_t from, to;
} move;

typedef struct moves {
    int n;
    move m[MOVES_MAX];
} moves;

/* List all moves of a loop nest in the nest's order, byte by byte. */
static void list(int nd, const sx_dim dim[], ptrdiff_t bytes, moves *out)
{
    ptrdiff_t total = bytes;
    for (int i = 0; i < nd; i++)
        total *= dim[i].n;
    ck_assert_int_le(total, MOVES_MAX);
    out->n = (int)total;
    for (ptrdiff_t t = 0; t < total; t++) {
        ptrdiff_t rest = t / bytes;
        move m = {t % bytes, t % bytes};
        for (int i = 0; i < nd; i++) {
            m.from += rest % dim[i].n * dim[i].is;
            m.to += rest % dim[i].n * dim[i].os;
            rest /= dim[i].n;
        }
        out->m[t] = m;
    }
}

static int is_equal(const moves *a, const moves *b)
{
    if (a->n != b->n)
        return 0;
    for (int i = 0; i < a->n; i++)
        if (a->m[i].from != b->m[i].from || a->m[i].to != b->m[i].to)
            return 0;
    return 1;
}

/* Draw a stride. Often it continues the level below without a gap: then the two levels can be fused. */
static ptrdiff_t get_stride(test_random *r, ptrdiff_t below)
{
    return test_random_int(r, 0, 2) ? below : test_random_int(r, -60, 60);
}

static int make(test_random *r, sx_dim dim[], ptrdiff_t *bytes)
{
    int nd = test_random_int(r, 0, LEVELS);
    *bytes = test_random_int(r, 1, 8);
    ptrdiff_t is = *bytes, os = *bytes;
    for (int i = 0; i < nd; i++) {
        dim[i] = (sx_dim){test_random_int(r, 1, 4), get_stride(r, is), get_stride(r, os)};
        is = dim[i].n * dim[i].is;
        os = dim[i].n * dim[i].os;
    }
    return nd;
}

static void build(sx_layout *l, int nd, const sx_dim dim[], ptrdiff_t bytes)
{
    sx_layout_set(l, bytes);
    for (int i = 0; i < nd; i++)
        ck_assert_ok(sx_layout_add(l, dim[i].n, dim[i].is, dim[i].os));
}

static moves expected, got;

TEST(fusing_keeps_every_move)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < CASES; k++) {
        sx_dim dim[LEVELS];
        ptrdiff_t bytes;
        sx_layout l;
        int nd = make(&r, dim, &bytes);
        build(&l, nd, dim, bytes);
        list(nd, dim, bytes, &expected);
        list(l.nd, l.dim, l.block_bytes, &got);
        ck_assert(is_equal(&expected, &got));
        ck_assert_int_eq(sx_layout_get_bytes(&l), expected.n);
    }
}

TEST(layouts_are_canonical)
{
    test_random r = test_random_stream(test_random_seed(), 2);
    for (int k = 0; k < CASES; k++) {
        sx_dim dim[LEVELS];
        ptrdiff_t bytes;
        sx_layout l;
        int nd = make(&r, dim, &bytes);
        build(&l, nd, dim, bytes);
        ptrdiff_t is = l.block_bytes, os = l.block_bytes;
        for (int i = 0; i < l.nd; i++) {
            ck_assert_int_gt(l.dim[i].n, 1);
            ck_assert(l.dim[i].is != is || l.dim[i].os != os);
            is = l.dim[i].n * l.dim[i].is;
            os = l.dim[i].n * l.dim[i].os;
        }
    }
}

TEST(empty_layouts_are_all_the_same)
{
    sx_layout a, b;
    sx_layout_set(&a, 8);
    ck_assert_ok(sx_layout_add(&a, 3, 16, 8));
    ck_assert_ok(sx_layout_add(&a, 0, 99, 24));
    ck_assert_ok(sx_layout_add(&a, 5, 100, 77));
    sx_layout_set(&b, 0);
    ck_assert_int_eq(a.nd, 0);
    ck_assert_int_eq(a.block_bytes, 0);
    ck_assert_int_eq(sx_layout_get_bytes(&a), 0);
    ck_assert(sx_layout_is_equal(&a, &b));
}

TEST(levels_are_limited)
{
    sx_layout l;
    sx_layout_set(&l, 1);
    for (int i = 0; i < SUBX_NDIMS_MAX; i++)
        ck_assert_ok(sx_layout_add(&l, 2, 5 + i, 100 + i));
    ck_assert_int_eq(l.nd, SUBX_NDIMS_MAX);
    ck_assert_kind(sx_layout_add(&l, 2, 1, 1), SUBX_ERR_NOT_STRIDED);
}

/* Set levels of the lengths `factor`, with random gaps on the side that is read. Levels without a gap between
 * them fuse. So two layouts with the same `factor` may have different levels, but they can always be
 * zipped. */
static void cut(test_random *r, const ptrdiff_t factor[], int n, sx_layout *l)
{
    ptrdiff_t stride = factor[0] + test_random_int(r, 0, 1) * test_random_int(r, 1, 9);
    sx_layout_set(l, factor[0]);
    for (int i = 1; i < n; i++) {
        ck_assert_ok(sx_layout_add_packed(l, factor[i], stride));
        stride = stride * factor[i] + test_random_int(r, 0, 1) * test_random_int(r, 1, 9);
    }
}

/* The zipped layout must copy byte i of layout a to byte i of layout b. Each layout counts its bytes in its
 * own order. */
static void check_zipped(const sx_layout *a, const sx_layout *b, const sx_layout *both)
{
    static moves from, to;
    list(a->nd, a->dim, a->block_bytes, &from);
    list(b->nd, b->dim, b->block_bytes, &to);
    list(both->nd, both->dim, both->block_bytes, &got);
    ck_assert_int_eq(from.n, got.n);
    for (int i = 0; i < from.n; i++) {
        ck_assert_int_eq(from.m[i].from, got.m[i].from);
        ck_assert_int_eq(to.m[i].from, got.m[i].to);
    }
}

TEST(zipping_joins_the_places_of_two_types)
{
    test_random r = test_random_stream(test_random_seed(), 4);
    for (int k = 0; k < CASES; k++) {
        ptrdiff_t factor[LEVELS];
        sx_layout a, b, both;
        for (int i = 0; i < LEVELS; i++)
            factor[i] = test_random_int(&r, 1, 6);
        cut(&r, factor, LEVELS, &a);
        cut(&r, factor, LEVELS, &b);
        ck_assert_ok(sx_layout_zip(&a, &b, &both));
        check_zipped(&a, &b, &both);
    }
}

TEST(zipping_splits_levels_and_blocks)
{
    sx_layout a, b, both;
    sx_layout_set(&a, 8);
    ck_assert_ok(sx_layout_add_packed(&a, 12, 16));
    sx_layout_set(&b, 32);
    ck_assert_ok(sx_layout_add_packed(&b, 3, -100));
    ck_assert_kind(sx_layout_zip(&a, &b, &both), SUBX_ERR_NONE);
    ck_assert_int_eq(both.nd, 2);
    ck_assert_int_eq(both.block_bytes, 8);
    ck_assert_int_eq(both.dim[0].n, 4);
    ck_assert_int_eq(both.dim[1].is, 64);
    ck_assert_int_eq(both.dim[1].os, -100);
    check_zipped(&a, &b, &both);
    ck_assert_ok(sx_layout_zip(&b, &a, &both));
    check_zipped(&b, &a, &both);
}

TEST(zipping_refuses_what_does_not_nest)
{
    sx_layout a, b, c, both;
    sx_layout_set(&a, 8);
    ck_assert_ok(sx_layout_add_packed(&a, 3, 16));
    ck_assert_ok(sx_layout_add_packed(&a, 2, 100));
    sx_layout_set(&b, 8);
    ck_assert_ok(sx_layout_add_packed(&b, 2, 16));
    ck_assert_ok(sx_layout_add_packed(&b, 3, 100));
    ck_assert_kind(sx_layout_zip(&a, &b, &both), SUBX_ERR_NOT_STRIDED);
    sx_layout_set(&c, 12);
    ck_assert_ok(sx_layout_add_packed(&c, 4, 16));
    ck_assert_kind(sx_layout_zip(&a, &c, &both), SUBX_ERR_NOT_STRIDED);
    ck_assert_ok(sx_layout_add_packed(&c, 2, 100));
    ck_assert_kind(sx_layout_zip(&a, &c, &both), SUBX_ERR_MISMATCH);
    ck_assert_kind(sx_layout_zip(&c, &a, &both), SUBX_ERR_MISMATCH);
}

/* All slices of a layout together must move the same bytes as the layout. */
static void check_sliced(const sx_layout *l, ptrdiff_t n)
{
    static moves whole, part, sliced;
    const ptrdiff_t steps = sx_layout_get_steps(l);
    sx_layout slice;
    ptrdiff_t is, os;
    sliced.n = 0;
    for (ptrdiff_t first = 0; first < steps; first += n) {
        sx_layout_slice(l, first, steps - first < n ? steps - first : n, &slice, &is, &os);
        list(slice.nd, slice.dim, slice.block_bytes, &part);
        for (int i = 0; i < part.n; i++)
            sliced.m[sliced.n++] = (move){part.m[i].from + is, part.m[i].to + os};
    }
    list(l->nd, l->dim, l->block_bytes, &whole);
    ck_assert(is_equal(&whole, &sliced));
}

TEST(slices_make_up_the_whole)
{
    sx_layout l;
    sx_layout_set(&l, 8);
    check_sliced(&l, 3);
    ck_assert_int_eq(sx_layout_get_steps(&l), 8);
    ck_assert_ok(sx_layout_add(&l, 3, 20, -8));
    check_sliced(&l, 1);
    ck_assert_ok(sx_layout_add(&l, 5, 100, 24));
    ck_assert_int_eq(sx_layout_get_steps(&l), 5);
    for (ptrdiff_t n = 1; n <= 5; n++)
        check_sliced(&l, n);
}
