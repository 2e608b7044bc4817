/* array.c - transform an array by the definition, one axis after the other. */
#include "definition/definition.h"

#include <stdlib.h>

/* ---- lengths */

ptrdiff_t sx_definition_get_length(const sx_definition_axis *axis, int side)
{
    if (side == SUBX_FFT_PHYSICAL)
        return axis->points;
    return axis->kind == SUBX_FFT_R2C ? axis->modes / 2 + 1 : axis->modes;
}

ptrdiff_t sx_definition_get_result(const sx_definition_axis *axis, int direction)
{
    return sx_definition_get_length(axis,
                                    direction == SUBX_FFT_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL);
}

ptrdiff_t sx_definition_get_volume(int ndims, const ptrdiff_t n[])
{
    ptrdiff_t volume = 1;
    for (int a = 0; a < ndims; a++)
        volume *= n[a];
    return volume;
}

/* A real-to-real transform is the Fourier transform of a longer line, to which the given line is extended by
 * symmetry (FFTW's manual, section 4.8). The factor of an axis is the length of this longer line. */
long double sx_definition_get_factor(int ndims, const sx_definition_axis axes[])
{
    long double factor = 1;
    for (int a = 0; a < ndims; a++) {
        const int kind = axes[a].kind;
        const long double n = (long double)axes[a].size;
        if (kind == SUBX_FFT_DCT1)
            factor *= 2 * (n - 1);
        else if (kind == SUBX_FFT_DST1)
            factor *= 2 * (n + 1);
        else if (kind >= SUBX_FFT_DCT2 && kind <= SUBX_FFT_DST4)
            factor *= 2 * n;
        else if (kind != SUBX_FFT_NONE)
            factor *= n;
    }
    return factor;
}

/* ---- sums */

/* The transform of one axis of an array. The array has outer x length x inner complex numbers. */
typedef struct sweep {
    ptrdiff_t outer, inner;
    ptrdiff_t n_in, n_out; /* lengths of the axis before and after */
    int to_real;           /* 1 if half spectra become real lines */
    sx_definition_matrix matrix;
    long double *row; /* row of the matrix for one output: n_in complex factors */
} sweep;

/* Compute one output for `inner` lines side by side: out = sum over j of row[j] in[j]. in[j] and out have
 * `inner` complex numbers each. */
static void sum_up(const sweep *s, const long double *in, long double *out)
{
    for (ptrdiff_t j = 0; j < s->n_in; j++) {
        const long double re = s->row[2 * j], im = s->row[2 * j + 1];
        for (ptrdiff_t i = 0; i < 2 * s->inner; i += 2, in += 2) {
            out[i] += re * in[0] - im * in[1];
            out[i + 1] += re * in[1] + im * in[0];
        }
    }
    for (ptrdiff_t i = 0; i < s->inner && s->to_real; i++)
        out[2 * i + 1] = 0;
}

/* Transform all lines. `out` must be zero before. */
static void transform_lines(const sweep *s, const long double *in, long double *out)
{
    for (ptrdiff_t k = 0; k < s->n_out; k++) {
        for (ptrdiff_t j = 0; j < s->n_in; j++)
            sx_definition_get(&s->matrix, j, k, s->row + 2 * j);
        for (ptrdiff_t o = 0; o < s->outer; o++)
            sum_up(s, in + 2 * o * s->n_in * s->inner, out + 2 * (o * s->n_out + k) * s->inner);
    }
}

static int transform_axis(sweep *s, const sx_definition_axis *axis, int direction, int is_orthonormal,
                          long double **array)
{
    const int fails = sx_definition_create(axis, direction, is_orthonormal, &s->matrix);
    long double *out = calloc((size_t)(s->outer * s->n_out * s->inner), 2 * sizeof *out);
    s->row = calloc((size_t)s->n_in, 2 * sizeof *s->row);
    const int is_ready = !fails && s->row && out;
    if (is_ready) {
        transform_lines(s, *array, out);
        free(*array);
        *array = out;
    } else
        free(out);
    free(s->row);
    sx_definition_free(&s->matrix);
    return !is_ready;
}

/* List the transformed axes in their order: a forward transform begins with the axis of R2C, a backward one
 * ends with it. */
static int sort_axes(int ndims, const sx_definition_axis axes[], int direction, int order[])
{
    int n = 0;
    for (int late = 0; late < 2; late++)
        for (int a = 0; a < ndims; a++) {
            const int kind = axes[a].kind, early = (kind == SUBX_FFT_R2C) == (direction == SUBX_FFT_FORWARD);
            if (kind != SUBX_FFT_NONE && early == !late)
                order[n++] = a;
        }
    return n;
}

int sx_definition_execute(int ndims, const sx_definition_axis axes[], int direction, int is_orthonormal,
                          long double **array)
{
    int order[SUBX_NDIMS_MAX], naxes = sort_axes(ndims, axes, direction, order), fails = 0;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    for (int a = 0; a < ndims; a++)
        n[a] = sx_definition_get_result(&axes[a], -direction);
    for (int i = 0; i < naxes && !fails; i++) {
        const int a = order[i];
        sweep s = {.n_in = n[a]};
        s.outer = sx_definition_get_volume(a, n);
        s.inner = sx_definition_get_volume(ndims - a - 1, n + a + 1);
        s.n_out = n[a] = sx_definition_get_result(&axes[a], direction);
        s.to_real = axes[a].kind == SUBX_FFT_R2C && direction == SUBX_FFT_BACKWARD;
        fails = transform_axis(&s, &axes[a], direction, is_orthonormal, array);
    }
    return fails;
}
