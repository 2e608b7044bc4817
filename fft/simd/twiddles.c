/* twiddles.c - make twiddle factors and other roots of unity, correct to the last bit of a double. */
#include "simd/transform.h"
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

int sx_simd_twiddles_set(sx_simd s, int radix, sx_simd_step *step)
{
    long double re, im;
    void *numbers = sx_simd_own_numbers(s, step->m * (radix - 1));
    if (!numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < step->m; i++)
        for (int k = 1; k < radix; k++) {
            sx_simd_get_root(i * k, step->m * radix, &re, &im);
            sx_simd_put(s, numbers, i * (radix - 1) + k - 1, re, im);
        }
    step->numbers = numbers;
    return MPI_SUCCESS;
}

int sx_simd_roots_set(sx_simd s, int prime, sx_simd_step *step)
{
    const int h = prime / 2;
    long double re, im;
    void *roots = sx_simd_own_numbers(s, h * h);
    if (!roots)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int k = 1; k <= h; k++)
        for (int j = 1; j <= h; j++) {
            sx_simd_get_root(j * k, prime, &re, &im);
            sx_simd_put(s, roots, (k - 1) * h + j - 1, re, -im);
        }
    step->roots = roots;
    step->prime = prime;
    return MPI_SUCCESS;
}

/* Set the factors of the sums and differences of pairs of numbers (fold_body.h). Both directions have the
 * same factors, except for signs and a factor of 2. If Z is the complex transform of half the length, and Z*
 * = conj(Z[n/2 - k]), then the even elements have the transform (Z + Z*)/2, and the odd elements (Z -
 * Z*)/2i. */
int sx_simd_halves_set(sx_simd s, ptrdiff_t n, double factor, int is_split)
{
    void *numbers = sx_simd_own_numbers(s, n / 4 + 1);
    if (!numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    s->half.n = n / 2;
    s->half.numbers = numbers;
    s->half.factor = is_split ? factor / 2 : factor;
    for (ptrdiff_t k = 0; k <= n / 4; k++) {
        long double re, im;
        sx_simd_get_root(k, n, &re, &im);
        sx_simd_put(s, numbers, k, im * s->half.factor, (is_split ? -re : re) * s->half.factor);
    }
    return MPI_SUCCESS;
}
