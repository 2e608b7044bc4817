/* forms.c - choose the axis along which the pencils of a step are side by side, and find out whether they are
 * rows or lines. */
#include "pass/inside.h"

/* Get the form of pencils in a buffer or a region: SX_ROWS, SX_LINES or SX_NEITHER. between: stride from a
 * pencil to the next one. within: stride between adjacent elements of a pencil. has_lines: 1 if a kernel can
 * use lines. */
static int get_form(ptrdiff_t between, ptrdiff_t within, int has_lines)
{
    if (between == 1)
        return SX_ROWS;
    return within == 1 && has_lines ? SX_LINES : SX_NEITHER;
}

/* Query whether regions of a side divide pencils. */
static int are_divided(sx_pass pass, int place, int side, int axis)
{
    const sx_pass_side *s = &pass->p.side[side];
    for (int i = 0; i < s->nregions && place == SX_REGIONS; i++)
        if (s->region[i].len[axis] != s->len[axis])
            return 1;
    return 0;
}

/* Query whether a kernel can use the lines of a region. If regions divide the lines, the kernel loads or
 * stores part after part (sx_simd_side). The elements must be complex. Short parts would make the kernel
 * slow. */
static int may_be_lines(sx_pass pass, int side, const sx_region *r, int axis)
{
    const int is_complex =
        sx_pass_get_layout(pass, side)->element > sx_serial_get_real_bytes(pass->p.precision);
    return r->len[axis] == pass->p.side[side].len[axis] || (is_complex && r->len[axis] >= SX_PASS_LEAST_PART);
}

static int get_region_form(sx_pass pass, int side, const sx_step *step, int u)
{
    int form = SX_ROWS;
    for (int i = 0; i < pass->p.side[side].nregions; i++) {
        const sx_region *r = &pass->p.side[side].region[i];
        const int own =
            get_form(r->stride[u], r->stride[step->axis], may_be_lines(pass, side, r, step->axis));
        if (i > 0 && own != form)
            return SX_NEITHER;
        form = own;
    }
    return form;
}

static int get_place_form(sx_pass pass, int place, int side, const sx_step *step, int u)
{
    if (place == SX_REGIONS)
        return get_region_form(pass, side, step, u);
    return get_form(pass->buffer[place].stride[u], pass->buffer[place].stride[step->axis], 1);
}

/* Query whether a kernel can use these forms, and is faster than copies. place[side]: where the step reads,
 * and where it writes. */
static int is_fast(sx_pass pass, const sx_step *step, const int place[], const int form[])
{
    if (form[SX_FROM] == SX_NEITHER || form[SX_TO] == SX_NEITHER)
        return 0;
    if (form[SX_FROM] == SX_ROWS || form[SX_TO] == SX_ROWS)
        return 1;
    for (int side = 0; side < 2; side++)
        if (are_divided(pass, place[side], side, step->axis))
            return sx_simd_is_fast_divided(pass->p.precision, step->kind, step->n);
    return 1;
}

static ptrdiff_t get_count(sx_pass pass, const sx_step *step, int axis)
{
    sx_corner corner;
    if (axis == step->axis || !(pass->is_whole[axis] || axis == pass->batch.axis))
        return 0;
    sx_pass_corner_get(pass, step->nspectral, 0, 0, &corner);
    return axis == pass->batch.axis ? pass->batch.longest : corner.n[axis];
}

/* The axis with most pencils is best; but more than SX_SIMD_GROUP pencils are no advantage, and rows on both
 * sides are 1.5 times as fast as lines. Of equally good axes the innermost one is best, because its pencils
 * are the closest in memory. */
int sx_pass_find_pencils(sx_pass pass, const sx_step *step, int from, int to, int form[])
{
    ptrdiff_t most = 0;
    int best = -1;
    for (int k = 0; k < pass->p.ndims; k++) {
        const int u = pass->p.order[k];
        const int place[] = {from, to};
        const int own[] = {get_place_form(pass, from, SX_FROM, step, u),
                           get_place_form(pass, to, SX_TO, step, u)};
        const ptrdiff_t n = get_count(pass, step, u), group = n < SX_SIMD_GROUP ? n : SX_SIMD_GROUP;
        const ptrdiff_t value = group * (4 + (own[0] == SX_ROWS) + (own[1] == SX_ROWS));
        if (!is_fast(pass, step, place, own) || n < SX_GROUP_LEAST || value <= most)
            continue;
        most = value;
        best = u;
        form[0] = own[0];
        form[1] = own[1];
    }
    return best;
}
