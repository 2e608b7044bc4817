/* pack.c - MPI_Pack and MPI_Unpack. */
#include "pmpi/pmpi.h"

/* Get the record of the type if the call can be taken over; else NULL. A call with a wrong argument is left
 * to MPI, which reports the error. MPI_BOTTOM is left to MPI, too, because it is also the null pointer, which
 * may be an error. */
static sx_record *get_record(const void *buf, MPI_Datatype type, MPI_Count n, MPI_Count room,
                             MPI_Count position, MPI_Comm comm, ptrdiff_t *bytes)
{
    sx_record *r = sx_pmpi_record_get(type);
    if (!r || buf == MPI_BOTTOM || n <= 0 || position < 0 || comm == MPI_COMM_NULL)
        return NULL;
    *bytes = sx_pmpi_record_bytes(r, n);
    return *bytes >= SX_PMPI_LEAST_PACKED && *bytes <= room - position ? r : NULL;
}

static int pack(const void *in, MPI_Count n, MPI_Datatype type, void *out, MPI_Count room,
                MPI_Count *position, MPI_Comm comm)
{
    ptrdiff_t bytes = 0;
    sx_record *r = get_record(in, type, n, room, *position, comm, &bytes);
    if (!r || !out || !sx_pmpi_is_here(r->offset, in) || !sx_pmpi_is_here(*position, out) ||
        sx_pmpi_record_pack(r, n, in, (char *)out + *position))
        return 0;
    *position += bytes;
    sx_pmpi_report_taken("MPI_Pack", bytes);
    return 1;
}

static int unpack(const void *in, MPI_Count room, MPI_Count *position, void *out, MPI_Count n,
                  MPI_Datatype type, MPI_Comm comm)
{
    ptrdiff_t bytes = 0;
    sx_record *r = get_record(out, type, n, room, *position, comm, &bytes);
    if (!r || n > r->apart || !in || !sx_pmpi_is_here(*position, in) || !sx_pmpi_is_here(r->offset, out) ||
        sx_pmpi_record_unpack(r, n, (const char *)in + *position, out))
        return 0;
    *position += bytes;
    sx_pmpi_report_taken("MPI_Unpack", bytes);
    return 1;
}

SUBX_EXPORT int PMPI_Pack(const void *in, int n, MPI_Datatype type, void *out, int room, int *position,
                          MPI_Comm comm)
{
    MPI_Count at = position ? *position : -1;
    if (!pack(in, n, type, out, room, &at, comm))
        return sx_pmpi_real.Pack(in, n, type, out, room, position, comm);
    *position = (int)at;
    return MPI_SUCCESS;
}

SUBX_EXPORT int PMPI_Unpack(const void *in, int room, int *position, void *out, int n, MPI_Datatype type,
                            MPI_Comm comm)
{
    MPI_Count at = position ? *position : -1;
    if (!unpack(in, room, &at, out, n, type, comm))
        return sx_pmpi_real.Unpack(in, room, position, out, n, type, comm);
    *position = (int)at;
    return MPI_SUCCESS;
}

#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
SUBX_EXPORT int PMPI_Pack_c(const void *in, MPI_Count n, MPI_Datatype type, void *out, MPI_Count room,
                            MPI_Count *position, MPI_Comm comm)
{
    MPI_Count at = position ? *position : -1;
    if (!pack(in, n, type, out, room, &at, comm))
        return sx_pmpi_real.Pack_c(in, n, type, out, room, position, comm);
    *position = at;
    return MPI_SUCCESS;
}

SUBX_EXPORT int PMPI_Unpack_c(const void *in, MPI_Count room, MPI_Count *position, void *out, MPI_Count n,
                              MPI_Datatype type, MPI_Comm comm)
{
    MPI_Count at = position ? *position : -1;
    if (!unpack(in, room, &at, out, n, type, comm))
        return sx_pmpi_real.Unpack_c(in, room, position, out, n, type, comm);
    *position = at;
    return MPI_SUCCESS;
}
#endif
