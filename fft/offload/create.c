/* create.c - create and free the state of a plan on a device: streams, pipes, memory, transforms. */
#include "offload/offload.h"
#include <string.h>

/* ---- the device */

/* Open the device. If that fails, the reason becomes the text of the error. */
static int open_device(sx_offload *a)
{
    char why[SX_ERROR_LEN] = "", text[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0}, all = {text, sizeof text, 0};
    const int kind = a->device->open(&a->handle, &t);
    if (kind == SUBX_ERR_UNAVAILABLE) {
        sx_base_print(&all, "subx: device %s: %s", a->device->name, why);
        sx_base_set_error_text(kind, text);
    }
    return subx_error_get_code(kind);
}

static int create_streams(sx_offload *a)
{
    int kind = a->device->create_event(a->handle, &a->begun);
    for (int side = 0; side < 2 && !kind; side++) {
        kind = a->device->create_stream(a->handle, &a->stream[side]);
        kind = kind ? kind : a->device->create_event(a->handle, &a->ended[side]);
        for (int k = 0; k < SX_OFFLOAD_DEPTH && !kind; k++)
            kind = a->device->create_event(a->handle, &a->event[side][k]);
    }
    return subx_error_get_code(kind);
}

static void free_streams(const sx_offload *a)
{
    for (int side = 0; side < 2; side++) {
        a->device->free_stream(a->stream[side]);
        for (int k = 0; k < SX_OFFLOAD_DEPTH; k++)
            a->device->free_event(a->event[side][k]);
        a->device->free_event(a->ended[side]);
    }
    a->device->free_event(a->begun);
}

/* Wait for all work of the plan, whose memory is then freed: with a stream of the caller, an execution returns before
 * its work has ended. */
static void finish(const sx_offload *a)
{
    for (int side = 0; side < 2; side++)
        if (a->stream[side])
            (void)a->device->finish(a->stream[side]);
}

/* ---- pipes */

/* Get the number of slices, the same on all ranks. With many slices, copies, messages and kernels can overlap. But a slice
 * must take much longer than the latencies of its copies and messages, so the number is limited. */
static int count_slices(subx_fft_plan plan)
{
    enum { ENOUGH = 16, SLICE = 4 << 20 };
    const double slices = sx_choice_get_share(&plan->choice) / SLICE;
    if (plan->choice.hints.slices > 0)
        return plan->choice.hints.slices;
    return slices < 1 ? 1 : slices > ENOUGH ? ENOUGH : sx_base_fit((ptrdiff_t)slices);
}

/* List the bytes of the blocks of a side, slice by slice. If packed_bytes is less than the bytes of a slice, increase it. */
static ptrdiff_t *list_bytes(subx_fft_plan plan, int i, int d, int side)
{
    sx_offload *a = plan->state;
    const int nslices = a->stage[i].nslices, n = sx_plan_get_ranks(plan, &plan->stage[i]);
    const int rank = sx_offload_get_rank(plan, i);
    ptrdiff_t *bytes = sx_base_alloc((ptrdiff_t)nslices * n, sizeof *bytes);
    for (int s = 0; bytes && s < nslices; s++) {
        ptrdiff_t sum = 0;
        for (int q = 0; q < n; q++) {
            bytes[s * n + q] = q == rank ? 0 : sx_offload_get_part(plan, i, d, side, s, q).bytes;
            sum += sx_base_round_up(bytes[s * n + q]);
        }
        a->packed_bytes = sum > a->packed_bytes ? sum : a->packed_bytes;
    }
    return bytes;
}

static void make_room(sx_offload *a, int side, ptrdiff_t bytes)
{
    a->area_bytes[side] = bytes > a->area_bytes[side] ? bytes : a->area_bytes[side];
}

/* A rank that has failed asks for a pipe without slices. This is an error, so creation fails on all ranks of the pipe. */
static int create_pipe(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    MPI_Info hints = *(MPI_Info *)context;
    sx_offload *a = plan->state;
    const int dim = plan->stage[i].dim, nslices = a->stage[i].nslices = count_slices(plan);
    ptrdiff_t *send = rc ? NULL : list_bytes(plan, i, d, SX_FROM);
    ptrdiff_t *receive = rc ? NULL : list_bytes(plan, i, d, SX_TO);
    ptrdiff_t sent = 0, received = 0;
    MPI_Comm row;
    (void)subx_grid_get_comm(plan->grid, dim, &row);
    if (!rc && !(send && receive))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc)
        rc = sx_hints_set_engine(plan->engine, plan->choice.hints.between, dim, hints);
    int failed = subx_pipe_create_ring(row, rc ? 0 : nslices, SX_OFFLOAD_DEPTH, send, receive, hints,
                                       &a->stage[i].pipe[d]);
    sx_base_free(send);
    sx_base_free(receive);
    rc = rc ? rc : failed;
    if (!rc)
        rc = subx_pipe_get(a->stage[i].pipe[d], NULL, &sent, &received);
    make_room(a, SX_FROM, sent);
    make_room(a, SX_TO, received);
    return rc;
}

static int set_areas(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_offload *a = plan->state;
    (void)rc, (void)context;
    return subx_pipe_set_work(a->stage[i].pipe[d], a->area[SX_FROM], a->area[SX_TO]);
}

/* Set plan->engine, which plans report, to the engine of the pipe. But if the caller gives a list of engines,
 * plan->engine keeps the list. */
static int set_engine(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    const char *engine = plan->engine;
    (void)context;
    if (!rc)
        rc = subx_pipe_get(((sx_offload *)plan->state)->stage[i].pipe[d], &engine, NULL, NULL);
    if (!rc && !strchr(plan->engine, '/'))
        strcpy(plan->engine, engine);
    return rc;
}

/* ---- memory */

int sx_offload_get_narrays(subx_fft_plan plan)
{
    return plan->nstages > 1 ? 2 : 1;
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
static int alloc_on_device(subx_fft_plan plan, sx_offload *a)
{
    int kind = SUBX_ERR_NONE;
    for (int k = 0; k < sx_offload_get_narrays(plan) && !kind; k++)
        kind = a->device->alloc(a->handle, a->array_bytes, (void **)&a->work[k]);
    for (int k = 0; k < 2 * SX_OFFLOAD_DEPTH && !kind && a->packed_bytes > 0; k++)
        kind = a->device->alloc(a->handle, a->packed_bytes, (void **)&a->packed[k % 2][k / 2]);
    for (int k = 0; k < 2 && !kind && a->wide_bytes > 0; k++)
        kind = a->device->alloc(a->handle, a->wide_bytes, (void **)&a->wide[k]);
    if (!kind && a->waves_bytes > 0)
        kind = a->device->alloc(a->handle, a->waves_bytes, (void **)&a->waves);
    return subx_error_get_code(kind);
}

/* If pages cannot be pinned, this is no error, but copies take longer. */
static void pin(sx_offload *a, int side)
{
    const ptrdiff_t bytes = a->area_bytes[side];
    a->is_pinned[side] = bytes > 0 && !a->device->pin(a->handle, a->area[side], bytes);
}

/* Local partners read the send area, so it is memory of subx_mem_alloc. Collective. */
static int alloc_areas(subx_fft_plan plan, MPI_Info hints)
{
    sx_offload *a = plan->state;
    int nranks;
    int rc = MPI_Comm_size(plan->all, &nranks);
    if (!rc && !(a->block = sx_base_alloc(nranks, sizeof *a->block)))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc && !(a->area[SX_TO] = sx_base_alloc(a->area_bytes[SX_TO], 1)))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(plan->all, rc ? rc : alloc_on_device(plan, a), NULL);
    if (!rc)
        rc = subx_mem_alloc(plan->all, a->area_bytes[SX_FROM], hints, &a->area[SX_FROM]);
    for (int side = 0; side < 2 && !rc; side++)
        pin(a, side);
    return rc;
}

static void free_memory(sx_offload *a)
{
    for (int side = 0; side < 2; side++)
        if (a->is_pinned[side])
            a->device->unpin(a->handle, a->area[side]);
    (void)subx_mem_free(&a->area[SX_FROM]);
    sx_base_free(a->area[SX_TO]);
    sx_base_free(a->block);
    a->device->free(a->handle, a->waves);
    for (int k = 0; k < 2; k++) {
        a->device->free(a->handle, a->wide[k]);
        a->device->free(a->handle, a->work[k]);
    }
    for (int k = 0; k < 2 * SX_OFFLOAD_DEPTH; k++)
        a->device->free(a->handle, a->packed[k % 2][k / 2]);
}

/* ---- transforms */

static int is_transformed(const sx_stage *s, int axis)
{
    for (int i = 0; i < s->naxes; i++)
        if (s->axes[i] == axis)
            return 1;
    return 0;
}

/* s->axes has the axes in the order in which forward transforms them; p has them in the reverse order, because a real
 * transform halves the last axis in p. */
static void set_axes(sx_serial_problem *p, const sx_stage *s, int d)
{
    const sx_box *from = sx_stage_get_box(s, d, SX_FROM), *to = sx_stage_get_box(s, d, SX_TO);
    for (int k = s->naxes - 1; k >= 0; k--) {
        const int i = s->axes[k];
        p->axis[p->naxes++] = (sx_serial_dim){s->from.n[i], from->stride[i], to->stride[i]};
    }
    for (int i = 0; i < from->ndims; i++)
        if (!is_transformed(s, i))
            p->loop[p->nloops++] = (sx_serial_dim){from->len[i], from->stride[i], to->stride[i]};
}

/* A device transforms one axis at a time. */
static int create_axes(sx_offload *a, int i, int d, const sx_serial_problem *p, int is_in_place)
{
    sx_offload_stage *s = &a->stage[i];
    int kind = SUBX_ERR_NONE;
    for (int k = 0; k < p->naxes && !kind; k++) {
        sx_serial_problem one;
        s->place[d][k] = sx_serial_get_axis(p, k, &one);
        const int stays = is_in_place || s->place[d][k] != SX_SERIAL_ACROSS;
        one.keep_input &= !stays;
        kind = sx_offload_create_transform(a, &one, stays, &s->transform[d][k]);
        s->naxes[d] += !kind;
    }
    return subx_error_get_code(kind);
}

/* Transforms between two exchanges are in place. */
static int create_transform(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_offload *a = plan->state;
    const sx_stage *s = &plan->stage[i];
    const int reads_caller = sx_plan_get_adjacent(plan, i, d, SX_FROM) < 0;
    const int writes_caller = sx_plan_get_adjacent(plan, i, d, SX_TO) < 0;
    sx_serial_problem p = {.precision = plan->choice.array.precision,
                           .kind = sx_serial_get_kind(plan->choice.array.axis[s->axes[0]].kind, d),
                           .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
                           .any_alignment = 1};
    (void)context;
    if (rc || s->from.bytes == 0 || s->to.bytes == 0)
        return rc;
    if (a->stage[i].wide[d])
        return sx_offload_create_wide_transforms(a, a->stage[i].wide[d]);
    p.keep_input = reads_caller && p.kind != SUBX_FFT_C2R;
    set_axes(&p, s, d);
    return create_axes(a, i, d, &p, !reads_caller && !writes_caller);
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
    int rc = open_device(a);
    rc = rc ? rc : create_wide(plan);
    return rc ? rc : create_streams(a);
}

int sx_offload_create(subx_fft_plan plan, MPI_Info hints)
{
    int rc = sx_base_agree(plan->all, begin(plan), NULL);
    if (rc)
        return rc;
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    rc = sx_base_agree(plan->all, rc, NULL);
    if (!rc)
        rc = alloc_areas(plan, hints);
    if (rc)
        return rc;
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_areas, NULL);
    if (!rc)
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_engine, NULL);
    return rc ? rc : sx_plan_for_each(plan, SUBX_FFT_STAGE_SERIAL, create_transform, NULL);
}

void sx_offload_free(subx_fft_plan plan)
{
    sx_offload *a = plan->state;
    if (a)
        finish(a);
    for (int i = plan->nstages - 1; a && i >= 0; i--)
        for (int d = 1; d >= 0; d--) {
            (void)subx_pipe_free(&a->stage[i].pipe[d]);
            for (int k = 0; k < a->stage[i].naxes[d]; k++)
                a->device->free_transform(a->stage[i].transform[d][k]);
            sx_offload_free_wide(a, a->stage[i].wide[d]);
        }
    if (!a)
        return;
    free_memory(a);
    free_streams(a);
    a->device->close(a->handle);
    sx_base_free(a);
}
