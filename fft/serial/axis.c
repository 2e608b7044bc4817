/* axis.c - divide a transform of several axes into transforms of one axis or a few, for backends that have no
 * better way. */
#include "serial/serial.h"

int sx_serial_get_width(int kind, int side)
{
    return sx_serial_is_r2r(kind) || kind == (side == SX_FROM ? SUBX_FFT_R2C : SUBX_FFT_C2R) ? 1 : 2;
}

/* In place on the input, output strides become input strides; in place on the output, vice versa. */
sx_serial_problem sx_serial_get_placed(const sx_serial_problem *p, int place)
{
    sx_serial_problem q = *p;
    for (int i = 0; i < q.naxes + q.nloops; i++) {
        sx_dim *d = i < q.naxes ? &q.axis[i] : &q.loop[i - q.naxes];
        if (place == SX_SERIAL_ON_INPUT)
            d->os = d->is;
        if (place == SX_SERIAL_ON_OUTPUT)
            d->is = d->os;
    }
    return q;
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

int sx_serial_get_axes(const sx_serial_problem *p, int first, int n, sx_serial_problem *part)
{
    const int last = first + n - 1, place = get_place(p, last);
    *part = sx_serial_get_placed(p, place);
    part->naxes = 0;
    if (p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R) {
        part->kind = is_halved(p, last) ? p->kind : SUBX_FFT_C2C;
        part->direction = p->kind == SUBX_FFT_R2C ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    }
    for (int a = 0; a < p->naxes; a++) {
        sx_dim d = part->axis[a];
        if (a >= first && a <= last) {
            part->axis[part->naxes++] = d;
            continue;
        }
        if (is_halved(p, a))
            d.n = sx_serial_get_half(d.n);
        part->loop[part->nloops++] = d;
    }
    return place;
}

void sx_serial_loop_over_parts(sx_serial_problem *p)
{
    sx_dim *dim[2] = {p->axis, p->loop};
    const int count[2] = {p->naxes, p->nloops};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < count[k]; i++) {
            dim[k][i].is *= 2;
            dim[k][i].os *= 2;
        }
    p->loop[p->nloops++] = (sx_dim){2, 1, 1};
}

int sx_serial_get_axis(const sx_serial_problem *p, int i, sx_serial_problem *one)
{
    return sx_serial_get_axes(p, p->kind == SUBX_FFT_C2R ? i : p->naxes - 1 - i, 1, one);
}
