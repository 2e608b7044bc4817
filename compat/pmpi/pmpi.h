/* pmpi.h - an interposer between a program and MPI: functions and types for its files.
 *
 *     program ---> MPI_Send --------> PMPI_Send, ours -----> PMPI_Send, MPI's
 *                    \                    ^
 *                     \--> a profiler ----/
 *     Fortran, other profilers -----------/
 *
 * The interposer defines each function under both names. The PMPI_ functions do the work, because MPI's
 * Fortran bindings and other profilers call them. The MPI_ functions call a profiler that was loaded after
 * this library, or else our PMPI_ functions.
 *
 *     record    the properties of a committed type
 *     parcel    the packed data of a message
 *     task      the work to be done when a request completes
 *     team      the ranks of a communicator, if they all run the interposer
 *     slot      the arguments of an all-to-all that a team has seen, and the faster way for them */
#ifndef SX_PMPI_H
#define SX_PMPI_H

#include "base/base.h"
#include "pmpi/functions.h"
#include "pmpi/limits.h"
#include <pthread.h>
#include <stdint.h>
#include <subx_lowlevel.h>

/* Get the place of a key in a table of 2^bits places, by Fibonacci hashing (Knuth, The Art of Computer
 * Programming, volume 3, section 6.4). */
static inline size_t sx_pmpi_hash(uintptr_t key, int bits)
{
    return (size_t)(((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
}

/* Query whether the byte at `offset` bytes from an address is in memory of the host only. Buffers in a GPU's
 * memory are left to MPI: the host must not touch them. So is managed memory: the host may touch it, but an
 * MPI that knows GPUs may be faster. */
static inline int sx_pmpi_is_here(ptrdiff_t offset, const void *address)
{
    return sx_base_find_place((const void *)((uintptr_t)address + (uintptr_t)offset)) == SX_PLACE_HOST;
}

/* ---- the functions of MPI (chain.c) */

#define SX_PMPI_POINTER(name, params, args) int(*name) params;
typedef struct sx_pmpi_calls {
    SX_PMPI_FUNCTIONS(SX_PMPI_POINTER)
} sx_pmpi_calls;

/* MPI's own functions. */
extern sx_pmpi_calls sx_pmpi_real;

/* From now on, also intercept the functions of SX_PMPI_LAZY (functions.h). Called when the first strided
 * datatype is committed. */
void sx_pmpi_chain_engage(void);

/* Above 0 while this thread is inside the interposer: calls of MPI are then not intercepted. */
extern __thread int sx_pmpi_depth;

/* ---- committed datatypes that are strided blocks (type_records.c) */

/* Copies that pack and unpack a given number of elements. */
typedef struct sx_pmpi_copies {
    MPI_Count count;
    subx_copy pack, unpack;
    struct sx_pmpi_copies *next;
} sx_pmpi_copies;

/* A record: the properties of a type that is a strided block. A strided block is block_bytes contiguous
 * bytes, repeated over ndims levels; level 0 is the innermost one (as in subx_type_get_layout). Requests in
 * flight hold the records of their types, because the program may free the types. */
typedef struct sx_record {
    int ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX];
    ptrdiff_t block_bytes, offset; /* offset: bytes from the buffer's address to the first byte */
    ptrdiff_t size, extent;        /* of one element, bytes */
    int element;                   /* bytes of a basic element */
    MPI_Count apart; /* so many consecutive elements do not overlap in memory; 0 if one overlaps itself */
    int references;
    sx_pmpi_copies *copies; /* copies that are kept for later calls, the latest first */
    pthread_mutex_t lock;
} sx_record;

/* Get the record of a committed datatype. NULL if the type is contiguous or empty, if it is no strided block,
 * or if its elements must not be sent as packed data (sx_pmpi_record_get_element). NULL, too, if this thread
 * is inside the interposer. Takes a few nanoseconds. The record belongs to the type. */
sx_record *sx_pmpi_record_get(MPI_Datatype type);

/* create: create the record of a type that MPI has committed. share: give the record of a type also to a
 * duplicate of the type. If there is no memory, the type has no record, and is left to MPI. */
void sx_pmpi_record_create(MPI_Datatype type);
void sx_pmpi_record_share(MPI_Datatype type, MPI_Datatype dup);

/* hold: keep a record, even if its type is freed, until the caller calls drop. The last drop of a record
 * frees it. */
void sx_pmpi_record_hold(sx_record *record);
void sx_pmpi_record_drop(sx_record *record);

/* Get the bytes of a basic element of a type of `size` bytes. 0 if the type must not be sent as packed data
 * to a rank that does not run this library. */
int sx_pmpi_record_get_element(MPI_Datatype type, MPI_Count size);

/* Get the bytes of `count` packed elements; -1 if they exceed 63 bits. */
ptrdiff_t sx_pmpi_record_bytes(const sx_record *record, MPI_Count count);

/* Query whether our kernels are faster than MPI for messages of `count` elements. */
int sx_pmpi_record_suits(const sx_record *record, MPI_Count count);

/* pack: pack `count` elements from `buf` into `packed`. unpack: the reverse, for count <= record->apart only:
 * MPI stores elements that overlap in the order of the type, but our kernels in any order. If there is no
 * memory, an error code is returned and nothing is moved. */
int sx_pmpi_record_pack(sx_record *record, MPI_Count count, const void *buf, void *packed);
int sx_pmpi_record_unpack(sx_record *record, MPI_Count count, const void *packed, void *buf);

/* ---- memory for packed data (buffer.c) */

/* get: get a buffer of at least `bytes` bytes; NULL if there is no memory. put: put it back; nothing is done
 * for NULL. Buffers are kept for later calls, because new memory takes longer than a copy. Thread-safe. */
void *sx_pmpi_buffer_get(ptrdiff_t bytes);
void sx_pmpi_buffer_put(void *buffer);

/* ---- requests whose completion needs work of ours (request.c)
 *
 * The program gets MPI's own handle, and a table maps this handle to a task. MPI_Start, and the calls that
 * complete the request, call the functions of the task. */
typedef struct sx_task sx_task;
struct sx_task {
    /* Called before MPI starts a persistent request; NULL for other requests. If it returns an error, the
     * request is not started. */
    int (*start)(sx_task *task);
    /* Called once per completion, with the status: unpacks the data. NULL if there is nothing to do. The
     * program's call that completes the request returns the error code of this function. */
    int (*finish)(sx_task *task, const MPI_Status *status);
    /* Called when a persistent request is freed, or when a request that is not persistent has completed.
     * Frees `owner`. */
    void (*drop)(sx_task *task);
    int is_persistent;
    void *owner; /* the data for these functions */
    /* Members for request.c: */
    MPI_Request request;
    int is_active;   /* 1 until the request is complete; 0 if it is persistent and not started */
    int is_finished; /* 1 if finish was called early, because MPI_Request_get_status has reported the
                        completion */
    int error;       /* what `finish` returned in this early call */
    int at;          /* index of the request in the array of the current call */
    sx_task *next;
};

/* Create a task, which is not in the table yet; NULL if there is no memory. */
sx_task *sx_pmpi_request_create(void);

/* set: put a task into the table, under the request that MPI has returned; never fails. free: free a task
 * that is not in the table. */
void sx_pmpi_request_set(sx_task *task, MPI_Request request);
void sx_pmpi_request_free(sx_task *task);

/* Finish the orphans (request.h) whose requests have completed, and free the shapes (p2p.h). Called by
 * MPI_Finalize. */
void sx_pmpi_request_complete(void);

/* ---- which ranks run this library (node.c). announce is called before MPI_Init, meet after MPI_Init, leave
 * after MPI_Finalize */
void sx_pmpi_node_announce(void);
void sx_pmpi_node_meet(void);
void sx_pmpi_node_leave(void);

/* Free all teams, with their exchanges (shared.c). Collective; called before MPI_Finalize. */
void sx_pmpi_team_free_all(void);

/* ---- the report (report.c) */

/* taken: count a call that this library has executed; `bytes` is the length of its packed data. passed: count
 * a call with a strided type that was passed to MPI. */
void sx_pmpi_report_taken(const char *function, ptrdiff_t bytes);
void sx_pmpi_report_passed(const char *function);

/* If SUBX_PMPI_REPORT is set, write the report. Called by MPI_Finalize. */
void sx_pmpi_report_print(void);

#endif
