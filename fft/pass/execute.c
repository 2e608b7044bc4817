/* execute.c - run over the tiles of a pass: gather, transform, scatter. While one tile is transformed, the
 * next is asked for from memory. */
#include "pass/inside.h"

typedef struct tile {
    ptrdiff_t lo[SUBX_NDIMS_MAX]; /* its first element, in the local array */
    int kind;                     /* of its stretch along the run axis */
} tile;

typedef struct run {
    sx_pass pass;
    sx_range range;
    ptrdiff_t first, nstretches; /* the stretches that the range has */
    ptrdiff_t ntiles;
    const void *const *from;
    void *const *to;
    const sx_pause *pause;
} run;

/* ---- which tiles */

static int is_looped(sx_pass pass, int axis)
{
    return !pass->is_whole[axis] && axis != pass->run.axis;
}

static void get_bounds(const run *r, int axis, ptrdiff_t *lo, ptrdiff_t *hi)
{
    *lo = axis == r->range.axis ? r->range.lo : 0;
    *hi = axis == r->range.axis ? r->range.hi : r->pass->p.side[SX_FROM].len[axis];
}

static void set_stretches(run *r)
{
    const sx_cut *cut = &r->pass->run;
    r->nstretches = cut->count;
    if (cut->axis < 0 || r->range.axis != cut->axis)
        return;
    while (r->first < cut->count && cut->stretch[r->first].start < r->range.lo)
        r->first++;
    r->nstretches = 0;
    while (r->first + r->nstretches < cut->count &&
           cut->stretch[r->first + r->nstretches].start < r->range.hi)
        r->nstretches++;
}

static void count_tiles(run *r)
{
    set_stretches(r);
    r->ntiles = r->nstretches;
    for (int a = 0; a < r->pass->p.ndims; a++) {
        ptrdiff_t lo, hi;
        get_bounds(r, a, &lo, &hi);
        if (is_looped(r->pass, a))
            r->ntiles *= hi - lo;
    }
}

/* Neighbours along the run axis follow each other. */
static void get_tile(const run *r, ptrdiff_t i, tile *t)
{
    const sx_pass pass = r->pass;
    const sx_stretch *s = &pass->run.stretch[r->first + i % r->nstretches];
    i /= r->nstretches;
    t->kind = s->kind;
    for (int a = pass->p.ndims - 1; a >= 0; a--) {
        ptrdiff_t lo, hi;
        t->lo[a] = a == pass->run.axis ? s->start : 0;
        if (!is_looped(pass, a))
            continue;
        get_bounds(r, a, &lo, &hi);
        t->lo[a] = lo + i % (hi - lo);
        i /= hi - lo;
    }
}

/* ---- regions of a tile */

static int is_in(sx_pass pass, const sx_region *region, const tile *t)
{
    for (int a = 0; a < pass->p.ndims; a++)
        if (!pass->is_whole[a] &&
            (t->lo[a] < region->start[a] || t->lo[a] >= region->start[a] + region->len[a]))
            return 0;
    return 1;
}

/* Where the region of a tile begins, in bytes: in the region's memory, and in the buffer. */
static void get_offsets(sx_pass pass, int side, const sx_region *region, const tile *t, ptrdiff_t *memory,
                        ptrdiff_t *buffer)
{
    ptrdiff_t element = sx_pass_get_element(pass, side);
    *memory = region->offset;
    *buffer = 0;
    for (int a = 0; a < pass->p.ndims; a++) {
        if (pass->is_whole[a])
            *buffer += region->start[a] * pass->buffer[side].stride[a] * element;
        else
            *memory += (t->lo[a] - region->start[a]) * region->stride[a] * element;
    }
}

enum { GATHER, PREFETCH, SCATTER };

static void copy_region(const run *r, const tile *t, int i, int what, char *buffer)
{
    int side = what == SCATTER ? SX_TO : SX_FROM;
    const sx_region *region = &r->pass->p.side[side].region[i];
    subx_copy copy = *sx_pass_get_copy(r->pass, side, i, t->kind);
    ptrdiff_t memory, at;
    if (!is_in(r->pass, region, t))
        return;
    get_offsets(r->pass, side, region, t, &memory, &at);
    if (what == GATHER)
        (void)subx_copy_execute(copy, (const char *)r->from[region->place] + memory, buffer + at);
    else if (what == PREFETCH)
        (void)subx_copy_prefetch(copy, (const char *)r->from[region->place] + memory);
    else
        (void)subx_copy_execute(copy, buffer + at, (char *)r->to[region->place] + memory);
}

/* Nothing is copied of an array that is transformed where it lies. */
static void copy_regions(const run *r, const tile *t, int what, char *buffer)
{
    int side = what == SCATTER ? SX_TO : SX_FROM;
    for (int i = 0; i < r->pass->p.side[side].nregions && !r->pass->is_direct[side]; i++)
        copy_region(r, t, i, what, buffer);
}

/* ---- transforms */

/* Where a step reads or writes. */
static char *get_place(const run *r, int thread, int place, int side, const tile *t)
{
    const sx_region *region = &r->pass->p.side[side].region[0];
    ptrdiff_t memory, at;
    if (place != SX_ARRAY)
        return sx_pass_get_buffer(r->pass, thread, place);
    get_offsets(r->pass, side, region, t, &memory, &at);
    return (side == SX_FROM ? (char *)(size_t)r->from[region->place] : (char *)r->to[region->place]) + memory;
}

static void scale(const run *r, char *place, int side)
{
    double *x = (double *)(void *)place, factor = r->pass->p.factor;
    for (ptrdiff_t i = 0; i < r->pass->buffer[side].bytes / (ptrdiff_t)sizeof *x; i++)
        x[i] *= factor;
}

/* The factor is applied while all of a tile is in a buffer: before the last step, unless that is the only
 * one and reads an array. */
static void scale_tile(const run *r, int thread)
{
    const sx_step *last = &r->pass->step[r->pass->nsteps - 1];
    int side = last->from == SX_ARRAY ? last->to : last->from;
    if (r->pass->p.factor != 1.0)
        scale(r, sx_pass_get_buffer(r->pass, thread, side), side);
}

static void transform(const run *r, int thread, const tile *t)
{
    const sx_pass pass = r->pass;
    int last = pass->nsteps - 1, is_before = pass->step[last].from != SX_ARRAY;
    for (int i = 0; i <= last; i++) {
        if (i == last && is_before)
            scale_tile(r, thread);
        pass->p.serial->execute(pass->step[i].serial[t->kind],
                                get_place(r, thread, pass->step[i].from, SX_FROM, t),
                                get_place(r, thread, pass->step[i].to, SX_TO, t));
    }
    if (!is_before)
        scale_tile(r, thread);
}

/* A pause before every so many tiles makes as many as are wished for. */
static void make_pause(const run *r, ptrdiff_t i, ptrdiff_t n)
{
    ptrdiff_t every = r->pause ? n / ((ptrdiff_t)r->pause->times + 1) : 0;
    if (r->pause && i > 0 && i % (every + 1) == 0)
        r->pause->call(r->pause->context);
}

/* A second-level cache must have room for what is transformed and for what comes next. */
enum { PREFETCH_BYTES = 256 << 10 };

static void run_tiles(void *context, int thread)
{
    const run *r = context;
    int threads = r->pass->p.threads;
    ptrdiff_t first = r->ntiles * thread / threads, end = r->ntiles * (thread + 1) / threads;
    tile now, next;
    if (first < end)
        get_tile(r, first, &next);
    for (ptrdiff_t i = first; i < end; i++) {
        now = next;
        copy_regions(r, &now, GATHER, sx_pass_get_buffer(r->pass, thread, SX_FROM));
        if (i + 1 < end)
            get_tile(r, i + 1, &next);
        if (i + 1 < end && r->pass->buffer[SX_FROM].bytes <= PREFETCH_BYTES)
            copy_regions(r, &next, PREFETCH, NULL);
        transform(r, thread, &now);
        copy_regions(r, &now, SCATTER, sx_pass_get_buffer(r->pass, thread, SX_TO));
        if (thread == 0)
            make_pause(r, i - first + 1, end - first);
    }
}

void sx_pass_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                     const sx_pause *pause)
{
    run r = {.pass = pass, .range = range, .from = from, .to = to, .pause = pause};
    count_tiles(&r);
    if (r.ntiles > 0)
        sx_pass_fork(pass->p.threads, run_tiles, &r);
}
