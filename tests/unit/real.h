/* real.h - reading and writing arrays of reals of any precision, as the widest type that the compiler has. */
#ifndef TEST_REAL_H
#define TEST_REAL_H

#include "serial/serial.h"
#include <float.h>

#ifdef HAVE_FLOAT128
typedef __float128 test_real;
#else
typedef long double test_real;
#endif

enum { TEST_REAL_FIRST = SUBX_FFT_FLOAT, TEST_REAL_LAST = SUBX_FFT_QUAD };

static inline long double test_real_epsilon(int precision)
{
    static const long double epsilon[] = {[SUBX_FFT_FLOAT] = FLT_EPSILON,
                                          [SUBX_FFT_DOUBLE] = DBL_EPSILON,
                                          [SUBX_FFT_LONG_DOUBLE] = LDBL_EPSILON,
                                          [SUBX_FFT_QUAD] = 0x1p-112L};
    return epsilon[precision];
}

/* A real of each precision, in an array that may begin at any address. */
typedef float test_float __attribute__((aligned(1)));
typedef double test_double __attribute__((aligned(1)));
typedef long double test_long_double __attribute__((aligned(1)));

static inline test_real test_real_get(int precision, const void *array, ptrdiff_t i)
{
    switch (precision) {
    case SUBX_FFT_FLOAT:
        return ((const test_float *)array)[i];
    case SUBX_FFT_DOUBLE:
        return ((const test_double *)array)[i];
    case SUBX_FFT_LONG_DOUBLE:
        return ((const test_long_double *)array)[i];
    default:
        return ((const test_real *)array)[i];
    }
}

static inline void test_real_set(int precision, void *array, ptrdiff_t i, test_real value)
{
    switch (precision) {
    case SUBX_FFT_FLOAT:
        ((test_float *)array)[i] = (float)value;
        break;
    case SUBX_FFT_DOUBLE:
        ((test_double *)array)[i] = (double)value;
        break;
    case SUBX_FFT_LONG_DOUBLE:
        ((test_long_double *)array)[i] = (long double)value;
        break;
    default:
        ((test_real *)array)[i] = value;
    }
}

/* Get the distance of two numbers. If one of them is NaN, the distance is LDBL_MAX, which exceeds every
 * tolerance. */
static inline long double test_real_distance(test_real a, test_real b)
{
    const test_real d = a < b ? b - a : a - b;
    return d == d ? (long double)d : LDBL_MAX;
}

#endif
