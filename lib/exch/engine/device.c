/* device.c - create an engine for arrays in the memory of a device: streams, the pipe, and work space on the
 * device. */
#include "exch/on_device.h"
#include <string.h>

/* ---- the device */

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

/* Get the number of slices that suits this rank. With many slices, copies, messages and kernels can overlap.
 * But a slice must take much longer than the latencies of its copies and messages, so the number is
 * limited. */
static int count_device_slices(const subx_exch ex)
{
    const ptrdiff_t sent = sx_exch_device_get_packed(ex, ex->side[SX_FROM].bytes),
                    received = sx_exch_device_get_packed(ex, ex->side[SX_TO].bytes);
    const ptrdiff_t slices = (sent > received ? sent : received) / SX_EXCH_DEVICE_SLICE_BYTES;
    int n = SX_EXCH_DEVICE_MOST_SLICES;
    if (ex->hints.slices > 0)
        return ex->hints.slices;
    if (slices < SX_EXCH_DEVICE_MOST_SLICES)
        (void)sx_base_int(slices > 0 ? slices : 1, &n);
    return n;
}

/* List the packed bytes of the blocks of a side, slice by slice. This rank's own block does not pass through
 * the pipe. */
static ptrdiff_t *list_bytes(const subx_exch ex, int side)
{
    const sx_on_device *s = ex->state;
    ptrdiff_t *bytes = sx_base_alloc((ptrdiff_t)s->nslices * ex->p, sizeof *bytes), first;
    for (int slice = 0; bytes && slice < s->nslices; slice++)
        for (int q = 0; q < ex->p; q++)
            bytes[(ptrdiff_t)slice * ex->p + q] =
                q == ex->r
                    ? 0
                    : sx_exch_device_get_packed(ex, sx_exch_device_get_slice(ex, side, slice, q, &first));
    return bytes;
}

/* Query whether a block needs room in a buffer `packed`: a visible partner may read it there; other blocks
 * are copied from there or to there, unless they are packed in the areas of the pipe. */
static int is_packed(const subx_exch ex, int side, int q)
{
    const sx_on_device *s = ex->state;
    return q != ex->r && (s->is_visible[q] ? side == SX_FROM : !s->is_on_device);
}

/* Set the places of the blocks in the buffers `packed`. No slice of a block is longer than slice 0. */
static void set_places(subx_exch ex, int side)
{
    sx_on_device *s = ex->state;
    ptrdiff_t first, at = 0;
    for (int q = 0; q < ex->p; q++) {
        s->place[side][q] = at;
        if (is_packed(ex, side, q))
            at += sx_base_round_up(
                sx_exch_device_get_packed(ex, sx_exch_device_get_slice(ex, side, 0, q, &first)));
    }
    s->packed_bytes[side] = at;
}

/* ---- the pipe. Collective */

static int set_slices(subx_exch ex)
{
    sx_on_device *s = ex->state;
    s->nslices = count_device_slices(ex);
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &s->nslices);
    rc = rc ? rc : sx_exch_device_find_partners(ex);
    for (int side = 0; side < 2 && !rc; side++)
        set_places(ex, side);
    return rc;
}

/* Query whether the device carrier brings a block to some rank or from some rank. */
static int uses_carrier(const subx_exch ex)
{
    const sx_on_device *s = ex->state;
    for (int side = 0; side < 2; side++)
        for (int q = 0; q < ex->p; q++)
            if (q != ex->r && !s->is_visible[q] && ex->side[side].block[q].bytes > 0)
                return 1;
    return 0;
}

/* Try the device carrier, if any rank needs it. UNAVAILABLE if it does not work. If none needs it, the
 * exchange has none. */
static int try_carrier(subx_exch ex)
{
    int is_used = uses_carrier(ex), fails = 0;
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &is_used);
    if (!rc && is_used && ex->carrier->test)
        rc = ex->carrier->test(ex, &fails);
    if (!rc && !is_used)
        ex->carrier = NULL;
    if (!fails)
        return rc;
    sx_exch_device_remember(ex, ex->carrier->name, 1, "a trial has failed, or wrong data have arrived");
    return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

/* If the areas are on the device, a partner of this node is either visible or remote. */
static sx_pipe_hints get_pipe_hints(const subx_exch ex)
{
    const sx_on_device *s = ex->state;
    sx_pipe_hints hints = ex->hints;
    if (s->is_on_device && !ex->is_shared)
        strcpy(hints.engine, "pairwise");
    return hints;
}

/* Blocks for visible partners need no room in the send area, because they stay on the device. */
static int create_pipe(subx_exch ex)
{
    sx_on_device *s = ex->state;
    const sx_pipe_hints hints = get_pipe_hints(ex);
    int rc = MPI_SUCCESS;
    ptrdiff_t *bytes[2] = {list_bytes(ex, SX_FROM), list_bytes(ex, SX_TO)};
    sx_pipe_plan plan = {.nslices = s->nslices,
                         .depth = SX_ON_DEVICE_DEPTH,
                         .bytes = {bytes[SX_FROM], bytes[SX_TO]},
                         .is_direct = s->is_visible,
                         .is_on_device = s->is_on_device};
    if (!bytes[SX_FROM] || !bytes[SX_TO])
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_pipe_create_by_hints(ex->comm, rc, &hints, &plan, &s->pipe);
    sx_base_free(bytes[SX_TO]);
    sx_base_free(bytes[SX_FROM]);
    if (!rc)
        rc = sx_base_add(s->pipe->side[SX_FROM].area, s->pipe->side[SX_TO].area,
                         s->is_on_device ? &s->area_bytes : &ex->work_bytes);
    return rc;
}

/* Set the reader that reports tell: AUTO if this rank reads no block for which there is a choice. */
static void set_reader(subx_exch ex)
{
    if (!sx_exch_device_has_rows(ex))
        ex->hints.device_reader = SX_READER_AUTO;
    else if (ex->hints.device_reader == SX_READER_AUTO)
        ex->hints.device_reader = SX_READER_KERNEL;
}

/* The exchange reports the engine of its pipe, the carrier for between, the device carrier, the reader, and
 * the number of slices. */
static void set_engine(subx_exch ex)
{
    const subx_pipe pipe = ((const sx_on_device *)ex->state)->pipe;
    ex->engine.name = pipe->engine;
    ex->hints.slices = pipe->nslices;
    ex->hints.device_carrier = ex->carrier ? ex->carrier->value : SX_CARRIER_AUTO;
    set_reader(ex);
    if (pipe->carrier && strcmp(pipe->engine, pipe->carrier->name) != 0)
        strcpy(ex->hints.between, pipe->carrier->name);
}

/* ---- work space on the device */

static ptrdiff_t get_device_bytes(const sx_on_device *s)
{
    return SX_ON_DEVICE_DEPTH * (s->packed_bytes[SX_FROM] + s->packed_bytes[SX_TO]) + s->own_bytes +
           s->area_bytes;
}

static void set_own_bytes(subx_exch ex)
{
    sx_on_device *s = ex->state;
    sx_exch_set_direct_self(ex, &s->self);
    if (!s->self.kern)
        s->own_bytes = sx_base_round_up(sx_exch_device_get_packed(ex, ex->side[SX_FROM].block[ex->r].bytes));
}

int sx_exch_device_alloc(subx_exch ex, ptrdiff_t bytes, void **memory)
{
    if (ex->is_shared)
        return sx_comm_alloc(ex->comm, MPI_SUCCESS, bytes, ex->hints.node_ranks, ex->device, memory);
    return subx_error_get_code(ex->device->alloc(ex->handle, bytes, memory));
}

void sx_exch_device_free(subx_exch ex, void *memory)
{
    if (ex->is_shared)
        (void)subx_mem_free(&memory);
    else
        ex->device->free(ex->handle, memory);
}

static void set_packed(subx_exch ex, char *at)
{
    sx_on_device *s = ex->state;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < SX_ON_DEVICE_DEPTH; k++) {
            s->packed[side][k] = at;
            at += at ? s->packed_bytes[side] : 0;
        }
    s->own = at;
}

/* The areas lie behind all other buffers. */
static int bind_areas(subx_exch ex, char *work)
{
    const sx_on_device *s = ex->state;
    char *send = work ? work + ex->device_bytes - s->area_bytes : NULL;
    if (!s->is_on_device)
        return MPI_SUCCESS;
    return subx_pipe_set_work(s->pipe, send, send ? send + s->pipe->side[SX_FROM].area : NULL);
}

int sx_exch_device_bind(subx_exch ex, void *work)
{
    int rc = ex->is_shared ? sx_exch_device_find_work(ex, work) : MPI_SUCCESS;
    rc = rc ? rc : bind_areas(ex, work);
    if (rc)
        return rc;
    sx_exch_device_open_areas(ex, 0);
    ex->device_work = work;
    set_packed(ex, work);
    return MPI_SUCCESS;
}

void sx_exch_device_drop_work(subx_exch ex)
{
    sx_exch_device_open_areas(ex, 0);
    ex->device_work = NULL;
    set_packed(ex, NULL);
}

static int alloc_device_work(subx_exch ex)
{
    sx_on_device *s = ex->state;
    ex->device_bytes = get_device_bytes(s);
    if (!ex->owns_work)
        return MPI_SUCCESS;
    int rc = sx_exch_device_alloc(ex, ex->device_bytes, &s->memory);
    rc = ex->is_shared ? rc : sx_base_agree(ex->comm->comm, rc, NULL);
    return rc ? rc : sx_exch_device_bind(ex, s->memory);
}

/* ---- the functions of the engine */

/* Returns 1 if there is no memory. */
static int alloc_arrays(const subx_exch ex, sx_on_device *s)
{
    s->block = sx_base_alloc(ex->p, sizeof *s->block);
    s->place[SX_FROM] = sx_base_alloc(ex->p, sizeof *s->place[0]);
    s->place[SX_TO] = sx_base_alloc(ex->p, sizeof *s->place[1]);
    s->is_visible = sx_base_alloc(ex->p, 1);
    s->reads_mine = sx_base_alloc(ex->p, 1);
    s->direct = sx_base_alloc(ex->p, sizeof *s->direct);
    s->visible = sx_base_alloc(ex->p, sizeof *s->visible);
    s->visible_work = sx_base_alloc(ex->p, sizeof *s->visible_work);
    return !(s->block && s->place[SX_FROM] && s->place[SX_TO] && s->is_visible && s->reads_mine &&
             s->direct && s->visible && s->visible_work);
}

static void free_arrays(sx_on_device *s)
{
    sx_base_free(s->visible_work);
    sx_base_free(s->visible);
    sx_base_free(s->direct);
    sx_base_free(s->reads_mine);
    sx_base_free(s->is_visible);
    sx_base_free(s->place[SX_TO]);
    sx_base_free(s->place[SX_FROM]);
    sx_base_free(s->block);
}

static int prepare(subx_exch ex)
{
    sx_on_device *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s || alloc_arrays(ex, s))
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    s->is_on_device = ex->carrier->is_on_device;
    const int rc = sx_device_open(ex->device, &ex->handle);
    return rc ? rc : create_streams(ex);
}

static int create(subx_exch ex)
{
    int rc = sx_base_agree(ex->comm->comm, prepare(ex), NULL);
    rc = rc ? rc : sx_exch_device_check_sharing(ex);
    rc = rc ? rc : set_slices(ex);
    rc = rc ? rc : sx_exch_device_gather_layouts(ex);
    rc = rc ? rc : try_carrier(ex);
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

/* Pin the exchange's own work space. If pages cannot be pinned, this is no error, but copies take longer. The
 * caller's work space is pinned by the caller, because several exchanges may share it. */
static int bind(subx_exch ex, char *work)
{
    sx_on_device *s = ex->state;
    unpin(ex);
    if (ex->owns_work && ex->work_bytes > 0 && !ex->device->pin(ex->handle, work, ex->work_bytes))
        s->pinned = work;
    if (s->is_on_device)
        return MPI_SUCCESS;
    return subx_pipe_set_work(s->pipe, work, work ? work + s->pipe->side[SX_FROM].area : NULL);
}

static void free_state(subx_exch ex)
{
    sx_on_device *s = ex->state;
    if (!s)
        return;
    subx_pipe_free(&s->pipe);
    if (ex->handle) {
        sx_exch_device_open_areas(ex, 0);
        unpin(ex);
        free_streams(ex);
        sx_exch_device_free(ex, s->memory);
        ex->device->close(ex->handle);
    }
    free_arrays(s);
    sx_base_free(s);
    ex->handle = ex->state = NULL;
    ex->device_work = NULL;
    ex->device_bytes = 0;
}

const sx_engine_functions sx_exch_device = {
    .create = create,
    .bind = bind,
    .start = sx_exch_device_start,
    .free = free_state,
};
