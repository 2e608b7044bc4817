/* root.c - roots of unity, such as twiddle factors, correct to the last bit of a double. */
#include "simd/inside.h"
#include <math.h>

/* cosl and sinl are accurate for angles up to an eighth of the circle. Larger angles are reduced by symmetry,
 * in integers. */
void sx_simd_get_root(ptrdiff_t k, ptrdiff_t n, long double *re, long double *im)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    k %= n;
    if (2 * k > n) {
        sx_simd_get_root(n - k, n, re, im);
        *im = -*im;
    } else if (4 * k > n) {
        sx_simd_get_root(n - 2 * k, 2 * n, re, im);
        *re = -*re;
    } else if (8 * k > n) {
        sx_simd_get_root(n - 4 * k, 4 * n, im, re);
        *im = -*im;
        *re = -*re;
    } else {
        *re = cosl(2 * pi * (long double)k / (long double)n);
        *im = -sinl(2 * pi * (long double)k / (long double)n);
    }
}
