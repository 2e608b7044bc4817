/* side.c - set a side of an exchange: the types of all blocks become a few shapes at many offsets; pack and
 * unpack blocks. */
#include "exch/exch.h"
#include <limits.h>
#include <string.h>

/* Query whether a block at `offset` with shape b can use shape a. `offset` minus a's origin must fit an int,
 * because MPI_Alltoallw has displacements of type int, in bytes. */
static int is_same(const sx_shape *a, const sx_shape *b, MPI_Aint offset)
{
    MPI_Aint distance = offset - a->origin;
    return a->strided && b->strided && a->basic == b->basic && a->basic != MPI_DATATYPE_NULL &&
           distance >= INT_MIN && distance <= INT_MAX && sx_layout_is_equal(&a->layout, &b->layout);
}

/* Find a shape of the side that a block can use; -1 if there is none. The search is fast: balanced blocks
 * have at most two shapes per side. */
static int find(const sx_side *side, const sx_shape *shape, MPI_Aint offset)
{
    for (int i = 0; i < side->nshapes; i++)
        if (is_same(&side->shape[i], shape, offset))
            return i;
    return -1;
}

/* Make room for more shapes; few are expected. */
static int grow(sx_side *side)
{
    int room = side->room > 0 ? 2 * side->room : 2;
    sx_shape *more = sx_base_alloc(room, sizeof *more);
    if (!more)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < side->nshapes; i++)
        more[i] = side->shape[i];
    sx_base_free(side->shape);
    side->shape = more;
    side->room = room;
    return MPI_SUCCESS;
}

/* Add a shape to the side. The shape keeps a duplicate of `type`, because the caller may free `type`. */
static int add(sx_side *side, sx_shape *shape, MPI_Datatype type, MPI_Aint offset)
{
    shape->origin = offset;
    shape->type = MPI_DATATYPE_NULL;
    int rc = MPI_Type_dup(type, &shape->type);
    if (!rc && side->nshapes == side->room)
        rc = grow(side);
    if (rc) {
        if (shape->type != MPI_DATATYPE_NULL)
            MPI_Type_free(&shape->type);
        return rc;
    }
    side->shape[side->nshapes++] = *shape;
    return MPI_Type_commit(&side->shape[side->nshapes - 1].type);
}

static int set_block(sx_side *side, int q, MPI_Datatype type, int which)
{
    sx_shape shape = {.strided = 1};
    sx_block *block = &side->block[q];
    MPI_Count size = 0;
    block->shape = -1;
    int rc = type == MPI_DATATYPE_NULL ? MPI_SUCCESS : MPI_Type_size_x(type, &size);
    if (rc || size == 0)
        return rc;
    rc = sx_type_get_layout(type, &shape.layout, &block->offset, &shape.basic);
    if (subx_error_get_kind(rc) == SUBX_ERR_NOT_STRIDED) {
        shape.strided = 0;
        block->offset = 0;
    } else if (rc) {
        return rc;
    }
    if (shape.strided && which == SX_TO)
        sx_layout_swap(&shape.layout);
    block->bytes = (ptrdiff_t)size;
    rc = sx_base_add(side->bytes, block->bytes, &side->bytes);
    block->shape = find(side, &shape, block->offset);
    if (rc || block->shape >= 0)
        return rc;
    block->shape = side->nshapes;
    return add(side, &shape, type, block->offset);
}

/* Choose the kernels. The blocks of a side are copied one after the other and share the caches. If all
 * received blocks together exceed the caches, each of them is written past the caches. Packed data that is
 * sent is read again at once, and should stay in the caches. So a block of the send side is written past the
 * caches only if this block alone exceeds them. */
static void set_kernels(sx_side *side, int which)
{
    for (int i = 0; i < side->nshapes; i++) {
        sx_shape *shape = &side->shape[i];
        shape->layout.whole_bytes = which == SX_TO ? side->bytes : 0;
        if (shape->strided)
            shape->kern = sx_kern_get(&shape->layout);
    }
}

/* Bytes low .. high - 1, counted from the buffer's address. */
typedef struct span {
    MPI_Aint low, high;
} span;

static span join_spans(span a, span b)
{
    return (span){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* Get the bytes that a layout has in memory, from the byte at `offset` on. */
static span get_layout_span(const sx_layout *l, int which, MPI_Aint offset)
{
    ptrdiff_t low, high;
    sx_layout_get_span(l, which, &low, &high);
    return (span){offset + low, offset + high};
}

/* MPI is asked only where our layouts do not tell: MPICH counts the beginning of empty members of a struct,
 * too. */
static int get_block_span(const sx_side *side, const sx_block *block, int which, span *s)
{
    const sx_shape *shape = &side->shape[block->shape];
    MPI_Count lb, extent;
    if (shape->strided) {
        *s = get_layout_span(&shape->layout, which, block->offset);
        return MPI_SUCCESS;
    }
    for (int i = 0; i < shape->nchunks; i++) {
        const span one = get_layout_span(&shape->chunk[i].layout, which, shape->chunk[i].offset);
        *s = i > 0 ? join_spans(*s, one) : one;
    }
    if (shape->nchunks > 0)
        return MPI_SUCCESS;
    const int rc = MPI_Type_get_true_extent_x(shape->type, &lb, &extent);
    if (!rc)
        *s = (span){(MPI_Aint)lb, (MPI_Aint)(lb + extent)};
    return rc;
}

static int set_span(sx_side *side, int p, int which)
{
    int is_first = 1;
    span all = {0, 0}, one;
    for (int q = 0; q < p; q++) {
        if (side->block[q].shape < 0)
            continue;
        const int rc = get_block_span(side, &side->block[q], which, &one);
        if (rc)
            return rc;
        all = is_first ? one : join_spans(all, one);
        is_first = 0;
    }
    side->low = all.low;
    side->high = all.high;
    return MPI_SUCCESS;
}

int sx_exch_side_set(sx_side *side, int p, const MPI_Datatype types[], int which)
{
    int rc = MPI_SUCCESS;
    if (!types)
        return subx_error_get_code(SUBX_ERR_ARG);
    side->block = sx_base_alloc(p, sizeof *side->block);
    if (!side->block)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int q = 0; q < p && !rc; q++)
        rc = set_block(side, q, types[q], which);
    if (!rc)
        set_kernels(side, which);
    return rc ? rc : set_span(side, p, which);
}

static int set_chunks(sx_shape *shape, int which)
{
    sx_chunk *all = sx_base_alloc(SX_EXCH_MOST_CHUNKS, sizeof *all);
    int n = 0, rc = all ? sx_type_get_chunks(shape->type, SX_EXCH_MOST_CHUNKS, all, &n)
                        : subx_error_get_code(SUBX_ERR_NO_MEM);
    shape->chunk = rc ? NULL : sx_base_alloc(n, sizeof *all);
    if (!rc && !shape->chunk)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < n && !rc; i++) {
        shape->chunk[i] = all[i];
        if (which == SX_TO)
            sx_layout_swap(&shape->chunk[i].layout);
    }
    shape->nchunks = rc ? 0 : n;
    sx_base_free(all);
    return rc;
}

int sx_exch_side_set_chunks(sx_side *side, int p, int which)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < side->nshapes && !rc; i++)
        if (!side->shape[i].strided)
            rc = set_chunks(&side->shape[i], which);
    return rc ? rc : set_span(side, p, which);
}

void sx_exch_side_free(sx_side *side)
{
    for (int i = 0; i < side->nshapes; i++) {
        MPI_Type_free(&side->shape[i].type);
        sx_base_free(side->shape[i].chunk);
    }
    sx_base_free(side->shape);
    sx_base_free(side->block);
    *side = (sx_side){0};
}

/* ---- direct copies */

/* The layout of a receiver's shape is swapped, because it writes to memory. Here it is swapped back, because
 * sx_layout_zip needs two layouts that read memory. */
void sx_exch_set_direct(const sx_layout *from, const sx_shape *to, ptrdiff_t whole_bytes, sx_direct *direct)
{
    sx_layout receiver = to->layout;
    direct->kern = NULL;
    if (!to->strided)
        return;
    sx_layout_swap(&receiver);
    if (sx_layout_zip(from, &receiver, &direct->layout))
        return;
    sx_layout_sort(&direct->layout);
    direct->layout.whole_bytes = whole_bytes;
    direct->kern = sx_kern_get(&direct->layout);
}

void sx_exch_set_direct_self(subx_exch ex, sx_direct *direct)
{
    const sx_side *send = &ex->side[SX_FROM], *recv = &ex->side[SX_TO];
    int out = send->block[ex->r].shape, in = recv->block[ex->r].shape;
    direct->kern = NULL;
    if (out >= 0 && in >= 0 && send->shape[out].strided)
        sx_exch_set_direct(&send->shape[out].layout, &recv->shape[in], recv->bytes, direct);
}

/* Get the address from which the type of a block counts its displacements, in bytes from the buffer's
 * address. */
static MPI_Aint get_origin(const sx_side *side, int q)
{
    const sx_block *block = &side->block[q];
    return block->offset - side->shape[block->shape].origin;
}

int sx_exch_copy_self(subx_exch ex, const sx_direct *direct)
{
    const sx_side *send = &ex->side[SX_FROM], *recv = &ex->side[SX_TO];
    const sx_block *out = &send->block[ex->r], *in = &recv->block[ex->r];
    if (out->shape < 0 || in->shape < 0)
        return MPI_SUCCESS;
    if (!direct->kern)
        return MPI_Sendrecv(ex->sendbuf + get_origin(send, ex->r), 1, send->shape[out->shape].type, ex->r, 0,
                            ex->recvbuf + get_origin(recv, ex->r), 1, recv->shape[in->shape].type, ex->r, 0,
                            ex->comm->comm, MPI_STATUS_IGNORE);
    sx_kern_copy(direct->kern, &direct->layout, ex->sendbuf + out->offset, ex->recvbuf + in->offset,
                 ex->hints.threads);
    return MPI_SUCCESS;
}

/* ---- packing */

int sx_exch_side_can_pack(const sx_side *side, int p)
{
    for (int q = 0; q < p; q++) {
        const sx_block *block = &side->block[q];
        if (block->shape >= 0 && !side->shape[block->shape].strided && block->bytes > INT_MAX)
            return 0;
    }
    return 1;
}

ptrdiff_t sx_exch_block_get_step(const sx_side *side, int q)
{
    const sx_block *block = &side->block[q];
    if (block->shape < 0 || !side->shape[block->shape].strided)
        return block->bytes;
    return block->bytes / sx_layout_get_steps(&side->shape[block->shape].layout);
}

/* If the outermost level has a short stride in the array, one iteration of this level uses only a few bytes
 * of each cache line. A good step then has so many iterations that they extend over SX_EXCH_RUN_BYTES of the
 * array. A sender reads the array, a receiver writes it. */
ptrdiff_t sx_exch_block_get_good_step(const sx_side *side, int q, int which)
{
    const sx_block *block = &side->block[q];
    const ptrdiff_t least = sx_exch_block_get_step(side, q);
    if (block->shape < 0 || !side->shape[block->shape].strided || side->shape[block->shape].layout.nd == 0)
        return least;
    const sx_layout *l = &side->shape[block->shape].layout;
    ptrdiff_t stride = sx_base_get_stride(l->dim[l->nd - 1], which);
    stride = stride < 0 ? -stride : stride;
    return stride > 0 && stride < SX_EXCH_RUN_BYTES ? least * ((SX_EXCH_RUN_BYTES + stride - 1) / stride)
                                                    : least;
}

/* Get the layout of a part of a block. *is and *os become the distances from the beginning of the block to
 * the beginning of the part, bytes: where the copy reads, and where it writes. */
static void get_piece(const sx_side *side, int q, ptrdiff_t first, ptrdiff_t bytes, sx_layout *piece,
                      ptrdiff_t *is, ptrdiff_t *os)
{
    const sx_block *block = &side->block[q];
    const sx_layout *l = &side->shape[block->shape].layout;
    const ptrdiff_t step = sx_exch_block_get_step(side, q);
    *is = *os = 0;
    if (bytes == block->bytes)
        *piece = *l;
    else
        sx_layout_slice(l, first / step, bytes / step, piece, is, os);
}

int sx_exch_block_pack(const sx_side *send, int q, ptrdiff_t first, ptrdiff_t bytes, int is_far,
                       const char *buf, char *packed)
{
    const sx_block *block = &send->block[q];
    int position = 0, room;
    sx_layout piece;
    ptrdiff_t is, os;
    if (bytes == 0)
        return MPI_SUCCESS;
    const sx_shape *shape = &send->shape[block->shape];
    if (!shape->strided) {
        int rc = sx_base_int(block->bytes, &room);
        return rc ? rc : MPI_Pack(buf, 1, shape->type, packed, room, &position, MPI_COMM_SELF);
    }
    get_piece(send, q, first, bytes, &piece, &is, &os);
    if (is_far)
        piece.whole_bytes = PTRDIFF_MAX;
    sx_kern_copy(bytes == block->bytes && !is_far ? shape->kern : sx_kern_get(&piece), &piece,
                 buf + block->offset + is, packed, send->threads);
    return MPI_SUCCESS;
}

int sx_exch_block_unpack(const sx_side *recv, int q, ptrdiff_t first, ptrdiff_t bytes, const char *packed,
                         char *buf)
{
    const sx_block *block = &recv->block[q];
    int position = 0, room;
    sx_layout piece;
    ptrdiff_t is, os;
    if (bytes == 0)
        return MPI_SUCCESS;
    const sx_shape *shape = &recv->shape[block->shape];
    if (!shape->strided) {
        int rc = sx_base_int(block->bytes, &room);
        return rc ? rc : MPI_Unpack(packed, room, &position, buf, 1, shape->type, MPI_COMM_SELF);
    }
    get_piece(recv, q, first, bytes, &piece, &is, &os);
    sx_kern_copy(bytes == block->bytes ? shape->kern : sx_kern_get(&piece), &piece, packed,
                 buf + block->offset + os, recv->threads);
    return MPI_SUCCESS;
}
