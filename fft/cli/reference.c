/* reference.c - the transform by its definition, one axis after the other, on one rank. The sums are
 * written out; no FFT and no layout is shared with the library. */
#include "cli/cli.h"

#include <stdlib.h>

/* One axis of an array, which is treated as outer x length x inner pairs. */
struct axis {
    ptrdiff_t outer, inner;
    ptrdiff_t n, n_in, n_out; /* period, and the lengths before and after    */
    int sign;
    int to_real;  /* the lines are half spectra of real lines    */
    double *wave; /* n pairs exp(2 pi i m / n)                   */
    double *line; /* room for n pairs                            */
};

double sx_cli_reference_get_cost(int ndims, const ptrdiff_t n[])
{
    double volume = 1, lengths = 0;
    for (int a = 0; a < ndims; a++) {
        volume *= (double)n[a];
        lengths += (double)n[a];
    }
    return volume * lengths;
}

/* Complete the half spectrum of a real line. The imaginary parts of entries 0 and n/2, which no real line
 * has, are dropped, as FFT libraries do. */
static void extend(const struct axis *axis)
{
    double *line = axis->line;
    ptrdiff_t n = axis->n;
    line[1] = 0;
    if (n % 2 == 0)
        line[n + 1] = 0;
    for (ptrdiff_t k = 1; k < n - k; k++) {
        line[2 * (n - k)] = line[2 * k];
        line[2 * (n - k) + 1] = -line[2 * k + 1];
    }
}

/* One entry: sum over j of line[j] exp(sign 2 pi i j k / n), the angle taken modulo a turn in integers. */
static void sum_up(const struct axis *axis, ptrdiff_t k, double result[2])
{
    const double *line = axis->line;
    double re = 0, im = 0;
    ptrdiff_t m = 0;
    for (ptrdiff_t j = 0; j < axis->n; j++) {
        double c = axis->wave[2 * m], s = axis->sign * axis->wave[2 * m + 1];
        re += line[2 * j] * c - line[2 * j + 1] * s;
        im += line[2 * j] * s + line[2 * j + 1] * c;
        m += k;
        if (m >= axis->n)
            m -= axis->n;
    }
    result[0] = re;
    result[1] = axis->to_real ? 0 : im;
}

static void transform_line(const struct axis *axis, const double *in, double *out)
{
    for (ptrdiff_t j = 0; j < axis->n_in; j++) {
        axis->line[2 * j] = in[2 * j * axis->inner];
        axis->line[2 * j + 1] = in[2 * j * axis->inner + 1];
    }
    if (axis->to_real)
        extend(axis);
    for (ptrdiff_t k = 0; k < axis->n_out; k++)
        sum_up(axis, k, out + 2 * k * axis->inner);
}

static int transform_axis(struct axis *axis, const double *in, double *out)
{
    axis->wave = sx_cli_wave_create(axis->n);
    axis->line = sx_cli_memory_create(axis->n, 2 * sizeof(double));
    int ok = axis->wave && axis->line;
    for (ptrdiff_t o = 0; ok && o < axis->outer; o++)
        for (ptrdiff_t i = 0; i < axis->inner; i++)
            transform_line(axis, in + 2 * (o * axis->n_in * axis->inner + i),
                           out + 2 * (o * axis->n_out * axis->inner + i));
    free(axis->line);
    free(axis->wave);
    return ok ? SX_CLI_OK : SX_CLI_ERROR;
}

/* Describe axis a of the array. The last axis of real transforms is half as long on the spectral side;
 * `last` is its present length. */
static struct axis describe(int real, int ndims, const ptrdiff_t n[], int a, int direction)
{
    int halved = real && a == ndims - 1;
    int forward = direction == SUBX_FFT_FORWARD;
    struct axis axis = {.outer = sx_cli_box_volume(a, n), .inner = 1, .n = n[a], .sign = direction};
    axis.n_in = halved && !forward ? n[a] / 2 + 1 : n[a];
    axis.n_out = halved && forward ? n[a] / 2 + 1 : n[a];
    axis.to_real = halved && !forward;
    if (a <
        ndims - 1) /* the last axis is transformed first when forward, last when backward: it is halved now */
        axis.inner =
            sx_cli_box_volume(ndims - 2 - a, n + a + 1) * (real ? n[ndims - 1] / 2 + 1 : n[ndims - 1]);
    return axis;
}

int sx_cli_reference_execute(int kind, int ndims, const ptrdiff_t n[], int direction, double *in, double *out,
                             double **result)
{
    int rc = SX_CLI_OK;
    for (int i = 0; i < ndims && rc == SX_CLI_OK; i++) {
        int a = direction == SUBX_FFT_FORWARD ? ndims - 1 - i : i;
        struct axis axis = describe(kind != SUBX_FFT_C2C, ndims, n, a, direction);
        double *other = in;
        rc = transform_axis(&axis, in, out);
        in = out;
        out = other;
    }
    *result = in;
    return rc;
}
