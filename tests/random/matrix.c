/* matrix.c - the matrix of the transform of one axis, in long double; knows nothing of the library. */
#include "random/matrix.h"
#include "unit/definition.h"
#include <math.h>

/* ---- one axis: how much entry k of the spectral side has to do with element j of the physical one */

static random_pair get_root(ptrdiff_t n, ptrdiff_t k, ptrdiff_t j)
{
    const long double angle = 2 * acosl(-1) * (long double)(k * j % n) / (long double)n;
    return (random_pair){cosl(angle), -sinl(angle)};
}

static random_pair get_entry(const random_axis *x, int kind, ptrdiff_t k, ptrdiff_t j)
{
    if (kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C)
        return get_root(x->n, k, j);
    return (random_pair){test_define_r2r_term(kind, x->n, j, k), 0};
}

/* The highest of an even number of modes stands for two frequencies. */
static int is_even_cut(const random_axis *x)
{
    return x->modes < x->n && x->modes % 2 == 0;
}

static int has_negative(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_DHT || kind == SUBX_FFT_R2HC;
}

/* The place of a kept mode among all of the transform. */
static ptrdiff_t get_mode(const random_axis *x, ptrdiff_t k)
{
    return has_negative(x->kind) && k > x->modes / 2 ? x->n - x->modes + k : k;
}

/* The weight of an end: with it a DCT or DST is orthogonal but for a factor. */
static long double get_weight(int kind, ptrdiff_t n, ptrdiff_t i, int is_output)
{
    static const struct {
        int kind, first, last, before, after;
    } ends[] = {{SUBX_FFT_DCT1, 1, 1, 1, 1},
                {SUBX_FFT_DCT2, 1, 0, 0, 1},
                {SUBX_FFT_DCT3, 1, 0, 1, 0},
                {SUBX_FFT_DST2, 0, 1, 0, 1},
                {SUBX_FFT_DST3, 0, 1, 1, 0}};
    for (int e = 0; e < 5; e++)
        if (ends[e].kind == kind && ((ends[e].first && i == 0) || (ends[e].last && i == n - 1)) &&
            (is_output ? ends[e].after : ends[e].before))
            return is_output ? sqrtl(0.5L) : sqrtl(2);
    return 1;
}

static random_pair scale(random_pair z, long double factor)
{
    return (random_pair){z.re * factor, z.im * factor};
}

/* Forward keeps the sum of both highest frequencies. */
random_pair random_matrix_get_forward(const random_axis *x, ptrdiff_t k, ptrdiff_t j)
{
    const int folds = is_even_cut(x) && k == x->modes / 2;
    random_pair z = {k == j, 0};
    if (x->kind == SUBX_FFT_NONE)
        return z;
    z = get_entry(x, x->kind, get_mode(x, k), j);
    if (folds && (x->kind == SUBX_FFT_C2C || x->kind == SUBX_FFT_DHT)) {
        const random_pair other = get_entry(x, x->kind, x->n - k, j);
        z = (random_pair){z.re + other.re, z.im + other.im};
    } else if (folds && (x->kind == SUBX_FFT_R2C || x->kind == SUBX_FFT_R2HC)) {
        z = scale(z, 2);
    }
    return x->is_orthonormal ? scale(z, get_weight(x->kind, x->n, k, 1) * get_weight(x->kind, x->n, j, 0))
                             : z;
}

static int get_inverse(int kind)
{
    static const int pairs[][2] = {
        {SUBX_FFT_DCT2, SUBX_FFT_DCT3}, {SUBX_FFT_DST2, SUBX_FFT_DST3}, {SUBX_FFT_R2HC, SUBX_FFT_HC2R}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (pairs[i][k] == kind)
                return pairs[i][!k];
    return kind;
}

/* Of a halved axis, each entry stands for its conjugate too, unless there is none. */
static random_pair get_backward_r2c(const random_axis *x, ptrdiff_t k, ptrdiff_t j)
{
    const random_pair z = get_root(x->n, k, j);
    const int is_single = k == 0 || 2 * k == x->n || (is_even_cut(x) && k == x->modes / 2);
    return scale((random_pair){z.re, -z.im}, is_single ? 1 : 2);
}

/* Backward divides the highest entry between both frequencies. */
random_pair random_matrix_get_backward(const random_axis *x, ptrdiff_t k, ptrdiff_t j)
{
    const int inverse = get_inverse(x->kind), unfolds = is_even_cut(x) && k == x->modes / 2;
    random_pair z;
    switch (x->kind) {
    case SUBX_FFT_NONE:
        return (random_pair){k == j, 0};
    case SUBX_FFT_R2C:
        return get_backward_r2c(x, k, j);
    case SUBX_FFT_C2C:
    case SUBX_FFT_DHT:
        z = random_matrix_get_forward(x, k, j);
        return scale((random_pair){z.re, -z.im}, unfolds ? 0.5L : 1);
    default:
        z = get_entry(x, inverse, j, get_mode(x, k));
        z = scale(z, unfolds && x->kind == SUBX_FFT_R2HC ? 0.5L : 1);
        return x->is_orthonormal ? scale(z, get_weight(inverse, x->n, j, 1) * get_weight(inverse, x->n, k, 0))
                                 : z;
    }
}
