/* doubles.c - whether blocks may travel as floats (hint subx_wire): all their elements must be doubles. */
#include "exch/exch.h"

/* If this MPI lacks a type, the name stands for MPI_DATATYPE_NULL. */
static int is_double(MPI_Datatype basic)
{
    const MPI_Datatype doubles[] = {
        MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_PRECISION, MPI_DOUBLE_COMPLEX, MPI_REAL8, MPI_COMPLEX16};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (basic == doubles[i])
            return basic != MPI_DATATYPE_NULL;
    return 0;
}

static int is_multiple(MPI_Aint distance)
{
    return distance % (MPI_Aint)sizeof(double) == 0;
}

static int is_aligned(const sx_layout *l, MPI_Aint offset)
{
    int is = is_multiple(offset) && is_multiple((MPI_Aint)l->block_bytes);
    for (int k = 0; k < l->nd; k++)
        is &= is_multiple((MPI_Aint)l->dim[k].is) && is_multiple((MPI_Aint)l->dim[k].os);
    return is;
}

static int has_doubles(const sx_shape *shape, MPI_Aint offset)
{
    int is = is_double(shape->basic);
    if (shape->strided)
        return is && is_aligned(&shape->layout, offset);
    for (int i = 0; i < shape->nchunks; i++)
        is &= is_aligned(&shape->chunk[i].layout, shape->chunk[i].offset);
    return is;
}

int sx_exch_side_has_doubles(const sx_side *side, int p)
{
    for (int q = 0; q < p; q++) {
        const sx_block *block = &side->block[q];
        if (block->shape >= 0 && !has_doubles(&side->shape[block->shape], block->offset))
            return 0;
    }
    return 1;
}
