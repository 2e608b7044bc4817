/* pipeline.c - the engine that cuts packed parts into tiles and keeps a window of these in flight, so that
 * packing, sending and unpacking overlap in bounded work space (after Song & Hollingsworth 2014). */
#include "exch/tile.h"
#include <stdint.h>

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

/* What the two ends of a part tell each other: bytes of the least tile, and of the least good one. */
typedef struct cut {
    int64_t least, good;
} cut;

static ptrdiff_t get_larger(ptrdiff_t a, ptrdiff_t b)
{
    return a > b ? a : b;
}

/* Both cut it alike: at steps of the end whose steps are longer, if these are whole steps of the other's, and
 * not at all if they are not. */
static ptrdiff_t get_tile_bytes(ptrdiff_t all, cut mine, cut theirs, ptrdiff_t wanted)
{
    ptrdiff_t least = get_larger(mine.least, theirs.least);
    if (least % mine.least != 0 || least % theirs.least != 0 || least >= all)
        return all;
    wanted = get_larger(wanted, get_larger(mine.good, theirs.good));
    ptrdiff_t bytes = wanted > least ? wanted / least * least : least;
    return bytes < all ? bytes : all;
}

static cut get_cut(const sx_side *side, int q, int way)
{
    return (cut){sx_exch_tile_get_least(side, q), sx_exch_tile_get_good(side, q, way)};
}

/* `heard` has of each peer the cuts of what it sends here and of what it receives from here. */
static void set_tiles(subx_exch ex, int way, const cut *heard)
{
    sx_lane *a = &((sx_flow *)ex->state)->lane[way];
    for (int q = 0; q < ex->p; q++) {
        ptrdiff_t all = a->bytes[q];
        if (all == 0)
            continue;
        a->bytes[q] = get_tile_bytes(all, get_cut(&ex->side[way], q, way), heard[2 * q + 1 - way],
                                     ex->choices.tile_bytes);
        a->tiles[q] = all / a->bytes[q] + (all % a->bytes[q] > 0);
    }
}

/* Two cuts a peer that are sent, and two that are received. */
static int create(subx_exch ex)
{
    int rc = sx_exch_tiles_create(ex);
    if (rc)
        return rc;
    sx_flow *f = ex->state;
    cut *told = f->own = sx_base_alloc(4 * (ptrdiff_t)ex->p, sizeof *told);
    for (int i = 0; told && i < 2; i++)
        for (int q = 0; q < ex->p; q++)
            told[2 * q + i] = get_cut(&ex->side[i], q, i);
    return told ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int complete(subx_exch ex)
{
    const sx_flow *f = ex->state;
    cut *told = f->own, *heard = told + 2 * (ptrdiff_t)ex->p;
    int rc = MPI_Alltoall(told, 4, MPI_INT64_T, heard, 4, MPI_INT64_T, ex->comm);
    if (rc)
        return rc;
    set_tiles(ex, SX_FROM, heard);
    set_tiles(ex, SX_TO, heard);
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
