/* parcel.c - pack messages before they are sent, and unpack received messages.
 *
 * A message of packed bytes can be received with any datatype of the same signature, because MPI packs in the
 * same order. A status counts bytes, so the status of a packed message is also right for the program's
 * type. */
#include "pmpi/p2p.h"
#include <limits.h>
#include <string.h>

#ifdef OPEN_MPI
enum { IS_OPEN_MPI = 1 };
#else
enum { IS_OPEN_MPI = 0 };
#endif

/* Copy the first `*left` bytes of an element, in packed order: from `place` to `*packed` if is_pack is 1,
 * else from `*packed` to `place`. Unlike sx_pmpi_record_pack, this function allocates nothing. */
static void move(const sx_record *r, int level, char *place, char **packed, ptrdiff_t *left, int is_pack)
{
    if (level > 0) {
        for (ptrdiff_t i = 0; i < r->n[level - 1] && *left > 0; i++)
            move(r, level - 1, place + i * r->stride[level - 1], packed, left, is_pack);
        return;
    }
    ptrdiff_t bytes = *left < r->block_bytes ? *left : r->block_bytes;
    memcpy(is_pack ? *packed : place, is_pack ? place : *packed, (size_t)bytes);
    *packed += bytes;
    *left -= bytes;
}

static void move_from(sx_parcel *p, MPI_Count first, ptrdiff_t bytes, int is_pack)
{
    const sx_record *r = p->record;
    char *packed = (char *)sx_pmpi_parcel_data(p) + first * r->size;
    for (ptrdiff_t left = bytes - first * r->size; left > 0; first++) {
        ptrdiff_t element = left < r->size ? left : r->size, rest = element;
        move(r, r->ndims, (char *)p->buf + r->offset + first * r->extent, &packed, &rest, is_pack);
        left -= element;
    }
}

/* Get the place that the last SX_TAIL bytes of the data have while MPI sends or receives the parcel: behind
 * the gap of shape.c. */
static char *get_end(sx_parcel *p)
{
    return (char *)sx_pmpi_parcel_data(p) + p->bytes;
}

static void pack(sx_parcel *p)
{
    if (sx_pmpi_record_pack(p->record, p->n, p->buf, sx_pmpi_parcel_data(p)))
        move_from(p, 0, p->bytes, 1);
    if (p->shape)
        memcpy(get_end(p), get_end(p) - SX_TAIL, SX_TAIL);
}

/* Unpack the received bytes. The last element of the program's type may be incomplete; in Open MPI, also the
 * last basic element. */
static void unpack(sx_parcel *p, const MPI_Status *status)
{
    MPI_Count got = 0;
    int is_cancelled = 0;
    PMPI_Test_cancelled(status, &is_cancelled);
    if (is_cancelled || PMPI_Get_elements_x(status, MPI_BYTE, &got) || got < 0)
        return;
    if (p->shape)
        memcpy(get_end(p) - SX_TAIL, get_end(p), SX_TAIL);
    ptrdiff_t bytes = got < p->bytes ? (ptrdiff_t)got : p->bytes;
    bytes -= IS_OPEN_MPI ? 0 : bytes % p->record->element;
    MPI_Count whole = bytes / p->record->size;
    if (sx_pmpi_record_unpack(p->record, whole, sx_pmpi_parcel_data(p), p->buf))
        whole = 0;
    move_from(p, whole, bytes, 0);
}

static int start_send(sx_task *task)
{
    pack(task->owner);
    return MPI_SUCCESS;
}

static int finish_receive(sx_task *task, const MPI_Status *status)
{
    unpack(task->owner, status);
    return MPI_SUCCESS;
}

static void drop(sx_task *task)
{
    sx_parcel *p = task->owner;
    p->task = NULL;
    sx_pmpi_parcel_free(p);
}

void sx_pmpi_parcel_free(sx_parcel *p)
{
    if (!p)
        return;
    sx_pmpi_request_free(p->task);
    sx_pmpi_shape_put(p->shape);
    sx_pmpi_record_drop(p->record);
    sx_pmpi_buffer_put(p);
}

static sx_task *create_pending(sx_parcel *p, sx_use use, int side)
{
    sx_task *task = sx_pmpi_request_create();
    if (!task)
        return NULL;
    task->start = side == SX_FROM && use == SX_PERSISTENT ? start_send : NULL;
    task->finish = side == SX_TO ? finish_receive : NULL;
    task->drop = drop;
    task->is_persistent = use == SX_PERSISTENT;
    task->owner = p;
    return task;
}

/* The data begins SX_ALIGNMENT bytes behind the beginning of the parcel. */
SX_BASE_ASSERT(sizeof(sx_parcel) <= SX_ALIGNMENT);

/* Query whether a message has a gap. */
static int has_gap(int side, ptrdiff_t bytes)
{
    return bytes <= INT_MAX && (IS_OPEN_MPI || side == SX_TO || bytes >= SX_PMPI_LEAST_GAP);
}

/* Get the unit of a message (shape.c). For the sender it is the largest power of two, up to 16 bytes, that
 * divides the length of a block. This unit is never shorter than an element of the program's type. Open MPI
 * receives in bytes, because only the sender's elements matter. MPICH receives in elements: it reports an
 * error if a message ends within an element and the receiver's type is not contiguous. */
static int get_unit(const sx_record *record, int side)
{
    int unit = 1;
    if (side == SX_TO)
        return IS_OPEN_MPI ? 1 : record->element;
    while (unit < 16 && record->block_bytes % (2 * unit) == 0)
        unit *= 2;
    return unit;
}

/* Create a parcel; NULL if there is no memory. */
static sx_parcel *create(sx_use use, int side, sx_record *record, ptrdiff_t bytes, void *buf, MPI_Count n)
{
    ptrdiff_t whole;
    sx_parcel *p = sx_base_add(bytes, SX_ALIGNMENT + SX_TAIL, &whole) ? NULL : sx_pmpi_buffer_get(whole);
    if (!p)
        return NULL;
    *p = (sx_parcel){.record = record, .buf = buf, .n = n, .bytes = bytes, .count = bytes, .type = MPI_BYTE};
    sx_pmpi_record_hold(record);
    const int gap = has_gap(side, bytes);
    if (gap && (p->shape = sx_pmpi_shape_get(bytes, get_unit(record, side)))) {
        p->count = 1;
        p->type = p->shape->type;
    }
    if (use != SX_BLOCKING)
        p->task = create_pending(p, use, side);
    if ((gap && !p->shape) || (use != SX_BLOCKING && !p->task)) {
        sx_pmpi_parcel_free(p);
        return NULL;
    }
    return p;
}

/* Create a parcel if this library takes over the call; else NULL. Left to MPI are calls with a wrong count or
 * with MPI_BOTTOM, receives whose elements overlap, and buffers in a GPU's memory. MPI_BOTTOM is equal to the
 * null pointer, for which MPI may have to report an error. */
static sx_parcel *take_over(const char *function, sx_use use, int side, void *buf, MPI_Count n,
                            MPI_Datatype type, int rank, ptrdiff_t most)
{
    sx_record *record = sx_pmpi_record_get(type);
    if (!record)
        return NULL;
    const int is_left =
        n <= 0 || buf == MPI_BOTTOM || rank == MPI_PROC_NULL || (side == SX_TO && n > record->apart);
    const ptrdiff_t bytes = is_left ? -1 : sx_pmpi_record_bytes(record, n);
    sx_parcel *p = NULL;
    if (bytes > SX_TAIL && bytes <= most && sx_pmpi_record_suits(record, n) &&
        sx_pmpi_is_here(record->offset, buf))
        p = create(use, side, record, bytes, buf, n);
    if (p)
        sx_pmpi_report_taken(function, bytes);
    else
        sx_pmpi_report_passed(function);
    return p;
}

sx_parcel *sx_pmpi_parcel_pack(const char *function, sx_use use, const void *buf, MPI_Count n,
                               MPI_Datatype type, int rank, ptrdiff_t most)
{
    sx_parcel *p = take_over(function, use, SX_FROM, (void *)buf, n, type, rank, most);
    if (p && use != SX_PERSISTENT)
        pack(p);
    return p;
}

sx_parcel *sx_pmpi_parcel_create(const char *function, sx_use use, void *buf, MPI_Count n, MPI_Datatype type,
                                 int rank, ptrdiff_t most)
{
    return take_over(function, use, SX_TO, buf, n, type, rank, most);
}

int sx_pmpi_parcel_open(sx_parcel *p, int rc, const MPI_Status *status)
{
    if (!rc)
        unpack(p, status);
    sx_pmpi_parcel_free(p);
    return rc;
}

int sx_pmpi_parcel_track(sx_parcel *p, int rc, const MPI_Request *request)
{
    if (rc)
        sx_pmpi_parcel_free(p);
    else
        sx_pmpi_request_set(p->task, *request);
    return rc;
}
