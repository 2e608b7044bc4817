/* dft.c - the definition of the multi-dimensional DFT, term by term. */
#include "common/dft.h"
#include <math.h>

typedef struct table {
    double complex root[TEST_DFT_NDIMS][TEST_DFT_LENGTH]; /* for each axis: exp(sign 2 pi i m / n) */
} table;

static void set_roots(table *t, int ndims, const ptrdiff_t n[], int sign)
{
    const double pi = 3.14159265358979323846;
    for (int a = 0; a < ndims; a++)
        for (ptrdiff_t m = 0; m < n[a]; m++) {
            double angle = sign * 2 * pi * (double)m / (double)n[a];
            t->root[a][m] = cos(angle) + I * sin(angle);
        }
}

static void split(int ndims, const ptrdiff_t n[], ptrdiff_t index, ptrdiff_t x[])
{
    for (int a = ndims - 1; a >= 0; a--) {
        x[a] = index % n[a];
        index /= n[a];
    }
}

static double complex get_one(const table *t, int ndims, const ptrdiff_t n[], ptrdiff_t total, ptrdiff_t k,
                              const double complex *in)
{
    ptrdiff_t kx[TEST_DFT_NDIMS], jx[TEST_DFT_NDIMS];
    double complex sum = 0;
    split(ndims, n, k, kx);
    for (ptrdiff_t j = 0; j < total; j++) {
        double complex w = in[j];
        split(ndims, n, j, jx);
        for (int a = 0; a < ndims; a++)
            w *= t->root[a][kx[a] * jx[a] % n[a]];
        sum += w;
    }
    return sum;
}

void test_dft(int ndims, const ptrdiff_t n[], int sign, const double complex *in, double complex *out)
{
    table t;
    ptrdiff_t total = 1;
    set_roots(&t, ndims, n, sign);
    for (int a = 0; a < ndims; a++)
        total *= n[a];
    for (ptrdiff_t k = 0; k < total; k++)
        out[k] = get_one(&t, ndims, n, total, k, in);
}
