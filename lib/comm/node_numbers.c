/* node_numbers.c - keep the numbers of the nodes of a communicator; lib/mem/nodes.c finds them. */
#include "comm/comm.h"

/* In the first call, ranks tell each other where they run (sx_mem_place); later calls use the result. */
int sx_comm_get_nodes(sx_comm *c, int rc, int node_ranks, int node[])
{
    if (c->places) {
        rc = sx_base_agree(c->comm, rc, NULL);
    } else {
        sx_mem_place *places = sx_base_alloc(c->p, sizeof *places);
        if (!rc && !places)
            rc = subx_error_get_code(SUBX_ERR_NO_MEM);
        rc = sx_mem_get_places(c->comm, rc, places);
        if (rc)
            sx_base_free(places);
        else
            c->places = places;
    }
    if (!rc)
        sx_mem_number_nodes(c->p, c->places, node_ranks, node);
    return rc;
}
