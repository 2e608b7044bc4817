/* fake_transform.c - the transforms of the fake device, by the definition: slow, and independent of the
 * library's other transforms. */
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

/* ---- elements of a block. They are counted in the order of C: the last axis is the innermost one */

/* Get the number of elements of an axis on a side. */
static ptrdiff_t get_length(const sx_device_fft *f, int axis, int side)
{
    const int is_halved = axis == f->naxes - 1 && f->width[side] == 2 && f->width[!side] == 1;
    return is_halved ? f->axis[axis].n / 2 + 1 : f->axis[axis].n;
}

static ptrdiff_t count_elements(const sx_device_fft *f, int side)
{
    ptrdiff_t count = 1;
    for (int k = 0; k < f->naxes; k++)
        count *= get_length(f, k, side);
    return count;
}

/* Find element e of the block on a side. *at becomes its place in the array, relative to the block. Returns
 * its number in t->block, which has room for the full length of each axis. */
static ptrdiff_t find_element(const sx_device_fft *f, int side, ptrdiff_t e, ptrdiff_t *at)
{
    ptrdiff_t number = 0, stride = 1;
    *at = 0;
    for (int k = f->naxes - 1; k >= 0; k--) {
        const ptrdiff_t length = get_length(f, k, side), j = e % length;
        *at += j * (side == SX_FROM ? f->axis[k].is : f->axis[k].os);
        number += j * stride;
        stride *= f->axis[k].n;
        e /= length;
    }
    return number;
}

/* ---- one block */

static void read_block(const sx_fake_transform *t, const void *in, ptrdiff_t begin)
{
    const sx_device_fft *f = &t->fft;
    const int width = f->width[SX_FROM];
    for (ptrdiff_t e = 0; e < count_elements(f, SX_FROM); e++) {
        ptrdiff_t at;
        double *x = t->block + 2 * find_element(f, SX_FROM, e, &at);
        x[0] = read_real(t, in, (begin + at) * width);
        x[1] = width == 2 ? read_real(t, in, (begin + at) * width + 1) : 0;
    }
}

static void write_block(const sx_fake_transform *t, void *out, ptrdiff_t begin)
{
    const sx_device_fft *f = &t->fft;
    const int width = f->width[SX_TO];
    for (ptrdiff_t e = 0; e < count_elements(f, SX_TO); e++) {
        ptrdiff_t at;
        const double *x = t->block + 2 * find_element(f, SX_TO, e, &at);
        for (int part = 0; part < width; part++)
            write_real(t, out, (begin + at) * width + part, x[part]);
    }
}

static void destroy_block(const sx_fake_transform *t, void *in, ptrdiff_t begin)
{
    const double wrong = 1e30;
    const sx_device_fft *f = &t->fft;
    const int width = f->width[SX_FROM];
    for (ptrdiff_t e = 0; e < count_elements(f, SX_FROM); e++) {
        ptrdiff_t at;
        (void)find_element(f, SX_FROM, e, &at);
        for (int part = 0; part < width; part++)
            write_real(t, in, (begin + at) * width + part, wrong);
    }
}

/* Compute element k of the transform of the pencil. */
static void transform_element(const sx_fake_transform *t, const double *root, ptrdiff_t n, ptrdiff_t k,
                              double sum[2])
{
    sum[0] = sum[1] = 0;
    for (ptrdiff_t j = 0; j < n; j++) {
        const double *x = t->pencil + 2 * j, *w = root + 2 * (j * k % n);
        sum[0] += x[0] * w[0] - x[1] * w[1];
        sum[1] += x[0] * w[1] + x[1] * w[0];
    }
}

/* Transform a line of the block, whose numbers are `stride` apart. If only the first half of its n numbers is
 * there, the others are its conjugates. */
static void transform_line(const sx_fake_transform *t, const double *root, ptrdiff_t n, double *line,
                           ptrdiff_t stride, int is_half)
{
    for (ptrdiff_t j = 0; j < n; j++) {
        const int is_missing = is_half && j > n / 2;
        const double *x = line + 2 * stride * (is_missing ? n - j : j);
        t->pencil[2 * j] = x[0];
        t->pencil[2 * j + 1] = is_missing ? -x[1] : x[1];
    }
    for (ptrdiff_t k = 0; k < n; k++)
        transform_element(t, root, n, k, line + 2 * stride * k);
}

/* Transform the block along an axis. */
static void transform_axis(const sx_fake_transform *t, int axis)
{
    const sx_device_fft *f = &t->fft;
    const ptrdiff_t n = f->axis[axis].n;
    const int is_half = axis == f->naxes - 1 && f->width[SX_TO] == 1;
    ptrdiff_t outer = 1, inner = 1, roots = 0;
    for (int k = 0; k < axis; k++) {
        outer *= f->axis[k].n;
        roots += f->axis[k].n;
    }
    for (int k = axis + 1; k < f->naxes; k++)
        inner *= f->axis[k].n;
    for (ptrdiff_t i = 0; i < outer; i++)
        for (ptrdiff_t j = 0; j < inner; j++)
            transform_line(t, t->root + 2 * roots, n, t->block + 2 * (i * n * inner + j), inner, is_half);
}

/* If the output is real, the last axis is transformed last, because only then its lines are halves of longer
 * ones. */
static void transform_block(const sx_fake_transform *t)
{
    const int last = t->fft.naxes - 1;
    if (t->fft.width[SX_TO] != 1)
        transform_axis(t, last);
    for (int k = 0; k < last; k++)
        transform_axis(t, k);
    if (t->fft.width[SX_TO] == 1)
        transform_axis(t, last);
}

/* ---- all blocks */

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
        read_block(t, in, from);
        if (!t->is_in_place && !f->keep_input)
            destroy_block(t, (void *)(size_t)in, from);
        transform_block(t);
        write_block(t, out, to);
    }
}
