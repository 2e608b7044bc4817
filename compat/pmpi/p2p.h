/* p2p.h - a parcel: the packed data of a message, and where it belongs. */
#ifndef SX_PMPI_P2P_H
#define SX_PMPI_P2P_H

#include "pmpi/request.h"

/* The datatype of packed data with a gap (shape.c). Get one for more than SX_TAIL bytes and INT_MAX at most, of elements of
 * `unit` bytes, 1, 2, 4, 8 or 16, which divide `bytes`; NULL if there is no memory; put it back. */
#define SX_TAIL 16
typedef struct sx_shape {
    ptrdiff_t bytes;
    int unit;
    MPI_Datatype type;
    int users;
} sx_shape;
sx_shape *sx_pmpi_shape_get(ptrdiff_t bytes, int unit);
void sx_pmpi_shape_put(sx_shape *s);

/* Forget the shapes used last. */
void sx_pmpi_shape_complete(void);

/* A parcel lies at the head of the buffer that holds its data. */
typedef struct sx_parcel {
    sx_record *record;
    void *buf; /* the program's */
    MPI_Count n;
    ptrdiff_t bytes;
    sx_pending *pending; /* of non-blocking calls */
    sx_shape *shape;     /* NULL: the data has no gap */
    MPI_Count count;     /* how MPI sees the data */
    MPI_Datatype type;
} sx_parcel;

/* How long a parcel is needed. */
typedef enum sx_use { SX_BLOCKING, SX_ONCE, SX_PERSISTENT } sx_use;

static inline void *sx_pmpi_parcel_data(sx_parcel *p)
{
    return (char *)p + SX_ALIGNMENT;
}

/* Create a parcel for a message to `rank` and pack it, unless it is packed by each MPI_Start; or one for a message from
 * `rank`. NULL if the call is to be passed on to MPI: that is decided here. `most` is what the call can count. */
sx_parcel *sx_pmpi_parcel_pack(const char *function, sx_use use, const void *buf, MPI_Count n,
                               MPI_Datatype type, int rank, ptrdiff_t most);
sx_parcel *sx_pmpi_parcel_create(const char *function, sx_use use, void *buf, MPI_Count n, MPI_Datatype type,
                                 int rank, ptrdiff_t most);
void sx_pmpi_parcel_free(sx_parcel *p);

/* Unpack what a blocking receive has brought, if its error code is 0, and free the parcel. Returns that code. */
int sx_pmpi_parcel_open(sx_parcel *p, int rc, const MPI_Status *status);

/* Let the request of a non-blocking call care for the parcel, if its error code is 0. Returns that code. */
int sx_pmpi_parcel_track(sx_parcel *p, int rc, const MPI_Request *request);

#endif
