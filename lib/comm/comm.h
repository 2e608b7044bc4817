/* comm.h - our duplicate of a caller's communicator, which all objects on this communicator share. An sx_comm
 * has the duplicate, the nodes of all ranks, and counters in memory that the ranks of a node share.
 *
 * MPI has a limited number of communicators (MPICH about 2,000), and programs have many plans. So the first
 * object on a communicator creates the duplicate and stores it as an MPI attribute of the communicator, where
 * later objects find it:
 *
 *     caller's communicator --attribute--> sx_comm { duplicate, users } <-- exchange, pipe, grid, ...
 *
 * The last object frees the duplicate, also if the caller has already freed its own communicator. Objects are
 * created and freed collectively and in the same order on all ranks, so the same object is the last one on
 * all ranks. */
#ifndef SX_COMM_H
#define SX_COMM_H

#include "mem/mem.h"

typedef struct sx_counters_page sx_counters_page;

/* What trials on a device have shown, so that each trial is made once per communicator. All ranks have the
 * same values. */
enum { SX_TRIAL_NONE, SX_TRIAL_FAILED, SX_TRIAL_PASSED };

typedef struct sx_device_trials {
    const sx_device *device; /* NULL before the first trial */
    int node_ranks;          /* the value of node_ranks at the trial `sharing` */
    int sharing;             /* whether the ranks of a node read each other's memory */
    int messages;            /* whether messages of MPI arrive right */
} sx_device_trials;

typedef struct sx_comm {
    MPI_Comm comm;  /* our duplicate; its error handler is MPI_ERRORS_RETURN */
    int p, r;       /* its size, and this rank */
    int users;      /* number of objects that hold this sx_comm */
    MPI_Comm outer; /* the caller's communicator; MPI_COMM_NULL if there is none, or it has been freed */
    int next_tag, last_tag; /* of objects */
    sx_mem_place *places;   /* where each rank runs; NULL before the first call of sx_comm_get_nodes */
    int node_ranks;         /* the value of node_ranks for which `is_local` was computed; -1 if
                             `is_local` must be computed */
    char *is_local;         /* for each rank: 1 if the rank is local (sx_comm_get_local) */
    int npages, room;       /* number of pages of counters, and how many `page` has room for */
    sx_counters_page **page;
    int is_far;  /* 1 if the ranks of this node are far from each other (distance.c); measured with the first
                   page of counters */
    void *grids; /* the grids on this communicator (grid.c) */
    sx_device_trials trials;
} sx_comm;

/* Get the duplicate of a communicator, and hold it. Collective; the outcome is the same on all ranks.
 * SUBX_ERR_COMM if the communicator is null or an inter-communicator. */
int sx_comm_get(MPI_Comm outer, sx_comm **c);

/* As sx_comm_get, for a communicator of ours, which needs no duplicate. `ours` is freed with `c`; after an
 * error it is freed at once. */
int sx_comm_adopt(MPI_Comm ours, sx_comm **c);

/* Hold `c` once more; the caller holds it already. */
static inline sx_comm *sx_comm_hold(sx_comm *c)
{
    c->users++;
    return c;
}

/* Release one hold. The last release frees the object. Collective. *c becomes NULL. */
int sx_comm_free(sx_comm **c);

/* Get the next tag, so that messages of different objects do not match. All ranks call this in the same
 * order; no rank communicates. After MPI's largest tag, tags begin at 0 again. */
int sx_comm_get_tag(sx_comm *c);

/* Get the number of each rank's node (sx_mem_number_nodes). Collective; the outcome is agreed on. rc is the
 * outcome of this rank so far. */
int sx_comm_get_nodes(sx_comm *c, int rc, int node_ranks, int node[]);

/* Get for each rank whether it is local. Another rank is local if it is on this rank's node, or pretended
 * node (see node_ranks at subx_mem_alloc), and the system lets this rank read its memory. This rank itself is
 * local, too. The array belongs to `c` and is valid until the next call. Collective, with the same node_ranks
 * on all ranks; the outcome is the same on all ranks. Communicates only if node_ranks has changed, or if
 * there is a new page of counters. */
int sx_comm_get_local(sx_comm *c, int node_ranks, const char **is_local);

/* ---- places (address.c): addresses in a form that other ranks can use */

/* A place in a segment of subx_mem_alloc: the segment's key, a rank's number in the segment, and the offset
 * in the piece of that rank, bytes. Key 0: memory that other ranks cannot read. */
typedef struct sx_place {
    int64_t key, rank, offset;
} sx_place;

/* Find the place of address `low`. The key is 0 unless all bytes from `low` up to `high` (exclusive) lie in
 * this rank's piece of one segment. Local. */
sx_place sx_comm_find_place(const void *low, const void *high);

/* `place` is a place in memory of local rank q. Get its address in this rank's memory; NULL if this rank has
 * not mapped that memory. */
const char *sx_comm_get_address(const sx_comm *c, int q, sx_place place);

/* `place` is a place in memory of this rank. Query whether local rank q has mapped that memory. */
int sx_comm_is_visible(const sx_comm *c, int q, sx_place place);

/* As subx_mem_alloc (alloc.c), but rc is this rank's outcome so far; `device` is NULL for memory of the host.
 * Collective; the outcome is agreed on. */
int sx_comm_alloc(sx_comm *c, int rc, ptrdiff_t bytes, int node_ranks, const sx_device *device, void **mem);

/* ---- counters (counters.c): numbers that a rank shows to the ranks of its node; only the rank itself writes
 * them */

/* A counter never decreases, even if another object takes it over. Ranks wait until a counter has at least a
 * certain value. So a rank that still polls the counter for the earlier object sees that its wait is over.
 * The struct has two cache lines, because ranks poll `posted` and `completed` at different times. */
typedef struct sx_counters {
    uint64_t posted; /* number of slices that partners may read */
    uint64_t failed; /* 1 + the value of `posted` at the beginning of the latest epoch with wrong data */
    sx_place data;   /* where the send buffer is, if partners read it directly instead of the send area */
    char fill[SX_ALIGNMENT - 2 * sizeof(uint64_t) - sizeof(sx_place)];
    uint64_t completed; /* number of slices that this rank has read */
    char fill_too[SX_ALIGNMENT - sizeof(uint64_t)];
} sx_counters;

/* The place of a rank's counters for one object: a page, and an index in the page. Ranks may have different
 * slots for the same object. */
typedef struct sx_slot {
    int page, index; /* page -1 for none */
} sx_slot;

/* take: reserve a slot of counters for an object. Collective; the outcome is agreed on. rc is the outcome of
 * this rank so far. give: give the slot back. Local; a slot without page is left as it is. */
int sx_comm_take_counters(sx_comm *c, int rc, sx_slot *slot);
void sx_comm_give_counters(sx_comm *c, sx_slot *slot);

/* Get the counters of rank q at a slot; NULL if this rank cannot read them. */
sx_counters *sx_comm_get_counters(const sx_comm *c, int q, sx_slot slot);

/* Get the number that identifies the process of rank q (sx_mem_process); 0 if rank q is on another node. */
int64_t sx_comm_get_process(const sx_comm *c, int q);

/* Free all pages. */
void sx_comm_free_counters(sx_comm *c);

/* ---- distances (distance.c) */

/* measure: returns 1 if the ranks of this node are far from each other: if a rank takes long to write cache
 * lines that another rank has read. Ranks may get different results, which change only how fast they are.
 * Takes some microseconds, at most 20 ms. All ranks of the node call this together. Each piece of `s` has
 * get_bytes bytes for this, all zero, from `offset` on. */
ptrdiff_t sx_comm_distance_get_bytes(void);
int sx_comm_distance_measure(const sx_comm *c, const sx_segment *s, ptrdiff_t offset);

#endif
