/* wire.c - create the exchanges of a plan, and decide which of them carry floats (subx_wire). As on the host,
 * an exchange is narrow if some rank sends blocks by a device carrier in it: then all its blocks are rounded,
 * on all ranks. */
#include "offload/offload.h"
#include <limits.h>
#include <string.h>

/* ---- one exchange */

/* Get the number of slices, which the exchange has chosen unless a hint says it. */
static int get_slices(subx_exch ex, int *nslices)
{
    MPI_Info info;
    int rc = subx_exch_get_info(ex, &info);
    if (rc)
        return rc;
    rc = sx_base_hint_int(info, "slices", 1, 1, INT_MAX, nslices);
    MPI_Info_free(&info);
    return rc;
}

static void make_room(subx_exch ex, sx_offload *a)
{
    ptrdiff_t host = 0, device = 0;
    (void)subx_exch_get(ex, NULL, NULL, NULL, &host);
    (void)subx_exch_get_device_work(ex, &device);
    a->host_bytes = host > a->host_bytes ? host : a->host_bytes;
    a->exch_work_bytes = device > a->exch_work_bytes ? device : a->exch_work_bytes;
}

static int create_exchange(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_offload *a = plan->state;
    sx_offload_stage *s = &a->stage[i];
    rc = sx_offload_create_exchange(plan, i, d, rc, *(MPI_Info *)context);
    for (int layer = 0; layer < s->nlayers && !rc; layer++) {
        rc = subx_exch_set_stream(s->exch[d][layer], a->stream);
        if (!rc)
            rc = get_slices(s->exch[d][layer], &s->nslices);
        if (!rc)
            make_room(s->exch[d][layer], a);
    }
    return rc;
}

/* ---- all exchanges. Collective */

static int create_all(subx_fft_plan plan, MPI_Info hints)
{
    sx_offload *a = plan->state;
    a->host_bytes = a->exch_work_bytes = 0;
    const int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_exchange, &hints);
    return sx_base_agree(plan->all, rc, NULL);
}

/* Query whether a device carrier brings blocks in an exchange; its hint is "auto" if there is none. */
static int has_carrier(subx_exch ex, int *has)
{
    char value[SX_HINT_LEN] = "";
    MPI_Info info;
    int rc = subx_exch_get_info(ex, &info);
    if (rc)
        return rc;
    rc = sx_base_hint(info, "device_carrier", "auto", value);
    *has |= strcmp(value, "auto") != 0;
    MPI_Info_free(&info);
    return rc;
}

static int note_carrier(subx_fft_plan plan, int i, int d, int rc, void *flags)
{
    const sx_offload_stage *s = &((const sx_offload *)plan->state)->stage[i];
    for (int layer = 0; layer < s->nlayers && !rc; layer++)
        rc = has_carrier(s->exch[d][layer], &((int *)flags)[i]);
    return rc;
}

/* Find the exchanges in which some rank uses a carrier, in either direction. *any becomes 1 if there is
 * one. */
static int find_narrow(subx_fft_plan plan, int *any)
{
    sx_offload *a = plan->state;
    const int n = plan->nstages;
    int flags[SX_NSTAGES_MAX] = {0};
    int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, note_carrier, flags);
    for (int i = 0; i < n; i += SX_FLAGS_MAX)
        rc = sx_base_agree_flags(plan->all, rc, NULL, n - i < SX_FLAGS_MAX ? n - i : SX_FLAGS_MAX, &flags[i]);
    for (int i = 0; i < n; i++)
        *any |= a->stage[i].is_narrow = flags[i];
    return rc;
}

static void free_all(subx_fft_plan plan)
{
    sx_offload *a = plan->state;
    for (int i = plan->nstages - 1; i >= 0; i--)
        sx_offload_free_exchanges(&a->stage[i]);
}

/* If the caller asks for floats, create the exchanges with doubles first, and find out which of them use a
 * carrier. */
int sx_offload_create_exchanges(subx_fft_plan plan, MPI_Info hints)
{
    int any = 0;
    int rc = sx_offload_create_layers(plan);
    rc = rc ? rc : create_all(plan, hints);
    if (rc || !sx_choice_is_narrow(&plan->choice))
        return rc;
    rc = find_narrow(plan, &any);
    if (rc || !any)
        return rc;
    free_all(plan);
    rc = sx_offload_create_layers(plan);
    return rc ? rc : create_all(plan, hints);
}
