/* pretend.c - the functions of MPI that the library calls to create objects, replaced for a process that pretends to be
 * one of many ranks. The other ranks are assumed to give the same data to collective calls as this rank; only their
 * places differ (where a rank runs). This is right for arrays whose blocks are all equally long. Calls on communicators
 * that are not pretended go to MPI. */
#include "scale/pretend.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A pretended communicator. Its member q is rank first + q * stride of MPI_COMM_WORLD. */
typedef struct pretended {
    MPI_Comm comm;
    int p, r, first, stride;
    int has_places; /* 1 if its ranks have exchanged their places */
} pretended;

enum { MOST = 64, DIMS_MAX = 32 };

static pretended list[MOST];
static int count, per_node = 1, grid_g, grid_dims[DIMS_MAX], gathers;
static void (*write_gathered)(int gather, int q, void *data);
static pretend_traffic traffic;

static pretended *find(MPI_Comm comm)
{
    for (int i = 0; i < count; i++)
        if (list[i].comm == comm)
            return &list[i];
    return NULL;
}

static void stop(const char *why)
{
    fprintf(stderr, "scale: cannot pretend: %s\n", why);
    PMPI_Abort(MPI_COMM_WORLD, 2);
}

static void add(MPI_Comm comm, pretended like)
{
    if (count == MOST)
        stop("too many communicators");
    like.comm = comm;
    like.has_places = 0;
    list[count++] = like;
}

void pretend_begin(int p, int r, int ranks_per_node)
{
    per_node = ranks_per_node;
    traffic = (pretend_traffic){0};
    add(MPI_COMM_WORLD, (pretended){.p = p, .r = r, .stride = 1});
}

void pretend_set_grid(int g, const int dims[])
{
    grid_g = g;
    memcpy(grid_dims, dims, (size_t)g * sizeof *dims);
}

void pretend_set_gather(void (*write)(int gather, int q, void *data))
{
    write_gathered = write;
    gathers = 0;
}

pretend_traffic pretend_get_traffic(void)
{
    return traffic;
}

/* ---- communicators */

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    const pretended *c = find(comm);
    if (!c)
        return PMPI_Comm_size(comm, size);
    *size = c->p;
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    const pretended *c = find(comm);
    if (!c)
        return PMPI_Comm_rank(comm, rank);
    *rank = c->r;
    return MPI_SUCCESS;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *copy)
{
    const pretended *c = find(comm);
    const int rc = PMPI_Comm_dup_with_info(comm, info, copy);
    if (c && !rc)
        add(*copy, *c);
    return rc;
}

/* Get the communicator of this rank's row along grid dimension k. *color becomes the color with which the library
 * creates this communicator by MPI_Comm_split. */
static pretended get_row(const pretended *all, int k, int *color)
{
    int coords[DIMS_MAX], rest = all->r, stride = 1;
    *color = 0;
    for (int j = grid_g - 1; j >= 0; j--) {
        coords[j] = rest % grid_dims[j];
        rest /= grid_dims[j];
        stride *= j > k ? grid_dims[j] : 1;
    }
    for (int j = 0; j < grid_g; j++)
        *color = j == k ? *color : *color * grid_dims[j] + coords[j];
    return (pretended){.p = grid_dims[k],
                       .r = coords[k],
                       .first = all->first + (all->r - coords[k] * stride) * all->stride,
                       .stride = stride * all->stride};
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    const pretended *all = find(comm);
    if (!all)
        return PMPI_Comm_split(comm, color, key, part);
    for (int k = 0; k < grid_g; k++) {
        int other;
        const pretended row = get_row(all, k, &other);
        if (other != color || row.r != key || row.p == 1)
            continue;
        const int rc = PMPI_Comm_dup(comm, part);
        if (!rc)
            add(*part, row);
        return rc;
    }
    stop("MPI_Comm_split is not of the grid");
    return MPI_ERR_OTHER;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    pretended *c = find(*comm);
    if (c)
        *c = list[--count];
    return PMPI_Comm_free(comm);
}

/* ---- collective calls */

static size_t get_bytes(int n, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (size_t)n * (size_t)size;
}

static void note(double bytes)
{
    traffic.calls++;
    traffic.bytes += bytes;
}

int MPI_Iallreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    if (!find(comm))
        return PMPI_Iallreduce(from, to, n, type, op, comm, request);
    if (from != MPI_IN_PLACE)
        memcpy(to, from, get_bytes(n, type));
    note((double)get_bytes(n, type));
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Ibcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
    if (!find(comm))
        return PMPI_Ibcast(data, n, type, root, comm, request);
    note((double)get_bytes(n, type));
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    if (!find(comm))
        return PMPI_Ibarrier(comm, request);
    note(0);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

/* Change a copy of this rank's place to the place of rank q of `c`. A place is four numbers: a hash of the host, the
 * rank in MPI_COMM_WORLD, the rank in the communicator, and a hash of the set of processors. */
static void set_place(const pretended *c, int q, int64_t place[4])
{
    place[1] = c->first + (int64_t)q * c->stride;
    place[0] += place[1] / per_node;
    place[2] = q;
}

/* Query whether the data of a collective call is this rank's place (where it runs). The ranks of a communicator
 * exchange their places only once, so the answer is yes only once. In later calls, addresses may look like a place. */
static int is_place(pretended *c, const void *data, size_t bytes)
{
    const int64_t *place = data;
    if (c->has_places || bytes != 4 * sizeof *place || place[1] != list[0].r || place[2] != c->r)
        return 0;
    c->has_places = 1;
    return 1;
}

int MPI_Iallgather(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                   MPI_Comm comm, MPI_Request *request)
{
    pretended *c = find(comm);
    const size_t bytes = get_bytes(n, type);
    if (!c)
        return PMPI_Iallgather(from, n, type, to, m, other, comm, request);
    const int is_of_places = is_place(c, from, bytes);
    for (int q = 0; q < c->p; q++) {
        char *at = (char *)to + (size_t)q * bytes;
        memcpy(at, from, bytes);
        if (is_of_places)
            set_place(c, q, (int64_t *)(void *)at);
    }
    note((double)bytes * c->p);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Iallgatherv(const void *from, int n, MPI_Datatype type, void *to, const int counts[],
                    const int displs[], MPI_Datatype other, MPI_Comm comm, MPI_Request *request)
{
    const pretended *c = find(comm);
    const size_t bytes = get_bytes(1, other);
    if (!c)
        return PMPI_Iallgatherv(from, n, type, to, counts, displs, other, comm, request);
    if (from != MPI_IN_PLACE || !write_gathered)
        stop("MPI_Iallgatherv");
    for (int q = 0; q < c->p; q++) {
        write_gathered(gathers, q, (char *)to + (size_t)displs[q] * bytes);
        traffic.bytes += (double)bytes * counts[q];
    }
    gathers++;
    note(0);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Ialltoall(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                  MPI_Comm comm, MPI_Request *request)
{
    const pretended *c = find(comm);
    if (!c)
        return PMPI_Ialltoall(from, n, type, to, m, other, comm, request);
    memcpy(to, from, (size_t)c->p * get_bytes(n, type));
    note((double)get_bytes(n, type) * c->p);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

/* ---- messages: the i-th receive with a tag gets the data of the i-th send with this tag */

int MPI_Irecv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    return PMPI_Irecv(to, n, type, find(comm) ? 0 : from, tag, comm, request);
}

int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (find(comm)) {
        traffic.messages++;
        traffic.bytes += (double)get_bytes(n, type);
    }
    return PMPI_Isend(from, n, type, find(comm) ? 0 : to, tag, comm, request);
}
