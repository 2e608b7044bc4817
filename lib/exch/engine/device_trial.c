/* device_trial.c - the trial of device carriers whose areas are on the devices: each rank sends a pattern and
 * compares what it gets. Short and long blocks, and blocks inside and between nodes, are moved in different
 * ways. So each rank sends a short and a long block to the next rank, which is mostly near, and to the rank
 * half of all ranks further on, which is mostly on another node. A pipe carries them, so that no rank waits
 * for one that has failed. */
#include "exch/on_device.h"
#include <string.h>

enum { SLICES = 4, SHORT = 256, LONG = 1 << 18 }; /* SHORT, LONG: bytes */
static const ptrdiff_t lengths[SLICES] = {SHORT, LONG, SHORT, LONG};

/* Get the rank to which, or from which, this rank sends a slice. */
static int get_partner(const subx_exch ex, int side, int slice)
{
    const int distance = slice < SLICES / 2 ? 1 : ex->p / 2;
    return (ex->r + (side == SX_FROM ? distance : ex->p - distance)) % ex->p;
}

typedef struct trial {
    subx_pipe pipe;
    char *memory, *host; /* the areas on the device, and a copy of the longest block */
    ptrdiff_t *bytes[2];
    const void **block;
    char *is_local;
} trial;

static int alloc_arrays(const subx_exch ex, trial *t)
{
    for (int side = 0; side < 2; side++)
        t->bytes[side] = sx_base_alloc(SLICES * (ptrdiff_t)ex->p, sizeof *t->bytes[side]);
    t->block = sx_base_alloc(ex->p, sizeof *t->block);
    t->is_local = sx_base_alloc(ex->p, 1);
    t->host = sx_base_alloc(LONG, 1);
    return t->bytes[0] && t->bytes[1] && t->block && t->is_local && t->host
               ? MPI_SUCCESS
               : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static int create_pipe(const subx_exch ex, trial *t)
{
    int rc = alloc_arrays(ex, t);
    for (int side = 0; side < 2 && !rc; side++)
        for (int s = 0; s < SLICES; s++)
            t->bytes[side][(ptrdiff_t)s * ex->p + get_partner(ex, side, s)] = lengths[s];
    if (!rc)
        t->is_local[ex->r] = 1;
    const sx_pipe_plan plan = {.nslices = SLICES,
                               .depth = SLICES,
                               .bytes = {t->bytes[SX_FROM], t->bytes[SX_TO]},
                               .is_local = t->is_local,
                               .carrier = sx_pipe_get_carrier("pairwise"),
                               .engine = "pairwise",
                               .window = SLICES,
                               .is_on_device = 1};
    return sx_pipe_create(ex->comm, rc, &plan, &t->pipe);
}

/* The pattern of rank r. */
static void set_pattern(int r, int slice, char *host)
{
    for (ptrdiff_t i = 0; i < lengths[slice]; i++)
        host[i] = (char)(i * 31 + i / 251 + 7 * (ptrdiff_t)r + slice + 1);
}

/* Allocate the areas, and write this rank's pattern. Local. */
static int fill(const subx_exch ex, trial *t)
{
    const ptrdiff_t sent = t->pipe->side[SX_FROM].area, all = sent + t->pipe->side[SX_TO].area;
    int rc = subx_error_get_code(ex->device->alloc(ex->handle, all, (void **)&t->memory));
    for (int s = 0; s < SLICES && !rc; s++) {
        const ptrdiff_t at =
            t->pipe->side[SX_FROM].place[sx_pipe_at(t->pipe, s, get_partner(ex, SX_FROM, s))];
        set_pattern(ex->r, s, t->host);
        rc = sx_exch_device_copy(ex, t->memory + at, t->host, lengths[s]);
    }
    return rc;
}

static void lend(const subx_exch ex, const trial *t, int is_lent)
{
    if (ex->device->lend)
        ex->device->lend(ex->handle, t->memory, is_lent);
}

/* Send and receive. Returns the first error, but goes on to the end. */
static int move(const subx_exch ex, const trial *t)
{
    int rc = MPI_SUCCESS;
    lend(ex, t, 1);
    for (int s = 0; s < SLICES; s++) {
        const int failed = subx_pipe_post(t->pipe, s);
        rc = rc ? rc : failed;
    }
    for (int s = 0; s < SLICES; s++) {
        const int failed = subx_pipe_start(t->pipe, s, t->block);
        rc = rc ? rc : failed;
    }
    (void)subx_pipe_complete(t->pipe);
    const int failed = subx_pipe_wait(t->pipe);
    lend(ex, t, 0);
    return rc ? rc : failed;
}

static int is_right(const subx_exch ex, const trial *t, int slice)
{
    const int q = get_partner(ex, SX_TO, slice);
    const char *received = sx_pipe_get_address(t->pipe, SX_TO, slice, q);
    char *got = sx_base_alloc(lengths[slice], 1);
    set_pattern(q, slice, t->host);
    const int same = got && !sx_exch_device_copy(ex, got, received, lengths[slice]) &&
                     memcmp(got, t->host, (size_t)lengths[slice]) == 0;
    sx_base_free(got);
    return same;
}

/* No rank sends unless all have memory with a pattern. */
static int execute(const subx_exch ex, trial *t, int *fails)
{
    *fails = fill(ex, t) != MPI_SUCCESS;
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, fails);
    if (rc || *fails)
        return rc;
    rc = subx_pipe_set_work(t->pipe, t->memory, t->memory + t->pipe->side[SX_FROM].area);
    if (rc)
        return rc;
    *fails = move(ex, t) != MPI_SUCCESS;
    for (int s = 0; s < SLICES && !*fails; s++)
        *fails = !is_right(ex, t, s);
    return sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, fails);
}

static void free_trial(const subx_exch ex, trial *t)
{
    (void)subx_pipe_free(&t->pipe);
    ex->device->free(ex->handle, t->memory);
    sx_base_free(t->host);
    sx_base_free(t->is_local);
    sx_base_free(t->block);
    sx_base_free(t->bytes[SX_TO]);
    sx_base_free(t->bytes[SX_FROM]);
}

int sx_exch_device_test(subx_exch ex, int *fails)
{
    trial t = {.pipe = NULL};
    *fails = 0;
    int rc = create_pipe(ex, &t);
    rc = rc ? rc : execute(ex, &t, fails);
    free_trial(ex, &t);
    return rc;
}
