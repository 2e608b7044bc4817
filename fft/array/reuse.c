/* reuse.c - find out whether the caller's boxes are the blocks of a process grid, such as slabs or pencils.
 * If they are, the plan uses this grid, and needs no exchange between the boxes and its own blocks. */
#include "array/array.h"
#include <string.h>

/* ---- storage */

/* Query whether a box is stored in a given order, without gaps. Axes of length 1 may be anywhere in the
 * order. */
static int is_stored_as(const sx_array *a, const sx_edge_box *box, const int order[])
{
    ptrdiff_t stride = 1;
    for (int i = 0; i < a->ndims; i++) {
        if (box->len[order[i]] > 1 && box->stride[order[i]] != stride)
            return 0;
        stride *= box->len[order[i]];
    }
    return box->offset == 0;
}

/* List the axes of a box by their strides, the smallest first. Among axes with equal strides, at most one is
 * longer than 1; it comes last. */
static void get_order(const sx_array *a, const sx_edge_box *box, int order[])
{
    for (int i = 0; i < a->ndims; i++) {
        int at = i;
        for (; at > 0; at--) {
            const int before = order[at - 1];
            if (box->stride[before] < box->stride[i] ||
                (box->stride[before] == box->stride[i] && box->len[before] == 1))
                break;
            order[at] = before;
        }
        order[at] = i;
    }
}

/* Find the storage order of the boxes. Returns 0 unless each rank has one box, and all boxes have the same
 * order and no gaps. */
static int find_order(const sx_array *a, const sx_edge *e, int order[])
{
    ptrdiff_t count;
    for (int r = 0; r < e->nranks; r++)
        if (e->first[r + 1] - e->first[r] != 1)
            return 0;
    get_order(a, sx_edge_get(e, 0, &count), order);
    for (int r = 0; r < e->nranks; r++)
        if (!is_stored_as(a, sx_edge_get(e, r, &count), order))
            return 0;
    return 1;
}

/* ---- parts of an axis */

/* Query whether the boxes divide an axis as a grid dimension of p coordinates does, if `stride` consecutive
 * ranks have the same coordinate. The parts have length `block`, or are balanced if `block` is 0. */
static int has_parts(const sx_edge *e, int axis, ptrdiff_t n, int p, int stride, ptrdiff_t block)
{
    for (int r = 0; r < e->nranks; r++) {
        const sx_edge_box *box = &e->box[e->first[r]];
        ptrdiff_t len, start;
        sx_array_get_part(n, block, p, r / stride % p, &len, &start);
        if (box->len[axis] != len || box->start[axis] != start)
            return 0;
    }
    return 1;
}

static int find_block(const sx_edge *e, int axis, ptrdiff_t n, int p, int stride, ptrdiff_t *block)
{
    *block = 0;
    if (has_parts(e, axis, n, p, stride, 0))
        return 1;
    *block = e->box[0].len[axis];
    return has_parts(e, axis, n, p, stride, *block);
}

/* ---- the physical side */

/* Count the different parts of an axis. *stride becomes the number of consecutive ranks that have the same
 * part. */
static int count_parts(const sx_edge *e, int axis, int *stride)
{
    int p = 1;
    *stride = e->nranks;
    for (int r = 1; r < e->nranks; r++) {
        const ptrdiff_t start = e->box[e->first[r]].start[axis];
        if (start != e->box[0].start[axis] && *stride == e->nranks)
            *stride = r;
        int is_new = 1;
        for (int q = 0; q < r && is_new; q++)
            is_new = e->box[e->first[q]].start[axis] != start;
        p += is_new;
    }
    return p;
}

/* A divided axis. The grid dimension that divides it has p coordinates; `stride` consecutive ranks have the
 * same coordinate. */
typedef struct division {
    int axis, p, stride;
} division;

/* List the divided axes. The axis whose coordinate varies slowest with the rank comes first. Returns the
 * number of divided axes. */
static int list_divisions(const sx_array *a, const sx_edge *e, division list[])
{
    int g = 0;
    for (int axis = 0; axis < a->ndims; axis++) {
        division d = {.axis = axis};
        int at = g;
        d.p = count_parts(e, axis, &d.stride);
        if (d.p == 1)
            continue;
        for (; at > 0 && list[at - 1].stride < d.stride; at--)
            list[at] = list[at - 1];
        list[at] = d;
        g++;
    }
    return g;
}

static int is_listed(const division list[], int g, int axis)
{
    for (int k = 0; k < g; k++)
        if (list[k].axis == axis)
            return 1;
    return 0;
}

/* Set the sequence: first the divided axes, then the whole axes. Returns 0 if no plan can begin with such a
 *   grid: the halved axis or the axis of the fields is divided;
 *   among the divided axes, one that is not transformed comes after a transformed one;
 *   a transformed axis is divided, and no transformed axis is whole. */
static int set_sequence(sx_array *a, const division list[], int g)
{
    sx_array b = *a;
    int nfixed = 0, n = 0;
    for (int k = 0; k < g; k++) {
        const int is_fixed = a->axis[list[k].axis].kind == SUBX_FFT_NONE;
        if ((is_fixed && nfixed < k) || list[k].axis == a->halved || list[k].axis == a->fields)
            return 0;
        nfixed += is_fixed;
        b.sequence[n++] = list[k].axis;
    }
    for (int is_fixed = 0; is_fixed < 2; is_fixed++)
        for (int i = 0; i < a->nsequence; i++) {
            const int axis = a->sequence[i];
            if (!is_listed(list, g, axis) && (a->axis[axis].kind == SUBX_FFT_NONE) == is_fixed)
                b.sequence[n++] = axis;
        }
    if (g > nfixed && (g == n || a->axis[b.sequence[g]].kind == SUBX_FFT_NONE))
        return 0;
    b.nfixed = g == nfixed && a->nfixed == a->nsequence ? n : nfixed;
    *a = b;
    return 1;
}

/* Get the first transformed axis in sequence[*i] and later; -1 if there is none. *i becomes the index after
 * it. */
static int get_next(const sx_array *a, int *i)
{
    while (*i < a->nsequence)
        if (a->axis[a->sequence[(*i)++]].kind != SUBX_FFT_NONE)
            return a->sequence[*i - 1];
    return -1;
}

/* Query whether the sequences of two arrays begin with the same g axes, and both arrays are transformed in
 * the same order. */
static int is_same_sequence(const sx_array *a, const sx_array *b, int g)
{
    for (int k = 0; k < g; k++)
        if (a->sequence[k] != b->sequence[k])
            return 0;
    for (int i = 0, j = 0, axis = 0; axis >= 0;) {
        axis = get_next(a, &i);
        if (get_next(b, &j) != axis)
            return 0;
    }
    return 1;
}

int sx_edge_reuse_physical(const sx_edge *e, int keeps_sequence, sx_array *a, int *g, int dims[])
{
    division list[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX], left = e->nranks;
    sx_array b = *a;
    if (a->factored || a->is_padded || !find_order(a, e, order))
        return 0;
    const int n = list_divisions(a, e, list);
    for (int k = 0; k < n; k++) {
        if (list[k].stride * list[k].p != left ||
            !find_block(e, list[k].axis, a->axis[list[k].axis].points, list[k].p, list[k].stride,
                        &b.block[SUBX_FFT_PHYSICAL][list[k].axis]))
            return 0;
        left = list[k].stride;
    }
    if (left != 1 || !set_sequence(&b, list, n) || (keeps_sequence && !is_same_sequence(a, &b, n)))
        return 0;
    memcpy(b.order[SUBX_FFT_PHYSICAL], order, sizeof order);
    *a = b;
    *g = n > 0 ? n : 1;
    dims[0] = 1;
    for (int k = 0; k < n; k++)
        dims[k] = list[k].p;
    return 1;
}

/* ---- the spectral side */

/* Query whether the grid's blocks after the last exchange are the boxes of the edge; if so, set the block
 * lengths in *b. After the last exchange, grid dimension k divides sequence[k+1]; but a dimension below
 * nfixed has no exchange, and still divides sequence[k]. */
static int is_at_end(const sx_edge *e, const sx_array *a, int g, const int dims[], sx_array *b)
{
    int stride = e->nranks, is_divided[SUBX_NDIMS_MAX] = {0};
    for (int k = 0; k < g; k++) {
        const int axis = a->sequence[k < a->nfixed ? k : k + 1];
        ptrdiff_t *block = &b->block[SUBX_FFT_SPECTRAL][axis];
        stride /= dims[k];
        if (dims[k] == 1)
            continue;
        if (!find_block(e, axis, a->axis[axis].spectral, dims[k], stride, block))
            return 0;
        if (k < a->nfixed && *block != a->block[SUBX_FFT_PHYSICAL][axis])
            return 0;
        is_divided[axis] = 1;
    }
    for (int axis = 0; axis < a->ndims; axis++)
        if (!is_divided[axis] && !has_parts(e, axis, a->axis[axis].spectral, 1, 1, 0))
            return 0;
    return 1;
}

int sx_edge_reuse_spectral(const sx_edge *e, sx_array *a, int g, const int dims[])
{
    sx_array b = *a;
    if (a->factored || !find_order(a, e, b.order[SUBX_FFT_SPECTRAL]) || !is_at_end(e, a, g, dims, &b))
        return 0;
    *a = b;
    return 1;
}
