/* stage.c - what a stage reads and writes in a direction, SX_FORWARD or SX_BACKWARD. */
#include "stages/stages.h"
#include <string.h>

static int get_end(int d, int side)
{
    return (d == SX_FORWARD) == (side == SX_FROM) ? SX_FROM : SX_TO;
}

const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side)
{
    return get_end(d, side) == SX_FROM ? &s->from : &s->to;
}

const sx_edge *sx_stage_get_edge(const sx_stage *s, int d, int side)
{
    return s->edge[get_end(d, side)];
}

ptrdiff_t sx_stage_get_bytes(const sx_stage *s, int d, int side)
{
    const sx_edge *edge = sx_stage_get_edge(s, d, side);
    return edge ? edge->bytes : sx_stage_get_box(s, d, side)->bytes;
}

int sx_stage_get_whole(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->divided_before : e->whole_before;
}

int sx_stage_get_divided(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->whole_before : e->divided_before;
}

void sx_stage_print_orders(const sx_stage *s, sx_text *t)
{
    const int *from = s->from.order, *to = s->to.order, n = s->from.ndims;
    sx_base_print_order(t, n, from);
    if (memcmp(from, to, (size_t)n * sizeof *from) == 0)
        return;
    sx_base_print(t, " to ");
    sx_base_print_order(t, n, to);
}

int sx_stage_is_transformed(const sx_stage *s, int axis)
{
    for (int i = 0; i < s->naxes; i++)
        if (s->axes[i] == axis)
            return 1;
    return 0;
}

sx_serial_problem sx_stage_get_problem(const sx_choice *c, const sx_stage *s, int d, int reads_caller)
{
    const sx_box *from = sx_stage_get_box(s, d, SX_FROM), *to = sx_stage_get_box(s, d, SX_TO);
    sx_serial_problem p = {.precision = c->array.precision,
                           .kind = sx_serial_get_kind(c->array.axis[s->axes[0]].kind, d),
                           .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD};
    p.keep_input = reads_caller && p.kind != SUBX_FFT_C2R;
    for (int k = s->naxes - 1; k >= 0; k--) {
        const int i = s->axes[k];
        p.axis[p.naxes++] = (sx_dim){s->from.n[i], from->stride[i], to->stride[i]};
    }
    for (int i = 0; i < from->ndims; i++)
        if (!sx_stage_is_transformed(s, i))
            p.loop[p.nloops++] = (sx_dim){from->len[i], from->stride[i], to->stride[i]};
    return p;
}
