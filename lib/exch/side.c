/* side.c - the types of one side of an exchange as a few shapes at many offsets. */
#include "exch/exch.h"
#include "type/type.h"
#include <limits.h>

/* MPI_Alltoallw counts displacements in int bytes, which bounds how far apart blocks of one type may be. */
static int is_same(const sx_shape *a, const sx_shape *b, MPI_Aint offset)
{
    MPI_Aint distance = offset - a->origin;
    return a->strided && b->strided && a->basic == b->basic && a->basic != MPI_DATATYPE_NULL &&
           distance >= INT_MIN && distance <= INT_MAX && sx_layout_is_equal(&a->layout, &b->layout);
}

/* Balanced blocks have at most two shapes a side, so that looking for one is cheap. */
static int find(const sx_side *side, const sx_shape *shape, MPI_Aint offset)
{
    for (int i = 0; i < side->nshapes; i++)
        if (is_same(&side->shape[i], shape, offset))
            return i;
    return -1;
}

/* Few shapes serve all ranks, as a rule. */
static int grow(sx_side *side)
{
    int room = side->room > 0 ? 2 * side->room : 2;
    sx_shape *more = sx_base_alloc(room, sizeof *more);
    if (!more)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < side->nshapes; i++)
        more[i] = side->shape[i];
    sx_base_free(side->shape);
    side->shape = more;
    side->room = room;
    return MPI_SUCCESS;
}

/* The caller may free its types, so that a shape keeps a dup of the first that has it. */
static int add(sx_side *side, sx_shape *shape, MPI_Datatype type, MPI_Aint offset)
{
    shape->origin = offset;
    int rc = MPI_Type_dup(type, &shape->type);
    if (rc)
        return rc;
    if (side->nshapes == side->room)
        rc = grow(side);
    if (rc) {
        MPI_Type_free(&shape->type);
        return rc;
    }
    side->shape[side->nshapes++] = *shape;
    return MPI_Type_commit(&side->shape[side->nshapes - 1].type);
}

static int set_part(sx_side *side, int q, MPI_Datatype type, int which)
{
    sx_shape shape = {.strided = 1};
    sx_part *part = &side->part[q];
    MPI_Count size = 0;
    part->shape = -1;
    int rc = type == MPI_DATATYPE_NULL ? MPI_SUCCESS : MPI_Type_size_x(type, &size);
    if (rc || size == 0)
        return rc;
    rc = sx_type_get_layout(type, &shape.layout, &part->offset, &shape.basic);
    if (subx_error_query(rc) == SUBX_ERR_NOT_STRIDED) {
        shape.strided = 0;
        part->offset = 0;
    } else if (rc) {
        return rc;
    }
    if (shape.strided && which == SX_TO)
        sx_layout_swap(&shape.layout);
    part->bytes = (ptrdiff_t)size;
    rc = sx_base_add(side->bytes, part->bytes, &side->bytes);
    part->shape = find(side, &shape, part->offset);
    if (rc || part->shape >= 0)
        return rc;
    part->shape = side->nshapes;
    return add(side, &shape, type, part->offset);
}

/* The parts of a side are copied one after the other, so that what is in the caches is a matter of them all.
 * What is sent is read again at once, and better left there. */
static void set_kernels(sx_side *side, int which)
{
    for (int i = 0; i < side->nshapes; i++) {
        sx_shape *shape = &side->shape[i];
        shape->layout.whole_bytes = which == SX_TO ? side->bytes : 0;
        if (shape->strided)
            shape->kern = sx_kern_get(&shape->layout);
    }
}

static int set_span(sx_side *side, int p)
{
    for (int q = 0; q < p; q++) {
        const sx_part *part = &side->part[q];
        MPI_Count lb, extent;
        if (part->shape < 0)
            continue;
        const sx_shape *shape = &side->shape[part->shape];
        int rc = MPI_Type_get_true_extent_x(shape->type, &lb, &extent);
        if (rc)
            return rc;
        MPI_Aint low = part->offset - shape->origin + (MPI_Aint)lb, high = low + (MPI_Aint)extent;
        side->low = low < side->low ? low : side->low;
        side->high = high > side->high ? high : side->high;
    }
    return MPI_SUCCESS;
}

int sx_exch_side_set(sx_side *side, int p, const MPI_Datatype types[], int which)
{
    int rc = MPI_SUCCESS;
    if (!types)
        return subx_error_get(SUBX_ERR_ARG);
    side->part = sx_base_alloc(p, sizeof *side->part);
    if (!side->part)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int q = 0; q < p && !rc; q++)
        rc = set_part(side, q, types[q], which);
    if (!rc)
        set_kernels(side, which);
    return rc ? rc : set_span(side, p);
}

void sx_exch_side_free(sx_side *side)
{
    for (int i = 0; i < side->nshapes; i++)
        MPI_Type_free(&side->shape[i].type);
    sx_base_free(side->shape);
    sx_base_free(side->part);
    *side = (sx_side){0};
}

/* Receivers' layouts have been turned to write; as types they are read from where they lie. */
int sx_exch_join(const sx_layout *from, const sx_shape *to, ptrdiff_t whole_bytes, sx_layout *layout,
                 const sx_kern **kern)
{
    sx_layout turned = to->layout;
    *kern = NULL;
    if (!to->strided)
        return 0;
    sx_layout_swap(&turned);
    if (sx_layout_zip(from, &turned, layout))
        return 0;
    sx_layout_sort(layout);
    layout->whole_bytes = whole_bytes;
    *kern = sx_kern_get(layout);
    return 1;
}

/* What is not strided goes through MPI's own engine, which counts in int, and looks the same when it is packed. */
int sx_exch_part_pack(const sx_side *send, int q, const char *buf, char *packed)
{
    const sx_part *part = &send->part[q];
    int position = 0, room;
    if (part->shape < 0)
        return MPI_SUCCESS;
    const sx_shape *shape = &send->shape[part->shape];
    if (!shape->strided) {
        int rc = sx_base_int(part->bytes, &room);
        return rc ? rc : MPI_Pack(buf, 1, shape->type, packed, room, &position, MPI_COMM_SELF);
    }
    sx_kern_copy(shape->kern, &shape->layout, buf + part->offset, packed, send->threads);
    return MPI_SUCCESS;
}

int sx_exch_side_can_pack(const sx_side *side, int p)
{
    for (int q = 0; q < p; q++) {
        const sx_part *part = &side->part[q];
        if (part->shape >= 0 && !side->shape[part->shape].strided && part->bytes > INT_MAX)
            return 0;
    }
    return 1;
}

int sx_exch_part_unpack(const sx_side *recv, int q, const char *packed, char *buf)
{
    const sx_part *part = &recv->part[q];
    int position = 0, room;
    if (part->shape < 0)
        return MPI_SUCCESS;
    const sx_shape *shape = &recv->shape[part->shape];
    if (!shape->strided) {
        int rc = sx_base_int(part->bytes, &room);
        return rc ? rc : MPI_Unpack(packed, room, &position, buf, 1, shape->type, MPI_COMM_SELF);
    }
    sx_kern_copy(shape->kern, &shape->layout, packed, buf + part->offset, recv->threads);
    return MPI_SUCCESS;
}
