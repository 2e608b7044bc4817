/* pmpi.h - an interposer between a program and MPI: what its files share.
 *
 *     program ---> MPI_Send --------> PMPI_Send, ours -----> PMPI_Send, MPI's
 *                    \                    ^
 *                     \--> a profiler ----/
 *     Fortran, other profilers -----------/
 *
 * Both names are defined here. The work is done under the PMPI_ name, which is what MPI's Fortran bindings and other
 * profilers call; that under the MPI_ name goes to a profiler that was loaded after us, if there is one.
 *
 *   record    what is known of a committed type
 *   parcel    the packed data of a message
 *   pending   what is to be done when a request completes
 *   team      ranks that all run the interposer
 *   slot      arguments of an all-to-all that a team has seen, and the faster way for them */
#ifndef SX_PMPI_H
#define SX_PMPI_H

#include "base/base.h"
#include "pmpi/functions.h"
#include <pthread.h>
#include <stdint.h>
#include <subx_lowlevel.h>

/* Get a place in a table of 2^bits places for a key, by Fibonacci hashing (Knuth, The Art of Computer Programming, volume
 * 3, section 6.4). */
static inline size_t sx_pmpi_hash(uintptr_t key, int bits)
{
    return (size_t)(((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
}

/* ---- the functions of MPI (chain.c) */

#define SX_PMPI_POINTER(name, params, args) int(*name) params;
typedef struct sx_pmpi_calls {
    SX_PMPI_FUNCTIONS(SX_PMPI_POINTER)
} sx_pmpi_calls;

/* MPI's own functions. */
extern sx_pmpi_calls sx_pmpi_real;

/* From now on, messages and requests are ours, too. Called when the first strided datatype is committed. */
void sx_pmpi_chain_engage(void);

/* Above 0 while this thread is inside the interposer: its calls of MPI then go straight through. */
extern __thread int sx_pmpi_depth;

/* ---- committed datatypes that are strided blocks (record.c) */

/* Copies of a number of elements to packed form and back. */
typedef struct sx_copies {
    MPI_Count count;
    subx_copy pack, unpack;
    struct sx_copies *next;
} sx_copies;

/* What is known of a type: block_bytes contiguous bytes, repeated over ndims levels, innermost first, as
 * subx_type_get_layout tells. Requests in flight hold records, because their types may be freed meanwhile. */
typedef struct sx_record {
    int ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX];
    ptrdiff_t block_bytes, offset; /* offset: of the first byte from the buffer's address */
    ptrdiff_t size, extent;        /* of one element, bytes */
    int references;
    sx_copies *copies; /* all that were made, the latest first */
    pthread_mutex_t lock;
} sx_record;

/* Get the record of a committed datatype, or NULL: the type is contiguous, not a strided block, or not worth it, or this
 * thread is inside the interposer. Takes a few nanoseconds. The record belongs to the type. */
sx_record *sx_pmpi_record_get(MPI_Datatype type);

/* Recognise a type that MPI has committed; let a dup share the record of its original. */
void sx_pmpi_record_create(MPI_Datatype type);
void sx_pmpi_record_share(MPI_Datatype type, MPI_Datatype dup);

/* Keep a record beyond the life of its type; give it back. */
void sx_pmpi_record_hold(sx_record *record);
void sx_pmpi_record_drop(sx_record *record);

/* Whether elements of a type with `size` bytes may be sent as packed data to a rank that does not pack them. */
int sx_pmpi_record_allows(MPI_Datatype type, MPI_Count size);

/* Bytes of `count` elements when packed. -1 if that exceeds 63 bits. */
ptrdiff_t sx_pmpi_record_bytes(const sx_record *record, MPI_Count count);

/* Whether our kernels are faster than MPI for messages of `count` elements. */
int sx_pmpi_record_suits(const sx_record *record, MPI_Count count);

/* Pack `count` elements at `buf` into `packed`, and back. An error code if memory is short; nothing is then moved. */
int sx_pmpi_record_pack(sx_record *record, MPI_Count count, const void *buf, void *packed);
int sx_pmpi_record_unpack(sx_record *record, MPI_Count count, const void *packed, void *buf);

/* ---- memory for packed data (buffer.c) */

/* Get a buffer of at least `bytes` bytes; put it back. Buffers are kept for the next call, because fresh memory costs
 * more than a copy. NULL if there is no memory. Any thread. */
void *sx_pmpi_buffer_get(ptrdiff_t bytes);
void sx_pmpi_buffer_put(void *buffer);

/* ---- requests whose completion needs work of ours (request.c)
 *
 * MPI's own handle is what the program gets. A table leads from it to a pending, whose functions are called by
 * MPI_Start and by whatever call completes the request. */
typedef struct sx_pending sx_pending;
struct sx_pending {
    /* Called before MPI starts a persistent request; NULL for others. An error code keeps it from being started. */
    int (*start)(sx_pending *pending);
    /* Called once per completion, with the status: unpack. Its error code is that of the completing call. */
    int (*finish)(sx_pending *pending, const MPI_Status *status);
    /* Called at the end: of a persistent request when it is freed, of others after finish. Frees what is the owner's. */
    void (*drop)(sx_pending *pending);
    int is_persistent;
    void *owner; /* the owner's data */
    /* Of request.c: */
    MPI_Request request;
    int is_active;   /* not completed by the program yet; of persistent requests: started */
    int is_finished; /* finish was called, because MPI_Request_get_status has told of the completion */
    int error;       /* what finish returned then */
    int at;          /* place in the array of a call that completes requests */
    sx_pending *next;
};

/* Create a pending, with room for it in the table; NULL if there is no memory. */
sx_pending *sx_pmpi_request_create(void);

/* Enter it under the request that MPI has given; never fails. Free one that was not entered. */
void sx_pmpi_request_set(sx_pending *pending, MPI_Request request);
void sx_pmpi_request_free(sx_pending *pending);

/* Finish what is left of requests that were freed while active; called by MPI_Finalize. */
void sx_pmpi_request_complete(void);

/* ---- who else runs this library (node.c); before MPI_Init, after it, and after MPI_Finalize */
void sx_pmpi_node_announce(void);
void sx_pmpi_node_meet(void);
void sx_pmpi_node_leave(void);

/* Free what all-to-alls have kept (shared.c). Collective; before MPI_Finalize. */
void sx_pmpi_team_free_all(void);

/* ---- what was done (report.c) */

/* Count a call that was taken over, or one with a strided type that was passed on. `bytes` is what it packs. */
void sx_pmpi_report_taken(const char *function, ptrdiff_t bytes);
void sx_pmpi_report_passed(const char *function);

/* Write it, if SUBX_PMPI_REPORT asks for it; called by MPI_Finalize. */
void sx_pmpi_report_print(void);

#endif
