/* types.c - the engine that leaves packing to MPI: the types themselves, point to point. Rotated and
 * throttled, for MPI_Alltoallw may start with the same rank everywhere and has all messages in flight at
 * once (Open MPI). */
#include "exch/flow.h"

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

/* The type describes the block that starts at its shape's origin. */
static int load(subx_exch ex, const sx_transfer *t, sx_message *m)
{
    const sx_side *side = &ex->side[t->way];
    const sx_part *part = &side->part[t->peer];
    const sx_shape *shape = &side->shape[part->shape];
    MPI_Aint offset = part->offset - shape->origin;
    if (t->way == SX_FROM)
        m->from = ex->sendbuf + offset;
    else
        m->to = ex->recvbuf + offset;
    m->n = 1;
    m->type = shape->type;
    return MPI_SUCCESS;
}

static int create(subx_exch ex)
{
    static const sx_cargo as_types = {.load = load};
    int rc = sx_exch_flow_create(ex, &as_types);
    return rc ? rc : sx_exch_flow_complete(ex, ex->choices.window);
}

const sx_engine sx_exch_types = {
    .name = "types",
    .avoids = avoids,
    .create = create,
    .start = sx_exch_flow_start,
    .test = sx_exch_flow_test,
    .wait = sx_exch_flow_wait,
    .free = sx_exch_flow_free,
};
