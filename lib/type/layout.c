/* layout.c - finds the layout (a loop nest) of a datatype, if the datatype is a strided block; else the
 * layouts of its chunks. */
#include "type/type.h"

/* Get the only entry of a node that is not empty; NULL if all entries are empty. If several are not empty,
 * *several becomes 1, and the last one is returned. */
static const sx_entry *get_only_entry(const sx_node *node, int *several)
{
    const sx_entry *found = NULL;
    for (int i = 0; i < node->nentries; i++) {
        if (node->entry[i].n * node->entry[i].child->count == 0)
            continue;
        *several |= found != NULL;
        found = &node->entry[i];
    }
    return found;
}

/* Descend to the leaf. On the way back, add a level for each repetition, and add up the displacements. */
static int follow(const sx_node *node, sx_layout *layout, MPI_Aint *offset)
{
    int several = 0;
    if (node->basic != MPI_DATATYPE_NULL) {
        sx_layout_set(layout, node->bytes);
        *offset = 0;
        return MPI_SUCCESS;
    }
    const sx_entry *e = get_only_entry(node, &several);
    if (several)
        return subx_error_get_code(SUBX_ERR_NOT_STRIDED);
    if (!e) {
        sx_layout_set(layout, 0);
        *offset = 0;
        return MPI_SUCCESS;
    }
    int rc = follow(e->child, layout, offset);
    *offset += e->disp;
    return rc ? rc : sx_layout_add_packed(layout, e->n, e->stride);
}

/* Get the layout of a subarray from its description: the levels of its element, then the levels of the
 * subarray. The decoded tree (sx_node) of the type is not used, because hvectors.c may have split a level of
 * the subarray. */
static int follow_subarray(const sx_subarray *a, const sx_node *element, sx_layout *layout, MPI_Aint *offset)
{
    sx_layout units;
    ptrdiff_t start;
    MPI_Count lb, extent;
    int rc = follow(element, layout, offset);
    if (!rc)
        rc = MPI_Type_get_extent_x(a->oldtype, &lb, &extent);
    if (!rc)
        rc = sx_type_get_levels(a, &units, &start);
    if (rc)
        return rc;
    /* `units` counts elements, not bytes. Its block is a run of elements, which is a level here. */
    rc = sx_layout_add_packed(layout, units.block_bytes, (ptrdiff_t)extent);
    for (int i = 0; i < units.nd && !rc; i++)
        rc = sx_layout_add_packed(layout, units.dim[i].n, units.dim[i].is * (ptrdiff_t)extent);
    *offset = layout->block_bytes ? *offset + start * (ptrdiff_t)extent : 0;
    return rc;
}

int sx_type_get_layout(MPI_Datatype type, sx_layout *layout, MPI_Aint *offset, MPI_Datatype *basic)
{
    const sx_subarray *a = NULL;
    sx_tree tree;
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = sx_type_get_subarray(type, &a);
    if (!rc)
        rc = sx_type_parse(a ? a->oldtype : type, &tree);
    if (rc)
        return rc;
    *basic = tree.root->uniform;
    rc = a ? follow_subarray(a, tree.root, layout, offset) : follow(tree.root, layout, offset);
    sx_type_tree_free(&tree);
    return rc;
}

/* ---- chunks */

typedef struct chunks {
    int n, most;
    sx_chunk *chunk;
} chunks;

/* A chunk that only continues the previous one in memory is coalesced with it. */
static int add_chunk(chunks *p, const sx_layout *layout, MPI_Aint offset)
{
    const ptrdiff_t bytes = sx_layout_get_bytes(layout);
    sx_chunk *last = p->n > 0 ? &p->chunk[p->n - 1] : NULL;
    if (bytes == 0)
        return MPI_SUCCESS;
    if (last && last->layout.nd == 0 && layout->nd == 0 && last->offset + last->bytes == offset) {
        last->bytes += bytes;
        sx_layout_set(&last->layout, last->bytes);
        return MPI_SUCCESS;
    }
    if (p->n == p->most)
        return subx_error_get_code(SUBX_ERR_NOT_STRIDED);
    p->chunk[p->n++] = (sx_chunk){*layout, offset, last ? last->first + last->bytes : 0, bytes};
    return MPI_SUCCESS;
}

/* A node is a chunk if it is a strided block. Else its entries are followed one after the other. */
static int add_chunks(chunks *p, const sx_node *node, MPI_Aint base)
{
    sx_layout layout;
    MPI_Aint offset;
    int rc = follow(node, &layout, &offset);
    if (subx_error_get_kind(rc) != SUBX_ERR_NOT_STRIDED)
        return rc ? rc : add_chunk(p, &layout, base + offset);
    rc = MPI_SUCCESS;
    for (int i = 0; i < node->nentries && !rc; i++) {
        const sx_entry *e = &node->entry[i];
        if (e->child->count > 0 && !follow(e->child, &layout, &offset) &&
            !sx_layout_add_packed(&layout, e->n, e->stride)) {
            rc = add_chunk(p, &layout, base + e->disp + offset);
            continue;
        }
        for (MPI_Count k = 0; k < e->n && e->child->count > 0 && !rc; k++)
            rc = add_chunks(p, e->child, base + e->disp + (MPI_Aint)k * e->stride);
    }
    return rc;
}

int sx_type_get_chunks(MPI_Datatype type, int most, sx_chunk chunk[], int *n)
{
    chunks p = {0, most, chunk};
    sx_tree tree;
    int rc = sx_type_parse(type, &tree);
    if (rc)
        return rc;
    rc = add_chunks(&p, tree.root, 0);
    *n = p.n;
    sx_type_tree_free(&tree);
    return rc;
}

/* ---- for users */

int subx_type_get_layout(MPI_Datatype type, int maxdims, int *ndims, MPI_Count n[], MPI_Aint stride[],
                         MPI_Count *block_bytes, MPI_Aint *offset)
{
    sx_layout layout;
    MPI_Aint first;
    MPI_Datatype basic;
    if (!ndims || !block_bytes || !offset || maxdims < 0 || (maxdims > 0 && (!n || !stride)))
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_type_get_layout(type, &layout, &first, &basic);
    if (rc)
        return rc;
    if (layout.nd > maxdims)
        return subx_error_get_code(SUBX_ERR_TRUNCATE);
    for (int i = 0; i < layout.nd; i++) {
        n[i] = layout.dim[i].n;
        stride[i] = layout.dim[i].is;
    }
    *ndims = layout.nd;
    *block_bytes = layout.block_bytes;
    *offset = first;
    return MPI_SUCCESS;
}
