/* domain.c - the physical and the spectral domain of a pass: which indices of a tile exist, and where they lie in
 * the buffer. */
#include "pass/inside.h"
#include <string.h>

int sx_pass_has_half(const sx_pass_problem *p)
{
    return p->naxes > 0 && p->axis[0].kind == SUBX_FFT_R2C;
}

/* ---- extents */

/* 1 if entries k and n-k belong to the same frequency, but for its sign. */
static int has_negative(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_DHT || kind == SUBX_FFT_R2HC;
}

/* An even number of modes, but not all, keeps the entry modes/2 among the low ones. */
static sx_extent get_spectral(const sx_pass_axis *x)
{
    const ptrdiff_t m = x->modes, low = m / 2 + 1;
    if (x->kind == SUBX_FFT_R2C)
        return (sx_extent){sx_serial_get_half(x->n), low, 0};
    if (m == x->n || !has_negative(x->kind))
        return (sx_extent){x->n, m, 0};
    return (sx_extent){x->n, low, m - low};
}

static int get_domain(const sx_pass_problem *p, int side)
{
    const int physical = p->direction == SUBX_FFT_FORWARD ? SX_FROM : SX_TO;
    return p->is_round || side == physical ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL;
}

void sx_pass_domains_set(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    for (int side = 0; side < 2; side++)
        pass->domain[side] = get_domain(p, side);
    for (int a = 0; a < p->ndims; a++) {
        const ptrdiff_t n = p->side[SX_FROM].len[a];
        pass->is_whole[a] = p->is_whole[a];
        pass->extent[SUBX_FFT_PHYSICAL][a] = pass->extent[SUBX_FFT_SPECTRAL][a] = (sx_extent){n, n, 0};
    }
    for (int i = 0; i < p->naxes; i++) {
        const sx_pass_axis *x = &p->axis[i];
        pass->is_whole[x->axis] = 1;
        pass->extent[SUBX_FFT_PHYSICAL][x->axis] = (sx_extent){x->n, x->points, 0};
        pass->extent[SUBX_FFT_SPECTRAL][x->axis] = get_spectral(x);
    }
}

/* Of R2C with n = modes+1 odd, all entries exist, but the last one is folded. */
int sx_pass_is_full(sx_pass pass, int domain)
{
    for (int i = 0; i < pass->p.naxes; i++) {
        const sx_pass_axis *x = &pass->p.axis[i];
        if ((domain == SUBX_FFT_PHYSICAL ? x->points : x->modes) < x->n)
            return 0;
    }
    return 1;
}

/* ---- regions */

static int is_across(const sx_region *region, int axis, ptrdiff_t low)
{
    return region->start[axis] < low && region->start[axis] + region->len[axis] > low;
}

/* Cut the low indices off a region. */
static sx_region cut_low(sx_region *region, int axis, ptrdiff_t low, ptrdiff_t element)
{
    const ptrdiff_t n = low - region->start[axis];
    sx_region first = *region;
    first.len[axis] = n;
    region->start[axis] = low;
    region->len[axis] -= n;
    region->offset += n * region->stride[axis] * element;
    return first;
}

/* Replace the regions of a side by regions on either side of the gap, those behind it moved to where they lie in
 * the buffer. */
static int split(sx_pass_side *side, int axis, const sx_extent *e, ptrdiff_t element)
{
    int count = side->nregions, k = 0;
    for (int i = 0; i < side->nregions; i++)
        count += is_across(&side->region[i], axis, e->low);
    sx_region *region = sx_base_alloc(count, sizeof *region);
    if (!region)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < side->nregions; i++) {
        sx_region rest = side->region[i];
        if (is_across(&rest, axis, e->low))
            region[k++] = cut_low(&rest, axis, e->low, element);
        if (rest.start[axis] >= e->low)
            rest.start[axis] += e->n - e->high - e->low;
        region[k++] = rest;
    }
    sx_base_free(side->region);
    side->region = region;
    side->nregions = count;
    return MPI_SUCCESS;
}

int sx_pass_regions_create(sx_pass pass, const sx_pass_side *given, int side)
{
    sx_pass_side *own = &pass->p.side[side];
    own->region = sx_base_alloc(given->nregions, sizeof *own->region);
    if (!own->region)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    memcpy(own->region, given->region, (size_t)given->nregions * sizeof *own->region);
    int rc = MPI_SUCCESS;
    for (int a = 0; a < pass->p.ndims && !rc; a++) {
        const sx_extent *e = &pass->extent[pass->domain[side]][a];
        if (e->high > 0)
            rc = split(own, a, e, sx_pass_get_layout(pass, side)->element);
    }
    return rc;
}

/* ---- corners */

int sx_pass_corners_count(sx_pass pass, int nspectral)
{
    int count = 1;
    for (int i = 0; i < nspectral; i++)
        count *= pass->extent[SUBX_FFT_SPECTRAL][pass->p.axis[i].axis].high > 0 ? 2 : 1;
    return count;
}

/* Along axes that are not whole a tile has one index, but along the batch axis its stretch. */
static void set_tile(sx_pass pass, int kind, sx_corner *corner)
{
    for (int a = 0; a < pass->p.ndims; a++) {
        corner->lo[a] = 0;
        corner->n[a] = pass->is_whole[a] ? pass->extent[SUBX_FFT_PHYSICAL][a].low : 1;
    }
    if (pass->batch.axis >= 0)
        corner->n[pass->batch.axis] = pass->batch.length[kind];
}

/* The binary digits of k choose between low and high. */
void sx_pass_corner_get(sx_pass pass, int nspectral, int k, int kind, sx_corner *corner)
{
    set_tile(pass, kind, corner);
    for (int i = 0; i < nspectral; i++) {
        const int a = pass->p.axis[i].axis;
        const sx_extent *e = &pass->extent[SUBX_FFT_SPECTRAL][a];
        const int is_high = e->high > 0 && k % 2;
        corner->lo[a] = is_high ? e->n - e->high : 0;
        corner->n[a] = is_high ? e->high : e->low;
        k /= e->high > 0 ? 2 : 1;
    }
}

ptrdiff_t sx_pass_get_offset(sx_pass pass, int place, const sx_corner *corner)
{
    ptrdiff_t elements = 0;
    if (place == SX_ARRAY)
        return 0;
    for (int a = 0; a < pass->p.ndims; a++)
        elements += corner->lo[a] * pass->buffer[place].stride[a];
    return elements * pass->buffer[place].element;
}
