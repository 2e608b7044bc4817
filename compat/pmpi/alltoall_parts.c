/* alltoall_parts.c - the data that a call sends and receives, in one form for all functions. */
#include "pmpi/alltoall.h"
#include <stdint.h>

/* Get the count for rank q: an int, or in a large call an MPI_Count. */
static ptrdiff_t get_count(const sx_pmpi_call *call, const sx_args *args, int q)
{
    if (call->form == SX_ALLTOALL)
        return (ptrdiff_t)args->n;
    return call->is_large ? (ptrdiff_t)((const MPI_Count *)args->counts)[q] : ((const int *)args->counts)[q];
}

static ptrdiff_t get_displ(const sx_pmpi_call *call, const sx_args *args, int q)
{
    return call->is_large ? (ptrdiff_t)((const MPI_Aint *)args->displs)[q] : ((const int *)args->displs)[q];
}

int sx_pmpi_parts_have_record(const sx_pmpi_call *call)
{
    for (int side = 0; side < 2; side++) {
        const sx_args *args = &call->side[side];
        if (call->form != SX_ALLTOALLW && sx_pmpi_record_get(args->type))
            return 1;
        for (int q = 0; q < call->p && call->form == SX_ALLTOALLW; q++)
            if (sx_pmpi_record_get(args->types[q]))
                return 1;
    }
    return 0;
}

/* Properties of a type. They are kept from part to part, because the next part usually has the same type. */
typedef struct kind {
    MPI_Datatype type;
    sx_record *record;
    ptrdiff_t size, extent, first;
    int is_contiguous; /* 1 if one element is contiguous */
    int is_dense;      /* 1 if any number of consecutive elements is contiguous */
} kind;

/* Describe a type without a record. While sx_pmpi_depth is above 0, calls of MPI by subx_type_get_layout are
 * not intercepted. */
static int describe_plain(kind *k)
{
    MPI_Count size, lb, extent, block;
    MPI_Aint first = 0;
    int ndims;
    sx_pmpi_depth++;
    int rc = PMPI_Type_size_x(k->type, &size);
    if (!rc)
        rc = PMPI_Type_get_extent_x(k->type, &lb, &extent);
    if (!rc)
        k->is_contiguous = !subx_type_get_layout(k->type, 0, &ndims, NULL, NULL, &block, &first);
    sx_pmpi_depth--;
    if (rc)
        return rc;
    k->size = (ptrdiff_t)size;
    k->extent = (ptrdiff_t)extent;
    k->first = (ptrdiff_t)first;
    k->is_dense = k->is_contiguous && size == extent;
    return MPI_SUCCESS;
}

static int describe(kind *k, MPI_Datatype type)
{
    if (k->type == type)
        return MPI_SUCCESS;
    *k = (kind){.type = type, .record = sx_pmpi_record_get(type)};
    if (!k->record)
        return describe_plain(k);
    k->size = k->record->size;
    k->extent = k->record->extent;
    k->is_contiguous = k->record->ndims == 0;
    k->first = k->record->offset;
    return MPI_SUCCESS;
}

/* Set part->at. Displacements are bytes in MPI_Alltoallw, and multiples of the type's extent in
 * MPI_Alltoallv. Returns 0 if the result exceeds 63 bits. */
static int set_place(const sx_pmpi_call *call, const sx_args *args, const kind *k, int q, sx_part *part)
{
    ptrdiff_t index = q, at;
    if (call->form == SX_ALLTOALLW) {
        part->at = get_displ(call, args, q);
        return 1;
    }
    if (call->form == SX_ALLTOALLV)
        index = get_displ(call, args, q);
    else if (sx_base_mul(index, (ptrdiff_t)part->count, &index))
        return 0;
    if (sx_base_mul(index < 0 ? -index : index, k->extent < 0 ? -k->extent : k->extent, &at))
        return 0;
    part->at = (index < 0) == (k->extent < 0) ? at : -at;
    return 1;
}

static int set_part(const sx_pmpi_call *call, const sx_args *args, kind *k, int q, sx_part *part)
{
    const MPI_Datatype type = call->form == SX_ALLTOALLW ? args->types[q] : args->type;
    *part = (sx_part){.type = type, .count = get_count(call, args, q)};
    part->is_contiguous = part->count == 0;
    if (part->count == 0)
        return 1;
    if (part->count < 0 || type == MPI_DATATYPE_NULL || describe(k, type) ||
        sx_base_mul(k->size, (ptrdiff_t)part->count, &part->bytes))
        return 0;
    /* The parts of MPI_Alltoall follow one another, so all their elements must lie apart. */
    const ptrdiff_t following = call->form == SX_ALLTOALL ? call->p : 1;
    const int overlaps =
        args == &call->side[SX_TO] && k->record && part->count > k->record->apart / following;
    part->record = overlaps ? NULL : k->record;
    part->first = k->first;
    part->is_contiguous = k->is_dense || (k->is_contiguous && part->count == 1);
    return set_place(call, args, k, q, part);
}

int sx_pmpi_parts_get(const sx_pmpi_call *call, int side, sx_part *part)
{
    const sx_args *args = &call->side[side];
    kind k = {.type = MPI_DATATYPE_NULL};
    for (int q = 0; q < call->p; q++)
        if (!set_part(call, args, &k, q, &part[q]))
            return 0;
    return 1;
}

/* Adds integers: the buffer may be MPI_BOTTOM, which is a null pointer, and C does not allow adding to a null
 * pointer. */
char *sx_pmpi_part_address(const sx_args *args, const sx_part *part)
{
    return (char *)((uintptr_t)args->buf + (uintptr_t)part->at);
}
