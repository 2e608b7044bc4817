/* transform.c - transforms of a device. The transforms of a stage are described as for a serial backend
 * (sx_serial_problem); here this becomes a transform of the device. */
#include "offload/offload.h"
#include <string.h>

/* ---- the problem of a stage */

sx_serial_problem sx_offload_get_problem(subx_fft_plan plan, int i, int d)
{
    const int reads_caller = sx_plan_get_adjacent(plan, i, d, SX_FROM) < 0;
    sx_serial_problem p = sx_stage_get_problem(&plan->choice, &plan->stage[i], d, reads_caller);
    p.any_alignment = 1;
    return p;
}

/* ---- transforms */

/* Put the longest loop first. */
static void sort_loops(sx_device_fft *f)
{
    for (int l = 1; l < f->nloops; l++)
        if (f->loop[l].n > f->loop[0].n) {
            const sx_dim longest = f->loop[l];
            f->loop[l] = f->loop[0];
            f->loop[0] = longest;
        }
}

static sx_device_fft get_fft(const sx_serial_problem *p)
{
    sx_device_fft fft = {
        .real_bytes = sx_base_fit(sx_serial_get_real_bytes(p->precision)),
        .width = {sx_serial_get_width(p->kind, SX_FROM), sx_serial_get_width(p->kind, SX_TO)},
        .sign = p->direction == SUBX_FFT_FORWARD ? -1 : 1,
        .keep_input = p->keep_input,
        .naxes = p->naxes};
    for (int k = 0; k < p->naxes; k++)
        fft.axis[k] = p->axis[k];
    for (int l = 0; l < p->nloops; l++)
        if (p->loop[l].n != 1)
            fft.loop[fft.nloops++] = p->loop[l];
    fft.nloops = sx_base_join_loops(fft.nloops, fft.loop);
    sort_loops(&fft);
    return fft;
}

int sx_offload_is_aligned(const sx_serial_problem *p)
{
    const sx_device_fft fft = get_fft(p);
    for (int l = 1; l < fft.nloops; l++)
        if ((fft.width[SX_FROM] == 1 && fft.loop[l].is % 2 != 0) ||
            (fft.width[SX_TO] == 1 && fft.loop[l].os % 2 != 0))
            return 0;
    return 1;
}

ptrdiff_t sx_offload_count_calls(const sx_serial_problem *p)
{
    const sx_device_fft fft = get_fft(p);
    ptrdiff_t calls = 1;
    for (int l = 1; l < fft.nloops; l++)
        calls *= fft.loop[l].n;
    return calls;
}

int sx_offload_create_transform(const sx_offload *a, const sx_serial_problem *p, int is_in_place,
                                void **transform)
{
    const sx_device_fft fft = get_fft(p);
    return a->device->create_transform(a->handle, &fft, is_in_place, transform);
}

int sx_offload_is_stored_alike(const sx_stage *s)
{
    return s->from.width == s->to.width &&
           memcmp(s->from.stride, s->to.stride, (size_t)s->from.ndims * sizeof *s->from.stride) == 0;
}

/* At the ends of a plan, transforms lead from one array to the other. Between two exchanges a transform is in
 * place if its input and its output are stored in the same way. */
int sx_offload_is_in_place(subx_fft_plan plan, int i, int d)
{
    const sx_stage *s = &plan->stage[i];
    return !sx_stage_is_exchange(s) && sx_plan_get_adjacent(plan, i, d, SX_FROM) >= 0 &&
           sx_plan_get_adjacent(plan, i, d, SX_TO) >= 0 && sx_offload_is_stored_alike(s);
}
