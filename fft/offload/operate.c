/* operate.c - operations on the spectral array of a plan on a device. Kernels multiply by a table or by
 * wavenumbers; a function of the caller gets the address of the array in the device's memory. */
#include "offload/offload.h"
#include "operation/operation.h"
#include <string.h>

typedef struct work {
    sx_offload *a;
    const sx_box *box;
    subx_fft_operation op;
    char *x;
    int *error;
} work;

static int get_real_bytes(const sx_box *b)
{
    return sx_base_fit(b->element / b->width);
}

/* Add the levels of the loop nest over an array. Each level costs a division per element, so levels that
 * continue each other become one level. But if an axis has a table of its own (`first`), it has a level of
 * its own, too. */
static void add_levels(const sx_box *b, const ptrdiff_t first[], sx_device_product *p)
{
    p->count = 1;
    for (int k = 0; k < b->ndims; k++) {
        const int axis = b->order[k], last = p->nlevels - 1;
        const ptrdiff_t stride = b->stride[axis] * b->width;
        p->count *= b->len[axis];
        if (!first && last >= 0 && p->n[last] * p->stride[last] == stride) {
            p->n[last] *= b->len[axis];
            continue;
        }
        p->n[p->nlevels] = b->len[axis];
        p->stride[p->nlevels] = stride;
        p->first[p->nlevels++] = first ? first[axis] + b->start[axis] : 0;
    }
}

/* Multiply by a table of factors, which is stored like the array. */
static int multiply_table(const work *w)
{
    const sx_operation_table *t = w->op->context;
    sx_device_product p = {.what = SX_DEVICE_TABLE,
                           .real_bytes = get_real_bytes(w->box),
                           .width = w->box->width,
                           .is_conjugate = t->is_conjugate};
    add_levels(w->box, NULL, &p);
    if (!w->a->device->has(w->a->handle, t->data, w->box->bytes))
        return SUBX_ERR_ARG;
    return w->a->device->multiply(w->a->stream, &p, t->data, w->x);
}

/* Multiply by wavenumbers. The tables of all axes are copied to the device in each execution, because they
 * are short. */
static int multiply_waves(const work *w)
{
    const sx_waves *waves = w->op->context;
    const sx_box *b = w->box;
    const ptrdiff_t real = waves->element / waves->width;
    sx_device_product p = {.what = w->op->what == SX_OPERATION_LAPLACIAN ? SX_DEVICE_POWER : SX_DEVICE_WAVES,
                           .real_bytes = get_real_bytes(b),
                           .width = b->width,
                           .is_turned = waves->is_turned,
                           .power = waves->power};
    add_levels(b, waves->first, &p);
    const int last = b->ndims - 1;
    const int kind =
        w->a->device->copy(w->a->stream, w->a->waves, waves->table, (waves->first[last] + b->n[last]) * real);
    return kind ? kind : w->a->device->multiply(w->a->stream, &p, w->a->waves, w->x);
}

/* Call a function of the caller. Without a stream of the caller, all work of the plan has ended before the
 * call. With such a stream, work of the plan may still run, but work that the function adds to the stream
 * begins after it. */
static void call(const work *w)
{
    const sx_box *b = w->box;
    const sx_operation_box box = {b->ndims, b->start, b->len, b->stride, w->x};
    sx_offload_complete_in_stream(w->a, w->error);
    if (!*w->error)
        w->op->call(w->op->context, &box);
    sx_offload_start_in_stream(w->a, w->error);
}

void sx_offload_execute_operation(subx_fft_plan plan, const sx_box *box, subx_fft_operation op, void *x,
                                  int *error)
{
    const work w = {plan->state, box, op, x, error};
    if (*error || w.box->bytes == 0)
        return;
    if (op->what == SX_OPERATION_FUNCTION)
        call(&w);
    else
        *error =
            subx_error_get_code(op->what == SX_OPERATION_TABLE ? multiply_table(&w) : multiply_waves(&w));
}
