/* pipeline.c - the engine that cuts packed parts into tiles and keeps a window of these in flight, so that
 * packing, sending and unpacking overlap in bounded work space (after Song & Hollingsworth 2014). */
#include "exch/tile.h"
#include <stdint.h>

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

/* The two ends of a part cut it alike: at steps of the end whose steps are longer, if these are whole
 * steps of the other's, and not at all if they are not. */
static ptrdiff_t get_tile_bytes(ptrdiff_t all, ptrdiff_t mine, ptrdiff_t theirs, ptrdiff_t wanted)
{
    ptrdiff_t least = mine > theirs ? mine : theirs;
    if (least % mine != 0 || least % theirs != 0 || least >= all)
        return all;
    ptrdiff_t bytes = wanted > least ? wanted / least * least : least;
    return bytes < all ? bytes : all;
}

/* `heard` has of each peer the least tiles of what it sends here and of what it receives from here. */
static void set_tiles(subx_exch ex, int way, const int64_t *heard)
{
    sx_lane *a = &((sx_flow *)ex->state)->lane[way];
    for (int q = 0; q < ex->p; q++) {
        ptrdiff_t all = a->bytes[q];
        if (all == 0)
            continue;
        a->bytes[q] = get_tile_bytes(all, sx_exch_tile_get_least(&ex->side[way], q), heard[2 * q + 1 - way],
                                     ex->choices.tile_bytes);
        a->tiles[q] = all / a->bytes[q] + (all % a->bytes[q] > 0);
    }
}

/* What ranks tell each other of their least tiles: two numbers a peer that are sent, and two that are
 * received. */
static int create(subx_exch ex)
{
    int rc = sx_exch_tiles_create(ex);
    if (rc)
        return rc;
    sx_flow *f = ex->state;
    int64_t *told = f->own = sx_base_alloc(4 * (ptrdiff_t)ex->p, sizeof *told);
    for (int i = 0; told && i < 2; i++)
        for (int q = 0; q < ex->p; q++)
            told[2 * q + i] = sx_exch_tile_get_least(&ex->side[i], q);
    return told ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int complete(subx_exch ex)
{
    const sx_flow *f = ex->state;
    int64_t *told = f->own, *heard = told + 2 * (ptrdiff_t)ex->p;
    int rc = MPI_Alltoall(told, 2, MPI_INT64_T, heard, 2, MPI_INT64_T, ex->comm);
    if (rc)
        return rc;
    set_tiles(ex, SX_SEND, heard);
    set_tiles(ex, SX_RECV, heard);
    return sx_exch_tiles_complete(ex, ex->choices.window);
}

const sx_engine sx_exch_pipeline = {
    .name = "pipeline",
    .avoids = avoids,
    .create = create,
    .complete = complete,
    .start = sx_exch_flow_start,
    .test = sx_exch_flow_test,
    .wait = sx_exch_flow_wait,
    .free = sx_exch_flow_free,
};
