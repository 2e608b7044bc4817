/* exchange.c - an exchange between arrays of devices, through the memory of the hosts. The steps of a rank, by slice:
 *
 *     pack 0  |  pack 1  post 0  start 0  unpack 0  |  pack 2  post 1  start 1  unpack 1  |  ..
 *
 * The functions `pack` and `unpack` only add work to a stream. So while a rank waits for a slice of its partners, its device
 * packs the next slice and unpacks the previous one. */
#include "offload/offload.h"
#include <string.h>

typedef struct exchange {
    subx_fft_plan plan;
    sx_offload *a;
    const sx_device *device;
    int i, d, nslices, nranks, rank;
    subx_pipe pipe;
    const char *from;
    char *to;
    int *error;
} exchange;

/* Set the error of the exchange, unless it has an error already. */
static void keep(exchange *x, int rc)
{
    *x->error = *x->error ? *x->error : rc;
}

/* Call keep with the code of a kind of error: the device's functions return kinds. */
static void keep_kind(exchange *x, int kind)
{
    keep(x, subx_error_get_code(kind));
}

/* Pack a block into the buffer `packed` on the device, and copy it to its place in the send area. */
static void pack_block(exchange *x, int slice, int q, char *packed)
{
    const sx_offload_part part = sx_offload_get_part(x->plan, x->i, x->d, SX_FROM, slice, q);
    ptrdiff_t place = 0;
    if (part.bytes == 0)
        return;
    keep(x, subx_pipe_get_place(x->pipe, slice, q, &place));
    if (!*x->error)
        keep_kind(
            x, x->device->permute(x->a->stream[SX_FROM], &part.nest, x->from + part.offset[SX_FROM], packed));
    if (!*x->error)
        keep_kind(x, x->device->copy(x->a->stream[SX_FROM], (char *)x->a->area[SX_FROM] + place, packed,
                                     part.bytes));
}

static void unpack_block(exchange *x, int slice, int q, char *packed)
{
    const sx_offload_part part = sx_offload_get_part(x->plan, x->i, x->d, SX_TO, slice, q);
    void *const stream = x->a->stream[SX_TO];
    if (!*x->error && part.bytes > 0)
        keep_kind(x, x->device->copy(stream, packed, x->a->block[q], part.bytes));
    if (!*x->error && part.bytes > 0)
        keep_kind(x, x->device->permute(stream, &part.nest, packed, x->to + part.offset[SX_TO]));
}

/* Pack or unpack the blocks of a slice, one after the other in the slice's buffer. */
static void handle_blocks(exchange *x, int side, int slice)
{
    const int k = slice % SX_OFFLOAD_DEPTH;
    char *packed = x->a->packed[side][k];
    for (int q = 0; q < x->nranks && !*x->error; q++) {
        if (q == x->rank)
            continue;
        if (side == SX_FROM)
            pack_block(x, slice, q, packed);
        else
            unpack_block(x, slice, q, packed);
        packed += sx_base_round_up(sx_offload_get_part(x->plan, x->i, x->d, side, slice, q).bytes);
    }
    if (!*x->error)
        keep_kind(x, x->device->record(x->a->stream[side], x->a->event[side][k]));
}

/* Wait until the device has written this slice into the send area, or has read it from the receive area. */
static void wait_copies(exchange *x, int side, int slice)
{
    if (!*x->error)
        keep_kind(x, x->device->wait(x->a->event[side][slice % SX_OFFLOAD_DEPTH]));
}

/* Pack a slice. Slice `slice` - SX_OFFLOAD_DEPTH has the same place in the send area. So first wait until local
 * partners have read that earlier slice, and until its messages are sent. */
static void pack(exchange *x, int slice)
{
    keep(x, subx_pipe_wait_room(x->pipe, slice));
    handle_blocks(x, SX_FROM, slice);
}

static void post(exchange *x, int slice)
{
    wait_copies(x, SX_FROM, slice);
    if (*x->error)
        (void)subx_pipe_set_failed(x->pipe);
    keep(x, subx_pipe_post(x->pipe, slice));
}

static void unpack(exchange *x, int slice)
{
    keep(x, subx_pipe_start(x->pipe, slice, x->a->block));
    handle_blocks(x, SX_TO, slice);
}

static void complete(exchange *x, int slice)
{
    wait_copies(x, SX_TO, slice);
    keep(x, subx_pipe_complete_slice(x->pipe, slice));
}

/* Copy the block that this rank keeps. */
static void copy_own(exchange *x)
{
    const sx_offload_part own = sx_offload_get_own(x->plan, x->i, x->d);
    if (!*x->error && own.bytes > 0)
        keep_kind(x, x->device->permute(x->a->stream[SX_TO], &own.nest, x->from + own.offset[SX_FROM],
                                        x->to + own.offset[SX_TO]));
}

void sx_offload_execute_exchange(subx_fft_plan plan, int i, int d, const char *from, char *to, int *error)
{
    sx_offload *a = plan->state;
    exchange x = {.plan = plan,
                  .a = a,
                  .device = a->device,
                  .i = i,
                  .d = d,
                  .nslices = a->stage[i].nslices,
                  .nranks = sx_plan_get_ranks(plan, &plan->stage[i]),
                  .rank = sx_offload_get_rank(plan, i),
                  .pipe = a->stage[i].pipe[d],
                  .from = from,
                  .to = to,
                  .error = error};
    pack(&x, 0);
    copy_own(&x);
    for (int s = 0; s < x.nslices; s++) {
        if (s > 0)
            complete(&x, s - 1);
        if (s + 1 < x.nslices)
            pack(&x, s + 1);
        post(&x, s);
        unpack(&x, s);
    }
    complete(&x, x.nslices - 1);
    keep(&x, subx_pipe_wait(x.pipe));
}
