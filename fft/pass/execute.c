/* execute.c - execute the tiles of a pass: gather, transform, scatter. A thread prefetches its next tile
 * before it transforms a tile, or meanwhile, so that the next one comes from memory during the transform. */
#include "pass/inside.h"

typedef struct execution {
    sx_pass pass;
    sx_range range;
    ptrdiff_t first, nstretches; /* the stretches in the range: index of the first one, and their number */
    ptrdiff_t ntiles;
    const void *const *from;
    void *const *to;
    const sx_pause *pause;
    const sx_operation *op;
    int is_scattered; /* 1 if copies instead of the last step write the regions, because a region is not
                         aligned */
} execution;

/* ---- the tiles of a range */

/* A looped axis is neither whole nor the batch axis: a tile has one index along it. */
static int is_looped(sx_pass pass, int axis)
{
    return !pass->is_whole[axis] && axis != pass->batch.axis;
}

static void get_bounds(const execution *e, int axis, ptrdiff_t *lo, ptrdiff_t *hi)
{
    *lo = axis == e->range.axis ? e->range.lo : 0;
    *hi = axis == e->range.axis ? e->range.hi : e->pass->p.side[SX_FROM].len[axis];
}

static void set_stretches(execution *e)
{
    const sx_cut *cut = &e->pass->batch;
    e->nstretches = cut->count;
    if (cut->axis < 0 || e->range.axis != cut->axis)
        return;
    while (e->first < cut->count && cut->stretch[e->first].start < e->range.lo)
        e->first++;
    e->nstretches = 0;
    while (e->first + e->nstretches < cut->count &&
           cut->stretch[e->first + e->nstretches].start < e->range.hi)
        e->nstretches++;
}

static void count_tiles(execution *e)
{
    set_stretches(e);
    e->ntiles = e->nstretches;
    for (int a = 0; a < e->pass->p.ndims; a++) {
        ptrdiff_t lo, hi;
        get_bounds(e, a, &lo, &hi);
        if (is_looped(e->pass, a))
            e->ntiles *= hi - lo;
    }
}

/* Get tile i of the range, with the regions that it meets. Consecutive tiles are adjacent along the batch
 * axis. */
static void get_tile(const execution *e, ptrdiff_t i, sx_tile *t)
{
    const sx_pass pass = e->pass;
    const sx_stretch *s = &pass->batch.stretch[e->first + i % e->nstretches];
    i /= e->nstretches;
    t->kind = s->kind;
    t->prefetch = NULL;
    for (int a = pass->p.ndims - 1; a >= 0; a--) {
        ptrdiff_t lo, hi;
        t->lo[a] = a == pass->batch.axis ? s->start : 0;
        if (!is_looped(pass, a))
            continue;
        get_bounds(e, a, &lo, &hi);
        t->lo[a] = lo + i % (hi - lo);
        i /= hi - lo;
    }
    for (int side = 0; side < 2; side++)
        t->region[side] = sx_pass_index_find(&pass->index[side], t->lo, &t->nregions[side]);
}

/* ---- the regions of a tile */

static char *get_memory(const execution *e, int side, const sx_region *region, const sx_tile *t)
{
    char *base = side == SX_FROM ? (char *)(size_t)e->from[region->place] : (char *)e->to[region->place];
    return sx_pass_get_region_memory(e->pass, side, region, t, base);
}

/* Get the offset, in bytes, at which the intersection of a region and a tile begins in the tile's buffer, or
 * in its tile of floats. */
static ptrdiff_t get_offset(sx_pass pass, int side, const sx_region *region)
{
    const sx_buffer *layout = sx_pass_get_layout(pass, side);
    ptrdiff_t elements = 0;
    for (int a = 0; a < pass->p.ndims; a++)
        if (pass->is_whole[a])
            elements += region->start[a] * layout->stride[a];
    return elements * sx_pass_get_element(pass, side);
}

/* Query whether copies gather tiles (SX_FROM) or scatter tiles (SX_TO). Copies are not needed if the side is
 * direct, or if kernels read or write the regions. */
static int has_copies(const execution *e, int side)
{
    const int is_kernels = sx_pass_has_regions(e->pass, side) && !(side == SX_TO && e->is_scattered);
    return !e->pass->is_direct[side] && !is_kernels;
}

enum { GATHER, PREFETCH, SCATTER };

static void copy_regions(const execution *e, const sx_tile *t, int what, char *buffer)
{
    const int side = what == SCATTER ? SX_TO : SX_FROM;
    for (int i = 0; i < t->nregions[side]; i++) {
        const sx_region *region = &e->pass->p.side[side].region[t->region[side][i]];
        const subx_copy copy = sx_pass_get_copy(e->pass, side, t->region[side][i], t->kind);
        char *memory = get_memory(e, side, region, t);
        const ptrdiff_t at = what == PREFETCH ? 0 : get_offset(e->pass, side, region);
        if (what == GATHER)
            (void)subx_copy_execute(copy, memory, buffer + at);
        else if (what == PREFETCH)
            (void)subx_copy_prefetch(copy, memory);
        else
            (void)subx_copy_execute(copy, buffer + at, memory);
    }
}

static void gather(const execution *e, const sx_tile *t, int thread)
{
    copy_regions(e, t, GATHER, sx_pass_get_copied(e->pass, SX_FROM, thread));
    if (e->pass->p.side[SX_FROM].is_narrow)
        sx_pass_floats_import(e->pass, thread, t->kind);
}

static void scatter(const execution *e, const sx_tile *t, int thread)
{
    if (e->pass->p.side[SX_TO].is_narrow)
        sx_pass_floats_export(e->pass, thread, t->kind);
    copy_regions(e, t, SCATTER, sx_pass_get_copied(e->pass, SX_TO, thread));
}

/* ---- tiles */

/* Get the address of a tile in the array of a direct side; NULL if the side is not direct. */
static char *get_array(const execution *e, int side, const sx_tile *t)
{
    return e->pass->is_direct[side] ? get_memory(e, side, &e->pass->p.side[side].region[0], t) : NULL;
}

static void execute_tiles(void *context, int thread)
{
    const execution *e = context;
    const sx_pass pass = e->pass;
    const int threads = pass->p.threads, gathers = has_copies(e, SX_FROM), scatters = has_copies(e, SX_TO);
    const ptrdiff_t first = e->ntiles * thread / threads, end = e->ntiles * (thread + 1) / threads;
    sx_ahead ahead;
    sx_tile now, next;
    ahead.prefetch.butterflies = SX_AHEAD_UNKNOWN;
    if (first < end)
        get_tile(e, first, &next);
    for (ptrdiff_t i = first; i < end; i++) {
        now = next;
        if (gathers)
            gather(e, &now, thread);
        if (i + 1 < end)
            get_tile(e, i + 1, &next);
        if (i + 1 < end && pass->prefetches)
            copy_regions(e, &next, PREFETCH, NULL);
        if (pass->looks_ahead)
            now.prefetch = sx_pass_ahead_set(pass, e->from, i + 1 < end ? &next : NULL, &ahead);
        sx_pass_transform(pass, thread, &now, get_array(e, SX_FROM, &now), get_array(e, SX_TO, &now), e->from,
                          e->is_scattered ? NULL : e->to, e->op);
        if (scatters)
            scatter(e, &now, thread);
        if (thread == 0)
            sx_pass_execute_pause(e->pause, i - first + 1, end - first);
    }
    if (pass->nsteps > 0 && pass->step[pass->nsteps - 1].streams)
        sx_simd_complete();
}

/* Query whether copies must scatter the tiles. They must if the last step would write past the caches and a
 * region is not aligned. */
static int must_scatter(sx_pass pass, void *const to[])
{
    const sx_pass_side *side = &pass->p.side[SX_TO];
    for (int i = 0; i < side->nregions && pass->scattered.simd; i++)
        if (((size_t)to[side->region[i].place] + (size_t)side->region[i].offset) % SX_ALIGNMENT != 0)
            return 1;
    return 0;
}

void sx_pass_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                     const sx_pause *pause, const sx_operation *op)
{
    if (range.axis >= 0 && pass->p.is_merged[range.axis])
        range.axis = -1;
    execution e = {.pass = pass, .range = range, .from = from, .to = to, .pause = pause, .op = op};
    if (pass->pieces) {
        sx_pass_pieces_execute(pass, range, from, to, pause);
        return;
    }
    e.is_scattered = must_scatter(pass, to);
    count_tiles(&e);
    if (e.ntiles > 0)
        sx_pass_fork(pass->p.threads, execute_tiles, &e);
}
