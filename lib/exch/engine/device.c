/* device.c - create the mover for arrays in the memory of a device: streams, the pipe, and work space on the device. */
#include "exch/on_device.h"
#include <string.h>

/* ---- the device */

/* Open the device. If that fails, the reason becomes the text of the error. */
static int open_device(subx_exch ex)
{
    char why[SX_ERROR_LEN] = "", text[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0}, all = {text, sizeof text, 0};
    const int kind = ex->device->open(&ex->handle, &t);
    if (kind == SUBX_ERR_UNAVAILABLE) {
        sx_base_print(&all, "subx: device %s: %s", ex->device->name, why);
        sx_base_set_error_text(kind, text);
    }
    return subx_error_get_code(kind);
}

static int create_streams(subx_exch ex)
{
    sx_on_device *s = ex->state;
    int kind = ex->device->create_event(ex->handle, &s->begun);
    for (int side = 0; side < 2 && !kind; side++) {
        kind = ex->device->create_stream(ex->handle, &s->stream[side]);
        for (int k = 0; k < SX_ON_DEVICE_DEPTH && !kind; k++)
            kind = ex->device->create_event(ex->handle, &s->event[side][k]);
    }
    return subx_error_get_code(kind);
}

static void free_streams(const subx_exch ex)
{
    sx_on_device *s = ex->state;
    for (int side = 0; side < 2; side++) {
        ex->device->free_stream(s->stream[side]);
        for (int k = 0; k < SX_ON_DEVICE_DEPTH; k++)
            ex->device->free_event(s->event[side][k]);
    }
    ex->device->free_event(s->begun);
}

/* ---- slices */

/* Get the number of slices that suits this rank. With many slices, copies, messages and kernels can overlap. But a slice
 * must take much longer than the latencies of its copies and messages, so the number is limited. */
static int count_slices(const subx_exch ex)
{
    enum { ENOUGH = 16, SLICE = 4 << 20 };
    const ptrdiff_t sent = ex->side[SX_FROM].bytes, received = ex->side[SX_TO].bytes;
    const ptrdiff_t slices = (sent > received ? sent : received) / SLICE;
    int n = ENOUGH;
    if (ex->hints.slices > 0)
        return ex->hints.slices;
    if (slices < ENOUGH)
        (void)sx_base_int(slices > 0 ? slices : 1, &n);
    return n;
}

ptrdiff_t sx_exch_device_get_slice(const subx_exch ex, int side, int slice, int q, ptrdiff_t *first)
{
    const sx_on_device *s = ex->state;
    const ptrdiff_t all = ex->side[side].block[q].bytes;
    ptrdiff_t n = 0, start = 0;
    (void)subx_block_get((all + SX_ALIGNMENT - 1) / SX_ALIGNMENT, s->nslices, slice, &n, &start);
    *first = n > 0 ? start * SX_ALIGNMENT : 0;
    n *= SX_ALIGNMENT;
    return n < all - *first ? n : all - *first;
}

/* List the bytes of the blocks of a side, slice by slice, and set packed_bytes. This rank's block for itself does not pass
 * through the pipe. */
static ptrdiff_t *list_bytes(subx_exch ex, int side)
{
    sx_on_device *s = ex->state;
    ptrdiff_t *bytes = sx_base_alloc((ptrdiff_t)s->nslices * ex->p, sizeof *bytes), first;
    for (int slice = 0; bytes && slice < s->nslices; slice++) {
        ptrdiff_t sum = 0;
        for (int q = 0; q < ex->p; q++) {
            const ptrdiff_t n = q == ex->r ? 0 : sx_exch_device_get_slice(ex, side, slice, q, &first);
            bytes[(ptrdiff_t)slice * ex->p + q] = n;
            sum += sx_base_round_up(n);
        }
        s->packed_bytes[side] = sum > s->packed_bytes[side] ? sum : s->packed_bytes[side];
    }
    return bytes;
}

/* ---- the pipe. Collective */

static int create_pipe(subx_exch ex)
{
    sx_on_device *s = ex->state;
    int slices = count_slices(ex);
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &slices);
    if (rc)
        return rc;
    s->nslices = slices;
    ptrdiff_t *bytes[2] = {list_bytes(ex, SX_FROM), list_bytes(ex, SX_TO)};
    sx_pipe_plan plan = {
        .nslices = slices, .depth = SX_ON_DEVICE_DEPTH, .bytes = {bytes[SX_FROM], bytes[SX_TO]}};
    if (!bytes[SX_FROM] || !bytes[SX_TO])
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_pipe_create_by_hints(ex->comm, rc, &ex->hints, &plan, &s->pipe);
    sx_base_free(bytes[SX_TO]);
    sx_base_free(bytes[SX_FROM]);
    if (!rc)
        rc = sx_base_add(s->pipe->side[SX_FROM].area, s->pipe->side[SX_TO].area, &ex->work_bytes);
    return rc;
}

/* The exchange reports the engine of its pipe, the carrier for subx_between, and the number of slices. */
static void set_engine(subx_exch ex)
{
    const subx_pipe pipe = ((const sx_on_device *)ex->state)->pipe;
    ex->engine.name = pipe->engine;
    ex->hints.slices = pipe->nslices;
    if (pipe->carrier && strcmp(pipe->engine, pipe->carrier->name) != 0)
        strcpy(ex->hints.between, pipe->carrier->name);
}

/* ---- work space on the device */

static ptrdiff_t get_device_bytes(const sx_on_device *s)
{
    return SX_ON_DEVICE_DEPTH * (s->packed_bytes[SX_FROM] + s->packed_bytes[SX_TO]) + s->own_bytes;
}

static void set_own_bytes(subx_exch ex)
{
    sx_on_device *s = ex->state;
    sx_exch_join_self(ex, &s->self);
    if (!s->self.kern)
        s->own_bytes = sx_base_round_up(ex->side[SX_FROM].block[ex->r].bytes);
}

void sx_exch_device_bind(subx_exch ex, void *work)
{
    sx_on_device *s = ex->state;
    char *at = ex->device_work = work;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < SX_ON_DEVICE_DEPTH; k++) {
            s->packed[side][k] = at;
            at += at ? s->packed_bytes[side] : 0;
        }
    s->own = at;
}

static int alloc_device_work(subx_exch ex)
{
    sx_on_device *s = ex->state;
    ex->device_bytes = get_device_bytes(s);
    if (!ex->owns_work || ex->device_bytes == 0)
        return MPI_SUCCESS;
    const int kind = ex->device->alloc(ex->handle, ex->device_bytes, &s->memory);
    sx_exch_device_bind(ex, s->memory);
    return subx_error_get_code(kind);
}

/* ---- the mover */

/* Not called: exchanges on devices have this mover only. */
static int avoids(subx_exch ex)
{
    (void)ex;
    return 0;
}

static int prepare(subx_exch ex)
{
    sx_on_device *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s || !(s->block = sx_base_alloc(ex->p, sizeof *s->block)))
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    const int rc = open_device(ex);
    return rc ? rc : create_streams(ex);
}

static int create(subx_exch ex)
{
    int rc = sx_base_agree(ex->comm->comm, prepare(ex), NULL);
    rc = rc ? rc : create_pipe(ex);
    if (rc)
        return rc;
    set_engine(ex);
    set_own_bytes(ex);
    return alloc_device_work(ex);
}

static void unpin(subx_exch ex)
{
    sx_on_device *s = ex->state;
    if (s->pinned)
        ex->device->unpin(ex->handle, s->pinned);
    s->pinned = NULL;
}

/* Pin the exchange's own work space. If pages cannot be pinned, this is no error, but copies take longer. The caller's work
 * space is pinned by the caller, because several exchanges may share it. */
static int bind(subx_exch ex, char *work)
{
    sx_on_device *s = ex->state;
    unpin(ex);
    if (ex->owns_work && ex->work_bytes > 0 && !ex->device->pin(ex->handle, work, ex->work_bytes))
        s->pinned = work;
    return subx_pipe_set_work(s->pipe, work, work ? work + s->pipe->side[SX_FROM].area : NULL);
}

static void free_state(subx_exch ex)
{
    sx_on_device *s = ex->state;
    if (!s)
        return;
    subx_pipe_free(&s->pipe);
    if (ex->handle) {
        unpin(ex);
        free_streams(ex);
        ex->device->free(ex->handle, s->memory);
        ex->device->close(ex->handle);
    }
    sx_base_free(s->block);
    sx_base_free(s);
    ex->handle = ex->state = NULL;
    ex->device_work = NULL;
    ex->device_bytes = 0;
}

const sx_mover sx_exch_device = {
    .avoids = avoids,
    .create = create,
    .bind = bind,
    .start = sx_exch_device_start,
    .free = free_state,
};
