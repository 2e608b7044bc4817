/* create.c - create and free the state of a plan on a device: stream, exchanges, memory, transforms. */
#include "offload/offload.h"
#include <string.h>

/* ---- the device */

static int create_stream(sx_offload *a)
{
    int kind = a->device->create_stream(a->handle, &a->stream);
    kind = kind ? kind : a->device->create_event(a->handle, &a->begun);
    kind = kind ? kind : a->device->create_event(a->handle, &a->ended);
    return subx_error_get_code(kind);
}

static void free_stream(const sx_offload *a)
{
    a->device->free_stream(a->stream);
    a->device->free_event(a->ended);
    a->device->free_event(a->begun);
}

/* ---- work space and engine of exchanges */

static int set_work(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    const sx_offload *a = plan->state;
    const sx_offload_stage *s = &a->stage[i];
    int failed = MPI_SUCCESS;
    (void)rc, (void)context;
    for (int layer = 0; layer < s->nlayers && !failed; layer++) {
        failed = subx_exch_set_device_work(s->exch[d][layer], a->exch_work);
        failed = failed ? failed : subx_exch_set_work(s->exch[d][layer], a->host_work);
    }
    return failed;
}

/* Set plan->engine, which plans report, to the engine of the exchange. But if the caller gives a list of
 * engines, plan->engine keeps the list. */
static int set_engine(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    const char *engine = plan->engine;
    (void)context;
    if (!rc)
        rc = subx_exch_get(((sx_offload *)plan->state)->stage[i].exch[d][0], &engine, NULL, NULL, NULL);
    if (!rc && !strchr(plan->engine, '/'))
        strcpy(plan->engine, engine);
    return rc;
}

/* ---- memory */

/* A plan with a single stage needs a work array if some execution changes a copy of its input, or if it works
 * on the spectral side of both directions (SX_ROUND). */
int sx_offload_get_narrays(subx_fft_plan plan)
{
    int needs = plan->choice.problem->has_operation;
    for (int k = 0; k < 4; k++)
        needs |= sx_offload_reads_copy(plan, k / 2, k % 2);
    return plan->nstages > 1 ? 2 : needs;
}

static void set_array_bytes(subx_fft_plan plan, sx_offload *a)
{
    for (int i = 0; i < plan->nstages; i++) {
        const sx_stage *s = &plan->stage[i];
        const ptrdiff_t most = s->from.bytes > s->to.bytes ? s->from.bytes : s->to.bytes;
        a->array_bytes = most > a->array_bytes ? most : a->array_bytes;
    }
    a->array_bytes = sx_base_round_up(a->array_bytes + 1);
}

/* Local. */
static int alloc_on_device(sx_offload *a)
{
    int kind = SUBX_ERR_NONE;
    for (int k = 0; k < 2 && !kind; k++)
        if (a->wide_bytes[k] > 0)
            kind = a->device->alloc(a->handle, a->wide_bytes[k], (void **)&a->wide[k]);
    if (!kind && a->waves_bytes > 0)
        kind = a->device->alloc(a->handle, a->waves_bytes, (void **)&a->waves);
    return subx_error_get_code(kind);
}

/* Allocate the memory that partners of this node may read: on the device, whose kind the hints have, and on
 * the host. If pages of the host cannot be pinned, this is no error, but copies take longer. Collective. */
static int alloc_memory(subx_fft_plan plan, MPI_Info hints)
{
    sx_offload *a = plan->state;
    const int narrays = sx_offload_get_narrays(plan);
    const ptrdiff_t bytes = narrays * a->array_bytes + a->exch_work_bytes;
    /* Even if no memory is needed, some is allocated: it tells on which device the plan was created
     * (sx_offload_may_be_given). */
    int rc = subx_mem_alloc(plan->all, bytes > 0 ? bytes : SX_ALIGNMENT, hints, &a->memory);
    for (int k = 0; k < narrays && !rc; k++)
        plan->at[SX_AT_WORK + k] = (char *)a->memory + k * a->array_bytes;
    a->exch_work = rc ? NULL : (char *)a->memory + narrays * a->array_bytes;
    rc = rc ? rc : MPI_Info_set(hints, "subx_memory_kind", SX_DEVICE_SYSTEM);
    rc = sx_base_agree(plan->all, rc ? rc : alloc_on_device(a), NULL);
    if (!rc)
        rc = subx_mem_alloc(plan->all, a->host_bytes, hints, &a->host_work);
    a->is_pinned = !rc && a->host_bytes > 0 && !a->device->pin(a->handle, a->host_work, a->host_bytes);
    return rc;
}

static void free_memory(sx_offload *a)
{
    if (a->is_pinned)
        a->device->unpin(a->handle, a->host_work);
    (void)subx_mem_free(&a->host_work);
    a->device->free(a->handle, a->waves);
    for (int k = 0; k < 2; k++)
        a->device->free(a->handle, a->wide[k]);
    (void)subx_mem_free(&a->memory);
}

/* ---- transforms */

/* Create the transforms of all axes: as few as possible, one after the other. */
static int create_axes(sx_offload *a, int i, int d, const sx_serial_problem *p, int is_in_place)
{
    sx_offload_stage *s = &a->stage[i];
    sx_serial_problem inside, group;
    int kind = SUBX_ERR_NONE;
    s->way[d] = sx_offload_get_way(p, is_in_place, &inside);
    if (s->way[d] != SX_OFFLOAD_DIRECT)
        s->copy[d] = sx_offload_get_copy(p);
    for (int done = 0; done < p->naxes && !kind;) {
        const int k = s->ntransforms[d];
        done += sx_offload_get_group(&inside, done, &group, &s->place[d][k]);
        const int stays = is_in_place || s->way[d] != SX_OFFLOAD_DIRECT || s->place[d][k] != SX_SERIAL_ACROSS;
        group.keep_input &= !stays;
        kind = sx_offload_create_transform(a, &group, stays, &s->transform[d][k]);
        s->ntransforms[d] += !kind;
    }
    return subx_error_get_code(kind);
}

static int create_transform(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_offload *a = plan->state;
    const sx_stage *s = &plan->stage[i];
    (void)context;
    if (rc || s->from.bytes == 0 || s->to.bytes == 0)
        return rc;
    if (a->stage[i].wide[d])
        return sx_offload_create_wide_transforms(a, a->stage[i].wide[d]);
    const sx_serial_problem p = sx_offload_get_problem(plan, i, d);
    return create_axes(a, i, d, &p, sx_offload_is_in_place(plan, i, d));
}

/* ---- create and free */

/* Local. */
static int create_wide(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && !rc; d++)
            if (!sx_stage_is_exchange(&plan->stage[i]))
                rc = sx_offload_create_wide(plan, i, d);
    return rc;
}

static void set_waves_bytes(subx_fft_plan plan, sx_offload *a)
{
    for (int i = 0; i < plan->choice.array.ndims && plan->choice.problem->has_operation; i++)
        a->waves_bytes += plan->choice.array.axis[i].spectral * plan->choice.array.real_bytes;
}

/* Local. */
static int begin(subx_fft_plan plan)
{
    sx_offload *a = plan->state = sx_base_alloc(1, sizeof *a + (size_t)plan->nstages * sizeof *a->stage);
    if (!a)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    a->device = plan->choice.device;
    set_array_bytes(plan, a);
    set_waves_bytes(plan, a);
    int rc = sx_device_open(a->device, &a->handle);
    rc = rc ? rc : create_wide(plan);
    return rc ? rc : create_stream(a);
}

int sx_offload_create(subx_fft_plan plan, MPI_Info hints)
{
    int rc = begin(plan);
    rc = sx_base_agree(plan->all, rc, NULL);
    if (rc)
        return rc;
    rc = sx_offload_create_exchanges(plan, hints);
    if (!rc)
        rc = alloc_memory(plan, hints);
    if (rc)
        return rc;
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_work, NULL);
    if (!rc)
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_engine, NULL);
    return rc ? rc : sx_plan_for_each(plan, SUBX_FFT_STAGE_SERIAL, create_transform, NULL);
}

void sx_offload_free(subx_fft_plan plan)
{
    sx_offload *a = plan->state;
    if (a && a->stream)
        (void)a->device->finish(a->stream); /* with a stream of the caller, work may still use the memory */
    for (int i = plan->nstages - 1; a && i >= 0; i--) {
        sx_offload_free_exchanges(&a->stage[i]);
        for (int d = 1; d >= 0; d--) {
            for (int k = 0; k < a->stage[i].ntransforms[d]; k++)
                a->device->free_transform(a->stage[i].transform[d][k]);
            sx_offload_free_wide(a, a->stage[i].wide[d]);
        }
    }
    if (!a)
        return;
    free_memory(a);
    free_stream(a);
    a->device->close(a->handle);
    sx_base_free(a);
}
