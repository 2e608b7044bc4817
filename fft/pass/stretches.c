/* stretches.c - cut the batch axis into stretches. */
#include "pass/inside.h"

/* Mark each index at which a region of either side begins. */
static void mark_boundaries(sx_pass pass, int axis, char is_boundary[])
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < pass->p.side[side].nregions; i++)
            is_boundary[pass->p.side[side].region[i].start[axis]] = 1;
}

/* List stretches of `width` that do not cross a boundary; if `list` is NULL, only count them. A rest of less
 * than half the width is added to the stretch before it: 65 pencils are cut into four stretches of 16, 16, 16
 * and 17, not into five. */
static ptrdiff_t list_stretches(const char is_boundary[], ptrdiff_t all, ptrdiff_t width, sx_stretch list[])
{
    ptrdiff_t count = 0, at = 0, boundary = 0;
    for (; at < all; count++) {
        while (boundary <= at || (boundary < all && !is_boundary[boundary]))
            boundary++;
        ptrdiff_t n = boundary - at >= width + (width + 1) / 2 ? width : boundary - at;
        if (list)
            list[count] = (sx_stretch){.start = at, .n = n};
        at += n;
    }
    return count;
}

/* Number the lengths that occur: the kind of a stretch is the number of its length. */
static void set_kinds(sx_cut *cut)
{
    for (ptrdiff_t i = 0; i < cut->count; i++) {
        sx_stretch *s = &cut->stretch[i];
        while (s->kind < cut->nkinds && cut->length[s->kind] != s->n)
            s->kind++;
        if (s->kind == cut->nkinds)
            cut->length[cut->nkinds++] = s->n;
        cut->longest = s->n > cut->longest ? s->n : cut->longest;
    }
}

static int alloc_stretches(sx_cut *cut, ptrdiff_t count)
{
    cut->count = count;
    cut->stretch = sx_base_alloc(count, sizeof *cut->stretch);
    cut->length = sx_base_alloc(count, sizeof *cut->length);
    return cut->stretch && cut->length ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static int cut_axis(sx_pass pass, ptrdiff_t width, sx_cut *cut)
{
    ptrdiff_t all = pass->p.side[SX_FROM].len[cut->axis];
    char *is_boundary = sx_base_alloc(all + 1, 1); /* an empty region may begin after the last index */
    if (!is_boundary)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    mark_boundaries(pass, cut->axis, is_boundary);
    int rc = alloc_stretches(cut, list_stretches(is_boundary, all, width, NULL));
    if (!rc)
        (void)list_stretches(is_boundary, all, width, cut->stretch);
    sx_base_free(is_boundary);
    return rc;
}

int sx_pass_cut_create(sx_pass pass, int axis, ptrdiff_t width, sx_cut *cut)
{
    *cut = (sx_cut){.axis = axis};
    int rc = axis < 0 ? alloc_stretches(cut, 1) : cut_axis(pass, width, cut);
    if (rc)
        return rc;
    if (axis < 0)
        cut->stretch[0].n = 1;
    set_kinds(cut);
    return MPI_SUCCESS;
}

void sx_pass_cut_free(sx_cut *cut)
{
    sx_base_free(cut->length);
    sx_base_free(cut->stretch);
}
