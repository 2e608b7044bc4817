/* merge.c - treat several axes that follow each other in memory as one axis, so that tiles are wide although
 * the axes are short.
 *
 *     axis b: 3, axis a: 4         axis a: 12
 *     0 1 2 3
 *     4 5 6 7              ==>     0 1 2 3 4 5 6 7 8 9 10 11
 *     8 9 10 11 */
#include "pass/pass.h"

/* Query whether an axis may be merged: it is not transformed, not whole in a tile, and ranges do not divide
 * it. */
static int is_free(const sx_pass_problem *p, int axis)
{
    for (int i = 0; i < p->naxes; i++)
        if (p->axis[i].axis == axis)
            return 0;
    return !p->is_whole[axis] && !p->is_cut[axis];
}

/* Query whether axis b follows axis a in memory, without gaps, in all regions of a side. */
static int is_contiguous(const sx_pass_side *side, int a, int b)
{
    for (int i = 0; i < side->nregions; i++) {
        const sx_region *r = &side->region[i];
        if (r->start[a] != 0 || r->len[a] != side->len[a] ||
            (r->len[b] > 1 && r->stride[b] != r->len[a] * r->stride[a]))
            return 0;
    }
    return 1;
}

static void merge(sx_pass_side *side, int a, int b)
{
    for (int i = 0; i < side->nregions; i++) {
        sx_region *r = &side->region[i];
        r->start[a] = r->start[b] * side->len[a];
        r->len[a] *= r->len[b];
        r->start[b] = 0;
        r->len[b] = 1;
    }
    side->len[a] *= side->len[b];
    side->len[b] = 1;
}

void sx_pass_merge(sx_pass_problem *p)
{
    int k = 0;
    while (k < p->ndims && p->is_whole[p->order[k]])
        k++;
    if (p->naxes == 0 || p->has_operation || k == p->ndims)
        return;
    const int a = p->order[k];
    for (k++; k < p->ndims && is_free(p, a) && p->side[SX_FROM].len[a] < SX_PASS_ENOUGH_TILES * p->width;
         k++) {
        const int b = p->order[k];
        if (!is_free(p, b) || !is_contiguous(&p->side[SX_FROM], a, b) ||
            !is_contiguous(&p->side[SX_TO], a, b))
            return;
        merge(&p->side[SX_FROM], a, b);
        merge(&p->side[SX_TO], a, b);
        p->is_merged[a] = p->is_merged[b] = 1;
    }
}
