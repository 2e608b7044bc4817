/* price.c - the seconds that each stage of a choice is expected to take, by the model of the machine.
 *
 * A price is the time of the busiest rank. The model ignores that messages overlap with passes, and that the
 * slices of rings stay in the caches. For both reasons strategy fused takes less time than its price. */
#include "model/model.h"
#include <math.h>
#include <string.h>

/* ---- the busiest rank */

static double count_elements(const sx_choice *c, const sx_box *b)
{
    double count = 1;
    for (int i = 0; i < b->ndims; i++)
        count *= sx_model_get_length(c, b, i);
    return count;
}

static double get_bytes(const sx_choice *c, const sx_box *b)
{
    return count_elements(c, b) * (double)b->element;
}

/* A transform of real data counts as half of a complex one. A real-to-real axis of complex data counts as two
 * transforms of real data. */
static double get_flops(const sx_choice *c, const sx_stage *s)
{
    double elements = count_elements(c, &s->from), flops = 0;
    for (int i = 0; i < s->naxes; i++) {
        const int axis = s->axes[i], kind = c->array.axis[axis].kind;
        const double n = (double)c->array.axis[axis].n, pencils = elements / (double)s->from.n[axis];
        const int nreals = sx_serial_is_r2r(kind) ? s->to.width : axis == c->array.halved ? 1 : 2;
        flops += pencils * nreals / 2 * 5 * n * log2(n);
        elements = pencils * (double)s->to.n[axis];
    }
    return flops;
}

/* ---- stages */

static void price_pass(const sx_choice *c, const sx_stage *s, sx_price *p)
{
    const double from = get_bytes(c, &s->from), to = get_bytes(c, &s->to);
    p->flops = get_flops(c, s);
    if (c->device) {
        sx_model_price_device_pass(c, s, from + to, p);
        return;
    }
    p->memory_bytes = from + to;
    p->seconds = sx_model_price_pass(c->shared.machine, p->flops / c->hints.threads,
                                     p->memory_bytes / c->hints.threads, fmax(from, to));
}

/* Get the load of an exchange. With subx_wire = float, the blocks of an exchange have floats if some rank
 * sends messages: then fewer bytes are sent, and the result is 1. */
static int set_load(const sx_stages *list, const sx_stage *s, double bytes, int is_direct, sx_load *load)
{
    const sx_choice *c = list->choice;
    const sx_placement *p = c->shared.placement;
    sx_placement_get_load(p, c->g, c->dims, s->dim, bytes, load);
    const int is_narrow =
        list->strategy->narrows && sx_choice_is_narrow(c) && (!is_direct || load->partners[SX_BETWEEN] > 0);
    if (is_narrow)
        sx_placement_get_load(p, c->g, c->dims, s->dim,
                              bytes * (double)sizeof(float) / (double)c->array.real_bytes, load);
    return is_narrow;
}

/* A pipe needs no extra copies, because passes write and read its areas. An exchange between arrays copies a
 * block once if the reader reads it in place, and twice if it is packed and unpacked. */
static void price_exchange(const sx_stages *list, const sx_stage *s, sx_price *p)
{
    const sx_choice *c = list->choice;
    const double bytes = get_bytes(c, &s->from);
    const int traits = sx_hints_get_traits(c->hints.engine, s->dim);
    const int is_direct = (traits & SUBX_ENGINE_LOCAL) != 0;
    const int is_narrow = set_load(list, s, bytes, is_direct, &p->load);
    if (c->device) {
        p->seconds = sx_model_price_device_exchange(c->shared.machine, &p->load, bytes, is_direct,
                                                    sx_model_is_staged(c, s->dim), is_narrow);
        return;
    }
    p->seconds = sx_model_price_exchange(c->shared.machine, &p->load, is_direct);
    const double copied = bytes + (is_direct ? p->load.bytes[SX_BETWEEN] : bytes);
    if (list->strategy->hints == SX_HINTS_EXCHANGES)
        p->seconds += sx_model_price_pass(c->shared.machine, 0, 2 * copied, bytes);
    if (traits & SUBX_ENGINE_TYPES)
        p->seconds *= SX_MODEL_DATATYPES;
}

/* Query whether forward scales. Some strategies have a stage for this, which reads and writes the array once
 * more. */
static int scales_forward(const sx_choice *c)
{
    return c->hints.scaling == SX_SCALE_FORWARD || c->hints.scaling == SX_SCALE_SYMMETRIC ||
           c->hints.scaling == SX_SCALE_ORTHONORMAL;
}

static void price_scale(const sx_choice *c, const sx_box *b, sx_price *p)
{
    const double bytes = get_bytes(c, b);
    p->memory_bytes = 2 * bytes;
    p->seconds = c->device ? sx_model_price_device_work(c->shared.machine, 2, p->memory_bytes)
                           : sx_model_price_pass(c->shared.machine, 0, p->memory_bytes, bytes);
}

/* ---- a choice */

static int price_stages(const sx_stages *list, sx_price price[])
{
    const sx_choice *c = list->choice;
    const int n = list->n;
    memset(price, 0, SX_NSTAGES_MAX * sizeof *price);
    for (int i = 0; i < n; i++)
        if (sx_stage_is_exchange(&list->stage[i]))
            price_exchange(list, &list->stage[i], &price[i]);
        else
            price_pass(c, &list->stage[i], &price[i]);
    if (!list->strategy->has_scale || !scales_forward(c))
        return n;
    price_scale(c, sx_stages_get_last(list), &price[n]);
    return n + 1;
}

double sx_model_get_price_in(sx_stages *list, const sx_choice *c, sx_price price[], int *nstages)
{
    double sum = 0;
    *nstages = 0;
    if (!sx_stages_list(list, c))
        return INFINITY;
    *nstages = price_stages(list, price);
    for (int i = 0; i < *nstages; i++)
        sum += price[i].seconds;
    return sum;
}

double sx_model_get_price(const sx_choice *c, sx_price price[], int *nstages)
{
    sx_stages *list = sx_stages_alloc(&c->array);
    sx_price own[SX_NSTAGES_MAX];
    double sum = INFINITY;
    int n = 0;
    if (list)
        sum = sx_model_get_price_in(list, c, price ? price : own, &n);
    if (nstages)
        *nstages = n;
    sx_base_free(list);
    return sum;
}
