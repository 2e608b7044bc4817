/* regions.c - execute a step by a kernel: compute the addresses of the rows or lines that it reads and
 * writes, in regions or in buffers. */
#include "pass/inside.h"

/* ---- the work space: for the kernel, and for the addresses of both sides */

/* Get the largest number of lines of a call: a group, and a rest that does not fill a register. */
static ptrdiff_t get_most_lines(const sx_step *step)
{
    return SX_GROUP + sx_simd_get_lanes(step->simd) - 1;
}

ptrdiff_t sx_pass_kernel_set_work(const sx_step *step, char *work, sx_kernel_work *set)
{
    ptrdiff_t bytes = sx_base_round_up(sx_simd_get_bytes(step->simd));
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t part_count = step->most_parts[side], nlines = part_count * get_most_lines(step);
        const ptrdiff_t nrows = sx_simd_get_length(step->simd, side);
        set->address[side] = (char **)(void *)(work + bytes);
        bytes += sx_base_round_up((nrows > nlines ? nrows : nlines) * (ptrdiff_t)sizeof(char *));
        set->part[side] = (sx_simd_part *)(void *)(work + bytes);
        bytes += sx_base_round_up(part_count * (ptrdiff_t)sizeof(sx_simd_part));
    }
    return bytes;
}

/* ---- execution */

/* A box of a tile, and the pencils of the box that are transformed next. On a side that has regions, the box
 * lies in one bundle. lo and n: where the box begins, and its lengths; at: where the next pencils begin. */
typedef struct box {
    sx_pass pass;
    const sx_step *step;
    const sx_tile *t;
    char *const *buffer;     /* [side]: address of the buffer, if the side is a buffer */
    const void *const *from; /* from, to: lists of addresses, indexed by sx_region.place */
    void *const *to;
    int region[2]; /* [side]: the first region of the bundle */
    ptrdiff_t lo[SUBX_NDIMS_MAX], n[SUBX_NDIMS_MAX], at[SUBX_NDIMS_MAX];
    sx_kernel_work set;
    void *work;
    const char *kept; /* as in sx_simd_side */
    ptrdiff_t kept_bytes;
} box;

static char *get_region_address(const box *b, int side, const sx_region *r)
{
    const sx_buffer *layout = sx_pass_get_layout(b->pass, side);
    char *base = side == SX_FROM ? (char *)(size_t)b->from[r->place] : (char *)b->to[r->place];
    ptrdiff_t elements = 0;
    for (int a = 0; a < b->pass->p.ndims; a++)
        if (a != b->step->axis)
            elements += (b->t->lo[a] + b->at[a] - r->start[a]) * r->stride[a];
    return base + r->offset + elements * layout->element;
}

static char *get_buffer_address(const box *b, int side, const sx_buffer *layout)
{
    ptrdiff_t elements = 0;
    for (int a = 0; a < b->pass->p.ndims; a++)
        if (a != b->step->axis && (b->pass->is_whole[a] || a == b->pass->batch.axis))
            elements += b->at[a] * layout->stride[a];
    return b->buffer[side] + elements * layout->element;
}

/* Set the addresses of n rows, or of n lines, which are `apart` bytes from each other. */
static void set_addresses(char *at[], char *first, ptrdiff_t n, ptrdiff_t apart)
{
    for (ptrdiff_t j = 0; j < n; j++)
        at[j] = first + j * apart;
}

/* Set the addresses of the rows or lines of npencils pencils. Each region of a bundle has some of the rows,
 * or one part of each line. Returns the number of parts of a line; rows have no parts, and the result has no
 * meaning for them. */
static int set_side(const box *b, int side, ptrdiff_t npencils)
{
    const sx_step *step = b->step;
    const int place = side == SX_FROM ? step->from : step->to, are_lines = step->form[side] == SX_LINES;
    const ptrdiff_t n = sx_simd_get_length(step->simd, side);
    char **address = b->set.address[side];
    int part_count = 0;
    if (place != SX_REGIONS) {
        const sx_buffer *layout = &b->pass->buffer[place];
        set_addresses(address, get_buffer_address(b, side, layout), are_lines ? npencils : n,
                      layout->stride[are_lines ? step->along : step->axis] * layout->element);
        return 1;
    }
    for (int i = b->region[side]; i >= 0; i = b->pass->next[side][i]) {
        const sx_region *r = &b->pass->p.side[side].region[i];
        const ptrdiff_t start = r->start[step->axis], len = r->len[step->axis];
        set_addresses(address + (are_lines ? part_count * npencils : start), get_region_address(b, side, r),
                      are_lines ? npencils : len,
                      r->stride[are_lines ? step->along : step->axis] *
                          sx_pass_get_layout(b->pass, side)->element);
        if (are_lines)
            b->set.part[side][part_count++] = (sx_simd_part){start, start + len};
    }
    return part_count;
}

/* Get the bytes from the first element of a region to its end. */
static ptrdiff_t get_extent(const box *b, const sx_region *r)
{
    ptrdiff_t last = 0;
    for (int a = 0; a < b->pass->p.ndims; a++)
        last += (r->len[a] - 1) * r->stride[a];
    return (last + 1) * sx_pass_get_layout(b->pass, SX_TO)->element;
}

/* Set b->kept, the results that do not bypass the caches: those for regions that are not far. In a slice of a
 * pipe these regions are side by side (lib/pipe/create.c). If far regions lie between them, such as those of
 * another slice, these are kept, too. */
static void set_kept(box *b)
{
    const char *end = b->kept = NULL;
    for (int i = b->region[SX_TO]; i >= 0; i = b->pass->next[SX_TO][i]) {
        const sx_region *r = &b->pass->p.side[SX_TO].region[i];
        const char *first = (const char *)b->to[r->place] + r->offset, *last = first + get_extent(b, r);
        if (r->is_far)
            continue;
        b->kept = !b->kept || first < b->kept ? first : b->kept;
        end = !end || last > end ? last : end;
    }
    b->kept_bytes = end - b->kept;
}

/* Get the number of pencils that the next call of the kernel transforms. If a side has lines this is a group,
 * else all pencils that are side by side. A rest that does not fill a register belongs to the last group,
 * because a call for it alone would be slow. */
static ptrdiff_t count_next(const box *b)
{
    const int u = b->step->along;
    const int has_lines = b->step->form[SX_FROM] == SX_LINES || b->step->form[SX_TO] == SX_LINES;
    const ptrdiff_t left = b->lo[u] + b->n[u] - b->at[u];
    return has_lines && left > get_most_lines(b->step) ? SX_GROUP : left;
}

/* Set the box to the part of the tile that is in the bundle of region r, or to the whole tile if r is
 * NULL. */
static void begin(box *b, const sx_region *r)
{
    sx_corner corner;
    sx_pass_corner_get(b->pass, b->step->nspectral, 0, b->t->kind, &corner);
    for (int a = 0; a < b->pass->p.ndims; a++) {
        const int is_cut = r && b->pass->is_whole[a];
        b->at[a] = b->lo[a] = is_cut ? r->start[a] : 0;
        b->n[a] = is_cut ? r->len[a] : corner.n[a];
    }
}

/* Get the bytes from the pencils at one index of axis v to those at the next one; -1 if the regions of a
 * bundle differ. */
static ptrdiff_t get_apart(const box *b, int side, int v)
{
    const int place = side == SX_FROM ? b->step->from : b->step->to;
    const sx_region *region = b->pass->p.side[side].region;
    if (place != SX_REGIONS)
        return b->pass->buffer[place].stride[v] * b->pass->buffer[place].element;
    for (int i = b->region[side]; i >= 0; i = b->pass->next[side][i])
        if (region[i].stride[v] != region[b->region[side]].stride[v])
            return -1;
    return region[b->region[side]].stride[v] * sx_pass_get_layout(b->pass, side)->element;
}

/* Find the batch axis of the kernel's calls: a call transforms all pencils along this axis, too. It is the
 * axis along which go_on goes after `along`. Returns -1 if each call transforms one batch only: because there
 * is no such axis, because not even all pencils along `along` fit into one call, or because regions differ.
 * apart[]: for each side, the bytes from a batch to the next one. */
static int find_batch_axis(const box *b, ptrdiff_t apart[])
{
    const int u = b->step->along;
    int v = b->pass->p.ndims - 1;
    apart[SX_FROM] = apart[SX_TO] = 0;
    while (v >= 0 && (v == u || v == b->step->axis || b->n[v] <= 1))
        v--;
    if (v < 0 || b->n[u] > count_next(b))
        return -1;
    for (int side = 0; side < 2; side++)
        apart[side] = get_apart(b, side, v);
    return apart[SX_FROM] < 0 || apart[SX_TO] < 0 ? -1 : v;
}

/* Go to the next pencils, first along the axis on which they are side by side. Returns 0 after the last
 * ones. */
static int go_on(box *b)
{
    const int u = b->step->along;
    b->at[u] += count_next(b);
    if (b->at[u] < b->lo[u] + b->n[u])
        return 1;
    b->at[u] = b->lo[u];
    for (int a = b->pass->p.ndims - 1; a >= 0; a--) {
        if (a == u || a == b->step->axis)
            continue;
        if (++b->at[a] < b->lo[a] + b->n[a])
            return 1;
        b->at[a] = b->lo[a];
    }
    return 0;
}

static void execute_box(box *b, const sx_region *r)
{
    const sx_step *step = b->step;
    ptrdiff_t apart[2];
    begin(b, r);
    const int v = find_batch_axis(b, apart);
    const ptrdiff_t count = v < 0 ? 1 : b->n[v];
    if (step->streams && step->keeps)
        set_kept(b);
    do {
        const ptrdiff_t n = count_next(b);
        sx_simd_side side[2];
        for (int k = 0; k < 2; k++) {
            side[k] = (sx_simd_side){.are_lines = step->form[k] == SX_LINES,
                                     .part_count = set_side(b, k, n),
                                     .part = b->set.part[k],
                                     .at = b->set.address[k],
                                     .step = apart[k],
                                     .is_far = k == SX_FROM && step->is_far,
                                     .prefetch = k == SX_FROM ? b->t->prefetch : NULL,
                                     .kept = b->kept,
                                     .kept_bytes = b->kept_bytes};
        }
        sx_simd_execute(step->simd, n, count, &side[SX_FROM], &side[SX_TO], b->work);
        if (v >= 0)
            b->at[v] += count - 1; /* go_on adds the last 1 */
    } while (go_on(b));
}

/* If one side has regions, the step is executed once for each bundle that the tile meets on this side. If
 * both sides have regions, the step is executed once for each bundle of side SX_TO: on side SX_FROM the tile
 * meets only one bundle. */
void sx_pass_kernel_execute(sx_pass pass, const sx_step *step, const sx_tile *t, char *const buffer[],
                            const void *const from[], void *const to[], void *work)
{
    box b = {.pass = pass, .step = step, .t = t, .buffer = buffer, .from = from, .to = to, .work = work};
    const int side = step->to == SX_REGIONS ? SX_TO : SX_FROM;
    (void)sx_pass_kernel_set_work(step, work, &b.set);
    if (step->from == SX_REGIONS)
        b.region[SX_FROM] = t->region[SX_FROM][0];
    else if (step->to != SX_REGIONS) {
        execute_box(&b, NULL);
        return;
    }
    for (int i = 0; i < t->nregions[side]; i++) {
        const int first = t->region[side][i];
        if (!pass->is_first[side][first])
            continue;
        b.region[side] = first;
        execute_box(&b, &pass->p.side[side].region[first]);
    }
}
