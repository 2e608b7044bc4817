/* counts.c - counts and displacements in bytes, as MPI's all-to-all calls want them. */
#include "pipe/counts.h"

/* The place of the first remote block of a slice; -1 if there is none. */
static ptrdiff_t get_base(const subx_pipe pipe, int side, int slice)
{
    ptrdiff_t base = -1;
    for (int q = 0; q < pipe->p; q++) {
        ptrdiff_t place = pipe->side[side].place[sx_pipe_at(pipe, slice, q)];
        if (sx_pipe_is_remote(pipe, side, slice, q) && (base < 0 || place < base))
            base = place;
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
        return subx_error_get(SUBX_ERR_NO_MEM);
    const ptrdiff_t *place = pipe->side[side].place;
    for (int s = 0; s < pipe->nslices; s++) {
        c->base[s] = get_base(pipe, side, s);
        for (int q = 0; q < pipe->p && !rc; q++) {
            ptrdiff_t at = sx_pipe_at(pipe, s, q);
            if (!sx_pipe_is_remote(pipe, side, s, q))
                continue;
            rc = sx_base_int(sx_pipe_get_bytes(pipe, side, s, q), &c->count[at]);
            if (!rc)
                rc = sx_base_int(place[at] - c->base[s], &c->displ[at]);
        }
    }
    return rc ? subx_error_get(SUBX_ERR_UNAVAILABLE) : MPI_SUCCESS;
}

int sx_counts_create(subx_pipe pipe, sx_counts of[2])
{
    int rc = set_counts(pipe, SX_FROM, &of[SX_FROM]);
    return rc ? rc : set_counts(pipe, SX_TO, &of[SX_TO]);
}

void sx_counts_free(sx_counts of[2])
{
    for (int side = 0; side < 2; side++) {
        sx_base_free(of[side].base);
        sx_base_free(of[side].displ);
        sx_base_free(of[side].count);
    }
}

/* MPICH takes two equal addresses for an error, and Open MPI for MPI_IN_PLACE, even if nothing is there. Blocks have
 * places that differ. */
sx_call sx_counts_get_call(const subx_pipe pipe, const sx_counts of[2], int slice)
{
    static char nothing[2];
    const ptrdiff_t at = sx_pipe_at(pipe, slice, 0), from = of[SX_FROM].base[slice],
                    to = of[SX_TO].base[slice];
    sx_call c = {.from = from < 0 ? &nothing[0] : pipe->from + from,
                 .to = to < 0 ? &nothing[1] : pipe->to + to};
    for (int side = 0; side < 2; side++) {
        c.count[side] = of[side].count + at;
        c.displ[side] = of[side].displ + at;
    }
    return c;
}
