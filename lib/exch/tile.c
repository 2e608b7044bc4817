/* tile.c - pack tiles into the buffers of their slots, and unpack them from there. */
#include "exch/tile.h"
#include "exch/packed.h"

static const sx_shape *get_shape(const sx_side *side, int q)
{
    return &side->shape[side->part[q].shape];
}

/* What lies in one piece travels from where it is to where it belongs. */
static int is_contiguous(const sx_side *side, int q)
{
    const sx_shape *shape = get_shape(side, q);
    return shape->strided && shape->layout.nd == 0;
}

ptrdiff_t sx_exch_tile_get_least(const sx_side *side, int q)
{
    const sx_part *part = &side->part[q];
    if (part->shape < 0)
        return 0;
    const sx_shape *shape = get_shape(side, q);
    return shape->strided ? part->bytes / sx_layout_get_steps(&shape->layout) : part->bytes;
}

/* A few lines of each row are copied at near the speed of whole rows. */
enum { RUN_BYTES = 256 };

/* The side that is in memory is read by a sender and written by a receiver. */
ptrdiff_t sx_exch_tile_get_good(const sx_side *side, int q, int way)
{
    ptrdiff_t least = sx_exch_tile_get_least(side, q);
    if (least == 0 || is_contiguous(side, q) || !get_shape(side, q)->strided)
        return least;
    const sx_layout *l = &get_shape(side, q)->layout;
    const sx_dim *d = &l->dim[l->nd - 1];
    ptrdiff_t step = way == SX_FROM ? d->is : d->os;
    step = step < 0 ? -step : step;
    return step > 0 && step < RUN_BYTES ? least * ((RUN_BYTES + step - 1) / step) : least;
}

/* ---- execution */

static char *get_buffer(subx_exch ex, const sx_transfer *t)
{
    const sx_lane *lane = ((const sx_flow *)ex->state)->lane;
    ptrdiff_t before = t->way == SX_FROM ? 0 : lane[SX_FROM].window * lane[SX_FROM].room;
    return ex->work + before + t->slot * lane[t->way].room;
}

/* Where in the packed part a tile begins, and how long it is. */
static void get_extent(subx_exch ex, const sx_transfer *t, ptrdiff_t *first, ptrdiff_t *bytes)
{
    const sx_lane *a = &((const sx_flow *)ex->state)->lane[t->way];
    ptrdiff_t all = ex->side[t->way].part[t->peer].bytes;
    *first = t->tile * a->bytes[t->peer];
    *bytes = all - *first < a->bytes[t->peer] ? all - *first : a->bytes[t->peer];
}

/* Slices look at the outermost level of a type, which is so at the sender's and at the receiver's. */
static void get_slice(const sx_side *side, int q, ptrdiff_t first, ptrdiff_t bytes, sx_layout *slice,
                      ptrdiff_t *is, ptrdiff_t *os)
{
    ptrdiff_t least = sx_exch_tile_get_least(side, q);
    sx_layout_slice(&get_shape(side, q)->layout, first / least, bytes / least, slice, is, os);
}

static int pack(subx_exch ex, int q, ptrdiff_t first, ptrdiff_t bytes, char *packed)
{
    const sx_side *side = &ex->side[SX_FROM];
    sx_layout slice;
    ptrdiff_t is, os;
    if (bytes == side->part[q].bytes)
        return sx_exch_part_pack(side, q, ex->sendbuf, packed);
    get_slice(side, q, first, bytes, &slice, &is, &os);
    slice.whole_bytes = 0; /* it is sent at once, from the caches */
    sx_kern_copy(sx_kern_get(&slice), &slice, ex->sendbuf + side->part[q].offset + is, packed,
                 ex->choices.threads);
    return MPI_SUCCESS;
}

static int unpack(subx_exch ex, int q, ptrdiff_t first, ptrdiff_t bytes, const char *packed)
{
    const sx_side *side = &ex->side[SX_TO];
    sx_layout slice;
    ptrdiff_t is, os;
    if (bytes == side->part[q].bytes)
        return sx_exch_part_unpack(side, q, packed, ex->recvbuf);
    get_slice(side, q, first, bytes, &slice, &is, &os);
    sx_kern_copy(sx_kern_get(&slice), &slice, packed, ex->recvbuf + side->part[q].offset + os,
                 ex->choices.threads);
    return MPI_SUCCESS;
}

static int load(subx_exch ex, const sx_transfer *t, sx_message *m)
{
    const sx_side *side = &ex->side[t->way];
    ptrdiff_t first, there = side->part[t->peer].offset;
    int contiguous = is_contiguous(side, t->peer);
    get_extent(ex, t, &first, &m->n);
    m->type = MPI_BYTE;
    if (t->way == SX_TO) {
        m->to = contiguous ? ex->recvbuf + there + first : get_buffer(ex, t);
        return MPI_SUCCESS;
    }
    m->from = contiguous ? ex->sendbuf + there + first : get_buffer(ex, t);
    return contiguous ? MPI_SUCCESS : pack(ex, t->peer, first, m->n, get_buffer(ex, t));
}

static int unload(subx_exch ex, const sx_transfer *t)
{
    ptrdiff_t first, bytes;
    if (is_contiguous(&ex->side[SX_TO], t->peer))
        return MPI_SUCCESS;
    get_extent(ex, t, &first, &bytes);
    return unpack(ex, t->peer, first, bytes, get_buffer(ex, t));
}

/* ---- creation */

int sx_exch_tiles_create(subx_exch ex)
{
    static const sx_cargo packed_tiles = {load, unload};
    for (int i = 0; i < 2; i++)
        if (!sx_exch_side_can_pack(&ex->side[i], ex->p))
            return subx_error_get(SUBX_ERR_TOO_LARGE);
    return sx_exch_flow_create(ex, &packed_tiles);
}

/* Room for the largest tile that is packed. */
static void set_room(subx_exch ex, int way)
{
    sx_lane *a = &((sx_flow *)ex->state)->lane[way];
    a->room = 0;
    for (int q = 0; q < ex->p; q++)
        if (a->tiles[q] > 0 && !is_contiguous(&ex->side[way], q) && a->bytes[q] > a->room)
            a->room = a->bytes[q];
    a->room = sx_exch_round_up(a->room);
}

int sx_exch_tiles_complete(subx_exch ex, int window)
{
    const sx_lane *lane = ((const sx_flow *)ex->state)->lane;
    ptrdiff_t bytes[2];
    int rc = sx_exch_flow_complete(ex, window);
    for (int i = 0; i < 2 && !rc; i++) {
        set_room(ex, i);
        rc = sx_base_mul(lane[i].window, lane[i].room, &bytes[i]);
    }
    return rc ? rc : sx_base_add(bytes[SX_FROM], bytes[SX_TO], &ex->work_bytes);
}
