/* common.c - what a box of an edge and the block of a rank of the grid have in common. */
#include "array/array.h"

void sx_box_get_block(const sx_box *b, int g, const int dims[], int rank, sx_edge_box *of)
{
    int coords[SUBX_NDIMS_MAX];
    for (int k = g - 1; k >= 0; k--) {
        coords[k] = rank % dims[k];
        rank /= dims[k];
    }
    for (int i = 0; i < b->ndims; i++) {
        const int k = b->dist[i];
        of->start[i] = 0;
        of->len[i] = b->n[i];
        if (k >= 0)
            sx_box_get_part(b, i, dims[k], coords[k], &of->len[i], &of->start[i]);
    }
}

int sx_edge_get_common(const sx_edge_box *mine, const sx_edge_box *other, int ndims, sx_edge_box *part)
{
    const ptrdiff_t volume =
        sx_base_intersect(ndims, mine->start, mine->len, other->start, other->len, part->start, part->len);
    for (int i = 0; i < ndims; i++)
        part->start[i] -= mine->start[i];
    return volume > 0;
}
