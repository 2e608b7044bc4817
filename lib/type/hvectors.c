/* hvectors.c - create the datatype of a subarray, in any order of traversal, from as few nested hvectors as
 * possible (Yan). */
#include "type/type.h"
#include <limits.h>

/* A type under construction. Each step creates a new type from b->t, stores it in b->t, and frees the old
 * b->t if an earlier step has created it (owned). */
typedef struct builder {
    MPI_Datatype t;
    int owned;
} builder;

/* End a step: put the new type in the place of b->t, which is freed if the builder owns it. If the step has
 * failed (rc), the new type is freed, too: MPI may set a type although it returns an error. */
static int replace(builder *b, int rc, MPI_Datatype newtype)
{
    if (b->owned)
        MPI_Type_free(&b->t);
    if (rc && newtype != MPI_DATATYPE_NULL)
        MPI_Type_free(&newtype);
    b->owned = rc == MPI_SUCCESS;
    b->t = newtype;
    return rc;
}

static int repeat_int(builder *b, int n, int blocklength, MPI_Aint stride)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    int rc = MPI_Type_create_hvector(n, blocklength, stride, b->t, &t);
    return replace(b, rc, t);
}

/* Join two types: `whole` at 0 bytes, `rest` at `disp` bytes. Frees both. */
static int append(MPI_Datatype whole, MPI_Datatype rest, MPI_Aint disp, MPI_Datatype *both)
{
    MPI_Datatype type[2] = {whole, rest};
    MPI_Aint at[2] = {0, disp};
    int one[2] = {1, 1};
    int rc = MPI_Type_create_struct(2, one, at, type, both);
    MPI_Type_free(&type[0]);
    MPI_Type_free(&type[1]);
    return rc;
}

/* Repeat a type n times, where n does not fit an int: n = chunks * INT_MAX + rest. A rest of 0 gets no type,
 * because MPICH includes empty types in the true extent. */
static int repeat_large(builder *b, ptrdiff_t n, MPI_Aint stride)
{
    MPI_Datatype chunk, whole = MPI_DATATYPE_NULL, tail, t = MPI_DATATYPE_NULL;
    int chunks, rest;
    int rc = sx_base_int(n / INT_MAX, &chunks);
    if (!rc)
        rc = sx_base_int(n % INT_MAX, &rest);
    if (!rc)
        rc = MPI_Type_create_hvector(INT_MAX, 1, stride, b->t, &chunk);
    if (rc)
        return replace(b, rc, t);
    rc = MPI_Type_create_hvector(chunks, 1, INT_MAX * stride, chunk, &whole);
    MPI_Type_free(&chunk);
    if (rc || rest == 0)
        return replace(b, rc, whole);
    rc = MPI_Type_create_hvector(rest, 1, stride, b->t, &tail);
    if (rc)
        MPI_Type_free(&whole);
    else
        rc = append(whole, tail, (n - rest) * stride, &t);
    return replace(b, rc, t);
}

static int repeat(builder *b, ptrdiff_t n, MPI_Aint stride)
{
    int small;
    return sx_base_int(n, &small) ? repeat_large(b, n, stride) : repeat_int(b, small, 1, stride);
}

/* Create the levels. If both the block and the innermost level have lengths that fit an int, one hvector is
 * enough for the two. Else the block needs a level of its own. */
static int nest(builder *b, const sx_layout *units, MPI_Aint extent)
{
    int rc = MPI_SUCCESS, level = 0, n, length;
    ptrdiff_t block = units->block_bytes; /* in elements */
    if (units->nd > 0 && !sx_base_int(block, &length) && !sx_base_int(units->dim[0].n, &n)) {
        rc = repeat_int(b, n, length, units->dim[0].is * extent);
        level = 1;
    } else if (block != 1 || units->nd == 0) {
        rc = repeat(b, block, extent);
    }
    for (; level < units->nd && !rc; level++)
        rc = repeat(b, units->dim[level].n, units->dim[level].is * extent);
    return rc;
}

/* A resized type moves bounds, but no data. The offset of the first element therefore needs a type of its
 * own. */
static int shift(builder *b, MPI_Aint disp)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    if (disp == 0)
        return MPI_SUCCESS;
    int rc = MPI_Type_create_hindexed_block(1, 1, &disp, b->t, &t);
    return replace(b, rc, t);
}

static int resize(builder *b, MPI_Aint extent)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    int rc = MPI_Type_create_resized(b->t, 0, extent, &t);
    return replace(b, rc, t);
}

int sx_type_create_nested(const sx_subarray *a, MPI_Aint extent, ptrdiff_t full, MPI_Datatype *newtype)
{
    sx_layout units;
    ptrdiff_t offset;
    builder b = {a->oldtype, 0};
    int rc = sx_type_get_levels(a, &units, &offset);
    if (!rc)
        rc = nest(&b, &units, extent);
    if (!rc)
        rc = shift(&b, units.block_bytes ? offset * extent : 0);
    if (!rc)
        rc = resize(&b, full);
    *newtype = rc ? MPI_DATATYPE_NULL : b.t;
    return rc;
}

int sx_type_create_levels(const sx_layout *units, ptrdiff_t offset, MPI_Aint extent, MPI_Datatype oldtype,
                          MPI_Datatype *newtype)
{
    builder b = {oldtype, 0};
    int rc = nest(&b, units, extent);
    if (!rc)
        rc = shift(&b, offset * extent);
    if (!rc && !b.owned) /* there is one element at offset 0, and no step has created a type */
        rc = repeat_int(&b, 1, 1, extent);
    *newtype = rc ? MPI_DATATYPE_NULL : b.t;
    return rc;
}
