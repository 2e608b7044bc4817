/* regions.c - execute a step by a kernel: find the pencils of a tile that the kernel reads and writes, in
 * regions or in buffers. */
#include "pass/inside.h"

/* A step of a tile, and the part of the tile that is swept next. On a side that has regions, this part lies
 * in one bundle. */
typedef struct call {
    sx_pass pass;
    const sx_step *step;
    const sx_tile *t;
    char *const *buffer;     /* [side]: address of the buffer, if the side is a buffer */
    const void *const *from; /* from, to: lists of addresses, indexed by sx_region.place */
    void *const *to;
    int region[2];                                   /* [side]: the first region of the bundle */
    ptrdiff_t lo[SUBX_NDIMS_MAX], n[SUBX_NDIMS_MAX]; /* the part of the tile */
    sx_simd_sweep sweep;
} call;

ptrdiff_t sx_pass_kernel_set_sweep(sx_pass pass, const sx_step *step, char *work, sx_simd_sweep *w)
{
    *w =
        (sx_simd_sweep){.simd = step->simd, .ndims = pass->p.ndims, .axis = step->axis, .along = step->along};
    for (int side = 0; side < 2; side++) {
        w->side[side].are_lines = step->form[side] == SX_LINES;
        w->part_count[side] = step->most_parts[side];
    }
    return sx_simd_sweep_set_work(w, work);
}

/* Set the part of the tile that is in the bundle of region r, or the whole tile if r is NULL. */
static void set_box(call *c, const sx_region *r)
{
    sx_corner corner;
    sx_pass_corner_get(c->pass, c->step->nspectral, 0, c->t->kind, &corner);
    for (int a = 0; a < c->pass->p.ndims; a++) {
        const int is_cut = r && c->pass->is_whole[a];
        c->lo[a] = is_cut ? r->start[a] : 0;
        c->n[a] = is_cut ? r->len[a] : corner.n[a];
    }
}

/* Get the number of elements from index `start` of the axes that are whole in a tile to the box. */
static ptrdiff_t get_offset(const call *c, const ptrdiff_t start[], const ptrdiff_t stride[])
{
    ptrdiff_t elements = 0;
    for (int a = 0; a < c->pass->p.ndims; a++)
        if (a != c->step->axis && c->pass->is_whole[a])
            elements += (c->lo[a] - start[a]) * stride[a];
    return elements;
}

/* List the part that the pencils have in a region. */
static sx_simd_part get_part(const call *c, int side, const sx_region *r)
{
    const ptrdiff_t lo = r->start[c->step->axis];
    char *base = side == SX_FROM ? (char *)(size_t)c->from[r->place] : (char *)c->to[r->place];
    return (sx_simd_part){.lo = lo,
                          .hi = lo + r->len[c->step->axis],
                          .first =
                              sx_pass_get_region_memory(c->pass, side, r, c->t, base) +
                              get_offset(c, r->start, r->stride) * sx_pass_get_layout(c->pass, side)->element,
                          .stride = r->stride};
}

/* List the parts of the pencils on a side: a part in each region of the bundle, or one part in a buffer. */
static void list_parts(call *c, int side)
{
    static const ptrdiff_t start[SUBX_NDIMS_MAX] = {0};
    const int place = side == SX_FROM ? c->step->from : c->step->to;
    sx_simd_part *part = c->sweep.part[side];
    int n = 0;
    if (place == SX_REGIONS)
        for (int i = c->region[side]; i >= 0; i = c->pass->next[side][i])
            part[n++] = get_part(c, side, &c->pass->p.side[side].region[i]);
    else {
        const sx_buffer *b = &c->pass->buffer[place];
        part[n++] = (sx_simd_part){.hi = sx_simd_get_length(c->step->simd, side),
                                   .first = c->buffer[side] + get_offset(c, start, b->stride) * b->element,
                                   .stride = b->stride};
    }
    c->sweep.part_count[side] = n;
}

/* Set the results that do not bypass the caches: those for regions that are not far. In a slice of a pipe
 * these regions are side by side (lib/pipe/create.c). If far regions lie between them, such as those of
 * another slice, these are kept, too. */
static void set_kept(const call *c, sx_simd_side *to)
{
    const char *end = to->kept = NULL;
    for (int i = c->region[SX_TO]; i >= 0; i = c->pass->next[SX_TO][i]) {
        const sx_region *r = &c->pass->p.side[SX_TO].region[i];
        const char *first = (const char *)c->to[r->place] + r->offset;
        ptrdiff_t elements;
        if (r->is_far)
            continue;
        (void)sx_base_get_end(c->pass->p.ndims, 0, r->len, r->stride, &elements);
        const char *last = first + elements * sx_pass_get_layout(c->pass, SX_TO)->element;
        to->kept = !to->kept || first < to->kept ? first : to->kept;
        end = !end || last > end ? last : end;
    }
    to->kept_bytes = end - to->kept;
}

static void execute_box(call *c, const sx_region *r)
{
    set_box(c, r);
    for (int side = 0; side < 2; side++)
        list_parts(c, side);
    if (c->step->streams && c->step->keeps)
        set_kept(c, &c->sweep.side[SX_TO]);
    sx_simd_sweep_execute(&c->sweep);
}

/* If one side has regions, the step is executed once for each bundle that the tile meets on this side. If
 * both sides have regions, the step is executed once for each bundle of side SX_TO: on side SX_FROM the tile
 * meets only one bundle. */
void sx_pass_kernel_execute(sx_pass pass, const sx_step *step, const sx_tile *t, char *const buffer[],
                            const void *const from[], void *const to[], void *work)
{
    call c = {.pass = pass, .step = step, .t = t, .buffer = buffer, .from = from, .to = to};
    const int side = step->to == SX_REGIONS ? SX_TO : SX_FROM;
    (void)sx_pass_kernel_set_sweep(pass, step, work, &c.sweep);
    c.sweep.n = c.n;
    c.sweep.side[SX_FROM].is_far = step->is_far;
    c.sweep.side[SX_FROM].prefetch = t->prefetch;
    if (step->from == SX_REGIONS)
        c.region[SX_FROM] = t->region[SX_FROM][0];
    else if (step->to != SX_REGIONS) {
        execute_box(&c, NULL);
        return;
    }
    for (int i = 0; i < t->nregions[side]; i++) {
        const int first = t->region[side][i];
        if (!pass->is_first[side][first])
            continue;
        c.region[side] = first;
        execute_box(&c, &pass->p.side[side].region[first]);
    }
}
