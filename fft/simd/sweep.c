/* sweep.c - transform all pencils of a box: walk through the box, and list the addresses of the rows or lines
 * that each call of the kernel reads and writes. */
#include "simd/transform.h"

/* Get the largest number of lines of a call: a group, and a rest that does not fill a register. */
static ptrdiff_t get_most_lines(const sx_simd_sweep *w)
{
    return SX_SIMD_GROUP + w->simd->code->lanes - 1;
}

ptrdiff_t sx_simd_sweep_set_work(sx_simd_sweep *w, char *work)
{
    ptrdiff_t bytes = sx_base_round_up(sx_simd_get_bytes(w->simd));
    w->work = work;
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t parts = w->part_count[side], nrows = w->simd->length[side];
        const ptrdiff_t nlines = w->side[side].are_lines ? parts * get_most_lines(w) : 0;
        w->at[side] = (char **)(void *)(work + bytes);
        bytes += sx_base_round_up((nrows > nlines ? nrows : nlines) * (ptrdiff_t)sizeof(char *));
        w->part[side] = (sx_simd_part *)(void *)(work + bytes);
        bytes += sx_base_round_up(parts * (ptrdiff_t)sizeof(sx_simd_part));
    }
    return bytes;
}

/* Get the number of pencils that the next call transforms. If a side has lines this is a group, else all
 * pencils that are side by side. A rest that does not fill a register belongs to the last group, because a
 * call for it alone would be slow. */
static ptrdiff_t count_next(const sx_simd_sweep *w, const ptrdiff_t at[])
{
    const int has_lines = w->side[SX_FROM].are_lines || w->side[SX_TO].are_lines;
    const ptrdiff_t left = w->n[w->along] - at[w->along];
    return has_lines && left > get_most_lines(w) ? SX_SIMD_GROUP : left;
}

static ptrdiff_t get_element(const sx_simd_sweep *w, int side)
{
    return w->simd->width[side] * w->simd->real_bytes;
}

/* List the addresses of the rows or lines of n pencils, which begin at index `at` of the box. Each part has
 * some of the rows, or one part of each line. */
static void list_addresses(const sx_simd_sweep *w, int side, const ptrdiff_t at[], ptrdiff_t n)
{
    const ptrdiff_t element = get_element(w, side);
    const int are_lines = w->side[side].are_lines, axis = are_lines ? w->along : w->axis;
    for (int k = 0; k < w->part_count[side]; k++) {
        const sx_simd_part *part = &w->part[side][k];
        const ptrdiff_t count = are_lines ? n : part->hi - part->lo, apart = part->stride[axis] * element;
        char **list = w->at[side] + (are_lines ? k * n : part->lo);
        char *first = part->first + sx_base_get_distance(w->ndims, at, part->stride) * element;
        for (ptrdiff_t j = 0; j < count; j++)
            list[j] = first + j * apart;
    }
}

/* Get the bytes from the pencils at one index of an axis to those at the next one; -1 if the parts differ. */
static ptrdiff_t get_step(const sx_simd_sweep *w, int side, int axis)
{
    const sx_simd_part *part = w->part[side];
    for (int k = 1; k < w->part_count[side]; k++)
        if (part[k].stride[axis] != part->stride[axis])
            return -1;
    return part->stride[axis] * get_element(w, side);
}

/* Find the batch axis: a call transforms all pencils along this axis, too. It is the axis along which go_on
 * goes after `along`. Sets the steps of both sides. Returns -1 if each call transforms one batch only:
 * because there is no such axis, because not even all pencils along `along` fit into one call, or because
 * parts differ. */
static int find_batch_axis(sx_simd_sweep *w, const ptrdiff_t at[])
{
    int axis = w->ndims - 1;
    while (axis >= 0 && (axis == w->along || axis == w->axis || w->n[axis] <= 1))
        axis--;
    if (axis < 0 || w->n[w->along] > count_next(w, at))
        return -1;
    for (int side = 0; side < 2; side++)
        w->side[side].step = get_step(w, side, axis);
    return w->side[SX_FROM].step < 0 || w->side[SX_TO].step < 0 ? -1 : axis;
}

/* Go to the pencils behind the next n, first along the axis on which they are side by side. Returns 0 after
 * the last ones. */
static int go_on(const sx_simd_sweep *w, ptrdiff_t n, ptrdiff_t at[])
{
    at[w->along] += n;
    if (at[w->along] < w->n[w->along])
        return 1;
    at[w->along] = 0;
    for (int a = w->ndims - 1; a >= 0; a--) {
        if (a == w->along || a == w->axis)
            continue;
        if (++at[a] < w->n[a])
            return 1;
        at[a] = 0;
    }
    return 0;
}

void sx_simd_sweep_execute(sx_simd_sweep *w)
{
    ptrdiff_t at[SX_SIMD_SWEEP_NDIMS] = {0}, n;
    const int batch = find_batch_axis(w, at);
    const ptrdiff_t count = batch < 0 ? 1 : w->n[batch];
    for (int side = 0; side < 2; side++) {
        w->side[side].at = w->at[side];
        w->side[side].part = w->part[side];
        w->side[side].part_count = w->side[side].are_lines ? w->part_count[side] : 0;
    }
    do {
        n = count_next(w, at);
        list_addresses(w, SX_FROM, at, n);
        list_addresses(w, SX_TO, at, n);
        sx_simd_execute(w->simd, n, count, &w->side[SX_FROM], &w->side[SX_TO], w->work);
        if (batch >= 0)
            at[batch] += count - 1; /* go_on adds the last 1 */
    } while (go_on(w, n, at));
}
