/* device_rates.c - how fast devices such as GPUs copy and begin work, and how fast data travel between a
 * device and the host, and between the devices of ranks. All ranks measure at the same time. */
#include "machine/calibrate.h"
#include <math.h>

/* The device of this rank, with two arrays on it and one on the host. */
typedef struct probe {
    const sx_gauge *g;
    const sx_device *device;
    void *handle, *stream, *at[2], *host;
    ptrdiff_t largest,
        large; /* bytes: SX_MACHINE_LARGEST and SX_MACHINE_DEVICE_MESSAGE, if no test shrinks them */
    int is_pinned;
} probe;

/* Local. It is no error if the pages of the host's array cannot be pinned: copies of plans are then as slow
 * as this one. */
static int open_probe(const sx_gauge *g, const sx_device *device, probe *p)
{
    *p = (probe){.g = g, .device = device};
    p->largest = sx_machine_get_bytes(SX_MACHINE_LARGEST);
    p->large = sx_machine_get_bytes(SX_MACHINE_DEVICE_MESSAGE);
    int rc = sx_device_open(device, &p->handle);
    if (!rc)
        rc = subx_error_get_code(device->create_stream(p->handle, &p->stream));
    for (int i = 0; i < 2 && !rc; i++)
        rc = subx_error_get_code(device->alloc(p->handle, p->largest, &p->at[i]));
    if (rc)
        return rc;
    p->host = sx_base_alloc(p->large, 1);
    p->is_pinned = p->host && !device->pin(p->handle, p->host, p->large);
    return p->host ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static void close_probe(probe *p)
{
    if (!p->handle)
        return;
    if (p->is_pinned)
        p->device->unpin(p->handle, p->host);
    sx_base_free(p->host);
    for (int i = 0; i < 2; i++)
        p->device->free(p->handle, p->at[i]);
    p->device->free_stream(p->stream);
    p->device->close(p->handle);
}

/* Wait for all work of the device, also if a call has failed. Returns an MPI error code. */
static int finish(const probe *p, int kind)
{
    const int failed = p->device->finish(p->stream);
    return subx_error_get_code(kind ? kind : failed);
}

/* ---- copies and launches */

static int copy_on_device(void *context)
{
    const probe *p = context;
    return finish(p, p->device->copy(p->stream, p->at[1], p->at[0], p->largest));
}

static int launch(void *context)
{
    const probe *p = context;
    const sx_device_nest one = sx_device_nest_create(SX_MACHINE_SMALL / 4);
    int kind = SUBX_ERR_NONE;
    for (int i = 0; i < SX_MACHINE_LAUNCHES && !kind; i++)
        kind = p->device->permute(p->stream, &one, p->at[0], p->at[1]);
    return finish(p, kind);
}

static int copy_to_host_and_back(void *context)
{
    const probe *p = context;
    int kind = p->device->copy(p->stream, p->host, p->at[0], p->large);
    if (!kind)
        kind = p->device->copy(p->stream, p->at[0], p->host, p->large);
    return finish(p, kind);
}

static int measure_copies(probe *p, sx_machine *m)
{
    double copy = INFINITY, launches = INFINITY, both = INFINITY;
    int rc = sx_machine_measure(p->g, 0.05, copy_on_device, p, &copy);
    if (!rc)
        rc = sx_machine_measure(p->g, 0.05, launch, p, &launches);
    if (!rc)
        rc = sx_machine_measure(p->g, 0.05, copy_to_host_and_back, p, &both);
    if (rc)
        return rc;
    m->device_memory = 2 * (double)p->largest / copy;
    m->device_launch = launches / SX_MACHINE_LAUNCHES;
    m->device_host = 2 * (double)p->large / both;
    return MPI_SUCCESS;
}

/* ---- from device to device: each rank has a block for the next rank of its node; the last one has it for
 * the first one */

/* Get the next rank after r on the same node (step 1), or the rank before it (step -1); r itself if it is
 * alone. */
static int get_neighbour(const sx_placement *p, int r, int step)
{
    int q = r;
    do
        q = (q + step + p->nranks) % p->nranks;
    while (p->node[q] != p->node[r]);
    return q;
}

typedef struct ring {
    subx_exch exch;
    void *from, *to;
} ring;

static int execute_ring(void *context)
{
    const ring *r = context;
    return subx_exch_execute(r->exch, r->from, r->to);
}

/* A rank that is alone on its node sends nothing. */
static int create_ring(const sx_gauge *g, int bytes, MPI_Info hints, subx_exch *ex)
{
    const int n = g->placement->nranks;
    MPI_Datatype block = MPI_DATATYPE_NULL, *type = sx_base_alloc(2 * (ptrdiff_t)n, sizeof *type);
    int rank, rc = type ? MPI_Comm_rank(g->all, &rank) : subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < 2 * n && !rc; i++)
        type[i] = MPI_DATATYPE_NULL;
    if (!rc)
        rc = MPI_Type_contiguous(bytes, MPI_BYTE, &block);
    if (!rc && get_neighbour(g->placement, rank, 1) != rank) {
        type[get_neighbour(g->placement, rank, 1)] = block;
        type[n + get_neighbour(g->placement, rank, -1)] = block;
    }
    const int failed = subx_exch_create(g->all, rc ? NULL : type, rc ? NULL : type + n, hints, ex);
    if (block != MPI_DATATYPE_NULL)
        MPI_Type_free(&block);
    sx_base_free(type);
    return rc ? rc : failed;
}

static int time_ring(const sx_gauge *g, int bytes, MPI_Info hints, ring *r, double *seconds)
{
    int rc = create_ring(g, bytes, hints, &r->exch);
    if (!rc)
        rc = sx_machine_measure(g, 0.05, execute_ring, r, seconds);
    (void)subx_exch_free(&r->exch);
    return rc;
}

static int has_neighbours(const sx_placement *p)
{
    return p->nnodes < p->nranks;
}

/* The exchange takes the way that exchanges of plans take: ranks read each other's memory on their devices if
 * they can. The least time is subtracted, but at most three quarters of the whole, because the times vary. */
static int measure_link(const probe *p, MPI_Info hints, sx_machine *m)
{
    ring r = {.exch = SUBX_EXCH_NULL, .to = p->at[1]};
    double least = INFINITY, whole = INFINITY;
    if (!has_neighbours(p->g->placement))
        return MPI_SUCCESS;
    int rc = subx_mem_alloc(p->g->all, p->large, hints, &r.from);
    if (!rc)
        rc = time_ring(p->g, SX_MACHINE_SMALL, hints, &r, &least);
    if (!rc)
        rc = time_ring(p->g, sx_base_fit(p->large), hints, &r, &whole);
    if (r.from)
        (void)subx_mem_free(&r.from);
    if (!rc)
        m->device_link = (double)p->large / fmax(whole - least, whole / 4);
    return rc;
}

int sx_machine_measure_device(const sx_gauge *g, const sx_device *device, sx_machine *m)
{
    probe p;
    MPI_Info hints = MPI_INFO_NULL;
    int rc = open_probe(g, device, &p);
    if (!rc)
        rc = MPI_Info_dup(g->hints, &hints);
    if (!rc)
        rc = MPI_Info_set(hints, "subx_engine", "auto");
    rc = sx_base_agree(g->all, rc, NULL);
    if (!rc)
        rc = measure_copies(&p, m);
    if (!rc)
        rc = measure_link(&p, hints, m);
    if (hints != MPI_INFO_NULL)
        MPI_Info_free(&hints);
    close_probe(&p);
    return rc;
}
