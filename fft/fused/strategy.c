/* strategy.c - the strategy fused: what it serves, and the functions that plans call. */
#include "fused/fused.h"
#include <string.h>

static int serves(const sx_choice *c)
{
    return sx_base_is_list(c->hints.engine, subx_pipe_query_engine);
}

/* Reduce the memory of the plan: forbid overlap, so that the plan has one receive area instead of two. */
static int reduce(sx_choice *c)
{
    int is_reduced = c->hints.overlap != SX_OVERLAP_NONE;
    c->hints.overlap = SX_OVERLAP_NONE;
    return is_reduced;
}

static int get_traffic(subx_fft_plan plan, int i, sx_traffic *t)
{
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    t->nslices = e->nslices;
    t->is_narrow = e->is_narrow;
    return subx_pipe_get(e->pipe[SX_FORWARD], &t->engine, &t->sent, &t->received);
}

static ptrdiff_t get_work(subx_fft_plan plan)
{
    const sx_fused *a = plan->state;
    return a->send_bytes[0] + a->send_bytes[1] + sx_base_get_area_bytes(a->recv_bytes[0]) +
           sx_base_get_area_bytes(a->recv_bytes[1]) + a->local_bytes + sx_fused_get_tile_bytes(a);
}

static const void *get_memory(subx_fft_plan plan)
{
    return ((const sx_fused *)plan->state)->memory;
}

static void print_work(subx_fft_plan plan, sx_text *t)
{
    const sx_fused *a = plan->state;
    sx_base_print(t, "%td + %td bytes to send from, %td + %td to receive in, %td for an array, %td for tiles",
                  a->send_bytes[0], a->send_bytes[1], a->recv_bytes[0], a->recv_bytes[1], a->local_bytes,
                  sx_fused_get_tile_bytes(a));
}

extern const sx_strategy sx_strategy_fused;
const sx_strategy sx_strategy_fused = {.name = "fused",
                                       .hints = SX_HINTS_TILES,
                                       .transform = "pass",
                                       .narrows = 1,
                                       .query_engine = subx_pipe_query_engine,
                                       .tried = SUBX_ENGINE_TRY_PACKED,
                                       .serves = serves,
                                       .add_transforms = sx_fused_add_passes,
                                       .reduce = reduce,
                                       .create = sx_fused_create,
                                       .free = sx_fused_free,
                                       .list = sx_fused_list,
                                       .start = sx_fused_start,
                                       .is_ready = sx_fused_is_ready,
                                       .execute = sx_fused_execute,
                                       .progress = sx_fused_progress,
                                       .get_traffic = get_traffic,
                                       .get_work = get_work,
                                       .get_memory = get_memory,
                                       .print_work = print_work};
