/* p2p.h - a parcel: the packed data of a message, and the buffer that it belongs to. */
#ifndef SX_PMPI_P2P_H
#define SX_PMPI_P2P_H

#include "pmpi/request.h"

/* A shape: the datatype of packed data with a gap; SX_TAIL bytes follow the gap (shape.c). get: get the shape
 * for `bytes` bytes, SX_TAIL < bytes <= INT_MAX; NULL if there is no memory. `unit` is the size of an element
 * of the shape, in bytes: 1, 2, 4, 8 or 16. It must divide `bytes`. put: put the shape back, for later
 * calls. */
#define SX_TAIL 16
typedef struct sx_pmpi_shape {
    ptrdiff_t bytes;
    int unit;
    MPI_Datatype type;
    int users;
} sx_pmpi_shape;
sx_pmpi_shape *sx_pmpi_shape_get(ptrdiff_t bytes, int unit);
void sx_pmpi_shape_put(sx_pmpi_shape *s);

/* Free the shapes that sx_pmpi_shape_put has kept for later calls. */
void sx_pmpi_shape_complete(void);

/* A parcel. It is at the beginning of a buffer (buffer.c), and the packed data follows it there. */
typedef struct sx_parcel {
    sx_record *record;
    void *buf;            /* the program's buffer */
    MPI_Count n;          /* elements in the program's buffer */
    ptrdiff_t bytes;      /* length of the packed data, without the gap */
    sx_task *task;        /* NULL in blocking calls */
    sx_pmpi_shape *shape; /* NULL if the data has no gap */
    MPI_Count count;      /* the count and the type that MPI gets for the data */
    MPI_Datatype type;
} sx_parcel;

/* The call that a parcel is for: a blocking call, a nonblocking call, or a persistent request. */
typedef enum sx_use { SX_BLOCKING, SX_ONCE, SX_PERSISTENT } sx_use;

static inline void *sx_pmpi_parcel_data(sx_parcel *p)
{
    return (char *)p + SX_ALIGNMENT;
}

/* pack: create a parcel for a message to `rank`, and pack the data. But the data of a persistent request is
 * packed by each MPI_Start. create: create a parcel for a message from `rank`. Both return NULL if the call
 * must be passed to MPI. `most` is the largest number of bytes that the call can count. */
sx_parcel *sx_pmpi_parcel_pack(const char *function, sx_use use, const void *buf, MPI_Count n,
                               MPI_Datatype type, int rank, ptrdiff_t most);
sx_parcel *sx_pmpi_parcel_create(const char *function, sx_use use, void *buf, MPI_Count n, MPI_Datatype type,
                                 int rank, ptrdiff_t most);
void sx_pmpi_parcel_free(sx_parcel *p);

/* End a blocking receive that has returned rc: unpack the data if rc is MPI_SUCCESS, and free the parcel.
 * Returns rc. */
int sx_pmpi_parcel_open(sx_parcel *p, int rc, const MPI_Status *status);

/* End a nonblocking call that has returned rc. If rc is MPI_SUCCESS, the request owns the parcel from now on;
 * else the parcel is freed. Returns rc. */
int sx_pmpi_parcel_track(sx_parcel *p, int rc, const MPI_Request *request);

#endif
