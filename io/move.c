/* move.c - move a box between memory and an open file, piece by piece. If memory and file differ in the order
 * or the type of elements, each piece is reordered and converted in work space. */
#include "io/io.h"

typedef struct transfer {
    sx_io_file *f;
    const sx_io_box *box;
    sx_io_elem memory, disk;
    int differs; /* 1 if elements must be converted */
    sx_io_pieces pieces;
    int rounds; /* largest number of pieces of any rank */
    char *work; /* NULL if memory and file store the box in the same way */
} transfer;

/* ---- work space and memory */

/* Create the datatype of a piece in the caller's array. The datatype visits the elements in the C order of
 * the piece, which is their order in the file. The caller's array is described in Fortran order: its
 * dimension j is axis order[j] of the box. */
static int create_type(const transfer *m, const sx_io_box *piece, MPI_Datatype *type)
{
    MPI_Count sizes[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX], ndims = m->box->ndims;
    MPI_Datatype element;
    for (int j = 0; j < ndims; j++) {
        int axis = m->box->order[j];
        order[ndims - 1 - axis] = j;
        sizes[j] = m->box->len[axis];
        len[j] = piece->len[axis];
        start[j] = piece->start[axis];
    }
    int rc = MPI_Type_contiguous(m->memory.bytes, MPI_BYTE, &element);
    if (rc)
        return rc;
    rc = subx_type_create_subarray_c(ndims, sizes, len, start, MPI_ORDER_FORTRAN, order, element, type);
    MPI_Type_free(&element);
    return rc;
}

/* Pack a piece of the caller's array into the work space, or unpack it to the array. */
static int repack(const transfer *m, const sx_io_box *piece, ptrdiff_t bytes, void *buf)
{
    MPI_Datatype type;
    MPI_Count position = 0;
    int rc = create_type(m, piece, &type);
    if (rc)
        return rc;
    if (m->f->side == SX_TO)
        rc = subx_type_pack(buf, 1, type, m->work, bytes, &position);
    else
        rc = subx_type_unpack(m->work, bytes, &position, buf, 1, type);
    MPI_Type_free(&type);
    return rc;
}

/* ---- pieces */

/* Get the box of a piece in the file's array: the starts of `piece` count from the start of this rank's box,
 * the starts of `at` count from the start of the array. Returns the number of elements. */
static ptrdiff_t locate(const transfer *m, const sx_io_box *piece, sx_io_box *at)
{
    *at = *piece;
    for (int a = 0; a < at->ndims; a++)
        at->start[a] += m->box->start[a];
    return sx_base_get_volume(at->ndims, at->len);
}

static int read_piece(const transfer *m, const sx_io_box *piece, ptrdiff_t done, char *buf)
{
    sx_io_box at;
    ptrdiff_t n = locate(m, piece, &at), wider = n * (m->memory.bytes - m->disk.bytes);
    if (!m->work)
        return m->f->format->read(m->f, &at, n ? buf + done * m->disk.bytes : NULL);
    int rc = m->f->format->read(m->f, &at, m->work + (wider > 0 ? wider : 0));
    if (rc || n == 0)
        return rc;
    if (m->differs)
        sx_io_elem_convert(m->work, n, &m->disk, &m->memory);
    return repack(m, piece, n * m->memory.bytes, buf);
}

/* If packing fails, the rank still takes part in the write, which is collective. */
static int write_piece(const transfer *m, const sx_io_box *piece, ptrdiff_t done, const char *buf)
{
    sx_io_box at;
    ptrdiff_t n = locate(m, piece, &at);
    if (!m->work)
        return m->f->format->write(m->f, &at, n ? buf + done * m->disk.bytes : NULL);
    int packed = n ? repack(m, piece, n * m->memory.bytes, (void *)(size_t)buf) : MPI_SUCCESS;
    int rc = m->f->format->write(m->f, &at, m->work);
    return packed ? packed : rc;
}

/* ---- the box */

/* Cut the box into pieces, and allocate work space if it is needed. Collective. A rank without data has no
 * pieces, but takes part in all collective calls. */
static int prepare(transfer *m, const sx_io_elem *elem)
{
    int bytes, rc;
    m->memory = *elem;
    m->disk = m->f->array.elem;
    m->differs = m->memory.kind != m->disk.kind || m->memory.bytes != m->disk.bytes || m->disk.swap;
    bytes = m->memory.bytes > m->disk.bytes ? m->memory.bytes : m->disk.bytes;
    rc = sx_io_pieces_get(m->box, m->f->choices.bytes / bytes, &m->pieces);
    if (!rc && (m->differs || !sx_io_box_is_straight(m->box))) {
        m->work = sx_base_alloc(m->pieces.most, (size_t)bytes);
        if (!m->work)
            rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    m->rounds = m->pieces.count;
    return sx_base_agree_flags(m->f->comm, rc, NULL, 1, &m->rounds);
}

/* Move all pieces. After an error a rank still takes part in the calls for all other pieces, because these
 * calls are collective. */
static int move(transfer *m, const sx_io_elem *elem, void *to, const void *from)
{
    ptrdiff_t done = 0;
    int rc = prepare(m, elem), wrong;
    if (rc) {
        sx_base_free(m->work);
        return rc;
    }
    for (int k = 0; k < m->rounds; k++) {
        sx_io_box piece;
        if (k < m->pieces.count) {
            sx_io_piece_get(m->box, &m->pieces, k, &piece);
        } else {
            piece = *m->box;
            piece.len[0] = 0;
        }
        wrong = m->f->side == SX_FROM ? read_piece(m, &piece, done, to) : write_piece(m, &piece, done, from);
        rc = rc ? rc : wrong;
        done += sx_base_get_volume(piece.ndims, piece.len);
    }
    sx_base_free(m->work);
    return sx_base_agree(m->f->comm, rc, NULL);
}

int sx_io_read(sx_io_file *f, const sx_io_box *box, const sx_io_elem *elem, void *buf)
{
    transfer m = {.f = f, .box = box};
    return move(&m, elem, buf, NULL);
}

int sx_io_write(sx_io_file *f, const sx_io_box *box, const void *buf)
{
    transfer m = {.f = f, .box = box};
    return move(&m, &f->array.elem, NULL, buf);
}
