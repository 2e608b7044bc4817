/* device_execute.c - execute an exchange between arrays of devices. The steps of a rank, by slice:
 *
 *     pack 0  |  pack 1  post 0  start 0  unpack 0  |  pack 2  post 1  start 1  unpack 1  |  ..
 *
 * The functions `pack` and `unpack` only add work to a stream. So while a rank waits for a slice of its
 * partners, its device packs the next slice and unpacks the previous one. After an error the device gets no
 * more work, but every slice is posted, started and completed, because partners wait for it. */
#include "exch/on_device.h"

/* ---- errors */

/* Set the error of the execution, unless it has an error already. */
static void keep(sx_on_device *s, int rc)
{
    s->error = s->error ? s->error : rc;
}

/* Call keep with the code of a kind of error: the device's functions return kinds. */
static void keep_kind(sx_on_device *s, int kind)
{
    keep(s, subx_error_get_code(kind));
}

/* ---- slices */

ptrdiff_t sx_exch_device_get_packed(const subx_exch ex, ptrdiff_t bytes)
{
    return ex->hints.is_narrow ? bytes / (ptrdiff_t)(sizeof(double) / sizeof(float)) : bytes;
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

/* ---- work on the device */

/* Add the copy of a whole block to stream SX_TO. */
static void permute(subx_exch ex, const sx_layout *l, const void *from, void *to)
{
    sx_on_device *s = ex->state;
    const sx_device_nest nest =
        sx_copy_get_nest(l, ex->hints.is_narrow ? SX_DEVICE_ROUND : SX_DEVICE_SAME, from, to);
    keep_kind(s, ex->device->permute(s->stream[SX_TO], &nest, from, to));
}

/* Read the block of a visible partner in its send buffer, by the kernel that permutes or by the copy engine,
 * which cannot round. */
static void read_block(subx_exch ex, const sx_layout *l, const void *from, void *to)
{
    sx_on_device *s = ex->state;
    sx_device_rows rows;
    if (ex->hints.device_reader == SX_READER_COPIES && !ex->hints.is_narrow && sx_copy_get_rows(l, &rows))
        keep_kind(s, ex->device->copy_rows(s->stream[SX_TO], &rows, from, to));
    else
        permute(ex, l, from, to);
}

/* Get the chunks of a block. A strided block is its only chunk, which is written to `room`. */
static int get_chunks(const sx_side *side, int q, sx_chunk *room, const sx_chunk **chunk)
{
    const sx_block *block = &side->block[q];
    const sx_shape *shape = &side->shape[block->shape];
    *room = (sx_chunk){shape->layout, block->offset, 0, block->bytes};
    *chunk = shape->strided ? room : shape->chunk;
    return shape->strided ? 1 : shape->nchunks;
}

/* Pack (SX_FROM) or unpack (SX_TO) the bytes first .. first + bytes - 1 of a chunk; they are at `packed` in
 * the packed form of the block, which is aligned as a cache line is if it begins with this slice. The place
 * of the whole chunk tells how long the elements of the nest may be. */
static void move_chunk(subx_exch ex, int side, int stream, const sx_chunk *chunk, char *buf, char *packed,
                       ptrdiff_t first, ptrdiff_t bytes)
{
    sx_on_device *s = ex->state;
    const int converts = side == SX_FROM ? SX_DEVICE_NARROW : SX_DEVICE_WIDEN;
    const ptrdiff_t skip = sx_exch_device_get_packed(ex, first - chunk->first);
    char *const at = buf + chunk->offset, *const whole = packed - skip;
    const void *from = side == SX_FROM ? at : packed;
    void *to = side == SX_FROM ? packed : at;
    sx_device_nest nest = sx_copy_get_nest(&chunk->layout, ex->hints.is_narrow ? converts : SX_DEVICE_SAME,
                                           side == SX_FROM ? at : whole, side == SX_FROM ? whole : at);
    sx_device_nest_reduce(&nest, first - chunk->first, bytes);
    nest.skip[!side] = skip;
    keep_kind(s, ex->device->permute(s->stream[stream], &nest, from, to));
}

/* Pack or unpack a slice of a block: the bytes first .. first + bytes - 1 of its packed form, at `packed`. */
static void move_block(subx_exch ex, int side, int stream, int q, const char *packed, ptrdiff_t first,
                       ptrdiff_t bytes)
{
    const sx_on_device *s = ex->state;
    sx_chunk room;
    const sx_chunk *chunk;
    const int n = get_chunks(&ex->side[side], q, &room, &chunk);
    char *const buf = side == SX_FROM ? (char *)ex->sendbuf : ex->recvbuf;
    for (int i = 0; i < n && !s->error; i++, chunk++) {
        const ptrdiff_t end =
            chunk->first + chunk->bytes < first + bytes ? chunk->first + chunk->bytes : first + bytes;
        const ptrdiff_t begin = chunk->first > first ? chunk->first : first;
        if (begin < end)
            move_chunk(ex, side, stream, chunk, buf,
                       (char *)packed + sx_exch_device_get_packed(ex, begin - first), begin, end - begin);
    }
}

/* Pack a part of a block into the buffer `packed`. A visible partner reads it there, or in the send buffer;
 * for other partners, copy it to its place in the send area, or pack it there if the area is on the
 * device. */
static void pack_block(subx_exch ex, int slice, int q, ptrdiff_t first, ptrdiff_t bytes, char *packed)
{
    sx_on_device *s = ex->state;
    if (s->reads_mine[q] && s->send.key)
        return;
    char *const area = s->is_visible[q] ? NULL : sx_pipe_get_address(s->pipe, SX_FROM, slice, q);
    move_block(ex, SX_FROM, SX_FROM, q, area && s->is_on_device ? area : packed, first, bytes);
    if (!s->error && area && !s->is_on_device)
        keep_kind(s,
                  ex->device->copy(s->stream[SX_FROM], area, packed, sx_exch_device_get_packed(ex, bytes)));
}

/* Read a part of the block of a visible partner. A block that is read in the partner's send buffer is read
 * with the first slice, as a whole. */
static void read_visible(subx_exch ex, int slice, int q, ptrdiff_t first, ptrdiff_t bytes)
{
    sx_on_device *s = ex->state;
    int rc = MPI_SUCCESS;
    const char *send = sx_exch_device_get_visible(ex, q, &rc);
    keep(s, rc);
    if (s->error || (send && slice > 0))
        return;
    if (send) {
        read_block(ex, &s->direct[q].layout, send, ex->recvbuf + ex->side[SX_TO].block[q].offset);
        return;
    }
    const sx_visible_block *shown = &s->visible[q];
    const char *packed = s->visible_work[q] + slice % SX_ON_DEVICE_DEPTH * shown->distance + shown->place;
    move_block(ex, SX_TO, SX_TO, q, packed, first, bytes);
}

/* Unpack a part of a block that the pipe has brought. */
static void unpack_block(subx_exch ex, int q, ptrdiff_t first, ptrdiff_t bytes, char *packed)
{
    sx_on_device *s = ex->state;
    if (!s->is_on_device)
        keep_kind(
            s, ex->device->copy(s->stream[SX_TO], packed, s->block[q], sx_exch_device_get_packed(ex, bytes)));
    if (!s->error)
        move_block(ex, SX_TO, SX_TO, q, s->is_on_device ? s->block[q] : packed, first, bytes);
}

/* Pack or unpack the blocks of a slice. */
static void handle_blocks(subx_exch ex, int side, int slice)
{
    sx_on_device *s = ex->state;
    const int k = slice % SX_ON_DEVICE_DEPTH;
    for (int q = 0; q < ex->p && !s->error; q++) {
        ptrdiff_t first, bytes = sx_exch_device_get_slice(ex, side, slice, q, &first);
        char *packed = s->packed[side][k] + s->place[side][q];
        if (q == ex->r || bytes == 0)
            continue;
        if (side == SX_FROM)
            pack_block(ex, slice, q, first, bytes, packed);
        else if (s->is_visible[q])
            read_visible(ex, slice, q, first, bytes);
        else
            unpack_block(ex, q, first, bytes, packed);
    }
    if (!s->error)
        keep_kind(s, ex->device->record(s->stream[side], s->event[side][k]));
}

/* Wait until the device has packed this slice, or has unpacked it. After an error, wait for all work once:
 * partners may free the memory that it reads. */
static void wait_work(subx_exch ex, int side, int slice)
{
    sx_on_device *s = ex->state;
    if (!s->error)
        keep_kind(s, ex->device->wait(s->event[side][slice % SX_ON_DEVICE_DEPTH]));
    if (s->error && !s->is_quiet)
        keep_kind(s, sx_exch_device_wait(ex));
    s->is_quiet = s->error != MPI_SUCCESS;
}

/* Copy this rank's block for itself; if its layouts do not nest, pack and unpack it. */
static void copy_own(subx_exch ex)
{
    sx_on_device *s = ex->state;
    const sx_block *out = &ex->side[SX_FROM].block[ex->r], *in = &ex->side[SX_TO].block[ex->r];
    if (s->error || out->bytes == 0)
        return;
    if (s->self.kern) {
        permute(ex, &s->self.layout, ex->sendbuf + out->offset, ex->recvbuf + in->offset);
        return;
    }
    move_block(ex, SX_FROM, SX_TO, ex->r, s->own, 0, out->bytes);
    move_block(ex, SX_TO, SX_TO, ex->r, s->own, 0, out->bytes);
}

/* ---- slices */

/* Pack a slice. Slice `slice` - DEPTH has the same place in the send area. So first wait until local partners
 * have read that earlier slice, and until its messages are sent. */
static void pack(subx_exch ex, int slice)
{
    sx_on_device *s = ex->state;
    keep(s, subx_pipe_wait_room(s->pipe, slice));
    handle_blocks(ex, SX_FROM, slice);
}

static void post(subx_exch ex, int slice)
{
    sx_on_device *s = ex->state;
    wait_work(ex, SX_FROM, slice);
    if (s->error)
        (void)subx_pipe_set_failed(s->pipe);
    keep(s, subx_pipe_post(s->pipe, slice));
}

static void unpack(subx_exch ex, int slice)
{
    sx_on_device *s = ex->state;
    keep(s, subx_pipe_start(s->pipe, slice, s->block));
    handle_blocks(ex, SX_TO, slice);
}

static void complete(subx_exch ex, int slice)
{
    sx_on_device *s = ex->state;
    wait_work(ex, SX_TO, slice);
    keep(s, subx_pipe_complete_slice(s->pipe, slice));
}

static void execute_slices(subx_exch ex)
{
    sx_on_device *s = ex->state;
    pack(ex, 0);
    copy_own(ex);
    for (int slice = 0; slice < s->nslices; slice++) {
        if (slice > 0)
            complete(ex, slice - 1);
        if (slice + 1 < s->nslices)
            pack(ex, slice + 1);
        post(ex, slice);
        unpack(ex, slice);
    }
    complete(ex, s->nslices - 1);
    keep(s, subx_pipe_wait(s->pipe));
}

/* ---- the whole execution */

/* Check that both buffers are in the device's memory, and aligned as doubles if their doubles travel as
 * floats, before any work on them is added to a stream. */
static int check_memory(const subx_exch ex)
{
    const char *const buffer[2] = {ex->sendbuf, ex->recvbuf};
    for (int i = 0; i < 2; i++) {
        const sx_side *side = &ex->side[i];
        const int is_aligned = !ex->hints.is_narrow || (uintptr_t)buffer[i] % sizeof(double) == 0;
        if (side->bytes > 0 && (!is_aligned || !ex->device->has(ex->handle, buffer[i] + side->low,
                                                                (ptrdiff_t)(side->high - side->low))))
            return subx_error_get_code(SUBX_ERR_ARG);
    }
    return MPI_SUCCESS;
}

/* The work of the exchange begins after the work that is in the caller's stream now. */
static void start_in_stream(subx_exch ex)
{
    sx_on_device *s = ex->state;
    if (!ex->stream || s->error)
        return;
    keep_kind(s, ex->device->record(ex->stream, s->begun));
    for (int side = 0; side < 2 && !s->error; side++)
        keep_kind(s, ex->device->await(s->stream[side], s->begun));
}

/* If this rank's data is wrong (subx_exch_set_failed), it moves no data at all. */
int sx_exch_device_start(subx_exch ex)
{
    sx_on_device *s = ex->state;
    s->error = ex->gives_wrong ? subx_error_get_code(SUBX_ERR_PEER) : check_memory(ex);
    s->is_quiet = 0;
    s->send = s->error ? (sx_place){0, 0, 0} : sx_exch_device_find_send(ex);
    if (s->pipe->npartners > 0)
        sx_comm_get_counters(ex->comm, ex->r, s->pipe->slot)->data = s->send;
    start_in_stream(ex);
    sx_exch_device_open_areas(ex, 1);
    execute_slices(ex);
    /* After errors of MPI, messages that were given up may still be under way. */
    sx_exch_device_open_areas(ex, s->pipe->is_broken);
    return s->error;
}
