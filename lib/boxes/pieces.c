/* pieces.c - the pieces that this rank exchanges with each rank, and one datatype for all pieces of a rank.
 *
 * A piece is the intersection of two boxes: a held box, or an image of a held box, and a wanted box. The
 * sender and the receiver list the pieces in the same order: by held box, wanted box, image. */
#include "boxes/boxes.h"
#include "type/type.h"
#include <stdlib.h>

/* ---- images: the copies of a box along a periodic axis */

/* Divide and round towards minus infinity. */
static ptrdiff_t divide(ptrdiff_t a, ptrdiff_t b)
{
    return a / b - (a % b < 0);
}

/* Get how many images of a held box meet a wanted box along an axis, and the number of the first such image.
 * Image 0 is the box itself, image k lies k periods further on. */
static ptrdiff_t count_along(const sx_travel *t, int held, int wanted, int axis, ptrdiff_t *first)
{
    const ptrdiff_t from = sx_boxes_get_start(t->side[SX_FROM], held)[axis];
    const ptrdiff_t to = sx_boxes_get_start(t->side[SX_TO], wanted)[axis];
    const ptrdiff_t len_from = sx_boxes_get_len(t->side[SX_FROM], held)[axis];
    const ptrdiff_t len_to = sx_boxes_get_len(t->side[SX_TO], wanted)[axis];
    *first = 0;
    if (len_from == 0 || len_to == 0)
        return 0;
    if (!t->period || t->period[axis] == 0)
        return from < to + len_to && to < from + len_from;
    *first = divide(to - from - len_from, t->period[axis]) + 1;
    return divide(to + len_to - from - 1, t->period[axis]) - *first + 1;
}

static ptrdiff_t count_images(const sx_travel *t, int held, int wanted)
{
    ptrdiff_t count = 1, first;
    for (int axis = 0; axis < t->side[SX_FROM]->ndims && count > 0; axis++)
        count *= count_along(t, held, wanted, axis, &first);
    return count;
}

/* A piece: the number of a held box, the number of a wanted box, and the number of an image of the held box.
 * Only images that meet the wanted box are counted. One of the two boxes is on this rank, the other one on
 * `partner`. */
typedef struct piece {
    int partner, box[2];
    ptrdiff_t image;
} piece;

/* Get the distance of the piece's image from the held box along each axis, elements. Returns 1 if any of
 * these distances is not 0. */
static int get_shift(const sx_travel *t, const piece *p, ptrdiff_t shift[])
{
    ptrdiff_t rest = p->image, first;
    int is_moved = 0;
    for (int axis = t->side[SX_FROM]->ndims - 1; axis >= 0; axis--) {
        const ptrdiff_t n = count_along(t, p->box[SX_FROM], p->box[SX_TO], axis, &first);
        shift[axis] = t->period ? (first + rest % n) * t->period[axis] : 0;
        is_moved |= shift[axis] != 0;
        rest /= n;
    }
    return is_moved;
}

/* ---- lists */

static int travels(const sx_travel *t, const piece *p)
{
    ptrdiff_t shift[SUBX_NDIMS_MAX];
    return !t->is_in_place || p->partner != t->side[SX_FROM]->r || get_shift(t, p, shift);
}

/* List the pieces of a pair of boxes. `list` may be NULL. Returns their number. */
static ptrdiff_t list_images(const sx_travel *t, piece p, piece *list)
{
    const ptrdiff_t images = count_images(t, p.box[SX_FROM], p.box[SX_TO]);
    ptrdiff_t n = 0;
    for (p.image = 0; p.image < images; p.image++) {
        if (!travels(t, &p))
            continue;
        if (list)
            list[n] = p;
        n++;
    }
    return n;
}

/* Find the boxes of the other side that may meet a box: sorted[low] .. sorted[high - 1]. Boxes are sorted
 * along axis 0. If this axis is periodic, the function returns all boxes, because images may be anywhere
 * along the axis. */
static void find(const sx_travel *t, const sx_all_boxes *other, const ptrdiff_t start[],
                 const ptrdiff_t len[], int *low, int *high)
{
    *low = 0;
    *high = other->first[other->p];
    if (!t->period || t->period[0] == 0)
        sx_boxes_find(other, *start, *start + *len, low, high);
}

/* List the pieces that this rank sends (SX_FROM) or receives (SX_TO). `list` may be NULL. Returns their
 * number. */
static ptrdiff_t list_pieces(const sx_travel *t, int side, piece *list)
{
    const sx_all_boxes *mine = t->side[side], *other = t->side[1 - side];
    ptrdiff_t n = 0;
    int low, high;
    for (int i = mine->first[mine->r]; i < mine->first[mine->r + 1]; i++) {
        find(t, other, sx_boxes_get_start(mine, i), sx_boxes_get_len(mine, i), &low, &high);
        for (int k = low; k < high; k++) {
            const int j = other->sorted[k].index;
            const piece p = {
                sx_boxes_get_rank(other, j), {side == SX_FROM ? i : j, side == SX_FROM ? j : i}, 0};
            n += list_images(t, p, list ? list + n : NULL);
        }
    }
    return n;
}

static int compare(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->partner != y->partner)
        return x->partner - y->partner;
    for (int side = 0; side < 2; side++)
        if (x->box[side] != y->box[side])
            return x->box[side] - y->box[side];
    return (x->image > y->image) - (x->image < y->image);
}

/* ---- types */

/* Get the loop nest of a piece in this rank's memory, and the offset of the piece's first element. Strides
 * and offset are in elements. */
static int get_levels(const sx_travel *t, int side, const piece *p, sx_layout *units, ptrdiff_t *offset)
{
    const sx_all_boxes *held = t->side[SX_FROM], *wanted = t->side[SX_TO], *mine = t->side[side];
    const ptrdiff_t *from = sx_boxes_get_start(held, p->box[SX_FROM]);
    const ptrdiff_t *from_len = sx_boxes_get_len(held, p->box[SX_FROM]);
    const ptrdiff_t *to = sx_boxes_get_start(wanted, p->box[SX_TO]);
    const ptrdiff_t *to_len = sx_boxes_get_len(wanted, p->box[SX_TO]);
    const int leading = 1 - t->permuting_side;
    const ptrdiff_t *order = sx_boxes_get_order(t->side[leading], p->box[leading]);
    const ptrdiff_t *stride = /* the strides of all axes, and behind them the offset of the box */
        sx_boxes_get_row(mine->own, p->box[side] - mine->first[mine->r]) + 2 * mine->ndims;
    ptrdiff_t image[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    int rc = MPI_SUCCESS;
    get_shift(t, p, image);
    for (int axis = 0; axis < mine->ndims; axis++)
        image[axis] += from[axis];
    (void)sx_base_get_common(mine->ndims, image, from_len, to, to_len, start, len);
    sx_layout_set(units, 1);
    *offset = stride[mine->ndims];
    for (int k = 0; k < mine->ndims && !rc; k++) {
        const ptrdiff_t axis = order[k];
        rc = sx_layout_add_packed(units, len[axis], stride[axis]);
        *offset += (start[axis] - (side == SX_FROM ? image : to)[axis]) * stride[axis];
    }
    return rc;
}

static int create_piece(const sx_travel *t, int side, const piece *p, MPI_Datatype *type)
{
    sx_layout units;
    ptrdiff_t offset;
    int rc = get_levels(t, side, p, &units, &offset);
    return rc ? rc : sx_type_create_levels(&units, offset, t->extent, t->elemtype, type);
}

static int join(int n, const MPI_Datatype types[], MPI_Datatype *type)
{
    int *ones = sx_base_alloc(n, sizeof *ones), rc;
    MPI_Aint *zeros = sx_base_alloc(n, sizeof *zeros);
    for (int i = 0; ones && i < n; i++)
        ones[i] = 1;
    rc = ones && zeros ? MPI_Type_create_struct(n, ones, zeros, types, type)
                       : subx_error_get_code(SUBX_ERR_NO_MEM);
    sx_base_free(zeros);
    sx_base_free(ones);
    return rc;
}

/* Create one type for all n pieces that this rank sends to one rank (SX_FROM), or receives from one rank
 * (SX_TO). */
static int create_type(const sx_travel *t, int side, ptrdiff_t n, const piece list[], MPI_Datatype *type)
{
    MPI_Datatype *types;
    ptrdiff_t made = 0;
    int count, rc = sx_base_int(n, &count);
    if (rc || n == 1)
        return rc ? rc : create_piece(t, side, list, type);
    types = sx_base_alloc(n, sizeof *types);
    if (!types)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (; made < n && !rc; made += !rc)
        rc = create_piece(t, side, &list[made], &types[made]);
    if (!rc)
        rc = join(count, types, type);
    while (made > 0)
        MPI_Type_free(&types[--made]);
    sx_base_free(types);
    return rc;
}

int sx_boxes_create_types(const sx_travel *travel, int side, MPI_Datatype types[])
{
    const ptrdiff_t n = list_pieces(travel, side, NULL);
    piece *list = sx_base_alloc(n, sizeof *list);
    int rc = MPI_SUCCESS;
    if (!list)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    list_pieces(travel, side, list);
    qsort(list, (size_t)n, sizeof *list, compare);
    for (ptrdiff_t i = 0, end; i < n && !rc; i = end) {
        for (end = i + 1; end < n && list[end].partner == list[i].partner; end++)
            ;
        rc = create_type(travel, side, end - i, &list[i], &types[list[i].partner]);
    }
    sx_base_free(list);
    return rc;
}
