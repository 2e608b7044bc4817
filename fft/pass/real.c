/* real.c - scale, add, and convert from and to float: the functions for each precision. */
#include "pass/inside.h"
#include <math.h>

#define BODY "pass/real_body.h"
#include "serial/reals.h"

const sx_real *sx_pass_real_get(int precision)
{
    static const sx_real reals[] = {
        [SUBX_FFT_FLOAT] = {scale_float, weigh_float, add_float, widen_float, narrow_float},
        [SUBX_FFT_DOUBLE] = {scale_double, weigh_double, add_double, widen_double, narrow_double},
        [SUBX_FFT_LONG_DOUBLE] = {scale_long_double, weigh_long_double, add_long_double, widen_long_double,
                                  narrow_long_double},
#ifdef HAVE_FLOAT128
        [SUBX_FFT_QUAD] = {scale_quad, weigh_quad, add_quad, widen_quad, narrow_quad},
#endif
    };
    return &reals[precision];
}

void sx_pass_scale(int precision, void *x, ptrdiff_t n, double volume, int roots)
{
    sx_pass_real_get(precision)->scale(x, n, volume, roots);
}
