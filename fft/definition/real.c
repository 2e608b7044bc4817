/* real.c - read and write numbers of any precision as long double. */
#include "definition/definition.h"

#include <float.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* never used: without __float128 no plan has quads */
#endif

long double sx_definition_get_real(int precision, const void *array, ptrdiff_t i)
{
    switch (precision) {
    case SUBX_FFT_FLOAT:
        return ((const float *)array)[i];
    case SUBX_FFT_DOUBLE:
        return ((const double *)array)[i];
    case SUBX_FFT_LONG_DOUBLE:
        return ((const long double *)array)[i];
    default:
        return (long double)((const quad *)array)[i];
    }
}

void sx_definition_set_real(int precision, void *array, ptrdiff_t i, long double value)
{
    switch (precision) {
    case SUBX_FFT_FLOAT:
        ((float *)array)[i] = (float)value;
        break;
    case SUBX_FFT_DOUBLE:
        ((double *)array)[i] = (double)value;
        break;
    case SUBX_FFT_LONG_DOUBLE:
        ((long double *)array)[i] = value;
        break;
    default:
        ((quad *)array)[i] = value;
    }
}

/* The reference is computed in long double, so quads are compared with the epsilon of long double. */
double sx_definition_get_epsilon(int precision)
{
    if (precision == SUBX_FFT_FLOAT)
        return FLT_EPSILON;
    return precision == SUBX_FFT_DOUBLE ? DBL_EPSILON : (double)LDBL_EPSILON;
}
