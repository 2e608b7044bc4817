/* cosine.c - DCT-II, DCT-III, DST-II and DST-III by real transforms of reordered elements (Makhoul 1980;
 * paired.c).
 *
 * Let v = x0 x2 x4 .. x5 x3 x1, V its real transform, and re + i im = V[k] exp(-i pi k/2n). In the DCT-II of
 * x, result k is 2 re, and result n - k is -2 im. A DST-II is the DCT-II of x0 -x1 x2 -x3 .., with the
 * results in reverse order. DCT-III and DST-III take the inverse steps in reverse order. */
#include "simd/transform.h"

ptrdiff_t sx_simd_get_folded(ptrdiff_t n, ptrdiff_t j)
{
    return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1;
}

static ptrdiff_t get_element(const sx_simd_problem *p, ptrdiff_t j)
{
    return sx_simd_get_folded(p->n, j);
}

static ptrdiff_t get_cosine(const sx_simd_problem *p, ptrdiff_t i)
{
    (void)p;
    return i;
}

static ptrdiff_t get_sine(const sx_simd_problem *p, ptrdiff_t i)
{
    return p->n - 1 - i;
}

static int get_sine_sign(const sx_simd_problem *p, ptrdiff_t j)
{
    return get_element(p, j) % 2 ? -1 : 1;
}

static void get_root(const sx_simd_problem *p, ptrdiff_t k, long double *re, long double *im)
{
    sx_simd_get_root(k, 4 * p->n, re, im);
}

int sx_simd_cosine_set(sx_simd s)
{
    static const sx_simd_pairing dct2 = {1, 2, get_element, get_cosine, NULL, get_root},
                                 dct3 = {0, 1, get_element, get_cosine, NULL, get_root},
                                 dst2 = {1, 2, get_element, get_sine, get_sine_sign, get_root},
                                 dst3 = {0, 1, get_element, get_sine, get_sine_sign, get_root};
    switch (s->p.kind) {
    case SUBX_FFT_DCT2:
        return sx_simd_paired_set(s, &dct2);
    case SUBX_FFT_DCT3:
        return sx_simd_paired_set(s, &dct3);
    case SUBX_FFT_DST2:
        return sx_simd_paired_set(s, &dst2);
    default:
        return sx_simd_paired_set(s, &dst3);
    }
}
