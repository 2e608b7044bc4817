/* strategy.c - the strategies device and device_natural: their properties and functions for plans. They
 * differ in the storage order between their stages. In device, an exchange makes the next axis contiguous. In
 * device_natural, exchanges leave the order as it is: their blocks are longer runs, and the device transforms
 * pencils that are strided. */
#include "offload/offload.h"

/* Query whether devices can execute a choice: they have only the precisions of their vendors' libraries. */
static int serves(const sx_choice *c)
{
    return c->array.precision <= SUBX_FFT_DOUBLE && sx_base_is_list(c->hints.engine, subx_pipe_query_engine);
}

/* Add a single stage that transforms all axes that are whole. */
static void add_transforms(sx_stages *list, const sx_box *from, const char axes[])
{
    sx_stages_add_serial(list, from, axes);
}

static int get_traffic(subx_fft_plan plan, int i, sx_traffic *t)
{
    const sx_offload_stage *s = &((const sx_offload *)plan->state)->stage[i];
    int rc = MPI_SUCCESS;
    const ptrdiff_t shrinks = s->is_narrow ? sizeof(double) / sizeof(float) : 1;
    *t = (sx_traffic){.nslices = s->nslices, .is_narrow = s->is_narrow};
    for (int layer = 0; layer < s->nlayers && !rc; layer++) {
        ptrdiff_t sent, received;
        rc = subx_exch_get(s->exch[SX_FORWARD][layer], &t->engine, &sent, &received, NULL);
        t->sent += rc ? 0 : sent / shrinks;
        t->received += rc ? 0 : received / shrinks;
    }
    return rc;
}

static ptrdiff_t get_device_bytes(subx_fft_plan plan)
{
    const sx_offload *a = plan->state;
    return sx_offload_get_narrays(plan) * a->array_bytes + a->exch_work_bytes + a->wide_bytes[0] +
           a->wide_bytes[1] + a->waves_bytes;
}

static ptrdiff_t get_work(subx_fft_plan plan)
{
    const sx_offload *a = plan->state;
    return get_device_bytes(plan) + a->host_bytes;
}

static const void *get_memory(subx_fft_plan plan)
{
    return ((const sx_offload *)plan->state)->host_work;
}

static void print_work(subx_fft_plan plan, sx_text *t)
{
    const sx_offload *a = plan->state;
    sx_base_print(t, "%td bytes of device %s, %td of the host", get_device_bytes(plan), a->device->name,
                  a->host_bytes);
}

static void print_device(subx_fft_plan plan, sx_text *t)
{
    const sx_offload *a = plan->state;
    a->device->describe(a->handle, t);
    if (sx_choice_get_nranks(&plan->choice) > 1)
        sx_offload_print_ways(plan, t);
}

#define COMMON                                                                                               \
    .hints = SX_HINTS_PIPES, .transform = "device fft", .exchanges_edges = 1, .has_scale = 1, .narrows = 1,  \
    .is_on_device = 1, .query_engine = subx_pipe_query_engine, .serves = serves,                             \
    .add_transforms = add_transforms, .create = sx_offload_create, .free = sx_offload_free,                  \
    .list = sx_offload_list, .execute = sx_offload_execute, .set_stream = sx_offload_set_stream,             \
    .drop_caller = sx_offload_drop_caller, .may_be_given = sx_offload_may_be_given,                          \
    .get_traffic = get_traffic, .get_work = get_work, .get_memory = get_memory, .print_work = print_work,    \
    .print_device = print_device, .get_ways = sx_offload_get_ways

extern const sx_strategy sx_strategy_device, sx_strategy_device_natural;
const sx_strategy sx_strategy_device = {
    .name = "device", .reorders = 1, .tried = SUBX_ENGINE_TRY_PACKED, COMMON};
const sx_strategy sx_strategy_device_natural = {.name = "device_natural", .needs_exchanges = 1, COMMON};
