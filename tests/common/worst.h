/* worst.h - the worst of many errors. */
#ifndef TEST_WORST_H
#define TEST_WORST_H

/* Get the worse of two errors. NaN is worse than all numbers, so that one NaN among the results is not
 * lost. */
static inline long double test_get_worse(long double a, long double b)
{
    return a != a || b <= a ? a : b;
}

#endif
