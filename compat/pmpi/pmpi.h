/* pmpi.h - an interposer between a program and MPI: functions and types for its files.
 *
 *     program ---> MPI_Send --------> PMPI_Send, ours -----> PMPI_Send, MPI's
 *                    \                    ^
 *                     \--> a profiler ----/
 *     Fortran, other profilers -----------/
 *
 * The interposer defines functions with both names. The PMPI_ functions do the work, because MPI's Fortran bindings and
 * other profilers call these names. The MPI_ functions call a profiler that was loaded after us, or else our PMPI_
 * functions.
 *
 *   record    the properties of a committed type parcel    the packed data of a message pending   the work to be done
 *   when a request completes team      ranks that all run the interposer slot      arguments of an all-to-all that a
 *   team has seen, and the faster way for them */
#ifndef SX_PMPI_H
#define SX_PMPI_H

#include "base/base.h"
#include "pmpi/functions.h"
#include <pthread.h>
#include <stdint.h>
#include <subx_lowlevel.h>

/* Get the place of a key in a table of 2^bits places, by Fibonacci hashing (Knuth, The Art of Computer Programming,
 * volume 3, section 6.4). */
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

/* Start to intercept messages and requests, too. Called when the first strided datatype is committed. */
void sx_pmpi_chain_engage(void);

/* Above 0 while this thread is inside the interposer: its MPI calls are then not intercepted. */
extern __thread int sx_pmpi_depth;

/* ---- committed datatypes that are strided blocks (type_records.c) */

/* Copies that pack and unpack a given number of elements. */
typedef struct sx_copies {
    MPI_Count count;
    subx_copy pack, unpack;
    struct sx_copies *next;
} sx_copies;

/* A record: the properties of a type that is a strided block: block_bytes contiguous bytes, repeated over ndims levels,
 * the first level innermost, as subx_type_get_layout returns them. Requests in flight hold records, because their types
 * may be freed. */
typedef struct sx_record {
    int ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX];
    ptrdiff_t block_bytes, offset; /* offset: bytes from the buffer's address to the first byte */
    ptrdiff_t size, extent;        /* of one element, bytes */
    int references;
    sx_copies *copies; /* all copies that were kept, the latest first */
    pthread_mutex_t lock;
} sx_record;

/* Get the record of a committed datatype. NULL if the type is contiguous, is no strided block, or packing it does not
 * pay; and if this thread is inside the interposer. Takes a few nanoseconds. The record belongs to the type. */
sx_record *sx_pmpi_record_get(MPI_Datatype type);

/* Create the record of a type that MPI has committed; let a duplicate share the record of its original. */
void sx_pmpi_record_create(MPI_Datatype type);
void sx_pmpi_record_share(MPI_Datatype type, MPI_Datatype dup);

/* Hold a record, so that it exists longer than its type; release it. */
void sx_pmpi_record_hold(sx_record *record);
void sx_pmpi_record_drop(sx_record *record);

/* Query whether elements of a type, `size` bytes each, may be sent as packed data to a rank that does not pack them. */
int sx_pmpi_record_allows(MPI_Datatype type, MPI_Count size);

/* Get the bytes of `count` packed elements; -1 if they exceed 63 bits. */
ptrdiff_t sx_pmpi_record_bytes(const sx_record *record, MPI_Count count);

/* Query whether our kernels are faster than MPI for messages of `count` elements. */
int sx_pmpi_record_suits(const sx_record *record, MPI_Count count);

/* Pack `count` elements from `buf` into `packed`; unpack them. If there is no memory, an error code is returned and
 * nothing is moved. */
int sx_pmpi_record_pack(sx_record *record, MPI_Count count, const void *buf, void *packed);
int sx_pmpi_record_unpack(sx_record *record, MPI_Count count, const void *packed, void *buf);

/* ---- memory for packed data (buffer.c) */

/* Get a buffer of at least `bytes` bytes; put it back. Buffers are kept for later calls, because getting new memory
 * takes longer than a copy. NULL if there is no memory. Any thread may call these. */
void *sx_pmpi_buffer_get(ptrdiff_t bytes);
void sx_pmpi_buffer_put(void *buffer);

/* ---- requests whose completion needs work of ours (request.c)
 *
 * The program gets MPI's own handle. A table has a pending for the handle. MPI_Start, and any call that completes the
 * request, call the functions of the pending. */
typedef struct sx_pending sx_pending;
struct sx_pending {
    /* Called before MPI starts a persistent request; NULL for other requests. If it returns an error, the request is
     * not started. */
    int (*start)(sx_pending *pending);
    /* Called once per completion with the status, to unpack. The completing call returns its error code. */
    int (*finish)(sx_pending *pending, const MPI_Status *status);
    /* Called at the end: when a persistent request is freed; for other requests after `finish`. Frees the owner's
     * data. */
    void (*drop)(sx_pending *pending);
    int is_persistent;
    void *owner; /* the owner's data */
    /* Members for request.c: */
    MPI_Request request;
    int is_active;   /* 1 until the program completes the request; for persistent requests: 1 while started */
    int is_finished; /* 1 if finish was called early, because MPI_Request_get_status has reported the
                        completion */
    int error;       /* the result of this early call */
    int at;          /* index in the array of a call that completes requests */
    sx_pending *next;
};

/* Create a pending, and reserve room for it in the table; NULL if there is no memory. */
sx_pending *sx_pmpi_request_create(void);

/* Put a pending into the table, under the request that MPI has returned; never fails. Free a pending that is not in the
 * table. */
void sx_pmpi_request_set(sx_pending *pending, MPI_Request request);
void sx_pmpi_request_free(sx_pending *pending);

/* Finish requests that were freed while active; called by MPI_Finalize. */
void sx_pmpi_request_complete(void);

/* ---- which ranks run this library (node.c). announce: before MPI_Init; meet: after MPI_Init; the third function:
 * after MPI_Finalize */
void sx_pmpi_node_announce(void);
void sx_pmpi_node_meet(void);
void sx_pmpi_node_leave(void);

/* Free the data that all-to-alls have kept (shared.c). Collective; called before MPI_Finalize. */
void sx_pmpi_team_free_all(void);

/* ---- the report (report.c) */

/* taken: count a call that this library has executed; `bytes` is the length of its packed data. passed: count a call
 * with a strided type that was passed to MPI. */
void sx_pmpi_report_taken(const char *function, ptrdiff_t bytes);
void sx_pmpi_report_passed(const char *function);

/* If SUBX_PMPI_REPORT is set, write the report. Called by MPI_Finalize. */
void sx_pmpi_report_print(void);

#endif
