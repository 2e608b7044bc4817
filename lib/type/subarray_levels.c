/* subarray_levels.c - the loop nest of a subarray in its order of traversal. layout.c finds the loop nest of
 * any other datatype. */
#include "type/type.h"

/* Get the strides of the axes in memory, in elements, by the recursion of MPI 4.1, section 5.1.3. */
static void get_strides(const sx_subarray *a, ptrdiff_t stride[])
{
    ptrdiff_t s = 1;
    for (int i = 0; i < a->ndims; i++) {
        int axis = a->storage == MPI_ORDER_FORTRAN ? i : a->ndims - 1 - i;
        stride[axis] = s;
        s *= a->sizes[axis];
    }
}

int sx_type_get_levels(const sx_subarray *a, sx_layout *units, ptrdiff_t *offset)
{
    ptrdiff_t stride[SUBX_NDIMS_MAX];
    sx_layout_set(units, 1);
    *offset = 0;
    /* If the block is empty, strides are not computed, because they may overflow. */
    for (int i = 0; i < a->ndims; i++)
        if (a->subsizes[i] == 0)
            sx_layout_set(units, 0);
    if (units->block_bytes == 0)
        return MPI_SUCCESS;
    get_strides(a, stride);
    for (int i = 0; i < a->ndims; i++) {
        int axis = a->order[i];
        int rc = sx_layout_add_packed(units, a->subsizes[axis], stride[axis]);
        if (rc)
            return rc;
        *offset += a->starts[axis] * stride[axis];
    }
    return MPI_SUCCESS;
}
