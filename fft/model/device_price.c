/* device_price.c - the seconds that stages take on a device, by the parameters of devices in sx_machine.
 *
 * On a GPU the memory limits transforms, not the arithmetic: each transform of an axis reads and writes the array once. The
 * model ignores that slices of an exchange overlap. */
#include "model/model.h"
#include <math.h>

double sx_model_price_device_work(const sx_machine *m, double launches, double bytes)
{
    return launches * m->device_launch + bytes / m->device_memory;
}

/* A block that another rank gets directly costs one launch, of the kernel that reads it, and its bytes on the link. Any other
 * block is packed, copied to the host, sent, copied to the other device and unpacked: four launches, two reads and two writes
 * of the device's memory, two copies between device and host, and a message. The rank's block for itself is copied on the
 * device. If blocks travel as floats, the load has the half of their bytes in the arrays. */
double sx_model_price_device_exchange(const sx_machine *m, const sx_load *load, double bytes, int is_direct,
                                      int is_narrow)
{
    const double wide = is_narrow ? 2 : 1;
    const double own = fmax(bytes - wide * (load->bytes[SX_INSIDE] + load->bytes[SX_BETWEEN]), 0),
                 partners = load->partners[SX_BETWEEN] + (is_direct ? 0 : load->partners[SX_INSIDE]),
                 through = load->bytes[SX_BETWEEN] + (is_direct ? 0 : load->bytes[SX_INSIDE]);
    double seconds = sx_model_price_device_work(m, 1 + 4 * partners, 2 * own + 2 * (1 + wide) * through);
    seconds += 2 * through / m->device_host + sx_model_price_exchange(m, load, is_direct);
    if (is_direct)
        seconds +=
            load->partners[SX_INSIDE] * m->device_launch + wide * load->bytes[SX_INSIDE] / m->device_link;
    return seconds;
}

/* ---- transforms */

/* Get the number of launches of the transform of an axis. A transform of a device loops over one dimension. Axes that are
 * stored side by side count as one dimension, so there is one loop inside the transformed axis, and one outside of it. The
 * longer loop is the device's; each index of the other one needs a launch. */
static double count_launches(const sx_choice *c, const sx_box *b, int axis)
{
    double loop[2] = {1, 1};
    int is_outside = 0;
    for (int k = 0; k < b->ndims; k++) {
        is_outside |= b->order[k] == axis;
        if (b->order[k] != axis)
            loop[is_outside] *= sx_model_get_length(c, b, b->order[k]);
    }
    return fmin(loop[0], loop[1]);
}

/* Query whether the axes of a stage are transformed in buffers, with a copy before each axis and one after the last: then each
 * transform is one launch. */
static int has_buffers(const sx_choice *c, const sx_stage *s)
{
    int has = s->naxes == 0;
    for (int i = 0; i < s->naxes; i++) {
        const sx_axis *x = &c->array.axis[s->axes[i]];
        has |= sx_serial_is_r2r(x->kind) || x->points < x->n || x->modes < x->n;
    }
    return has;
}

/* The stage ends with a wait, which counts as a launch. */
void sx_model_price_device_pass(const sx_choice *c, const sx_stage *s, double bytes, sx_price *p)
{
    double launches = 1, times = s->naxes;
    if (has_buffers(c, s)) {
        times = 2 * s->naxes + 1;
        launches += times;
    } else {
        for (int i = 0; i < s->naxes; i++)
            launches += count_launches(c, &s->from, s->axes[i]);
    }
    p->memory_bytes = times * bytes;
    p->seconds = sx_model_price_device_work(c->shared.machine, launches, p->memory_bytes);
}
