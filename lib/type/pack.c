/* pack.c - pack and unpack with our kernels; types that are not strided blocks are packed by MPI. */
#include "kern/kern.h"
#include "type/type.h"

/* Get the layout of `count` elements of a type, and the offset of the first byte. */
static int get_layout(MPI_Datatype type, MPI_Count count, sx_layout *layout, MPI_Aint *offset)
{
    MPI_Datatype basic;
    MPI_Count lb, extent;
    int rc = sx_type_get_layout(type, layout, offset, &basic);
    if (!rc)
        rc = MPI_Type_get_extent_x(type, &lb, &extent);
    return rc ? rc : sx_layout_add_packed(layout, count, (ptrdiff_t)extent);
}

/* Check the common arguments of pack and unpack, and get the number of packed bytes. */
static int check(MPI_Count count, MPI_Datatype type, MPI_Count room, const MPI_Count *position,
                 ptrdiff_t *bytes)
{
    MPI_Count size;
    if (!position || count < 0 || *position < 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = MPI_Type_size_x(type, &size);
    if (!rc)
        rc = sx_base_mul((ptrdiff_t)size, (ptrdiff_t)count, bytes);
    if (!rc && *bytes > room - *position)
        rc = subx_error_get_code(SUBX_ERR_TRUNCATE);
    return rc;
}

/* Pack by MPI_Pack, which counts in ints. All arguments have been checked before, because MPI's error handler
 * may abort. */
static int pack_by_mpi(const void *in, MPI_Count count, MPI_Datatype type, char *out, ptrdiff_t bytes)
{
    int n, room, position = 0;
    int rc = sx_base_int((ptrdiff_t)count, &n);
    if (!rc)
        rc = sx_base_int(bytes, &room);
    return rc ? rc : MPI_Pack(in, n, type, out, room, &position, MPI_COMM_SELF);
}

static int unpack_by_mpi(const char *in, ptrdiff_t bytes, void *out, MPI_Count count, MPI_Datatype type)
{
    int n, room, position = 0;
    int rc = sx_base_int((ptrdiff_t)count, &n);
    if (!rc)
        rc = sx_base_int(bytes, &room);
    return rc ? rc : MPI_Unpack(in, room, &position, out, n, type, MPI_COMM_SELF);
}

/* Pack by the type's layout, which describes the copy from memory to the packed form. */
int subx_type_pack(const void *inbuf, MPI_Count count, MPI_Datatype type, void *outbuf, MPI_Count outsize,
                   MPI_Count *position)
{
    sx_layout layout;
    MPI_Aint offset;
    ptrdiff_t bytes;
    int rc = check(count, type, outsize, position, &bytes);
    if (rc || bytes == 0)
        return rc;
    if (!outbuf)
        return subx_error_get_code(SUBX_ERR_ARG);
    char *out = (char *)outbuf + *position;
    rc = get_layout(type, count, &layout, &offset);
    if (!rc)
        sx_kern_get(&layout)->copy(&layout, (const char *)inbuf + offset, out);
    else if (subx_error_get_kind(rc) == SUBX_ERR_NOT_STRIDED)
        rc = pack_by_mpi(inbuf, count, type, out, bytes);
    if (!rc)
        *position += bytes;
    return rc;
}

/* Unpack by the layout of the type with its sides swapped. */
int subx_type_unpack(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count count,
                     MPI_Datatype type)
{
    sx_layout layout;
    MPI_Aint offset;
    ptrdiff_t bytes;
    int rc = check(count, type, insize, position, &bytes);
    if (rc || bytes == 0)
        return rc;
    if (!inbuf)
        return subx_error_get_code(SUBX_ERR_ARG);
    const char *in = (const char *)inbuf + *position;
    rc = get_layout(type, count, &layout, &offset);
    if (!rc) {
        sx_layout_swap(&layout);
        sx_kern_get(&layout)->copy(&layout, in, (char *)outbuf + offset);
    } else if (subx_error_get_kind(rc) == SUBX_ERR_NOT_STRIDED) {
        rc = unpack_by_mpi(in, bytes, outbuf, count, type);
    }
    if (!rc)
        *position += bytes;
    return rc;
}
