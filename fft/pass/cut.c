/* cut.c - an axis cut into stretches. */
#include "pass/inside.h"

/* The first boundary of a region beyond `at`. */
static ptrdiff_t get_boundary(sx_pass pass, int axis, ptrdiff_t at)
{
    ptrdiff_t end = pass->p.side[SX_FROM].len[axis];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < pass->p.side[side].nregions; i++) {
            ptrdiff_t start = pass->p.side[side].region[i].start[axis];
            end = start > at && start < end ? start : end;
        }
    return end;
}

/* What would be left over with less than half the width, as of the 65 columns of a halved axis, goes with
 * the stretch before. */
static ptrdiff_t list_stretches(sx_pass pass, int axis, ptrdiff_t width, sx_stretch list[])
{
    ptrdiff_t count = 0, at = 0, all = pass->p.side[SX_FROM].len[axis];
    for (; at < all; count++) {
        ptrdiff_t end = get_boundary(pass, axis, at);
        if (end - at >= width + (width + 1) / 2)
            end = at + width;
        if (list)
            list[count] = (sx_stretch){.start = at, .n = end - at};
        at = end;
    }
    return count;
}

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

int sx_cut_create(sx_pass pass, int axis, ptrdiff_t width, sx_cut *cut)
{
    *cut = (sx_cut){.axis = axis};
    cut->count = axis < 0 ? 1 : list_stretches(pass, axis, width, NULL);
    cut->stretch = sx_base_alloc(cut->count, sizeof *cut->stretch);
    cut->length = sx_base_alloc(cut->count, sizeof *cut->length);
    if (!cut->stretch || !cut->length)
        return subx_error_get(SUBX_ERR_NO_MEM);
    if (axis < 0)
        cut->stretch[0].n = 1;
    else
        (void)list_stretches(pass, axis, width, cut->stretch);
    set_kinds(cut);
    return MPI_SUCCESS;
}

void sx_cut_free(sx_cut *cut)
{
    sx_base_free(cut->length);
    sx_base_free(cut->stretch);
}
