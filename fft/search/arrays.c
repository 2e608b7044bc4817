/* arrays.c - the arrays on which a search executes its candidates: in the memory of the host, or of a
 * device. */
#include "search/search.h"

int sx_search_open_arrays(const sx_device *device, sx_search_arrays *a)
{
    *a = (sx_search_arrays){.device = device};
    return device ? sx_device_open(device, &a->handle) : MPI_SUCCESS;
}

static void free_array(sx_search_arrays *a, int side)
{
    if (a->device && a->at[side])
        a->device->free(a->handle, a->at[side]);
    if (!a->device)
        sx_base_free(a->at[side]);
    a->at[side] = NULL;
    a->bytes[side] = 0;
}

/* Memory of the host is zeroed, because numbers that are not normal would slow the processor down. A device
 * takes the same time for all numbers. */
int sx_search_reserve_array(sx_search_arrays *a, int side, ptrdiff_t bytes)
{
    int kind = SUBX_ERR_NONE;
    if (bytes <= a->bytes[side])
        return MPI_SUCCESS;
    free_array(a, side);
    if (a->device)
        kind = a->device->alloc(a->handle, bytes, &a->at[side]);
    else
        a->at[side] = sx_base_alloc(bytes, 1);
    kind = kind || a->at[side] ? kind : SUBX_ERR_NO_MEM;
    a->bytes[side] = kind ? 0 : bytes;
    return subx_error_get_code(kind);
}

void sx_search_close_arrays(sx_search_arrays *a)
{
    for (int side = 0; side < 2; side++)
        free_array(a, side);
    if (a->device && a->handle)
        a->device->close(a->handle);
    a->handle = NULL;
}
