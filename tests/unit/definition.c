/* definition.c - the sums of the definitions, term by term. */
#include "unit/definition.h"
#include <math.h>
#include <subx_fft.h>

/* Of pi a/b, with an angle of less than a turn, which has the smallest rounding error. */
static long double cosine(ptrdiff_t a, ptrdiff_t b)
{
    return cosl(acosl(-1) * (long double)(a % (2 * b)) / (long double)b);
}

static long double sine(ptrdiff_t a, ptrdiff_t b)
{
    return sinl(acosl(-1) * (long double)(a % (2 * b)) / (long double)b);
}

/* ---- complex */

typedef long double complex root[TEST_DEFINITION_LENGTH];

/* The factor exp(sign 2 pi i (k0 j0/n0 + ..)). */
static long double complex get_factor(int naxes, const ptrdiff_t n[], const root roots[], ptrdiff_t j,
                                      ptrdiff_t k)
{
    long double complex factor = 1;
    for (int a = naxes - 1; a >= 0; a--) {
        factor *= roots[a][j % n[a] * (k % n[a]) % n[a]];
        j /= n[a];
        k /= n[a];
    }
    return factor;
}

void test_define_dft(int naxes, const ptrdiff_t n[], int sign, const long double complex *in,
                     long double complex *out)
{
    root roots[TEST_DEFINITION_NDIMS];
    ptrdiff_t total = 1;
    for (int a = 0; a < naxes; a++) {
        total *= n[a];
        for (ptrdiff_t m = 0; m < n[a]; m++)
            roots[a][m] = cosine(2 * m, n[a]) + I * (sign * sine(2 * m, n[a]));
    }
    for (ptrdiff_t k = 0; k < total; k++) {
        out[k] = 0;
        for (ptrdiff_t j = 0; j < total; j++)
            out[k] += in[j] * get_factor(naxes, n, (const root *)roots, j, k);
    }
}

/* ---- real: the formulas of FFTW's manual, section 4.8 */

static long double get_sign(ptrdiff_t k)
{
    return k % 2 ? -1 : 1;
}

static long double get_half_complex(ptrdiff_t n, ptrdiff_t j, ptrdiff_t k)
{
    if (j == 0)
        return 1;
    if (2 * j == n)
        return get_sign(k);
    return 2 * j < n ? 2 * cosine(2 * j * k, n) : -2 * sine(2 * (n - j) * k, n);
}

long double test_define_r2r_term(int kind, ptrdiff_t n, ptrdiff_t j, ptrdiff_t k)
{
    const ptrdiff_t j2 = 2 * j + 1, k2 = 2 * k + 1;
    switch (kind) {
    case SUBX_FFT_DCT1:
        return j == 0 ? 1 : j == n - 1 ? get_sign(k) : 2 * cosine(j * k, n - 1);
    case SUBX_FFT_DCT2:
        return 2 * cosine(j2 * k, 2 * n);
    case SUBX_FFT_DCT3:
        return j == 0 ? 1 : 2 * cosine(j * k2, 2 * n);
    case SUBX_FFT_DCT4:
        return 2 * cosine(j2 * k2, 4 * n);
    case SUBX_FFT_DST1:
        return 2 * sine((j + 1) * (k + 1), n + 1);
    case SUBX_FFT_DST2:
        return 2 * sine(j2 * (k + 1), 2 * n);
    case SUBX_FFT_DST3:
        return j == n - 1 ? get_sign(k) : 2 * sine((j + 1) * k2, 2 * n);
    case SUBX_FFT_DST4:
        return 2 * sine(j2 * k2, 4 * n);
    case SUBX_FFT_DHT:
        return cosine(2 * j * k, n) + sine(2 * j * k, n);
    case SUBX_FFT_R2HC:
        return 2 * k <= n ? cosine(2 * j * k, n) : -sine(2 * j * (n - k), n);
    default:
        return get_half_complex(n, j, k);
    }
}

void test_define_r2r(int kind, ptrdiff_t n, const long double complex *in, long double complex *out)
{
    for (ptrdiff_t k = 0; k < n; k++) {
        out[k] = 0;
        for (ptrdiff_t j = 0; j < n; j++)
            out[k] += creall(in[j]) * test_define_r2r_term(kind, n, j, k);
    }
}
