/* ahead.c - list the rows of the next tile, which kernels prefetch while they transform a tile. A row is a
 * part of a region, and is contiguous in memory. */
#include "pass/inside.h"

/* The rows of a region that belong to a tile: n[0] rows, apart[0] bytes from each other; n[1] such sets of
 * rows, apart[1] bytes from each other; and so on. */
typedef struct rows {
    const char *first;
    ptrdiff_t bytes; /* of a row */
    int ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX], apart[SUBX_NDIMS_MAX];
} rows;

/* Find the axes along which a row extends. A row begins with an element. It extends along an axis if what
 * follows along this axis is adjacent to what the row has so far. Returns the bytes of the row, and sets
 * is_in_row. */
static ptrdiff_t find_row(sx_pass pass, const sx_tile *t, const sx_region *r, char is_in_row[])
{
    const ptrdiff_t element = sx_pass_get_element(pass, SX_FROM);
    ptrdiff_t bytes = element;
    for (int axis = 0; axis < pass->p.ndims; axis++) {
        const ptrdiff_t n = sx_pass_get_count(pass, r, t->kind, axis);
        if (is_in_row[axis] || n == 1 || r->stride[axis] * element != bytes)
            continue;
        bytes *= n;
        is_in_row[axis] = 1;
        axis = -1; /* the row is longer now: look at all axes again */
    }
    return bytes;
}

static void set_rows(sx_pass pass, const void *const from[], const sx_tile *t, const sx_region *r, rows *s)
{
    char is_in_row[SUBX_NDIMS_MAX] = {0};
    s->first = sx_pass_get_region_memory(pass, SX_FROM, r, t, (char *)(size_t)from[r->place]);
    s->bytes = find_row(pass, t, r, is_in_row);
    s->ndims = 0;
    for (int k = 0; k < pass->p.ndims; k++) {
        const int axis = pass->p.order[k];
        const ptrdiff_t n = sx_pass_get_count(pass, r, t->kind, axis);
        if (is_in_row[axis] || n == 1)
            continue;
        s->n[s->ndims] = n;
        s->apart[s->ndims++] = r->stride[axis] * sx_pass_get_element(pass, SX_FROM);
    }
}

/* List rows, from the beginning of a cache line on, as long as there is room. Returns the number of their
 * cache lines. */
static ptrdiff_t list_rows(sx_ahead *a, const rows *s, int level, const char *first)
{
    ptrdiff_t lines = 0;
    for (ptrdiff_t i = 0; level >= 0 && i < s->n[level] && a->nrows < SX_AHEAD_MAX; i++)
        lines += list_rows(a, s, level - 1, first + i * s->apart[level]);
    if (level >= 0)
        return lines;
    const ptrdiff_t before = (ptrdiff_t)((size_t)first % SX_ALIGNMENT);
    a->row[a->nrows++] = (sx_simd_row){first - before, first + s->bytes};
    return (before + s->bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT;
}

/* List the rows of a tile. Returns the number of their cache lines. */
static ptrdiff_t list_tile(sx_pass pass, const void *const from[], const sx_tile *t, sx_ahead *a)
{
    ptrdiff_t lines = 0;
    a->nrows = 0;
    for (int i = 0; i < t->nregions[SX_FROM] && a->nrows < SX_AHEAD_MAX; i++) {
        rows s;
        set_rows(pass, from, t, &pass->p.side[SX_FROM].region[t->region[SX_FROM][i]], &s);
        if (s.bytes >= SX_AHEAD_LEAST_BYTES)
            lines += list_rows(a, &s, s.ndims - 1, s.first);
    }
    a->row[a->nrows] = (sx_simd_row){NULL, NULL};
    return lines;
}

/* Get the lines to prefetch per butterfly, so that all lines of the next tile are prefetched when this tile
 * has been transformed. A tile has about as many butterflies as the one before it. If it is much longer than
 * that one, more lines per butterfly would be too many at once. */
static ptrdiff_t get_rate(ptrdiff_t lines, ptrdiff_t butterflies)
{
    const ptrdiff_t rate = lines / butterflies + 1;
    return rate < SX_AHEAD_MOST_LINES ? rate : SX_AHEAD_MOST_LINES;
}

sx_simd_prefetch *sx_pass_ahead_set(sx_pass pass, const void *const from[], const sx_tile *next, sx_ahead *a)
{
    const ptrdiff_t butterflies = a->prefetch.butterflies;
    if (!next || butterflies == SX_AHEAD_NONE)
        return NULL;
    a->prefetch = (sx_simd_prefetch){.lines = 0};
    if (butterflies == SX_AHEAD_UNKNOWN)
        return &a->prefetch;
    const ptrdiff_t lines = list_tile(pass, from, next, a);
    if (lines == 0)
        return NULL;
    a->prefetch =
        (sx_simd_prefetch){.row = a->row[0], .next = a->row + 1, .lines = get_rate(lines, butterflies)};
    return &a->prefetch;
}
