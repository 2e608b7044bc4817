/* nodes.c - which ranks of a communicator share memory. NUMA domains are in fft/machine/domain.c. */
#include "mem/mem.h"
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const sx_mem_place *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->world != y->world)
        return x->world < y->world ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Query whether more ranks than `count` run on the set of processors of this rank. */
static int are_crowded(int p, const sx_mem_place places[], const sx_mem_place *mine, int count)
{
    int n = 0;
    for (int i = 0; i < p; i++)
        n += places[i].host == mine->host && places[i].cpus == mine->cpus;
    return n > count;
}

int sx_mem_get_places(MPI_Comm comm, int rc, sx_mem_place places[])
{
    int p = 0, rank = 0, world = 0, count;
    if (!rc)
        rc = MPI_Comm_size(comm, &p);
    if (!rc)
        rc = MPI_Comm_rank(comm, &rank);
    if (!rc)
        rc = MPI_Comm_rank(MPI_COMM_WORLD, &world);
    rc = sx_base_agree(comm, rc, NULL);
    if (rc)
        return rc;
    const sx_mem_place mine = {sx_mem_host(), world, rank, sx_mem_get_cpus(&count)};
    SX_JOIN(rc, MPI_Iallgather(&mine, 4, MPI_INT64_T, places, 4, MPI_INT64_T, comm, &request));
    rc = sx_base_agree(comm, rc, NULL);
    if (rc)
        return rc;
    qsort(places, (size_t)p, sizeof *places, compare);
    if (are_crowded(p, places, &mine, count))
        sx_base_set_crowded();
    return MPI_SUCCESS;
}

/* Pretended nodes are groups of ranks of MPI_COMM_WORLD, not of this communicator. So two ranks are on one node either
 * in all communicators or in none. `places` is sorted by host and by rank in MPI_COMM_WORLD, so the ranks of a node
 * follow each other for any node_ranks. */
void sx_mem_number_nodes(int p, const sx_mem_place places[], int node_ranks, int node[])
{
    int id = 0;
    for (int i = 0; i < p; i++) {
        if (i > 0)
            id += places[i].host != places[i - 1].host ||
                  (node_ranks > 0 && places[i].world / node_ranks != places[i - 1].world / node_ranks);
        node[places[i].rank] = id;
    }
}
