/* fileview.c - checks whether a datatype may be the filetype of a file view (MPI 4.1, section 14.3). */
#include "type/type.h"

/* Query whether the displacements of a layout grow: compare each stride with the length that the inner levels
 * cover. */
static int is_layout_monotone(const sx_layout *l, MPI_Aint offset)
{
    ptrdiff_t covered = l->block_bytes;
    for (int i = 0; i < l->nd; i++) {
        if (l->dim[i].is < covered)
            return 0;
        covered += (l->dim[i].n - 1) * l->dim[i].is;
    }
    return offset >= 0;
}

/* Visit the leaves of a tree: each must begin at or behind *end, the end of the previous one. Of the
 * repetitions of an entry only the first two are visited, because each further one follows its predecessor in
 * the same way. */
static int is_monotone(const sx_node *node, MPI_Aint base, MPI_Aint *end)
{
    if (node->basic != MPI_DATATYPE_NULL) {
        int ok = base >= *end;
        *end = base + node->bytes;
        return ok;
    }
    for (int i = 0; i < node->nentries; i++) {
        const sx_entry *e = &node->entry[i];
        for (MPI_Count k = 0; k < e->n && k < 2; k++)
            if (!is_monotone(e->child, base + e->disp + k * e->stride, end))
                return 0;
        if (e->n > 2 && e->child->count > 0)
            *end += (e->n - 2) * e->stride;
    }
    return 1;
}

int subx_type_query_fileview(MPI_Datatype type, int *ok)
{
    sx_layout layout;
    sx_tree tree;
    MPI_Aint offset, end = 0;
    MPI_Datatype basic;
    if (!ok)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_type_get_layout(type, &layout, &offset, &basic);
    if (!rc) {
        *ok = is_layout_monotone(&layout, offset);
        return MPI_SUCCESS;
    }
    if (subx_error_get_kind(rc) != SUBX_ERR_NOT_STRIDED)
        return rc;
    rc = sx_type_parse(type, &tree);
    if (rc)
        return rc;
    *ok = is_monotone(tree.root, 0, &end);
    sx_type_tree_free(&tree);
    return MPI_SUCCESS;
}
