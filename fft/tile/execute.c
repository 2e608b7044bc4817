/* execute.c - run over the tiles of a pass: gather, transform, scatter. While one tile is transformed, the next is
 * asked for from memory. */
#include "tile/pass.h"

typedef struct tile {
    ptrdiff_t lo[SUBX_NDIMS_MAX]; /* its first element, in the local array */
    ptrdiff_t length;             /* along the run axis */
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
    return !pass->is_whole[axis] && axis != pass->run;
}

static void get_bounds(const run *r, int axis, ptrdiff_t *lo, ptrdiff_t *hi)
{
    *lo = axis == r->range.axis ? r->range.lo : 0;
    *hi = axis == r->range.axis ? r->range.hi : r->pass->p.side[SX_READ].len[axis];
}

static void set_stretches(run *r)
{
    const sx_pass pass = r->pass;
    r->nstretches = pass->nstretches;
    if (pass->run < 0 || r->range.axis != pass->run)
        return;
    while (r->first < pass->nstretches && pass->stretch[r->first].start < r->range.lo)
        r->first++;
    r->nstretches = 0;
    while (r->first + r->nstretches < pass->nstretches &&
           pass->stretch[r->first + r->nstretches].start < r->range.hi)
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
    const sx_stretch *s = &pass->stretch[r->first + i % r->nstretches];
    i /= r->nstretches;
    t->length = s->n;
    for (int a = pass->p.ndims - 1; a >= 0; a--) {
        ptrdiff_t lo, hi;
        t->lo[a] = a == pass->run ? s->start : 0;
        if (!is_looped(pass, a))
            continue;
        get_bounds(r, a, &lo, &hi);
        t->lo[a] = lo + i % (hi - lo);
        i /= hi - lo;
    }
}

/* ---- parts of a tile */

static int is_in(sx_pass pass, const sx_part *part, const tile *t)
{
    for (int a = 0; a < pass->p.ndims; a++)
        if (!pass->is_whole[a] && (t->lo[a] < part->start[a] || t->lo[a] >= part->start[a] + part->len[a]))
            return 0;
    return 1;
}

/* Where the part of a tile begins, in bytes: in the part's memory, and in the buffer. */
static void get_offsets(sx_pass pass, int side, const sx_part *part, const tile *t, ptrdiff_t *memory,
                        ptrdiff_t *buffer)
{
    ptrdiff_t element = pass->p.side[side].width * (ptrdiff_t)sizeof(double);
    *memory = part->offset;
    *buffer = 0;
    for (int a = 0; a < pass->p.ndims; a++) {
        if (pass->is_whole[a])
            *buffer += part->start[a] * pass->buffer[side].stride[a] * element;
        else
            *memory += (t->lo[a] - part->start[a]) * part->stride[a] * element;
    }
}

enum { GATHER, PREFETCH, SCATTER };

static void copy_part(const run *r, const tile *t, int i, int what, char *buffer)
{
    int side = what == SCATTER ? SX_WRITE : SX_READ;
    const sx_part *part = &r->pass->p.side[side].part[i];
    subx_copy copy = *sx_pass_get_copy(r->pass, side, i, t->length);
    ptrdiff_t memory, at;
    if (!is_in(r->pass, part, t))
        return;
    get_offsets(r->pass, side, part, t, &memory, &at);
    if (what == GATHER)
        (void)subx_copy_execute(copy, (const char *)r->from[part->place] + memory, buffer + at);
    else if (what == PREFETCH)
        (void)subx_copy_prefetch(copy, (const char *)r->from[part->place] + memory);
    else
        (void)subx_copy_execute(copy, buffer + at, (char *)r->to[part->place] + memory);
}

static void copy_parts(const run *r, const tile *t, int what, char *buffer)
{
    int n = r->pass->p.side[what == SCATTER ? SX_WRITE : SX_READ].nparts;
    for (int i = 0; i < n; i++)
        copy_part(r, t, i, what, buffer);
}

/* ---- a tile */

static void scale(double *buffer, ptrdiff_t bytes, double factor)
{
    for (ptrdiff_t i = 0; i < bytes / (ptrdiff_t)sizeof *buffer; i++)
        buffer[i] *= factor;
}

static void transform(sx_pass pass, int thread, const tile *t)
{
    for (int i = 0; i < pass->nsteps; i++)
        pass->p.serial->execute(pass->step[i].serial[t->length],
                                sx_pass_get_buffer(pass, thread, pass->step[i].from),
                                sx_pass_get_buffer(pass, thread, pass->step[i].to));
    if (pass->p.factor != 1.0)
        scale((double *)(void *)sx_pass_get_buffer(pass, thread, SX_WRITE), pass->buffer[SX_WRITE].bytes,
              pass->p.factor);
}

/* A pause before every so many tiles makes as many as are wished for. */
static void make_pause(const run *r, ptrdiff_t i, ptrdiff_t n)
{
    ptrdiff_t every = r->pause ? n / (r->pause->times + 1) : 0;
    if (r->pause && i > 0 && i % (every + 1) == 0)
        r->pause->call(r->pause->context);
}

/* A second-level cache must have room for a tile and for the next one. */
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
        copy_parts(r, &now, GATHER, sx_pass_get_buffer(r->pass, thread, SX_READ));
        if (i + 1 < end)
            get_tile(r, i + 1, &next);
        if (i + 1 < end && r->pass->buffer[SX_READ].bytes <= PREFETCH_BYTES)
            copy_parts(r, &next, PREFETCH, NULL);
        transform(r->pass, thread, &now);
        copy_parts(r, &now, SCATTER, sx_pass_get_buffer(r->pass, thread, SX_WRITE));
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
        sx_tile_fork(pass->p.threads, run_tiles, &r);
}
