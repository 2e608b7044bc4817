/* copies.c - create the copies between regions and the buffers of tiles. Most regions have the same shape,
 * and share a copy. */
#include "pass/inside.h"

/* Get the number whole_bytes for copies that write an array (subx_copy_create). A copy compares it with a
 * half of the caches, because other copies read as many bytes as they write. The array that a pass writes
 * stays in the caches only if three arrays fit into them: the array that this pass reads, the array that it
 * writes, and the array that the next pass writes. So the number is the bytes of one and a half arrays. */
static ptrdiff_t get_whole_bytes(ptrdiff_t array)
{
    return 3 * array / 2;
}

/* In two cases the written data stays in the caches anyway: a pass in place writes a tile where it has just
 * read it, and data that is read soon is in a small area. Then the number is 0, and each copy compares only
 * its own bytes with the caches.
 *
 * Far regions are always written past the caches. A far rank has their lines in its caches, because it has
 * read them, and taking a line from there takes long (lib/comm/distance.c). */
ptrdiff_t sx_pass_get_whole_bytes(sx_pass pass, int is_far)
{
    if (is_far)
        return PTRDIFF_MAX;
    if (pass->p.is_in_place || pass->p.is_read_soon)
        return 0;
    return get_whole_bytes(sx_pass_get_element(pass, SX_TO) *
                           sx_base_get_volume(pass->p.ndims, pass->p.side[SX_TO].len));
}

int sx_pass_may_bypass(ptrdiff_t array)
{
    int bypasses = 0;
    (void)subx_copy_query_bypass(get_whole_bytes(array), &bypasses);
    return bypasses;
}

/* Query whether two regions can share copies. Along the batch axis a tile is as long as its stretch, so the
 * lengths of the regions do not matter. Along other axes that are not whole a tile has a single index, so
 * neither lengths nor strides matter. Copies to far regions differ, because they bypass the caches. */
static int is_same_shape(sx_pass pass, const sx_region *r, const sx_region *s)
{
    if (r->is_far != s->is_far)
        return 0;
    for (int a = 0; a < pass->p.ndims; a++) {
        if (pass->is_whole[a] && r->len[a] != s->len[a])
            return 0;
        if ((pass->is_whole[a] || a == pass->batch.axis) && r->stride[a] != s->stride[a])
            return 0;
    }
    return 1;
}

/* Number the shapes of the regions. example[shape] is the first region with this shape. The newest shape is
 * compared first, because adjacent regions often have the same shape. */
static void set_shapes(sx_pass pass, int side, int example[])
{
    const sx_region *region = pass->p.side[side].region;
    sx_copies *c = &pass->copies[side];
    for (int i = 0; i < pass->p.side[side].nregions; i++) {
        int k = c->nshapes - 1;
        while (k >= 0 && !is_same_shape(pass, &region[example[k]], &region[i]))
            k--;
        if (k < 0) {
            k = c->nshapes++;
            example[k] = i;
        }
        c->shape[i] = k;
    }
}

static int create_copy(sx_pass pass, int side, const sx_region *region, int kind, subx_copy *copy)
{
    ptrdiff_t n[SUBX_NDIMS_MAX], memory[SUBX_NDIMS_MAX], buffer[SUBX_NDIMS_MAX];
    const sx_buffer *layout = sx_pass_get_layout(pass, side);
    const ptrdiff_t element = sx_pass_get_element(pass, side);
    for (int a = 0; a < pass->p.ndims; a++) {
        n[a] = sx_pass_get_count(pass, region, kind, a);
        memory[a] = region->stride[a] * element;
        buffer[a] = layout->stride[a] * element;
    }
    if (side == SX_FROM)
        return subx_copy_create(pass->p.ndims, n, memory, buffer, element, 0, copy);
    return subx_copy_create(pass->p.ndims, n, buffer, memory, element,
                            sx_pass_get_whole_bytes(pass, region->is_far), copy);
}

/* Create one copy for each shape of a region and each length of a stretch. */
static int create_copies(sx_pass pass, int side, const int example[])
{
    sx_copies *c = &pass->copies[side];
    int kinds = pass->batch.nkinds, rc = MPI_SUCCESS;
    c->copy = sx_base_alloc((ptrdiff_t)c->nshapes * kinds, sizeof *c->copy);
    if (!c->copy)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < c->nshapes * kinds && !rc; i++)
        rc = create_copy(pass, side, &pass->p.side[side].region[example[i / kinds]], i % kinds, &c->copy[i]);
    return rc;
}

int sx_pass_copies_create(sx_pass pass, int side)
{
    int nregions = pass->p.side[side].nregions, rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (pass->is_direct[side])
        return MPI_SUCCESS;
    int *example = sx_base_alloc(nregions, sizeof *example);
    pass->copies[side].shape = sx_base_alloc(nregions, sizeof *pass->copies[side].shape);
    if (example && pass->copies[side].shape) {
        set_shapes(pass, side, example);
        rc = create_copies(pass, side, example);
    }
    sx_base_free(example);
    return rc;
}

void sx_pass_copies_free(sx_pass pass, int side)
{
    sx_copies *c = &pass->copies[side];
    for (int i = 0; i < c->nshapes * pass->batch.nkinds && c->copy; i++)
        subx_copy_free(&c->copy[i]);
    sx_base_free(c->copy);
    sx_base_free(c->shape);
}
