/* transform.c - create a transform of the device from a problem for a serial backend. */
#include "offload/offload.h"

static sx_device_dim convert(sx_serial_dim d)
{
    return (sx_device_dim){d.n, d.is, d.os};
}

/* Merge loop b into loop a, if a and b together are one loop on both sides. */
static int merge(sx_device_fft *f, int a, int b)
{
    const sx_device_dim inner = f->loop[a], outer = f->loop[b];
    if (a == b || inner.n * inner.is != outer.is || inner.n * inner.os != outer.os)
        return 0;
    f->loop[a].n *= outer.n;
    f->loop[b] = f->loop[--f->nloops];
    return 1;
}

/* Merge loops until no two are one loop. */
static void merge_loops(sx_device_fft *f)
{
    for (int a = 0; a < f->nloops; a++)
        for (int b = 0; b < f->nloops; b++)
            if (merge(f, a, b)) {
                a = -1;
                break;
            }
}

/* Put the longest loop first. */
static void sort_loops(sx_device_fft *f)
{
    for (int l = 1; l < f->nloops; l++)
        if (f->loop[l].n > f->loop[0].n) {
            const sx_device_dim longest = f->loop[l];
            f->loop[l] = f->loop[0];
            f->loop[0] = longest;
        }
}

static sx_device_fft get_fft(const sx_serial_problem *p)
{
    sx_device_fft fft = {
        .real_bytes = sx_base_fit(sx_serial_get_real_bytes(p->precision)),
        .width = {sx_serial_get_width(p->kind, SX_FROM), sx_serial_get_width(p->kind, SX_TO)},
        .sign = p->direction == SUBX_FFT_FORWARD ? -1 : 1,
        .keep_input = p->keep_input,
        .naxes = p->naxes};
    for (int k = 0; k < p->naxes; k++)
        fft.axis[k] = convert(p->axis[k]);
    for (int l = 0; l < p->nloops; l++)
        if (p->loop[l].n != 1)
            fft.loop[fft.nloops++] = convert(p->loop[l]);
    merge_loops(&fft);
    sort_loops(&fft);
    return fft;
}

ptrdiff_t sx_offload_count_calls(const sx_serial_problem *p)
{
    const sx_device_fft fft = get_fft(p);
    ptrdiff_t calls = 1;
    for (int l = 1; l < fft.nloops; l++)
        calls *= fft.loop[l].n;
    return calls;
}

int sx_offload_create_transform(const sx_offload *a, const sx_serial_problem *p, int is_in_place,
                                void **transform)
{
    const sx_device_fft fft = get_fft(p);
    return a->device->create_transform(a->handle, &fft, is_in_place, transform);
}
