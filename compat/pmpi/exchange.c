/* exchange.c - create the exchange of a call, and the key by which a later call with the same arguments finds
 * it. */
#include "pmpi/alltoall.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- keys */

/* A key holds the records of its parts, so no other record can get the address of one of them. Therefore
 * equal addresses mean the same record. */
struct sx_key {
    int p;
    sx_part part[]; /* parts that are sent, then parts that are received */
};

sx_key *sx_pmpi_key_create(const sx_pmpi_call *call, sx_part *const part[2])
{
    const size_t side = (size_t)call->p * sizeof(sx_part);
    sx_key *key = sx_base_alloc(1, sizeof *key + 2 * side);
    if (!key)
        return NULL;
    key->p = call->p;
    memcpy(key->part, part[SX_FROM], side);
    memcpy(key->part + call->p, part[SX_TO], side);
    for (int i = 0; i < 2 * key->p; i++)
        if (key->part[i].record)
            sx_pmpi_record_hold(key->part[i].record);
    return key;
}

void sx_pmpi_key_free(sx_key *key)
{
    for (int i = 0; key && i < 2 * key->p; i++)
        if (key->part[i].record)
            sx_pmpi_record_drop(key->part[i].record);
    sx_base_free(key);
}

/* Compare the contents of two records. If the program creates a type anew for each call, the types are equal,
 * but each of them has its own record. */
static int is_equal_record(const sx_record *a, const sx_record *b)
{
    if (a == b)
        return 1;
    return a && b && a->ndims == b->ndims && a->block_bytes == b->block_bytes && a->offset == b->offset &&
           a->extent == b->extent && memcmp(a->n, b->n, (size_t)a->ndims * sizeof *a->n) == 0 &&
           memcmp(a->stride, b->stride, (size_t)a->ndims * sizeof *a->stride) == 0;
}

static int is_equal_part(const sx_part *a, const sx_part *b)
{
    if (a->bytes != b->bytes || a->is_contiguous != b->is_contiguous)
        return 0;
    if (a->bytes == 0)
        return 1;
    if (a->is_contiguous)
        return a->at + a->first == b->at + b->first;
    return a->at == b->at && a->count == b->count && is_equal_record(a->record, b->record);
}

int sx_pmpi_key_is_equal(const sx_key *key, const sx_pmpi_call *call, sx_part *const part[2])
{
    int all = key->p == call->p;
    for (int q = 0; q < call->p && all; q++)
        all = is_equal_part(&key->part[q], &part[SX_FROM][q]) &&
              is_equal_part(&key->part[call->p + q], &part[SX_TO][q]);
    return all;
}

/* ---- exchanges */

/* Blocks are cut into slices, so that the work space of a rank stays in the caches. */
static ptrdiff_t count_slices(int p, ptrdiff_t longest)
{
    ptrdiff_t slice = SX_PMPI_WORK_BYTES / SX_PMPI_WINDOW / p;
    slice = slice > SX_PMPI_LEAST_SLICE ? slice : SX_PMPI_LEAST_SLICE;
    const ptrdiff_t n = (longest + slice - 1) / slice;
    return n < 1 ? 1 : n > SX_PMPI_MOST_SLICES ? SX_PMPI_MOST_SLICES : n;
}

static int set_number(MPI_Info hints, const char *key, ptrdiff_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%td", value);
    return sx_base_hint_set(hints, key, text);
}

/* On one node, ask for engine shm without the check at creation. A check takes time, and shm does not need
 * it, because our own code moves the data. */
static int set_hints(MPI_Info hints, int p, ptrdiff_t longest, int is_one_node)
{
    int rc = sx_base_hint_set(hints, "check", is_one_node ? "no" : "auto");
    if (!rc)
        rc = MPI_Info_set(hints, "subx_engine", is_one_node ? "shm" : "auto");
    if (!rc && is_one_node)
        rc = set_number(hints, "slices", count_slices(p, longest));
    if (!rc && is_one_node)
        rc = set_number(hints, "window", SX_PMPI_WINDOW);
    return rc;
}

/* Create a type for each part. The type includes the part's count and displacement, because subx_exch_create
 * has no parameters for them. */
static int create_types(int p, const sx_part *part, MPI_Datatype *type)
{
    int rc = MPI_SUCCESS;
    for (int q = 0; q < p && !rc; q++) {
        const int count = (int)part[q].count;
        const MPI_Aint at = (MPI_Aint)part[q].at;
        if (part[q].bytes > 0)
            rc = MPI_Type_create_hindexed(1, &count, &at, part[q].type, &type[q]);
    }
    return rc;
}

/* A rank that has failed passes no types, so that the creation fails on all ranks. */
int sx_pmpi_exchange_create(MPI_Comm comm, const sx_pmpi_call *call, sx_part *const part[2],
                            ptrdiff_t longest, int is_one_node, subx_exch *exch)
{
    const int n = 2 * call->p;
    MPI_Info hints = MPI_INFO_NULL;
    MPI_Datatype *type = sx_base_alloc(n, sizeof *type);
    int rc = type ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < n && !rc; i++)
        type[i] = MPI_DATATYPE_NULL;
    for (int side = 0; side < 2 && !rc; side++)
        rc = create_types(call->p, part[side], type + side * call->p);
    if (!rc)
        rc = MPI_Info_create(&hints);
    if (!rc)
        rc = set_hints(hints, call->p, longest, is_one_node);
    int failed = subx_exch_create(comm, rc ? NULL : type, rc ? NULL : type + call->p, hints, exch);
    if (hints != MPI_INFO_NULL)
        MPI_Info_free(&hints);
    for (int i = 0; type && i < n; i++)
        if (type[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&type[i]);
    sx_base_free(type);
    return failed;
}
