/* nodes.c - which ranks of a communicator share memory. */
#include "mem/mem.h"
#include <stdlib.h>

typedef struct place {
    int64_t host;
    int rank;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Ranks of a host are neighbours once they are sorted; a node ends with its host, or when it is full. */
static void number(int p, place all[], int node_ranks, int node[])
{
    int id = -1, count = 0;
    qsort(all, (size_t)p, sizeof *all, compare);
    for (int i = 0; i < p; i++) {
        int is_full = node_ranks > 0 && count == node_ranks;
        if (i == 0 || all[i].host != all[i - 1].host || is_full) {
            id++;
            count = 0;
        }
        count++;
        node[all[i].rank] = id;
    }
}

int sx_mem_get_nodes(MPI_Comm comm, int rc, int node_ranks, int node[])
{
    int p = 0;
    int64_t mine = sx_mem_host();
    if (!rc)
        rc = MPI_Comm_size(comm, &p);
    int64_t *host = sx_base_alloc(p, sizeof *host);
    place *all = sx_base_alloc(p, sizeof *all);
    if (!rc && (!host || !all))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc)
        rc = MPI_Allgather(&mine, 1, MPI_INT64_T, host, 1, MPI_INT64_T, comm);
    if (!rc) {
        for (int q = 0; q < p; q++)
            all[q] = (place){host[q], q};
        number(p, all, node_ranks, node);
    }
    sx_base_free(all);
    sx_base_free(host);
    return rc;
}
