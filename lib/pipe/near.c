/* near.c - partners on this node: each tells by two counters in shared memory what may be read, and that
 * it has. */
#include "pipe/pipe.h"

/* ---- creation */

int sx_pipe_near_create(subx_pipe pipe, int rc)
{
    int *node = sx_base_alloc(pipe->p, sizeof *node);
    if (!rc && !node)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_mem_get_nodes(pipe->comm, rc, pipe->choices.node_ranks, node);
    if (!rc)
        rc = sx_mem_segment_create(pipe->comm, rc, sizeof(sx_pipe_counters), SX_MEM_READ, node,
                                   &pipe->segment);
    for (int q = 0; q < pipe->p && !rc; q++)
        pipe->is_near[q] = node[q] == node[pipe->r] && pipe->segment.base[q];
    sx_base_free(node);
    return rc;
}

static int has_bytes(const subx_pipe pipe, const sx_pipe_side *side, int q)
{
    for (int s = 0; s < pipe->nslices; s++)
        if (side->bytes[sx_pipe_at(pipe, s, q)] > 0)
            return 1;
    return 0;
}

/* Each looks at its right neighbour first, so that ranks seldom look at the same one. */
void sx_pipe_near_list(subx_pipe pipe)
{
    for (int i = 1; i < pipe->p; i++) {
        int q = (pipe->r + i) % pipe->p;
        sx_pipe_neighbour n = {q, has_bytes(pipe, &pipe->recv, q), has_bytes(pipe, &pipe->send, q), NULL, 0};
        if (!pipe->is_near[q] || !(n.gives || n.takes))
            continue;
        n.counters = (const sx_pipe_counters *)(const void *)pipe->segment.base[q];
        pipe->neighbour[pipe->nneighbours++] = n;
    }
}

void sx_pipe_near_free(subx_pipe pipe)
{
    sx_mem_segment_free(&pipe->segment);
}

/* ---- a run */

static sx_pipe_counters *get_own(const subx_pipe pipe)
{
    return (sx_pipe_counters *)(void *)pipe->segment.base[pipe->r];
}

void sx_pipe_near_begin(subx_pipe pipe)
{
    pipe->nread = 0;
}

/* Slices of all runs that have been posted when so many of this run have. */
static uint64_t count_posted(const subx_pipe pipe, int posted)
{
    return (pipe->runs - 1) * (uint64_t)pipe->nslices + (uint64_t)posted;
}

void sx_pipe_near_post(subx_pipe pipe)
{
    if (pipe->nneighbours > 0)
        __atomic_store_n(&get_own(pipe)->posted, count_posted(pipe, pipe->posted), __ATOMIC_RELEASE);
}

void sx_pipe_near_complete(subx_pipe pipe)
{
    if (pipe->nneighbours > 0)
        __atomic_store_n(&get_own(pipe)->completed, pipe->runs, __ATOMIC_RELEASE);
}

/* What has been seen once need not be looked at again. */
int sx_pipe_near_is_here(subx_pipe pipe, int slice)
{
    const uint64_t needed = count_posted(pipe, slice + 1);
    for (int i = 0; i < pipe->nneighbours; i++) {
        sx_pipe_neighbour *n = &pipe->neighbour[i];
        if (n->posted >= needed || pipe->recv.bytes[sx_pipe_at(pipe, slice, n->rank)] == 0)
            continue;
        n->posted = __atomic_load_n(&n->counters->posted, __ATOMIC_ACQUIRE);
        if (n->posted < needed)
            return 0;
    }
    return 1;
}

int sx_pipe_near_is_read(subx_pipe pipe)
{
    for (; pipe->nread < pipe->nneighbours; pipe->nread++) {
        const sx_pipe_neighbour *n = &pipe->neighbour[pipe->nread];
        if (n->takes && __atomic_load_n(&n->counters->completed, __ATOMIC_ACQUIRE) < pipe->runs)
            return 0;
    }
    return 1;
}
