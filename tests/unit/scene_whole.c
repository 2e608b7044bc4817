/* scene_whole.c - what a pass must do, by the definitions of the transforms: matrices in long double, axis by axis. */
#include "unit/scene.h"
#include "common/unit.h"
#include <math.h>
#include <string.h>

/* ---- matrices */

static long double get_angle(ptrdiff_t k, ptrdiff_t n)
{
    return 2 * 3.14159265358979323846264338327950288L * (long double)(k % n) / (long double)n;
}

static test_number get_wave(ptrdiff_t k, ptrdiff_t n)
{
    return cosl(get_angle(k, n)) + sinl(get_angle(k, n)) * (test_number)_Complex_I;
}

static long double get_cas(ptrdiff_t k, ptrdiff_t n)
{
    return cosl(get_angle(k, n)) + sinl(get_angle(k, n));
}

/* 1 if entry k is the sum of two frequencies, of which the whole spectrum has both. */
static int is_pair(const sx_pass_axis *x, ptrdiff_t k)
{
    return x->modes < x->n && 2 * k == x->modes;
}

/* A wave of some frequency times index, of kinds with negative frequencies. */
static test_number get_signed_wave(const sx_pass_axis *x, int backward, ptrdiff_t fj)
{
    return x->kind == SUBX_FFT_DHT ? get_cas(fj, x->n) : get_wave(backward ? fj : -fj, x->n);
}

static test_number get_signed(const sx_pass_axis *x, int backward, ptrdiff_t k, ptrdiff_t j)
{
    const ptrdiff_t m = x->modes, f = 2 * k <= m ? k : k - m;
    const test_number v = get_signed_wave(x, backward, f * j);
    if (!is_pair(x, k))
        return v;
    return (v + get_signed_wave(x, backward, -f * j)) / (backward ? 2 : 1);
}

/* Half a spectrum: backward, entries stand for their conjugates, too. */
static long double get_multiplicity(const sx_pass_axis *x, int backward, ptrdiff_t k)
{
    if (backward)
        return k == 0 || 2 * k == x->modes ? 1 : 2;
    return is_pair(x, k) ? 2 : 1;
}

static test_number get_half(const sx_pass_axis *x, int backward, ptrdiff_t k, ptrdiff_t j)
{
    return get_multiplicity(x, backward, k) * get_wave((backward ? 1 : -1) * k * j, x->n);
}

static test_number get_halfcomplex(const sx_pass_axis *x, int backward, ptrdiff_t k, ptrdiff_t j)
{
    const int is_imaginary = 2 * k > x->modes;
    const ptrdiff_t f = is_imaginary ? x->modes - k : k;
    const long double m = get_multiplicity(x, backward, f);
    return m * (is_imaginary ? -sinl(get_angle(f * j, x->n)) : cosl(get_angle(f * j, x->n)));
}

/* FFTW's definitions: twice a cosine or sine of pi (j + a) (k + b) / n, but once where it occurs once. Orthonormal ones
 * have the root of 1/2 instead, at ends of either index. */
static test_number get_trigonometric(int kind, int orthonormal, ptrdiff_t n, ptrdiff_t k, ptrdiff_t j)
{
    static const struct {
        long double a, b;
        int more;
    } of[] = {
        [SUBX_FFT_DCT1] = {0, 0, -1},      [SUBX_FFT_DCT2] = {0.5L, 0, 0},   [SUBX_FFT_DCT3] = {0, 0.5L, 0},
        [SUBX_FFT_DCT4] = {0.5L, 0.5L, 0}, [SUBX_FFT_DST1] = {1, 1, 1},      [SUBX_FFT_DST2] = {0.5L, 1, 0},
        [SUBX_FFT_DST3] = {1, 0.5L, 0},    [SUBX_FFT_DST4] = {0.5L, 0.5L, 0}};
    const int is_sine = kind >= SUBX_FFT_DST1;
    const long double u = (long double)j + of[kind].a, v = (long double)k + of[kind].b,
                      all = (long double)(n + of[kind].more), s = sqrtl(0.5L);
    const long double angle = 3.14159265358979323846264338327950288L * fmodl(u * v, 2 * all) / all;
    /* At an end, indices are multiples of the number of intervals. */
    const int j_ends = kind != SUBX_FFT_DST1 && (u == 0 || u == all),
              k_ends = kind != SUBX_FFT_DST1 && (v == 0 || v == all);
    const long double w = is_sine ? sinl(angle) : cosl(angle);
    if (orthonormal)
        return 2 * w * (j_ends ? s : 1) * (k_ends ? s : 1);
    return w * (j_ends ? 1 : 2);
}

test_number test_scene_get_entry(const sx_pass_axis *x, int backward, int orthonormal, ptrdiff_t row,
                                 ptrdiff_t column)
{
    const ptrdiff_t k = backward ? column : row, j = backward ? row : column;
    switch (x->kind) {
    case SUBX_FFT_C2C:
    case SUBX_FFT_DHT:
        return get_signed(x, backward, k, j);
    case SUBX_FFT_R2C:
        return get_half(x, backward, k, j);
    case SUBX_FFT_R2HC:
        return get_halfcomplex(x, backward, k, j);
    case SUBX_FFT_HC2R:
        return get_halfcomplex(x, !backward, j, k);
    default:
        return get_trigonometric(sx_serial_get_kind(x->kind, backward), orthonormal, x->n, row, column);
    }
}

/* ---- arrays */

static test_number *alloc_numbers(ptrdiff_t n)
{
    test_number *array = sx_base_alloc(n, sizeof *array);
    ck_assert_ptr_nonnull(array);
    return array;
}

static ptrdiff_t get_length(const sx_pass_axis *x, int domain)
{
    if (domain == SUBX_FFT_PHYSICAL)
        return x->points;
    return x->kind == SUBX_FFT_R2C ? sx_serial_get_half(x->modes) : x->modes;
}

static test_number *make_matrix(const sx_pass_axis *x, int backward, int orthonormal)
{
    const ptrdiff_t rows = get_length(x, !backward), columns = get_length(x, backward);
    test_number *matrix = alloc_numbers(rows * columns);
    for (ptrdiff_t i = 0; i < rows * columns; i++)
        matrix[i] = test_scene_get_entry(x, backward, orthonormal, i / columns, i % columns);
    return matrix;
}

/* Replace an array by its product with the matrix of an axis. */
static void transform_axis(const sx_pass_problem *p, int i, int backward, ptrdiff_t len[],
                           test_number **array)
{
    const sx_pass_axis *x = &p->axis[i];
    const ptrdiff_t rows = get_length(x, !backward), columns = get_length(x, backward),
                    inner = test_scene_get_count(p->ndims - 1 - x->axis, len + x->axis + 1),
                    outer = test_scene_get_count(x->axis, len);
    test_number *matrix = make_matrix(x, backward, p->is_orthonormal),
                *out = alloc_numbers(outer * rows * inner);
    ck_assert_int_eq(len[x->axis], columns);
    for (ptrdiff_t t = 0; t < outer * rows * inner; t++) {
        const ptrdiff_t row = t / inner % rows;
        const test_number *line = *array + t / inner / rows * columns * inner + t % inner;
        for (ptrdiff_t j = 0; j < columns; j++)
            out[t] += matrix[row * columns + j] * line[j * inner];
        if (x->kind == SUBX_FFT_R2C && backward)
            out[t] = creall(out[t]);
    }
    len[x->axis] = rows;
    sx_base_free(matrix);
    sx_base_free(*array);
    *array = out;
}

static void transform_all(const sx_pass_problem *p, int backward, ptrdiff_t len[], test_number **array)
{
    for (int i = 0; i < p->naxes; i++)
        transform_axis(p, backward ? p->naxes - 1 - i : i, backward, len, array);
}

static void scale(const sx_pass_problem *p, const ptrdiff_t len[], test_number *array)
{
    for (ptrdiff_t t = 0; t < test_scene_get_count(p->ndims, len); t++)
        array[t] /= p->roots ? p->volume : 1;
}

/* ---- the operation */

/* Values that differ between indices; equal along the other axes of a real transform, so that the spectrum remains that
 * of real data. */
void test_scene_get_operation(const sx_pass_problem *p, const ptrdiff_t at[], double *a, double *b)
{
    const int is_half = sx_pass_has_half(p);
    ptrdiff_t sum = 1;
    for (int i = 0; i < p->ndims; i++)
        if (!is_half || !test_scene_is_axis(p, i) || i == p->axis[0].axis)
            sum = sum * 5 + at[i];
    *a = 1 + (double)(sum % 17) / 16;
    *b = is_half && (p->is_round || p->direction == SUBX_FFT_BACKWARD) ? 0 : (double)(sum % 13) / 8;
}

static void operate(const test_scene *s, const ptrdiff_t len[], test_number *array)
{
    for (ptrdiff_t t = 0; s->operates && t < test_scene_get_count(s->p.ndims, len); t++) {
        ptrdiff_t at[TEST_DIMS], rest = t;
        double a, b;
        for (int i = s->p.ndims - 1; i >= 0; i--) {
            at[i] = rest % len[i];
            rest /= len[i];
        }
        test_scene_get_operation(&s->p, at, &a, &b);
        array[t] = array[t] * a + b;
    }
}

/* ---- the whole */

static test_number *make_random(test_random *r, ptrdiff_t n, int width)
{
    test_number *array = alloc_numbers(n);
    for (ptrdiff_t i = 0; i < n; i++) {
        array[i] = test_random_double(r);
        if (width == 2)
            array[i] += test_random_double(r) * (test_number)_Complex_I;
    }
    return array;
}

/* What a pass reads backward comes from forward, so that it is the spectrum of real data where it must be. Its numbers
 * are kept near 1. */
static void make_input(test_random *r, const test_scene *s, ptrdiff_t len[], test_number **array)
{
    const int backward = !s->p.is_round && s->p.direction == SUBX_FFT_BACKWARD;
    const sx_pass_side *physical = &s->p.side[backward ? SX_TO : SX_FROM];
    memcpy(len, physical->len, TEST_DIMS * sizeof *len);
    const ptrdiff_t n = test_scene_get_count(s->p.ndims, len);
    *array = make_random(r, n, physical->width);
    if (!backward)
        return;
    transform_all(&s->p, 0, len, array);
    for (ptrdiff_t t = 0; t < test_scene_get_count(s->p.ndims, len); t++)
        (*array)[t] /= sqrtl((long double)n);
}

void test_scene_make_whole(test_random *r, test_scene *s)
{
    const sx_pass_problem *p = &s->p;
    const int forward = p->direction == SUBX_FFT_FORWARD;
    ptrdiff_t len[TEST_DIMS], n;
    make_input(r, s, len, &s->whole[SX_FROM]);
    n = test_scene_get_count(p->ndims, len);
    test_number *array = alloc_numbers(n);
    memcpy(array, s->whole[SX_FROM], (size_t)n * sizeof *array);
    if (p->is_round || forward)
        transform_all(p, 0, len, &array);
    if (!p->is_round && forward)
        scale(p, len, array);
    operate(s, len, array);
    if (p->is_round || !forward)
        transform_all(p, 1, len, &array);
    if (p->is_round || !forward)
        scale(p, len, array);
    s->whole[SX_TO] = array;
    for (int a = 0; a < p->ndims; a++)
        ck_assert_int_eq(len[a], p->side[SX_TO].len[a]);
}
