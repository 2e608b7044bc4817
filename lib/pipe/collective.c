/* collective.c - the common part of the carriers that use MPI's all-to-all calls: counts and displacements in
 * bytes, and requests. */
#include "pipe/collective.h"

/* Get the offset of the first remote block of a slice in the area; -1 if there is none. */
static ptrdiff_t get_base(const subx_pipe pipe, int side, int slice)
{
    ptrdiff_t base = -1;
    for (int q = 0; q < pipe->p; q++) {
        ptrdiff_t offset = pipe->side[side].place[sx_pipe_at(pipe, slice, q)];
        if (sx_pipe_is_remote(pipe, side, slice, q) && (base < 0 || offset < base))
            base = offset;
    }
    return base;
}

static int set_counts(const subx_pipe pipe, int side, sx_counts *c)
{
    int rc = MPI_SUCCESS;
    c->count = sx_base_alloc((ptrdiff_t)pipe->nslices * pipe->p, sizeof *c->count);
    c->displ = sx_base_alloc((ptrdiff_t)pipe->nslices * pipe->p, sizeof *c->displ);
    c->base = sx_base_alloc(pipe->nslices, sizeof *c->base);
    if (!c->count || !c->displ || !c->base)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    const ptrdiff_t *offset = pipe->side[side].place;
    for (int s = 0; s < pipe->nslices; s++) {
        c->base[s] = get_base(pipe, side, s);
        for (int q = 0; q < pipe->p && !rc; q++) {
            ptrdiff_t at = sx_pipe_at(pipe, s, q);
            if (!sx_pipe_is_remote(pipe, side, s, q))
                continue;
            rc = sx_base_int(sx_pipe_get_bytes(pipe, side, s, q), &c->count[at]);
            if (!rc)
                rc = sx_base_int(offset[at] - c->base[s], &c->displ[at]);
        }
    }
    return rc ? subx_error_get_code(SUBX_ERR_UNAVAILABLE) : MPI_SUCCESS;
}

int sx_collective_create(subx_pipe pipe)
{
    sx_collective *a = pipe->state = sx_base_alloc(1, sizeof *a);
    if (!a)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    a->request = sx_base_alloc(pipe->nslices, sizeof(MPI_Request));
    if (!a->request)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int s = 0; s < pipe->nslices; s++)
        a->request[s] = MPI_REQUEST_NULL;
    int rc = set_counts(pipe, SX_FROM, &a->of[SX_FROM]);
    return rc ? rc : set_counts(pipe, SX_TO, &a->of[SX_TO]);
}

void sx_collective_free(subx_pipe pipe)
{
    sx_collective *a = pipe->state;
    for (int side = 0; a && side < 2; side++) {
        sx_base_free(a->of[side].base);
        sx_base_free(a->of[side].displ);
        sx_base_free(a->of[side].count);
    }
    if (a)
        sx_base_free(a->request);
    sx_base_free(a);
    pipe->state = NULL;
}

int sx_collective_progress(subx_pipe pipe)
{
    sx_collective *a = pipe->state;
    int rc = MPI_SUCCESS, done = 1;
    while (!rc && done && pipe->arrived < pipe->posted) {
        rc = MPI_Test(&a->request[pipe->arrived], &done, MPI_STATUS_IGNORE);
        pipe->arrived += !rc && done;
    }
    pipe->sent = pipe->arrived;
    return rc;
}

/* If a side has no remote block, its address is a byte of `nothing`. The two addresses must differ even then:
 * MPICH reports equal addresses as an error, and Open MPI takes them for MPI_IN_PLACE. */
sx_call sx_collective_get_call(const subx_pipe pipe, int slice)
{
    sx_collective *a = pipe->state;
    const sx_counts *of = a->of;
    const ptrdiff_t at = sx_pipe_at(pipe, slice, 0), from = of[SX_FROM].base[slice],
                    to = of[SX_TO].base[slice];
    sx_call c = {.from = from < 0 ? &a->nothing[0] : pipe->from + from,
                 .to = to < 0 ? &a->nothing[1] : pipe->to + to};
    for (int side = 0; side < 2; side++) {
        c.count[side] = of[side].count + at;
        c.displ[side] = of[side].displ + at;
    }
    return c;
}
