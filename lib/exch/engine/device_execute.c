/* device_execute.c - execute an exchange between arrays of devices. The steps of a rank, by slice:
 *
 *     pack 0  |  pack 1  post 0  start 0  unpack 0  |  pack 2  post 1  start 1  unpack 1  |  ..
 *
 * The functions `pack` and `unpack` only add work to a stream. So while a rank waits for a slice of its partners, its device
 * packs the next slice and unpacks the previous one. After an error the device gets no more work, but every slice is posted,
 * started and completed, because partners wait for it. */
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

int sx_exch_device_wait(const subx_exch ex)
{
    const sx_on_device *s = ex->state;
    int first = SUBX_ERR_NONE;
    for (int side = 0; side < 2; side++) {
        const int kind = ex->device->finish(s->stream[side]);
        first = first ? first : kind;
        if (kind)
            (void)ex->device->finish(s->stream[side]);
    }
    return first;
}

/* ---- work on the device */

/* Add the copy of the bytes first .. first + bytes - 1 of a layout to a stream. The addresses are those of the whole copy, but
 * on side `packed` the address is that of the first byte that is copied; `packed` is -1 if there is no such side. */
static void permute(subx_exch ex, int stream, const sx_layout *l, const void *from, void *to, int packed,
                    ptrdiff_t first, ptrdiff_t bytes)
{
    sx_on_device *s = ex->state;
    sx_device_nest nest = sx_copy_get_nest(l, from, to);
    sx_device_nest_reduce(&nest, first, bytes);
    if (packed >= 0)
        nest.skip[packed] = first;
    keep_kind(s, ex->device->permute(s->stream[stream], &nest, from, to));
}

static const sx_layout *get_layout(const sx_side *side, int q)
{
    return &side->shape[side->block[q].shape].layout;
}

/* Pack a part of a block into the buffer `packed`, and copy it to its place in the send area. */
static void pack_block(subx_exch ex, int slice, int q, ptrdiff_t first, ptrdiff_t bytes, char *packed)
{
    sx_on_device *s = ex->state;
    const sx_side *send = &ex->side[SX_FROM];
    permute(ex, SX_FROM, get_layout(send, q), ex->sendbuf + send->block[q].offset, packed, SX_TO, first,
            bytes);
    if (!s->error)
        keep_kind(s, ex->device->copy(s->stream[SX_FROM], sx_pipe_get_address(s->pipe, SX_FROM, slice, q),
                                      packed, bytes));
}

static void unpack_block(subx_exch ex, int q, ptrdiff_t first, ptrdiff_t bytes, char *packed)
{
    sx_on_device *s = ex->state;
    const sx_side *recv = &ex->side[SX_TO];
    keep_kind(s, ex->device->copy(s->stream[SX_TO], packed, s->block[q], bytes));
    if (!s->error)
        permute(ex, SX_TO, get_layout(recv, q), packed, ex->recvbuf + recv->block[q].offset, SX_FROM, first,
                bytes);
}

/* Pack or unpack the blocks of a slice, one after the other in the slice's buffer. */
static void handle_blocks(subx_exch ex, int side, int slice)
{
    sx_on_device *s = ex->state;
    const int k = slice % SX_ON_DEVICE_DEPTH;
    char *packed = s->packed[side][k];
    for (int q = 0; q < ex->p && !s->error; q++) {
        ptrdiff_t first, bytes = sx_exch_device_get_slice(ex, side, slice, q, &first);
        if (q == ex->r || bytes == 0)
            continue;
        if (side == SX_FROM)
            pack_block(ex, slice, q, first, bytes, packed);
        else
            unpack_block(ex, q, first, bytes, packed);
        packed += sx_base_round_up(bytes);
    }
    if (!s->error)
        keep_kind(s, ex->device->record(s->stream[side], s->event[side][k]));
}

/* Wait until the device has written this slice into the send area, or has unpacked it. */
static void wait_work(subx_exch ex, int side, int slice)
{
    sx_on_device *s = ex->state;
    if (!s->error)
        keep_kind(s, ex->device->wait(s->event[side][slice % SX_ON_DEVICE_DEPTH]));
}

/* Copy this rank's block for itself; if its layouts do not nest, pack and unpack it. */
static void copy_own(subx_exch ex)
{
    sx_on_device *s = ex->state;
    const sx_block *out = &ex->side[SX_FROM].block[ex->r], *in = &ex->side[SX_TO].block[ex->r];
    const char *from = ex->sendbuf + out->offset;
    char *to = ex->recvbuf + in->offset;
    if (s->error || out->bytes == 0)
        return;
    if (s->self.kern) {
        permute(ex, SX_TO, &s->self.layout, from, to, -1, 0, out->bytes);
        return;
    }
    permute(ex, SX_TO, get_layout(&ex->side[SX_FROM], ex->r), from, s->own, -1, 0, out->bytes);
    if (!s->error)
        permute(ex, SX_TO, get_layout(&ex->side[SX_TO], ex->r), s->own, to, -1, 0, out->bytes);
}

/* ---- slices */

/* Pack a slice. Slice `slice` - DEPTH has the same place in the send area. So first wait until local partners have read that
 * earlier slice, and until its messages are sent. */
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

int sx_exch_device_copy(const subx_exch ex, void *to, const void *from, ptrdiff_t bytes)
{
    const sx_on_device *s = ex->state;
    int kind = bytes > 0 ? ex->device->copy(s->stream[SX_TO], to, from, bytes) : SUBX_ERR_NONE;
    const int failed = sx_exch_device_wait(ex);
    return subx_error_get_code(kind ? kind : failed);
}

/* Check that both buffers are in the device's memory, before any work on them is added to a stream. */
static int check_memory(const subx_exch ex)
{
    const char *const buffer[2] = {ex->sendbuf, ex->recvbuf};
    for (int i = 0; i < 2; i++) {
        const sx_side *side = &ex->side[i];
        if (side->bytes > 0 &&
            !ex->device->has(ex->handle, buffer[i] + side->low, (ptrdiff_t)(side->high - side->low)))
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
    start_in_stream(ex);
    execute_slices(ex);
    if (s->error)
        keep_kind(s, sx_exch_device_wait(ex));
    return s->error;
}
