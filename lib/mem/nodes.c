/* nodes.c - which ranks of a communicator run on one node, and so can share memory. NUMA domains are in
 * fft/machine/domain.c. */
#include "mem/mem.h"
#include <limits.h>
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

/* What ranks tell each other: where a rank runs, and the set of its processors (sx_mem_get_cpus). Only the
 * place is kept, because on many ranks each number counts. */
typedef struct message {
    sx_mem_place place;
    int64_t cpus;
} message;

/* Query whether more ranks than `count` run on the set of processors of this rank. */
static int are_crowded(int p, const message all[], const message *mine, int count)
{
    int n = 0;
    for (int i = 0; i < p; i++)
        n += all[i].place.host == mine->place.host && all[i].cpus == mine->cpus;
    return n > count;
}

/* Get an upper bound for the number of ranks of MPI_COMM_WORLD on this node: those of this communicator are
 * counted, and all others may be here. */
static int get_most_ranks(int p, const message all[], const message *mine)
{
    int n = 0, world = 0;
    for (int i = 0; i < p; i++)
        n += all[i].place.host == mine->place.host;
    if (MPI_Comm_size(MPI_COMM_WORLD, &world))
        return INT_MAX;
    return n + (world > p ? world - p : 0);
}

/* Set the numbers of this rank, and allocate room for those of all p ranks. */
static int prepare(MPI_Comm comm, int *p, message *mine, int *count, message **all)
{
    int rank = 0, world = 0;
    int rc = MPI_Comm_size(comm, p);
    if (!rc)
        rc = MPI_Comm_rank(comm, &rank);
    if (!rc)
        rc = MPI_Comm_rank(MPI_COMM_WORLD, &world);
    *mine = (message){{sx_mem_host(), world, rank}, sx_mem_get_cpus(count)};
    if (!rc && !(*all = sx_base_alloc(*p, sizeof **all)))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    return rc;
}

int sx_mem_get_places(MPI_Comm comm, int rc, sx_mem_place places[])
{
    enum { NUMBERS = sizeof(message) / sizeof(int64_t) };
    int p = 0, count = 0;
    message mine, *all = NULL;
    rc = sx_base_agree(comm, rc ? rc : prepare(comm, &p, &mine, &count, &all), NULL);
    if (!rc)
        rc = MPI_Allgather(&mine, NUMBERS, MPI_INT64_T, all, NUMBERS, MPI_INT64_T, comm);
    for (int i = 0; i < p && !rc; i++)
        places[i] = all[i].place;
    if (!rc)
        qsort(places, (size_t)p, sizeof *places, compare);
    if (!rc && are_crowded(p, all, &mine, count))
        sx_base_set_crowded();
    if (!rc)
        sx_base_set_ranks(get_most_ranks(p, all, &mine));
    sx_base_free(all);
    return rc;
}

/* Pretended nodes are groups of ranks of MPI_COMM_WORLD, not of this communicator. So two ranks are on one
 * node either in all communicators or in none. `places` is sorted by host and by rank in MPI_COMM_WORLD, so
 * the ranks of a node follow each other for any node_ranks. */
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
