/* alltoall_packed.c - the packed way: pack the data, call the same function of MPI for the packed data, and
 * unpack.
 *
 * A side is packed completely or not at all. For MPI_Alltoallv and MPI_Alltoallw, a rank's block for itself
 * is copied here if that is possible, and MPI gets the length 0 for it. MPI_Alltoall has one count for all
 * ranks, so it also moves this block. */
#include "pmpi/alltoall.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* A packed call: all data that is needed until the call completes. */
typedef struct packing {
    sx_pmpi_call call; /* the call with the arguments for MPI */
    sx_args user[2];
    int packs[2], copies_self, holds;
    char *data[2];
    /* For each rank: */
    sx_part *part[2];
    ptrdiff_t *offset[2];
    void *counts[2], *displs[2];
    MPI_Datatype *bytes; /* p times MPI_BYTE */
} packing;

/* ---- creation */

static int is_worth_it(const sx_pmpi_call *call, const sx_part *part)
{
    for (int q = 0; q < call->p; q++)
        if (part[q].record && part[q].count > 0 && sx_pmpi_record_suits(part[q].record, part[q].count))
            return 1;
    return 0;
}

static void set_number(int is_large, void *array, int q, ptrdiff_t value)
{
    if (is_large)
        ((MPI_Count *)array)[q] = (MPI_Count)value;
    else
        ((int *)array)[q] = (int)value;
}

static void set_displ(int is_large, void *array, int q, ptrdiff_t value)
{
    if (is_large)
        ((MPI_Aint *)array)[q] = (MPI_Aint)value;
    else
        ((int *)array)[q] = (int)value;
}

/* Allocate a packing and its nine arrays in one buffer. Two of the arrays have parts; the elements of the
 * others have at most 8 bytes. */
static packing *alloc(const sx_pmpi_call *call)
{
    const ptrdiff_t p = call->p;
    char *at = sx_pmpi_buffer_get((ptrdiff_t)sizeof(packing) +
                                  p * (ptrdiff_t)(2 * sizeof(sx_part) + 7 * sizeof(int64_t)));
    if (!at)
        return NULL;
    packing *k = (packing *)at;
    *k = (packing){.call = *call, .user = {call->side[0], call->side[1]}};
    at += sizeof *k;
    for (int side = 0; side < 2; side++) {
        k->part[side] = (sx_part *)at, at += p * (ptrdiff_t)sizeof(sx_part);
        k->offset[side] = (ptrdiff_t *)at, at += p * (ptrdiff_t)sizeof(int64_t);
        k->counts[side] = at, at += p * (ptrdiff_t)sizeof(int64_t);
        k->displs[side] = at, at += p * (ptrdiff_t)sizeof(int64_t);
    }
    k->bytes = (MPI_Datatype *)at;
    for (int q = 0; q < call->p; q++)
        k->bytes[q] = MPI_BYTE;
    return k;
}

/* A part can be packed if it is empty, if it has a record, or if it is contiguous and its elements may be
 * sent as packed data. If a side that is to be packed has any other part, the whole call is passed to MPI. */
static int can_pack(const sx_part *part)
{
    return part->bytes == 0 || part->record ||
           (part->is_contiguous && sx_pmpi_record_get_element(part->type, part->bytes / part->count));
}

/* Set the offsets of the packed parts: consecutive for MPI_Alltoall, else at cache lines. *all becomes the
 * bytes of all parts together. Returns 0 if a part cannot be packed, or if a length or an offset does not fit
 * MPI's integer type. */
static int set_offsets(packing *k, int side, ptrdiff_t *all)
{
    const sx_pmpi_call *call = &k->call;
    const ptrdiff_t line = call->form == SX_ALLTOALL ? 1 : SX_ALIGNMENT,
                    most = call->is_large ? PTRDIFF_MAX : INT_MAX;
    *all = 0;
    for (int q = 0; q < call->p; q++) {
        const sx_part *part = &k->part[side][q];
        if (part->bytes > most || *all > most || !can_pack(part))
            return 0;
        k->offset[side][q] = *all;
        if (sx_base_add(*all, (part->bytes + line - 1) / line * line, all))
            return 0;
    }
    return 1;
}

/* Let the arguments of a side describe the packed data, which MPI sends or receives. */
static void set_packed(packing *k, int side)
{
    sx_args *args = &k->call.side[side];
    const sx_part *part = k->part[side];
    for (int q = 0; q < k->call.p; q++) {
        set_number(k->call.is_large, k->counts[side], q, part[q].bytes);
        set_displ(k->call.is_large, k->displs[side], q, k->offset[side][q]);
    }
    *args = (sx_args){.buf = k->data[side],
                      .n = (MPI_Count)part[0].bytes,
                      .counts = k->counts[side],
                      .displs = k->displs[side],
                      .type = MPI_BYTE,
                      .types = k->bytes};
}

/* If copy_self can copy this rank's block for itself, set its length to 0 in the arguments for MPI. */
static void set_self(packing *k)
{
    const int r = k->call.r;
    const sx_part *from = &k->part[SX_FROM][r], *to = &k->part[SX_TO][r];
    if (k->call.form == SX_ALLTOALL || from->bytes != to->bytes || from->bytes == 0 ||
        !(k->packs[SX_FROM] || from->is_contiguous) || !(k->packs[SX_TO] || to->is_contiguous))
        return;
    k->copies_self = 1;
    for (int side = 0; side < 2; side++) {
        for (int q = 0; q < k->call.p && !k->packs[side]; q++)
            set_number(k->call.is_large, k->counts[side], q, (ptrdiff_t)k->part[side][q].count);
        set_number(k->call.is_large, k->counts[side], r, 0);
        k->call.side[side].counts = k->counts[side];
    }
}

static void hold(packing *k)
{
    k->holds = 1;
    for (int side = 0; side < 2; side++)
        for (int q = 0; q < k->call.p; q++)
            if (k->part[side][q].record)
                sx_pmpi_record_hold(k->part[side][q].record);
}

static void destroy(packing *k)
{
    for (int side = 0; side < 2; side++) {
        for (int q = 0; q < k->call.p && k->holds; q++)
            if (k->part[side][q].record)
                sx_pmpi_record_drop(k->part[side][q].record);
        sx_pmpi_buffer_put(k->data[side]);
    }
    sx_pmpi_buffer_put(k);
}

/* Create a packing. NULL if packing is not possible, or not faster than MPI. */
static packing *create(const sx_pmpi_call *call, sx_part *const part[2])
{
    const int packs[2] = {is_worth_it(call, part[0]), is_worth_it(call, part[1])};
    packing *k = packs[0] || packs[1] ? alloc(call) : NULL;
    if (!k)
        return NULL;
    for (int side = 0; side < 2; side++) {
        ptrdiff_t all = 0;
        memcpy(k->part[side], part[side], (size_t)call->p * sizeof *part[side]);
        k->packs[side] = packs[side];
        if (packs[side] && set_offsets(k, side, &all))
            k->data[side] = sx_pmpi_buffer_get(all);
        if (!packs[side])
            continue;
        if (!k->data[side]) {
            destroy(k);
            return NULL;
        }
        set_packed(k, side);
    }
    set_self(k);
    return k;
}

/* ---- moving */

/* Pack a part that is sent, or unpack a part that is received. */
static int move_part(const packing *k, int side, int q, char *packed)
{
    const sx_part *part = &k->part[side][q];
    char *at = sx_pmpi_part_address(&k->user[side], part);
    if (part->bytes == 0)
        return MPI_SUCCESS;
    if (!part->is_contiguous)
        return side == SX_FROM ? sx_pmpi_record_pack(part->record, part->count, at, packed)
                               : sx_pmpi_record_unpack(part->record, part->count, packed, at);
    at += part->first;
    memcpy(side == SX_FROM ? packed : at, side == SX_FROM ? at : packed, (size_t)part->bytes);
    return MPI_SUCCESS;
}

/* Copy this rank's block for itself into the receive buffer. If both sides are packed, only pack the block
 * into the packed data of the receive side: `unpack` moves it from there into the receive buffer. */
static int copy_self(const packing *k)
{
    const int r = k->call.r;
    const sx_part *from = &k->part[SX_FROM][r], *to = &k->part[SX_TO][r];
    if (!k->packs[SX_FROM])
        return move_part(k, SX_TO, r, sx_pmpi_part_address(&k->user[SX_FROM], from) + from->first);
    return move_part(k, SX_FROM, r,
                     k->packs[SX_TO] ? k->data[SX_TO] + k->offset[SX_TO][r]
                                     : sx_pmpi_part_address(&k->user[SX_TO], to) + to->first);
}

static int pack(const packing *k)
{
    int rc = k->copies_self ? copy_self(k) : MPI_SUCCESS;
    for (int i = 1; i <= k->call.p && k->packs[SX_FROM] && !rc; i++) {
        int q = (k->call.r + i) % k->call.p;
        if (q != k->call.r || !k->copies_self)
            rc = move_part(k, SX_FROM, q, k->data[SX_FROM] + k->offset[SX_FROM][q]);
    }
    return rc;
}

static int unpack(const packing *k)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < k->call.p && k->packs[SX_TO] && !rc; i++) {
        int q = (k->call.r + i) % k->call.p;
        if (q != k->call.r || !k->copies_self || k->packs[SX_FROM])
            rc = move_part(k, SX_TO, q, k->data[SX_TO] + k->offset[SX_TO][q]);
    }
    return rc;
}

/* ---- requests */

static int start(sx_task *task)
{
    return pack(task->owner);
}

static int finish(sx_task *task, const MPI_Status *status)
{
    (void)status;
    return unpack(task->owner);
}

static void drop(sx_task *task)
{
    destroy(task->owner);
}

/* Execute a nonblocking or persistent call. Afterwards the request of the call owns the packing. Returns 0 if
 * there is no memory. */
static int execute_later(packing *k, int *rc)
{
    sx_task *task = sx_pmpi_request_create();
    if (!task)
        return 0;
    const int is_persistent = k->call.mode == SX_PERSISTENT;
    if (!is_persistent && pack(k)) {
        sx_pmpi_request_free(task);
        return 0;
    }
    task->start = is_persistent ? start : NULL;
    task->finish = finish;
    task->drop = drop;
    task->is_persistent = is_persistent;
    task->owner = k;
    hold(k);
    *rc = k->call.real(&k->call);
    if (!*rc) {
        sx_pmpi_request_set(task, *k->call.request);
        return 1;
    }
    sx_pmpi_request_free(task);
    destroy(k);
    return 1;
}

static int execute_now(packing *k, int *rc)
{
    if (pack(k))
        return 0;
    *rc = k->call.real(&k->call);
    const int failed = *rc ? MPI_SUCCESS : unpack(k);
    if (failed) {
        PMPI_Comm_call_errhandler(k->call.comm, failed);
        *rc = failed;
    }
    destroy(k);
    return 1;
}

int sx_pmpi_packed_execute(const sx_pmpi_call *call, sx_part *const part[2], int *rc)
{
    packing *k = create(call, part);
    if (!k)
        return 0;
    if (call->mode == SX_BLOCKING ? execute_now(k, rc) : execute_later(k, rc))
        return 1;
    destroy(k);
    return 0;
}
