/* wire_range.h - which values floats in messages can have, for tests of subx_wire. */
#ifndef TEST_WIRE_RANGE_H
#define TEST_WIRE_RANGE_H

#include "common/verdict.h"
#include <float.h>
#include <math.h>

/* Check values that a float represents, rounds, or has no digits for. `transform` transforms an array that
 * has `value` at the first element of rank 0, and zeros elsewhere. Then all elements of the spectrum are
 * `value`, rounded once by the exchange, and their imaginary parts are 0. It returns this rank's largest
 * distance of a real part from `value`, and sets *first to the real part of this rank's first element of the
 * spectrum. Returns *first for a value that is too large for a float. */
static double check_range(double (*transform)(double value, double *first))
{
    const double half = ldexp(1, FLT_MIN_EXP - FLT_MANT_DIG - 1); /* half of the smallest float */
    double first;
    test_context("the range of floats");
    EXPECT(transform(1, &first) == 0);
    EXPECT(transform((double)FLT_MAX, &first) <= 6 * DBL_EPSILON * (double)FLT_MAX);
    EXPECT(transform(1 + ldexp(1, -24), &first) <= ldexp(1, -24));
    EXPECT(transform((double)FLT_MIN / 3, &first) <= half);
    EXPECT(transform(half / 2, &first) <= half);
    (void)transform(1e39, &first);
    return first;
}

#endif
