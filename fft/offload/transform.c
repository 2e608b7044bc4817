/* transform.c - create a transform of the device from a problem for a serial backend. */
#include "offload/offload.h"

static sx_device_dim convert(sx_serial_dim d)
{
    return (sx_device_dim){d.n, d.is, d.os};
}

int sx_offload_create_transform(const sx_offload *a, const sx_serial_problem *p, int is_in_place,
                                void **transform)
{
    sx_device_fft fft = {
        .real_bytes = sx_base_fit(sx_serial_get_real_bytes(p->precision)),
        .width = {sx_serial_get_width(p->kind, SX_FROM), sx_serial_get_width(p->kind, SX_TO)},
        .sign = p->direction == SUBX_FFT_FORWARD ? -1 : 1,
        .keep_input = p->keep_input,
        .axis = convert(p->axis[0]),
        .nloops = p->nloops};
    for (int l = 0; l < p->nloops; l++)
        fft.loop[l] = convert(p->loop[l]);
    return a->device->create_transform(a->handle, &fft, is_in_place, transform);
}
