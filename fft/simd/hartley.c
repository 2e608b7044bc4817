/* hartley.c - half-complex transforms and the discrete Hartley transform, by real transforms (paired.c).
 *
 * Let k be from 1 to below n/2. A half-complex spectrum has Re X[k] in row k, and Im X[k] in row n - k. A DHT
 * has Re X[k] - Im X[k] in row k, and Re X[k] + Im X[k] in row n - k (Bracewell 1983). A pairing has a real
 * part in its first row and minus an imaginary part in its second row. This fits if the two rows change
 * places: the first one takes the real part of -i X[k], or of (1 - i) X[k]. Numbers 0 and n/2 are real, and
 * have a row alone. */
#include "simd/transform.h"

static ptrdiff_t get_element(const sx_simd_problem *p, ptrdiff_t j)
{
    (void)p;
    return j;
}

static ptrdiff_t get_mode(const sx_simd_problem *p, ptrdiff_t i)
{
    return i > 0 ? p->n - i : 0;
}

static int is_alone(const sx_simd_problem *p, ptrdiff_t k)
{
    return k == 0 || 2 * k == p->n;
}

static void get_half(const sx_simd_problem *p, ptrdiff_t k, long double *re, long double *im)
{
    *re = is_alone(p, k);
    *im = is_alone(p, k) - 1;
}

static void get_hartley(const sx_simd_problem *p, ptrdiff_t k, long double *re, long double *im)
{
    *re = 1;
    *im = is_alone(p, k) - 1;
}

int sx_simd_hartley_set(sx_simd s)
{
    static const sx_simd_pairing dht = {1, 1, get_element, get_mode, NULL, get_hartley},
                                 r2hc = {1, 1, get_element, get_mode, NULL, get_half},
                                 hc2r = {0, 1, get_element, get_mode, NULL, get_half};
    switch (s->p.kind) {
    case SUBX_FFT_DHT:
        return sx_simd_paired_set(s, &dht);
    case SUBX_FFT_R2HC:
        return sx_simd_paired_set(s, &r2hc);
    default:
        return sx_simd_paired_set(s, &hc2r);
    }
}
