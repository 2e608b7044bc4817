/* device_price.c - the seconds that stages take on a device, by the parameters of devices in sx_machine.
 *
 * On a GPU the memory limits transforms, not the arithmetic: each transform of an axis reads and writes the
 * array once. The model ignores that slices of an exchange overlap. */
#include "model/model.h"
#include <math.h>
#include <string.h>
#include <subx_lowlevel.h>

double sx_model_price_device_work(const sx_machine *m, double launches, double bytes)
{
    return launches * m->device_launch + bytes / m->device_memory;
}

/* The rank's block for itself is copied on the device. A block that another rank gets directly costs one
 * launch, of the kernel that reads it, and its bytes on the link between devices. Any other block is packed
 * and unpacked: two launches, two reads and two writes of the device's memory, and a message. If a carrier
 * sends from devices, the message is priced as follows: between nodes as a message of hosts; inside a node it
 * has the latency of such a message, but its bytes pass through the link between devices. If the carrier is
 * staged, the message is one of hosts, and two copies between device and host are added, with a launch each.
 * If blocks travel as floats, the load has the half of their bytes in the arrays. */
double sx_model_price_device_exchange(const sx_machine *m, const sx_load *load, double bytes, int is_direct,
                                      int is_staged, int is_narrow)
{
    const double wide = is_narrow ? 2 : 1;
    const double own = fmax(bytes - wide * (load->bytes[SX_INSIDE] + load->bytes[SX_BETWEEN]), 0),
                 partners = load->partners[SX_BETWEEN] + (is_direct ? 0 : load->partners[SX_INSIDE]),
                 through = load->bytes[SX_BETWEEN] + (is_direct ? 0 : load->bytes[SX_INSIDE]);
    const int is_linked = is_direct || !is_staged; /* bytes inside the node pass through the link */
    double seconds = sx_model_price_device_work(m, 1 + 2 * partners, 2 * own + 2 * (1 + wide) * through);
    seconds += sx_model_price_exchange(m, load, is_linked);
    if (is_staged)
        seconds += sx_model_price_device_work(m, 2 * partners, 0) + 2 * through / m->device_host;
    if (is_linked)
        seconds += (is_direct ? wide : 1) * load->bytes[SX_INSIDE] / m->device_link;
    if (is_direct)
        seconds += load->partners[SX_INSIDE] * m->device_launch;
    return seconds;
}

/* ---- the carrier */

/* Query whether the blocks of dimension k that no rank reads directly could be sent from devices: this needs
 * point-to-point messages, which is the default of pipes on devices. */
static int is_point_to_point(const sx_choice *c, int k)
{
    char engine[SX_HINT_LEN], between[SX_HINT_LEN];
    sx_hints_get_word(c->hints.engine, k, engine);
    sx_hints_get_word(c->hints.between, k, between);
    if (!(sx_hints_get_traits(engine, 0) & SUBX_ENGINE_LOCAL))
        return strcmp(engine, "pairwise") == 0;
    return !*between || strcmp(between, "auto") == 0 || strcmp(between, "pairwise") == 0;
}

/* With auto, a carrier that sends from devices comes before staged. The price of staged is never lower. */
int sx_model_is_staged(const sx_choice *c, int k)
{
    const char *carrier = c->hints.device_carrier;
    if (*carrier && strcmp(carrier, "auto") != 0)
        return strcmp(carrier, "staged") == 0;
    return !c->shared.takes_messages || !is_point_to_point(c, k);
}

/* ---- transforms */

/* Get the number of launches of the transform of an axis. A transform of a device loops over one dimension.
 * Axes that are stored side by side count as one dimension, so there is one loop inside the transformed axis,
 * and one outside of it. The longer loop is the device's; each index of the other one needs a launch. */
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

/* Get the number of launches of the transforms of a stage. If the axis that is stored innermost is one of
 * several axes, the device transforms up to three of them at once. */
static double count_all_launches(const sx_choice *c, const sx_stage *s)
{
    double launches = 0;
    int is_at_once = 0;
    for (int i = 0; i < s->naxes; i++) {
        is_at_once |= s->axes[i] == s->from.order[0];
        launches += count_launches(c, &s->from, s->axes[i]);
    }
    return is_at_once ? (s->naxes + SX_DEVICE_NAXES_MAX - 1) / SX_DEVICE_NAXES_MAX : launches;
}

/* Query whether the axes of a stage are transformed in buffers, with a copy before each axis and one after
 * the last: then each transform is one launch. */
static int has_buffers(const sx_choice *c, const sx_stage *s)
{
    int has = s->naxes == 0;
    for (int i = 0; i < s->naxes; i++) {
        const sx_axis *x = &c->array.axis[s->axes[i]];
        has |= sx_serial_is_r2r(x->kind) || x->points < x->n || x->modes < x->n;
    }
    return has;
}

/* The stage ends with a wait, which counts as a launch. A plan that would need many launches copies to a
 * buffer and back, and needs few (fft/offload/group.c). */
void sx_model_price_device_pass(const sx_choice *c, const sx_stage *s, double bytes, sx_price *p)
{
    const sx_machine *m = c->shared.machine;
    const int has = has_buffers(c, s), times = has ? 2 * s->naxes + 1 : s->naxes;
    const double launches = has ? times : count_all_launches(c, s);
    const double few = (s->naxes + SX_DEVICE_NAXES_MAX - 1) / SX_DEVICE_NAXES_MAX;
    const double direct = sx_model_price_device_work(m, 1 + launches, times * bytes),
                 buffered = sx_model_price_device_work(m, 1 + 2 + few, (times + 2) * bytes);
    const int copies = !has && buffered < direct;
    p->memory_bytes = (times + (copies ? 2 : 0)) * bytes;
    p->seconds = copies ? buffered : direct;
}
