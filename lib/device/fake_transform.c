/* fake_transform.c - the transforms of the fake device, by the definition: slow, and independent of the library's other
 * transforms. */
#include "device/fake.h"

/* ---- numbers in memory */

static double read_real(const sx_fake_transform *t, const void *array, ptrdiff_t i)
{
    return t->fft.real_bytes == sizeof(float) ? ((const float *)array)[i] : ((const double *)array)[i];
}

static void write_real(const sx_fake_transform *t, void *array, ptrdiff_t i, double x)
{
    if (t->fft.real_bytes == sizeof(float))
        ((float *)array)[i] = (float)x;
    else
        ((double *)array)[i] = x;
}

/* Get the number of elements of a pencil on a side. */
static ptrdiff_t get_length(const sx_device_fft *f, int side)
{
    return f->width[side] == 2 && f->width[!side] == 1 ? f->axis.n / 2 + 1 : f->axis.n;
}

/* ---- one pencil */

/* Read a pencil as n complex numbers. If the output is real, the second half of the input is the conjugate of the first. */
static void read_pencil(const sx_fake_transform *t, const void *in, ptrdiff_t at)
{
    const sx_device_fft *f = &t->fft;
    const ptrdiff_t n = f->axis.n, length = get_length(f, SX_FROM);
    for (ptrdiff_t j = 0; j < n; j++) {
        const ptrdiff_t k = j < length ? j : n - j, i = (at + k * f->axis.is) * f->width[SX_FROM];
        const double sign = j < length ? 1 : -1;
        t->pencil[2 * j] = read_real(t, in, i);
        t->pencil[2 * j + 1] = f->width[SX_FROM] == 2 ? sign * read_real(t, in, i + 1) : 0;
    }
}

/* Compute element k of the transform of the pencil. */
static void transform_element(const sx_fake_transform *t, ptrdiff_t k, double sum[2])
{
    const ptrdiff_t n = t->fft.axis.n;
    sum[0] = sum[1] = 0;
    for (ptrdiff_t j = 0; j < n; j++) {
        const double *x = t->pencil + 2 * j, *w = t->root + 2 * (j * k % n);
        sum[0] += x[0] * w[0] - x[1] * w[1];
        sum[1] += x[0] * w[1] + x[1] * w[0];
    }
}

static void write_pencil(const sx_fake_transform *t, void *out, ptrdiff_t at)
{
    const sx_device_fft *f = &t->fft;
    for (ptrdiff_t k = 0; k < get_length(f, SX_TO); k++) {
        const ptrdiff_t i = (at + k * f->axis.os) * f->width[SX_TO];
        double sum[2];
        transform_element(t, k, sum);
        for (int part = 0; part < f->width[SX_TO]; part++)
            write_real(t, out, i + part, sum[part]);
    }
}

static void destroy_pencil(const sx_fake_transform *t, void *in, ptrdiff_t at)
{
    const double wrong = 1e30;
    const sx_device_fft *f = &t->fft;
    for (ptrdiff_t k = 0; k < get_length(f, SX_FROM); k++)
        for (int part = 0; part < f->width[SX_FROM]; part++)
            write_real(t, in, (at + k * f->axis.is) * f->width[SX_FROM] + part, wrong);
}

/* ---- all pencils */

void sx_device_fake_transform(const sx_fake_transform *t, const void *in, void *out)
{
    const sx_device_fft *f = &t->fft;
    ptrdiff_t count = 1;
    for (int l = 0; l < f->nloops; l++)
        count *= f->loop[l].n;
    for (ptrdiff_t i = 0; i < count; i++) {
        ptrdiff_t rest = i, from = 0, to = 0;
        for (int l = 0; l < f->nloops; rest /= f->loop[l++].n) {
            from += rest % f->loop[l].n * f->loop[l].is;
            to += rest % f->loop[l].n * f->loop[l].os;
        }
        read_pencil(t, in, from);
        if (!t->is_in_place && !f->keep_input)
            destroy_pencil(t, (void *)(size_t)in, from);
        write_pencil(t, out, to);
    }
}
