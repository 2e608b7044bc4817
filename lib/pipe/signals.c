/* signals.c - how ranks of a node signal to each other: by counters in shared memory. A rank's counters tell
 * its local partners which slices they may read, and which slices it has read, and that it has failed: its
 * partners then end the epoch with SUBX_ERR_PEER. Remote partners tell it by stamps (epoch.c). */
#include "pipe/pipe.h"

/* ---- creation */

static int has_bytes(const subx_pipe pipe, int side, int q)
{
    for (int s = 0; s < pipe->nslices; s++)
        if (pipe->side[side].bytes[sx_pipe_at(pipe, s, q)] > 0)
            return 1;
    return 0;
}

int sx_pipe_local_add(subx_pipe pipe, int q, sx_slot slot, uint64_t first)
{
    sx_partner a = {.rank = q, .first = first, .posted = first};
    a.gives = has_bytes(pipe, SX_TO, q);
    a.takes = has_bytes(pipe, SX_FROM, q);
    if (!pipe->is_local[q] || !(a.gives || a.takes))
        return MPI_SUCCESS;
    a.counters = sx_comm_get_counters(pipe->comm, q, slot);
    pipe->partner[pipe->npartners++] = a;
    return a.counters ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

/* ---- an epoch */

static sx_counters *get_own(const subx_pipe pipe)
{
    return sx_comm_get_counters(pipe->comm, pipe->r, pipe->slot);
}

/* Get the number of slices of all epochs before this one. */
static uint64_t count_before(const subx_pipe pipe)
{
    return (pipe->epochs - 1) * (uint64_t)pipe->nslices;
}

void sx_pipe_local_post(subx_pipe pipe)
{
    if (pipe->npartners == 0)
        return;
    sx_counters *mine = get_own(pipe);
    const uint64_t before = pipe->first + count_before(pipe);
    if (pipe->has_failed)
        mine->failed = before + 1;
    __atomic_store_n(&mine->posted, before + (uint64_t)pipe->posted, __ATOMIC_RELEASE);
}

void sx_pipe_local_complete(subx_pipe pipe)
{
    if (pipe->npartners > 0)
        __atomic_store_n(&get_own(pipe)->completed,
                         pipe->first + count_before(pipe) + (uint64_t)pipe->completed, __ATOMIC_RELEASE);
}

/* partner->posted is the value of the counter when it was last read. The counter is read again only if this
 * value is too small. */
int sx_pipe_local_has_posted(subx_pipe pipe, sx_partner *partner, int slice)
{
    const uint64_t needed = partner->first + count_before(pipe) + (uint64_t)slice + 1;
    if (partner->posted < needed)
        partner->posted = __atomic_load_n(&partner->counters->posted, __ATOMIC_ACQUIRE);
    return partner->posted >= needed;
}

static int has_completed(const subx_pipe pipe, const sx_partner *partner, int slice)
{
    return __atomic_load_n(&partner->counters->completed, __ATOMIC_ACQUIRE) >
           partner->first + count_before(pipe) + (uint64_t)slice;
}

int sx_pipe_local_is_here(subx_pipe pipe, int slice)
{
    for (int i = 0; i < pipe->npartners; i++) {
        sx_partner *a = &pipe->partner[i];
        if (pipe->side[SX_TO].bytes[sx_pipe_at(pipe, slice, a->rank)] > 0 &&
            !sx_pipe_local_has_posted(pipe, a, slice))
            return 0;
    }
    return 1;
}

/* The first `nread` partners have completed the last slice: they are not polled again in this epoch. */
int sx_pipe_local_is_read(subx_pipe pipe, int slice)
{
    const int is_last = slice == pipe->nslices - 1;
    for (int i = is_last ? pipe->nread : 0; i < pipe->npartners; i++) {
        const sx_partner *a = &pipe->partner[i];
        if (a->takes && !has_completed(pipe, a, slice))
            return 0;
        pipe->nread += is_last;
    }
    return 1;
}

int sx_pipe_local_has_failed(const subx_pipe pipe, const sx_partner *partner)
{
    return partner->counters->failed == partner->first + count_before(pipe) + 1;
}
