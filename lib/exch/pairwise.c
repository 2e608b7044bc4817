/* pairwise.c - the engine that exchanges with one rank after the other: of p ranks, p being a power of
 * two, with that of number r^i in step i, else it sends to r+i and receives from r-i (Thakur, Rabenseifner
 * & Gropp 2005, section 4.2). A block is packed while the one before it travels, and work space is for two
 * blocks in each direction. */
#include "exch/tile.h"

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

static int create(subx_exch ex)
{
    int rc = sx_exch_tiles_create(ex);
    if (rc)
        return rc;
    sx_flow *f = ex->state;
    f->in_pairs = (ex->p & (ex->p - 1)) == 0;
    return sx_exch_tiles_complete(ex, 2);
}

const sx_engine sx_exch_pairwise = {
    .name = "pairwise",
    .avoids = avoids,
    .create = create,
    .start = sx_exch_flow_start,
    .test = sx_exch_flow_test,
    .wait = sx_exch_flow_wait,
    .free = sx_exch_flow_free,
};
