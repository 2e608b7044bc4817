/* simplex.c - the simplex search on a grid evaluates no point twice, stays within its limits, and finds a
 * local minimum. */
#include "common/random.h"
#include "common/unit.h"
#include "tune/tune.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 1 << 16 };

/* A function on a grid, and a record of a search: which points it evaluated, and in which order. */
typedef struct grid {
    int ndims, n[SX_TUNE_NDIMS_MAX];
    double (*get)(const struct grid *g, const int x[]);
    double table[POINTS_MAX]; /* the values of a random function */
    int asked[POINTS_MAX], ncalls;
    long order; /* a checksum of the points in the order of their evaluation */
} grid;

static grid g;

static int get_npoints(void)
{
    int npoints = 1;
    for (int i = 0; i < g.ndims; i++)
        npoints *= g.n[i];
    return npoints;
}

static int get_index(const int x[])
{
    int index = 0;
    for (int i = 0; i < g.ndims; i++)
        index = index * g.n[i] + x[i];
    return index;
}

static double ask(void *context, const int x[])
{
    ck_assert_ptr_eq(context, &g);
    for (int i = 0; i < g.ndims; i++)
        ck_assert_msg(x[i] >= 0 && x[i] < g.n[i], "x[%d] = %d is not in the grid", i, x[i]);
    const int index = get_index(x);
    ck_assert_int_eq(g.asked[index]++, 0);
    g.ncalls++;
    g.order = (g.order * 31 + index) % 1000003;
    return g.get(&g, x);
}

static void set_grid(int ndims, const int n[], double (*get)(const grid *, const int *))
{
    g.ndims = ndims;
    memcpy(g.n, n, (size_t)ndims * sizeof *n);
    g.get = get;
    ck_assert_int_le(get_npoints(), POINTS_MAX);
}

/* Get the least cost of the points that were evaluated. */
static double get_least_asked(void)
{
    double least = INFINITY;
    int x[SX_TUNE_NDIMS_MAX] = {0};
    for (int index = 0; index < get_npoints(); index++) {
        for (int i = g.ndims - 1, rest = index; i >= 0; rest /= g.n[i--])
            x[i] = rest % g.n[i];
        if (g.asked[index])
            least = fmin(least, g.get(&g, x));
    }
    return least;
}

static double get_least(void)
{
    memset(g.asked, 1, (size_t)get_npoints() * sizeof *g.asked);
    return get_least_asked();
}

static void expect_local_minimum(const int best[], double least)
{
    for (int k = 0; k < 2 * g.ndims; k++) {
        int x[SX_TUNE_NDIMS_MAX] = {0};
        memcpy(x, best, (size_t)g.ndims * sizeof *x);
        x[k / 2] += k % 2 ? 1 : -1;
        if (x[k / 2] >= 0 && x[k / 2] < g.n[k / 2])
            ck_assert_double_ge(g.get(&g, x), least);
    }
}

/* Search from x with at most `most` evaluations. Sets x to the best point, and returns the cost there. */
static double search(int most, int x[])
{
    double least = -1;
    memset(g.asked, 0, (size_t)get_npoints() * sizeof *g.asked);
    g.ncalls = 0;
    g.order = 0;
    sx_tune_simplex(g.ndims, g.n, most, ask, &g, x, &least);
    ck_assert_int_le(g.ncalls, most);
    ck_assert(least == get_least_asked());
    ck_assert(isinf(least) || g.get(&g, x) == least);
    if (g.ncalls < most)
        expect_local_minimum(x, least);
    return least;
}

/* ---- functions */

/* The minimum is at 2/3 of each axis. */
static double get_bowl(const grid *of, const int x[])
{
    double sum = 1;
    for (int i = 0; i < of->ndims; i++)
        sum += (i + 1) * pow(x[i] - of->n[i] * 2 / 3, 2);
    return sum;
}

static double get_valley(const grid *of, const int x[])
{
    (void)of;
    return 1 + 2 * pow(x[0] - x[1], 2) + pow(x[0] + x[1] - 20, 2) / 4;
}

static double get_entry(const grid *of, const int x[])
{
    (void)of;
    return g.table[get_index(x)];
}

/* ---- tests */

TEST(a_bowl_has_one_minimum)
{
    for (int ndims = 1; ndims <= 5; ndims++) {
        set_grid(ndims, (const int[]){9, 8, 7, 9, 6}, get_bowl);
        for (int start = 0; start < 9; start++) {
            int x[SX_TUNE_NDIMS_MAX];
            for (int i = 0; i < ndims; i++)
                x[i] = start % g.n[i];
            ck_assert(search(1000, x) == 1);
            ck_assert_int_le(g.ncalls, 10 + 20 * ndims);
        }
    }
}

/* The function has a narrow diagonal valley: most steps along an axis lead out of it. The search must end on
 * the floor of the valley, and in most cases at its lowest point. */
TEST(a_valley_is_followed)
{
    enum { N = 24 };
    int found = 0;
    set_grid(2, (const int[]){N, N}, get_valley);
    for (int start = 0; start < N * N; start++) {
        int x[] = {start / N, start % N};
        found += search(200, x) == 1;
        ck_assert_int_le(abs(x[0] - x[1]), 1);
        ck_assert_int_le(g.ncalls, N * N / 8);
    }
    ck_assert_int_ge(found, N * N * 8 / 10);
}

/* Draw a cost. One of ten points is infeasible; all are if `most` is 0. */
static double draw_cost(test_random *r, int most)
{
    const double cost = test_random_int(r, 1, most + 1);
    return most > 0 && test_random_int(r, 0, 9) ? cost : INFINITY;
}

/* Random tables, in which some entries are equal and some infeasible; grids of any shape; few or many
 * evaluations. */
TEST(random_tables_are_searched)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    double found = 0, all = 0;
    for (int k = 0; k < 3000; k++) {
        int n[SX_TUNE_NDIMS_MAX], x[SX_TUNE_NDIMS_MAX], again[SX_TUNE_NDIMS_MAX], start[SX_TUNE_NDIMS_MAX];
        const int is_flat = k % 8 == 0, ndims = is_flat ? SX_TUNE_NDIMS_MAX : test_random_int(&r, 1, 4),
                  most = test_random_int(&r, 1, 300);
        for (int i = 0; i < ndims; i++) {
            n[i] = test_random_int(&r, 1, is_flat ? 3 : 6);
            x[i] = again[i] = start[i] = test_random_int(&r, 0, n[i] - 1);
        }
        set_grid(ndims, n, get_entry);
        for (int i = 0; i < get_npoints(); i++)
            g.table[i] = draw_cost(&r, k % 100 == 99 ? 0 : k % 2 ? 4 : 1000);
        const double least = search(most, x);
        const long order = g.order;
        ck_assert(isfinite(least) || memcmp(x, start, (size_t)ndims * sizeof *x) == 0);
        ck_assert(search(most, again) == least);
        ck_assert_int_eq(g.order, order);
        ck_assert(memcmp(x, again, (size_t)ndims * sizeof *x) == 0);
        found += least == get_least();
        all++;
    }
    ck_assert_double_ge(found / all, 0.3);
}

TEST(calls_are_limited)
{
    set_grid(3, (const int[]){30, 30, 30}, get_bowl);
    double before = INFINITY;
    for (int most = 0; most < 60; most++) {
        int x[SX_TUNE_NDIMS_MAX] = {0, 29, 3};
        const double least = search(most, x);
        ck_assert_double_le(least, before);
        before = least;
    }
    ck_assert(before < 100);
    int x[] = {0, 29, 3};
    ck_assert(search(INT_MAX, x) == 1);
    ck_assert_int_le(g.ncalls, SX_TUNE_POINTS_MAX);
}
