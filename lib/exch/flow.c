/* flow.c - keep a window of transfers in flight in each direction. */
#include "exch/flow.h"

/* ---- creation */

static int alloc_lane(subx_exch ex, int way)
{
    sx_lane *a = &((sx_flow *)ex->state)->lane[way];
    a->tiles = sx_base_alloc(ex->p, sizeof *a->tiles);
    a->bytes = sx_base_alloc(ex->p, sizeof *a->bytes);
    if (!a->tiles || !a->bytes)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int q = 0; q < ex->p; q++) {
        a->bytes[q] = q == ex->r ? 0 : ex->side[way].part[q].bytes;
        a->tiles[q] = a->bytes[q] > 0;
    }
    return MPI_SUCCESS;
}

int sx_exch_flow_create(subx_exch ex, const sx_cargo *cargo)
{
    sx_flow *f = ex->state = sx_base_alloc(1, sizeof *f);
    if (!f)
        return subx_error_get(SUBX_ERR_NO_MEM);
    f->cargo = cargo;
    sx_exch_self_set(ex, &f->self);
    int rc = alloc_lane(ex, SX_FROM);
    return rc ? rc : alloc_lane(ex, SX_TO);
}

/* No more slots than there are tiles. */
static int open_lane(sx_lane *a, int p, int window)
{
    int rc = MPI_SUCCESS;
    a->all = 0;
    for (int q = 0; q < p && !rc; q++)
        rc = sx_base_add(a->all, a->tiles[q], &a->all);
    a->window = a->all < window ? (int)a->all : window;
    return rc;
}

int sx_exch_flow_complete(subx_exch ex, int window)
{
    sx_flow *f = ex->state;
    int slots = 0;
    int rc = open_lane(&f->lane[SX_FROM], ex->p, window);
    if (!rc)
        rc = open_lane(&f->lane[SX_TO], ex->p, window);
    if (!rc)
        rc = sx_base_int((ptrdiff_t)f->lane[SX_FROM].window + f->lane[SX_TO].window, &slots);
    if (!rc)
        rc = sx_message_create(&f->messages, ex->comm, slots);
    if (rc)
        return rc;
    f->transfer = sx_base_alloc(slots, sizeof *f->transfer);
    return f->transfer ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

void sx_exch_flow_free(subx_exch ex)
{
    sx_flow *f = ex->state;
    if (!f)
        return;
    sx_base_free(f->own);
    sx_base_free(f->transfer);
    sx_message_free(&f->messages);
    for (int i = 0; i < 2; i++) {
        sx_base_free(f->lane[i].bytes);
        sx_base_free(f->lane[i].tiles);
    }
    sx_base_free(f);
    ex->state = NULL;
}

/* ---- execution */

static int get_peer(subx_exch ex, const sx_flow *f, int way)
{
    int step = f->lane[way].step;
    if (f->in_pairs)
        return ex->r ^ step;
    return (ex->r + (way == SX_FROM ? step : ex->p - step)) % ex->p;
}

/* The next peer that has as many tiles. There is one as long as some are left. */
static int advance(subx_exch ex, sx_flow *f, int way)
{
    sx_lane *a = &f->lane[way];
    int q;
    do {
        if (++a->step >= ex->p) {
            a->step = 1;
            a->tile++;
        }
        q = get_peer(ex, f, way);
    } while (a->tile >= a->tiles[q]);
    a->left--;
    return q;
}

/* More tiles of one pair than tags would have to be in flight before two were taken for each other. */
enum { TAGS = 1 << 15 };

/* Begin the next transfer of a direction in a slot, if there is one. */
static int begin(subx_exch ex, int way, int slot)
{
    sx_flow *f = ex->state;
    sx_lane *a = &f->lane[way];
    int index = way == SX_FROM ? slot : f->lane[SX_FROM].window + slot;
    if (a->left == 0)
        return MPI_SUCCESS;
    sx_transfer *t = &f->transfer[index];
    *t = (sx_transfer){.way = way, .peer = advance(ex, f, way), .slot = slot, .tile = a->tile};
    sx_message m = {.way = way, .peer = t->peer, .tag = (int)(t->tile % TAGS)};
    int rc = f->cargo->load(ex, t, &m);
    return rc ? rc : sx_message_start(&f->messages, index, &m);
}

static int open_window(subx_exch ex, int way)
{
    sx_lane *a = &((sx_flow *)ex->state)->lane[way];
    int rc = MPI_SUCCESS;
    a->left = a->all;
    a->tile = a->step = 0;
    for (int slot = 0; slot < a->window && !rc; slot++)
        rc = begin(ex, way, slot);
    return rc;
}

/* Go on as far as that needs no waiting, or to the end. */
static int progress(subx_exch ex, int waits, int *done)
{
    sx_flow *f = ex->state;
    int index = SX_IDLE;
    int rc = sx_message_get(&f->messages, waits, &index);
    while (!rc && index >= 0) {
        const sx_transfer *t = &f->transfer[index];
        if (t->way == SX_TO && f->cargo->unload)
            rc = f->cargo->unload(ex, t);
        if (!rc)
            rc = begin(ex, t->way, t->slot);
        if (!rc)
            rc = sx_message_get(&f->messages, waits, &index);
    }
    *done = index == SX_IDLE;
    return rc;
}

/* This rank's own block is copied while others travel. */
int sx_exch_flow_start(subx_exch ex)
{
    const sx_flow *f = ex->state;
    int rc = open_window(ex, SX_TO);
    if (!rc)
        rc = open_window(ex, SX_FROM);
    return rc ? rc : sx_exch_self_copy(ex, &f->self);
}

int sx_exch_flow_test(subx_exch ex, int *done)
{
    return progress(ex, 0, done);
}

int sx_exch_flow_wait(subx_exch ex)
{
    int done;
    return progress(ex, 1, &done);
}
