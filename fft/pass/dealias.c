/* dealias.c - where the elements that exist are in a buffer of a pass: the points on the physical side, and
 * on the spectral side the modes that are kept. fft/serial/modes.c says which are kept. */
#include "pass/inside.h"

int sx_pass_has_half(const sx_pass_problem *p)
{
    return p->naxes > 0 && p->axis[0].kind == SUBX_FFT_R2C;
}

/* ---- extents */

static int is_spectral(const sx_pass_problem *p, int side)
{
    return !p->is_round && side == (p->direction == SUBX_FFT_FORWARD ? SX_TO : SX_FROM);
}

void sx_pass_extents_set(sx_pass pass)
{
    const sx_pass_problem *p = &pass->p;
    for (int side = 0; side < 2; side++)
        pass->is_spectral[side] = is_spectral(p, side);
    for (int a = 0; a < p->ndims; a++) {
        const ptrdiff_t n = p->side[SX_FROM].len[a];
        pass->is_whole[a] = p->is_whole[a];
        pass->extent[SUBX_FFT_PHYSICAL][a] = pass->extent[SUBX_FFT_SPECTRAL][a] =
            sx_serial_get_extent(SUBX_FFT_NONE, n, n, n, SUBX_FFT_PHYSICAL);
    }
    for (int i = 0; i < p->naxes; i++) {
        const sx_pass_axis *x = &p->axis[i];
        pass->is_whole[x->axis] = 1;
        for (int side = 0; side < 2; side++)
            pass->extent[side][x->axis] = sx_serial_get_extent(x->kind, x->n, x->points, x->modes, side);
    }
}

/* R2C with an odd n = modes+1 is not full, although all entries exist: the last entry is folded (fixes.c). */
int sx_pass_is_full(sx_pass pass, int is_spectral)
{
    for (int i = 0; i < pass->p.naxes; i++) {
        const sx_pass_axis *x = &pass->p.axis[i];
        if ((is_spectral ? x->modes : x->points) < x->n)
            return 0;
    }
    return 1;
}

/* ---- regions */

static int is_across(const sx_region *region, int axis, ptrdiff_t low)
{
    return region->start[axis] < low && region->start[axis] + region->len[axis] > low;
}

/* Cut a region in two: move its high indices to another region. */
static void cut(sx_region *low, sx_region *high, int axis, ptrdiff_t at, ptrdiff_t element, int ndims)
{
    const ptrdiff_t n = at - low->start[axis];
    sx_pass_region_set(high, low, ndims);
    high->start[axis] = at;
    high->len[axis] -= n;
    high->offset += n * high->stride[axis] * element;
    low->len[axis] = n;
}

/* Replace each region that extends across the gap of an axis by two regions, one before the gap and one
 * behind it. Regions behind the gap get the indices that they have in the buffer. */
static int split(sx_pass_side *side, int axis, const sx_extent *e, ptrdiff_t element, int ndims)
{
    int count = side->nregions, k = 0;
    for (int i = 0; i < side->nregions; i++)
        count += is_across(&side->region[i], axis, e->low);
    sx_region *region = sx_pass_regions_alloc(ndims, count);
    if (!region)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < side->nregions; i++, k++) {
        sx_pass_region_set(&region[k], &side->region[i], ndims);
        if (is_across(&region[k], axis, e->low)) {
            cut(&region[k], &region[k + 1], axis, e->low, element, ndims);
            k++;
        }
        if (region[k].start[axis] >= e->low)
            region[k].start[axis] += e->n - e->high - e->low;
    }
    sx_base_free(side->region);
    side->region = region;
    side->nregions = count;
    return MPI_SUCCESS;
}

int sx_pass_regions_create(sx_pass pass, const sx_pass_side *given, int side)
{
    sx_pass_side *own = &pass->p.side[side];
    const int ndims = pass->p.ndims;
    own->region = sx_pass_regions_alloc(ndims, given->nregions);
    if (!own->region)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < given->nregions; i++)
        sx_pass_region_set(&own->region[i], &given->region[i], ndims);
    int rc = MPI_SUCCESS;
    for (int a = 0; a < ndims && !rc; a++) {
        const sx_extent *e = &pass->extent[pass->is_spectral[side]][a];
        if (e->high > 0)
            rc = split(own, a, e, sx_pass_get_element(pass, side), ndims);
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

/* Set the box of a tile whose axes are all physical: along the batch axis a stretch; along each other axis
 * that is not whole, one index. */
static void set_tile(sx_pass pass, int kind, sx_corner *corner)
{
    for (int a = 0; a < pass->p.ndims; a++) {
        corner->lo[a] = 0;
        corner->n[a] = pass->is_whole[a] ? pass->extent[SUBX_FFT_PHYSICAL][a].low : 1;
    }
    if (pass->batch.axis >= 0)
        corner->n[pass->batch.axis] = pass->batch.length[kind];
}

/* The binary digits of k choose the corner. Each axis that has elements on both sides of its gap has a digit:
 * 0 chooses the low indices, 1 the high indices. */
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
    if (place == SX_ARRAY)
        return 0;
    return sx_base_get_distance(pass->p.ndims, corner->lo, pass->buffer[place].stride) *
           pass->buffer[place].element;
}
