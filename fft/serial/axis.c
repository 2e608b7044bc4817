/* axis.c - divide a transform of several axes into transforms of one axis, for backends that have no better way. */
#include "serial/serial.h"

int sx_serial_get_width(int kind, int side)
{
    return sx_serial_is_r2r(kind) || kind == (side == SX_FROM ? SUBX_FFT_R2C : SUBX_FFT_C2R) ? 1 : 2;
}

/* Get an axis or a loop with the strides for `place` (SX_SERIAL_ACROSS and so on). In place on the input, the output
 * stride becomes the input stride; in place on the output, the input stride becomes the output stride. */
static sx_serial_dim on_side(sx_serial_dim d, int place)
{
    if (place == SX_SERIAL_ON_INPUT)
        d.os = d.is;
    if (place == SX_SERIAL_ON_OUTPUT)
        d.is = d.os;
    return d;
}

static int is_halved(const sx_serial_problem *p, int a)
{
    return (p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R) && a == p->naxes - 1;
}

static int get_place(const sx_serial_problem *p, int a)
{
    if (a == p->naxes - 1)
        return SX_SERIAL_ACROSS;
    return p->kind == SUBX_FFT_C2R ? SX_SERIAL_ON_INPUT : SX_SERIAL_ON_OUTPUT;
}

int sx_serial_get_axis(const sx_serial_problem *p, int i, sx_serial_problem *one)
{
    const int axis = p->kind == SUBX_FFT_C2R ? i : p->naxes - 1 - i, place = get_place(p, axis);
    *one = *p;
    one->naxes = 1;
    one->nloops = 0;
    one->axis[0] = on_side(p->axis[axis], place);
    if (p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R) {
        one->kind = is_halved(p, axis) ? p->kind : SUBX_FFT_C2C;
        one->direction = p->kind == SUBX_FFT_R2C ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    }
    for (int l = 0; l < p->nloops; l++)
        one->loop[one->nloops++] = on_side(p->loop[l], place);
    for (int a = 0; a < p->naxes; a++) {
        sx_serial_dim d = on_side(p->axis[a], place);
        if (a == axis)
            continue;
        if (is_halved(p, a))
            d.n = sx_serial_get_half(d.n);
        one->loop[one->nloops++] = d;
    }
    return place;
}
