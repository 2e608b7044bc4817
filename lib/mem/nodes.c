/* nodes.c - which ranks of a communicator share memory. */
#include "mem/mem.h"
#include <stdlib.h>

typedef struct place {
    int64_t host, group; /* what is equal on a node */
    int64_t rank;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Ranks of a node are neighbours once they are sorted. */
static void number(int p, place all[], int node[])
{
    int id = -1;
    qsort(all, (size_t)p, sizeof *all, compare);
    for (int i = 0; i < p; i++) {
        id += i == 0 || all[i].host != all[i - 1].host || all[i].group != all[i - 1].group;
        node[all[i].rank] = id;
    }
}

/* Pretended nodes are groups of the ranks of MPI_COMM_WORLD, so that all communicators have the same ones. */
static int get_place(MPI_Comm comm, int node_ranks, place *mine)
{
    int world = 0, rank = 0;
    int rc = MPI_Comm_rank(comm, &rank);
    if (!rc && node_ranks > 0)
        rc = MPI_Comm_rank(MPI_COMM_WORLD, &world);
    *mine = (place){sx_mem_host(), node_ranks > 0 ? world / node_ranks : 0, rank};
    return rc;
}

int sx_mem_get_nodes(MPI_Comm comm, int rc, int node_ranks, int node[])
{
    int p = 0;
    place mine, *all;
    if (!rc)
        rc = MPI_Comm_size(comm, &p);
    if (!rc)
        rc = get_place(comm, node_ranks, &mine);
    all = sx_base_alloc(p, sizeof *all);
    if (!rc && !all)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc)
        rc = MPI_Allgather(&mine, 3, MPI_INT64_T, all, 3, MPI_INT64_T, comm);
    if (!rc)
        number(p, all, node);
    sx_base_free(all);
    return rc;
}
