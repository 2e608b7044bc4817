/* dims.c - the dimensions that subx_grid_get_dims chooses: no other grid may have a smaller largest block. If
 * there are grids that give data to all ranks, only these grids count. Dimensions that the caller gives must
 * stay. */
#include "common/random.h"
#include "common/unit.h"
#include <limits.h>
#include <stdint.h>

enum { AXES = 4 };

static ptrdiff_t divide_up(ptrdiff_t n, int p)
{
    return (n + p - 1) / p;
}

/* Get the largest block of any rank at any step of a transform. At step a, axis a is whole; grid dimension i
 * divides axis i if i < a, else axis i + 1. */
static ptrdiff_t get_largest_block(int g, int ndims, const ptrdiff_t n[], const int dims[])
{
    ptrdiff_t largest = 0;
    for (int a = 0; a <= g; a++) {
        ptrdiff_t block = 1;
        for (int axis = 0; axis < ndims; axis++) {
            int m = axis < a ? axis : axis - 1;
            block *= axis == a || m >= g ? n[axis] : divide_up(n[axis], dims[m]);
        }
        largest = block > largest ? block : largest;
    }
    return largest;
}

/* Get the cost of a grid: its largest block. If some rank has no data, the cost exceeds the cost of every
 * grid in which all ranks have data. */
static ptrdiff_t get_cost(int g, int ndims, const ptrdiff_t n[], const int dims[])
{
    ptrdiff_t cost = get_largest_block(g, ndims, n, dims);
    for (int m = 0; m < g; m++)
        if (dims[m] > n[m] || dims[m] > n[m + 1])
            return cost + PTRDIFF_MAX / 2;
    return cost;
}

/* Get the least cost of all grids in which the product of dimensions m, m + 1, .. is nranks. If given[i] is
 * not 0, dimension i is given[i]. */
static ptrdiff_t get_best(int nranks, int g, int m, int ndims, const ptrdiff_t n[], const int given[],
                          int dims[])
{
    ptrdiff_t best = PTRDIFF_MAX;
    if (m == g)
        return nranks == 1 ? get_cost(g, ndims, n, dims) : best;
    for (int p = 1; p <= nranks; p++) {
        if (nranks % p || (given[m] && given[m] != p))
            continue;
        dims[m] = p;
        ptrdiff_t block = get_best(nranks / p, g, m + 1, ndims, n, given, dims);
        best = block < best ? block : best;
    }
    return best;
}

static void check(int nranks, int g, int ndims, const ptrdiff_t n[], const int given[])
{
    int dims[AXES], scratch[AXES], product = 1;
    ptrdiff_t best = get_best(nranks, g, 0, ndims, n, given, scratch);
    for (int m = 0; m < g; m++)
        dims[m] = given[m];
    int rc = subx_grid_get_dims(nranks, g, ndims, n, dims);
    if (best == PTRDIFF_MAX) {
        ck_assert_kind(rc, SUBX_ERR_GRID);
        return;
    }
    ck_assert_ok(rc);
    for (int m = 0; m < g; m++) {
        ck_assert(given[m] == 0 || dims[m] == given[m]);
        product *= dims[m];
    }
    ck_assert_int_eq(product, nranks);
    ck_assert_int_eq(get_cost(g, ndims, n, dims), best);
}

TEST(no_choice_is_better)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < 2000; k++) {
        int ndims = test_random_int(&r, 2, AXES), g = test_random_int(&r, 1, ndims - 1), given[AXES];
        ptrdiff_t n[AXES];
        for (int i = 0; i < ndims; i++) {
            n[i] = test_random_int(&r, 1, 20);
            given[i] = test_random_int(&r, 0, 4) ? 0 : test_random_int(&r, 1, 4);
        }
        check(test_random_int(&r, 1, 36), g, ndims, n, given);
    }
}

TEST(no_rank_is_idle_if_none_needs_to_be)
{
    const ptrdiff_t n[] = {2, 3, 3};
    int dims[] = {0, 0};
    ck_assert_ok(subx_grid_get_dims(4, 2, 3, n, dims));
    ck_assert(dims[0] == 2 && dims[1] == 2);
}

TEST(as_many_ranks_as_an_int_holds)
{
    const ptrdiff_t n[] = {PTRDIFF_MAX, PTRDIFF_MAX};
    int dims[] = {0};
    ck_assert_ok(subx_grid_get_dims(INT_MAX, 1, 2, n, dims));
    ck_assert_int_eq(dims[0], INT_MAX);
}

static void check_known(int nranks, int g, int d0, int d1, int d2)
{
    const ptrdiff_t cube[] = {64, 64, 64, 64};
    int dims[3] = {0, 0, 0};
    ck_assert_ok(subx_grid_get_dims(nranks, g, 4, cube, dims));
    ck_assert_int_eq(dims[0], d0);
    ck_assert_int_eq(dims[1], d1);
    ck_assert_int_eq(dims[2], d2);
}

TEST(of_equals_the_most_alike_smaller_first)
{
    check_known(4, 2, 2, 2, 0);
    check_known(16, 2, 4, 4, 0);
    check_known(32, 2, 4, 8, 0);
    check_known(8, 3, 2, 2, 2);
    check_known(16, 3, 2, 2, 4);
    check_known(7, 1, 7, 0, 0);
    check_known(1, 3, 1, 1, 1);
}
