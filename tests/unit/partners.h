/* partners.h - for tests of loads: random grids, and which of their ranks exchange data. */
#ifndef TEST_PARTNERS_H
#define TEST_PARTNERS_H

#include "common/random.h"
#include "common/unit.h"
#include <math.h>

enum { RANKS_MAX = 120 };

/* Returns 1 if ranks a and b exchange data along grid dimension k: only coordinate k of the two ranks
 * differs. If k is -1, every rank exchanges data with all others. The last coordinate varies fastest with the
 * rank. */
static inline int test_are_partners(int g, const int dims[], int k, int a, int b)
{
    if (a == b)
        return 0;
    for (int i = g - 1; i >= 0 && k >= 0; i--) {
        if (i != k && a % dims[i] != b % dims[i])
            return 0;
        a /= dims[i];
        b /= dims[i];
    }
    return 1;
}

/* Draw the dimensions of a grid of at most RANKS_MAX ranks. Returns the number of ranks. */
static inline int test_choose_grid(test_random *r, int g, int dims[])
{
    int nranks = 1;
    for (int k = 0; k < g; k++) {
        const int most = RANKS_MAX / nranks;
        dims[k] = test_random_int(r, 1, most < 12 ? most : 12);
        nranks *= dims[k];
    }
    return nranks;
}

static inline void test_expect_close(double a, double b)
{
    ck_assert_double_le(fabs(a - b), 1e-12 * (fabs(a) + fabs(b)));
}

#endif
