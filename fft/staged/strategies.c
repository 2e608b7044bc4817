/* strategies.c - the strategies stride1 and natural, which differ only in the storage order between their
 * stages. */
#include "staged/staged.h"
#include <string.h>

static int serves(const sx_choice *c)
{
    return sx_choice_is_plain(c) && sx_base_is_list(c->hints.engine, subx_exch_query_engine);
}

/* The exchanges of natural do not reorder axes, so natural cannot produce transposed output. */
static int serves_natural(const sx_choice *c)
{
    return serves(c) && c->hints.output == SX_OUTPUT_NATURAL;
}

/* Add the stages that transform some axes. All complex and real-to-complex axes together are one stage, each
 * real-to-real axis is a stage of its own. */
static void add_transforms(sx_stages *list, const sx_box *from, const char axes[])
{
    const sx_array *a = &list->choice->array;
    char group[SUBX_NDIMS_MAX] = {0};
    int ngroups = 0;
    for (int i = 0; i < a->ndims; i++) {
        group[i] = (char)(axes[i] && !sx_serial_is_r2r(a->axis[i].kind));
        ngroups |= group[i];
    }
    if (ngroups)
        sx_stages_add_serial(list, from, group);
    for (int i = a->ndims - 1; i >= 0; i--) {
        memset(group, 0, sizeof group);
        group[i] = 1;
        if (axes[i] && sx_serial_is_r2r(a->axis[i].kind))
            sx_stages_add_serial(list, ngroups++ ? sx_stages_get_last(list) : from, group);
    }
}

static int get_traffic(subx_fft_plan plan, int i, sx_traffic *t)
{
    t->nslices = 1;
    t->is_narrow = 0;
    return subx_exch_get(((sx_staged *)plan->state)->stage[i].exch[SX_FORWARD], &t->engine, &t->sent,
                         &t->received, NULL);
}

static ptrdiff_t get_work(subx_fft_plan plan)
{
    const sx_staged *a = plan->state;
    return sx_staged_get_narrays(plan) * a->array_bytes + a->exch_bytes + a->serial_bytes;
}

static const void *get_memory(subx_fft_plan plan)
{
    return ((const sx_staged *)plan->state)->memory;
}

static void print_work(subx_fft_plan plan, sx_text *t)
{
    const sx_staged *a = plan->state;
    sx_base_print(t, "%d x %td bytes for arrays, %td for exchanges", sx_staged_get_narrays(plan),
                  a->array_bytes, a->exch_bytes);
}

#define COMMON                                                                                               \
    .hints = SX_HINTS_EXCHANGES, .transform = "serial fft", .has_scale = 1,                                  \
    .query_engine = subx_exch_query_engine, .add_transforms = add_transforms, .create = sx_staged_create,    \
    .list = sx_staged_list, .start = sx_staged_start, .is_ready = sx_staged_is_ready,                        \
    .execute = sx_staged_execute, .progress = sx_staged_progress, .free = sx_staged_free,                    \
    .get_traffic = get_traffic, .get_work = get_work, .get_memory = get_memory, .print_work = print_work

extern const sx_strategy sx_strategy_stride1, sx_strategy_natural;
const sx_strategy sx_strategy_stride1 = {.name = "stride1", .reorders = 1, .serves = serves, COMMON};
const sx_strategy sx_strategy_natural = {.name = "natural",
                                         .needs_exchanges = 1,
                                         .tried = SUBX_ENGINE_TRY_ARRAYS,
                                         .serves = serves_natural,
                                         COMMON};
