/* matrix.c - the matrix that transforms an axis: the factor of input entry j in output entry k, for every
 * kind. */
#include "definition/definition.h"

#include <math.h>
#include <stdlib.h>

/* ---- roots of unity */

/* Set root = exp(2 pi i m / n). The angle is first reduced in integers to at most an eighth of a circle,
 * where cos and sin are accurate. */
static void set_root(ptrdiff_t m, ptrdiff_t n, long double root[2])
{
    const long double eighth = 0.785398163397448309615660845819875721L;
    ptrdiff_t octant = 8 * m / n, rest = 8 * m % n;
    long double angle = eighth * (long double)(octant % 2 ? n - rest : rest) / (long double)n;
    long double x = octant % 2 ? sinl(angle) : cosl(angle);
    long double y = octant % 2 ? cosl(angle) : sinl(angle);
    for (; octant >= 2; octant -= 2) { /* turn by a quarter of a circle */
        long double turned = -y;
        y = x;
        x = turned;
    }
    root[0] = x;
    root[1] = y;
}

/* ---- kinds */

/* A cosine or sine transform: result k is the sum of the inputs j times 2 cos or 2 sin of the angle 2 pi (jf
 * j + j0) (kf k + k0) / period, where period = scale (n + more). */
typedef struct rule {
    int jf, j0, kf, k0, scale, more;
} rule;

static const rule rules[] = {[SUBX_FFT_DCT1] = {1, 0, 1, 0, 2, -1}, [SUBX_FFT_DCT2] = {2, 1, 1, 0, 4, 0},
                             [SUBX_FFT_DCT3] = {1, 0, 2, 1, 4, 0},  [SUBX_FFT_DCT4] = {2, 1, 2, 1, 8, 0},
                             [SUBX_FFT_DST1] = {1, 1, 1, 1, 2, 1},  [SUBX_FFT_DST2] = {2, 1, 1, 1, 4, 0},
                             [SUBX_FFT_DST3] = {1, 1, 2, 1, 4, 0},  [SUBX_FFT_DST4] = {2, 1, 2, 1, 8, 0}};

static int is_trigonometric(int kind)
{
    return kind >= SUBX_FFT_DCT1 && kind <= SUBX_FFT_DST4;
}

/* Set the kind and the direction of the matrix. Backward DCT2 is DCT3, and HC2R is R2HC in the other
 * direction. */
static void set_kind(int kind, int direction, sx_definition_matrix *matrix)
{
    static const int inverse[] = {[SUBX_FFT_DCT2] = SUBX_FFT_DCT3,
                                  [SUBX_FFT_DCT3] = SUBX_FFT_DCT2,
                                  [SUBX_FFT_DST2] = SUBX_FFT_DST3,
                                  [SUBX_FFT_DST3] = SUBX_FFT_DST2,
                                  [SUBX_FFT_HC2R] = 0};
    if (kind == SUBX_FFT_HC2R) {
        kind = SUBX_FFT_R2HC;
        direction = -direction;
    }
    matrix->kind = direction == SUBX_FFT_BACKWARD && inverse[kind] ? inverse[kind] : kind;
    matrix->direction = direction;
}

int sx_definition_create(const sx_definition_axis *axis, int direction, int is_orthonormal,
                         sx_definition_matrix *matrix)
{
    *matrix = (sx_definition_matrix){.n = axis->size, .modes = axis->modes, .is_orthonormal = is_orthonormal};
    set_kind(axis->kind, direction, matrix);
    matrix->period = matrix->n;
    if (is_trigonometric(matrix->kind))
        matrix->period = rules[matrix->kind].scale * (matrix->n + rules[matrix->kind].more);
    matrix->root = calloc((size_t)matrix->period, 2 * sizeof *matrix->root);
    for (ptrdiff_t m = 0; matrix->root && m < matrix->period; m++)
        set_root(m, matrix->period, matrix->root + 2 * m);
    return !matrix->root;
}

void sx_definition_free(sx_definition_matrix *matrix)
{
    free(matrix->root);
    matrix->root = NULL;
}

/* ---- entries */

/* Get the factor of the cosine or sine in an entry of the matrix. In some kinds entries at the ends of a line
 * have half the weight of the others. In orthonormal transforms they have weights that make the matrix
 * orthogonal. */
static long double get_weight(const sx_definition_matrix *matrix, ptrdiff_t j, ptrdiff_t k)
{
    const long double root = matrix->is_orthonormal ? 1.41421356237309504880168872420969808L : 1;
    const ptrdiff_t last = matrix->n - 1;
    switch (matrix->kind) {
    case SUBX_FFT_DCT1:
        return (j == 0 || j == last ? root : 2) / (k == 0 || k == last ? root : 1);
    case SUBX_FFT_DCT2:
        return k == 0 ? 2 / root : 2;
    case SUBX_FFT_DCT3:
        return j == 0 ? root : 2;
    case SUBX_FFT_DST2:
        return k == last ? 2 / root : 2;
    case SUBX_FFT_DST3:
        return j == last ? root : 2;
    default:
        return 2;
    }
}

static long double get_trigonometric(const sx_definition_matrix *matrix, ptrdiff_t j, ptrdiff_t k)
{
    const rule *of = &rules[matrix->kind];
    const ptrdiff_t m = (of->jf * j + of->j0) * (of->kf * k + of->k0) % matrix->period;
    return get_weight(matrix, j, k) * matrix->root[2 * m + (matrix->kind >= SUBX_FFT_DST1)];
}

/* Get the factor between spectral entry i and physical entry x. Entries in the upper half of the spectrum
 * have negative frequencies. If there are fewer modes than the length of the transform, and their number is
 * even, the entry in the middle has two frequencies, modes/2 and -modes/2: forward adds their coefficients,
 * backward gives half of the entry to each. */
static void get_fourier(const sx_definition_matrix *matrix, ptrdiff_t i, ptrdiff_t x, long double value[2])
{
    const int forward = matrix->direction == SUBX_FFT_FORWARD, is_middle = 2 * i == matrix->modes;
    const int is_shared = is_middle && matrix->modes < matrix->n;
    const ptrdiff_t frequency = 2 * i <= matrix->modes ? i : matrix->n - (matrix->modes - i);
    const long double *root = matrix->root + 2 * (frequency * x % matrix->n);
    const long double both = forward && is_shared ? 2 : 1;
    const long double twice =
        !forward && i > 0 && !is_middle ? 2 : both; /* for real data: entry i also stands for frequency -i */
    value[0] = root[0];
    value[1] = forward ? -root[1] : root[1];
    if (matrix->kind == SUBX_FFT_R2C) {
        value[0] *= twice;
        value[1] *= twice;
        return;
    }
    if (is_shared || matrix->kind != SUBX_FFT_C2C)
        value[1] = 0;
    if (matrix->kind == SUBX_FFT_R2HC)
        value[0] = twice * (2 * i <= matrix->modes ? root[0] : root[1]);
    else if (is_shared)
        value[0] *= both;
    else if (matrix->kind == SUBX_FFT_DHT)
        value[0] += root[1];
}

void sx_definition_get(const sx_definition_matrix *matrix, ptrdiff_t in, ptrdiff_t out, long double value[2])
{
    value[1] = 0;
    if (matrix->kind == SUBX_FFT_NONE)
        value[0] = in == out;
    else if (is_trigonometric(matrix->kind))
        value[0] = get_trigonometric(matrix, in, out);
    else if (matrix->direction == SUBX_FFT_FORWARD)
        get_fourier(matrix, out, in, value);
    else
        get_fourier(matrix, in, out, value);
}
