/* print.c - describe a datatype in one line of text. */
#include "type/type.h"

/* Print the name of a predefined type. A derived type is not printed by its name, even if its creator has set
 * one. */
static void print_name(sx_text *t, MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0, predefined = 0;
    sx_type_is_predefined(type, &predefined);
    if (predefined)
        MPI_Type_get_name(type, name, &length);
    sx_base_print(t, "%s", name[0] ? name : "a derived type");
}

static void print_lengths(sx_text *t, const char *what, int n, const MPI_Count lengths[])
{
    sx_base_print(t, "%s", what);
    for (int i = 0; i < n; i++)
        sx_base_print(t, "%s%lld", i ? "x" : "", (long long)lengths[i]);
}

/* Print a subarray type. If the type is no subarray, nothing is printed, and the result is
 * SUBX_ERR_NOT_SUBARRAY. */
static int print_subarray(sx_text *t, MPI_Datatype type)
{
    MPI_Count sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX];
    int ndims, storage, predefined, order[SUBX_NDIMS_MAX];
    MPI_Datatype old;
    int rc =
        subx_type_get_subarray(type, SUBX_NDIMS_MAX, &ndims, sizes, subsizes, starts, &storage, order, &old);
    if (rc)
        return rc;
    print_lengths(t, "subarray ", ndims, subsizes);
    print_lengths(t, " at ", ndims, starts);
    print_lengths(t, " of ", ndims, sizes);
    sx_base_print(t, ", %s storage, order ", storage == MPI_ORDER_C ? "C" : "Fortran");
    sx_base_print_order(t, ndims, order);
    sx_base_print(t, ", of ");
    print_name(t, old);
    rc = sx_type_is_predefined(old, &predefined);
    return rc || predefined ? rc : MPI_Type_free(&old);
}

static const char *get_combiner_name(int combiner)
{
    switch (combiner) {
    case MPI_COMBINER_DUP:
        return "dup";
    case MPI_COMBINER_CONTIGUOUS:
        return "contiguous";
    case MPI_COMBINER_VECTOR:
        return "vector";
    case MPI_COMBINER_HVECTOR:
        return "hvector";
    case MPI_COMBINER_INDEXED:
        return "indexed";
    case MPI_COMBINER_HINDEXED:
        return "hindexed";
    case MPI_COMBINER_INDEXED_BLOCK:
        return "indexed_block";
    case MPI_COMBINER_HINDEXED_BLOCK:
        return "hindexed_block";
    case MPI_COMBINER_STRUCT:
        return "struct";
    case MPI_COMBINER_SUBARRAY:
        return "subarray";
    case MPI_COMBINER_DARRAY:
        return "darray";
    case MPI_COMBINER_RESIZED:
        return "resized";
    default:
        return "type";
    }
}

static int print_constructor(sx_text *t, MPI_Datatype type)
{
    sx_contents c;
    int predefined, rc = sx_type_is_predefined(type, &predefined);
    if (rc)
        return rc;
    if (predefined) {
        print_name(t, type);
        return MPI_SUCCESS;
    }
    rc = sx_type_contents_get(type, &c);
    if (rc)
        return rc;
    sx_base_print(t, "%s of ", get_combiner_name(c.combiner));
    if (c.nt == 1)
        print_name(t, c.t[0]);
    else
        sx_base_print(t, "%td types", c.nt);
    sx_type_contents_free(&c);
    return MPI_SUCCESS;
}

/* Print the block and the levels of the layout, the innermost level first, as in subx_type_get_layout. */
static int print_layout(sx_text *t, MPI_Datatype type)
{
    sx_layout l;
    MPI_Aint offset;
    MPI_Datatype basic;
    int rc = sx_type_get_layout(type, &l, &offset, &basic);
    if (subx_error_get_kind(rc) == SUBX_ERR_NOT_STRIDED) {
        sx_base_print(t, "; not a strided block");
        return MPI_SUCCESS;
    }
    if (rc)
        return rc;
    if (l.block_bytes == 0) {
        sx_base_print(t, "; empty");
        return MPI_SUCCESS;
    }
    sx_base_print(t, "; blocks of %td bytes from %td", l.block_bytes, (ptrdiff_t)offset);
    for (int i = 0; i < l.nd; i++)
        sx_base_print(t, ", %td every %td", l.dim[i].n, l.dim[i].is);
    return MPI_SUCCESS;
}

static int print_bounds(sx_text *t, MPI_Datatype type)
{
    MPI_Count size, lb, extent;
    int rc = MPI_Type_size_x(type, &size);
    if (!rc)
        rc = MPI_Type_get_extent_x(type, &lb, &extent);
    if (!rc)
        sx_base_print(t, "; size %lld, lower bound %lld, extent %lld", (long long)size, (long long)lb,
                      (long long)extent);
    return rc;
}

int subx_type_print(MPI_Datatype type, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!text && len > 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = print_subarray(&t, type);
    if (subx_error_get_kind(rc) == SUBX_ERR_NOT_SUBARRAY)
        rc = print_constructor(&t, type);
    if (!rc)
        rc = print_layout(&t, type);
    if (!rc)
        rc = print_bounds(&t, type);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}
