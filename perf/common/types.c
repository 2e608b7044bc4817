/* types.c - MPI's own subarray types, for the references that use them. */
#include "common/perf.h"

enum { NDIMS_MAX = 8 };

void sx_perf_types_create(int ndims, const ptrdiff_t len[], int axis, MPI_Datatype element, int nparts,
                          int counts[], MPI_Datatype types[])
{
    int sizes[NDIMS_MAX], subsizes[NDIMS_MAX], starts[NDIMS_MAX] = {0}, is_empty = 0;
    for (int a = 0; a < ndims; a++) {
        sizes[a] = subsizes[a] = (int)len[a];
        is_empty |= len[a] == 0;
    }
    for (int q = 0; q < nparts; q++) {
        ptrdiff_t part, start;
        subx_block_get(len[axis], nparts, q, &part, &start);
        subsizes[axis] = (int)part;
        starts[axis] = (int)start;
        types[q] = MPI_BYTE;
        counts[q] = !is_empty && part > 0;
        if (counts[q] == 0)
            continue;
        MPI_Type_create_subarray(ndims, sizes, subsizes, starts, MPI_ORDER_C, element, &types[q]);
        MPI_Type_commit(&types[q]);
    }
}

void sx_perf_types_free(int nparts, MPI_Datatype types[])
{
    for (int q = 0; q < nparts; q++)
        if (types[q] != MPI_BYTE)
            MPI_Type_free(&types[q]);
}
