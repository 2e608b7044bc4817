/* comm.h - our duplicate of a caller's communicator, which all objects made on it share, and what its ranks know
 * of each other: who is on which node, and counters in memory that the ranks of a node share.
 *
 * MPI has few communicators (MPICH about 2,000), and programs have many plans. So the first object that is made on
 * a communicator duplicates it, stores the duplicate there as an MPI attribute, and later objects find it:
 *
 *     caller's communicator --attribute--> sx_comm { duplicate, users } <-- exchange, pipe, grid, ...
 *
 * The last object frees the duplicate, also if the caller has freed its own communicator before. Creating and
 * freeing objects is collective and happens in the same order on all ranks, so all ranks agree on when that is. */
#ifndef SX_COMM_H
#define SX_COMM_H

#include "mem/mem.h"

typedef struct sx_counters_page sx_counters_page;

typedef struct sx_comm {
    MPI_Comm comm;  /* ours; errors on it are returned */
    int p, r;       /* its size, and this rank */
    int users;      /* objects that hold it */
    MPI_Comm outer; /* the caller's, or null if that is freed */
    int next_tag, last_tag;
    sx_mem_place *places; /* of all ranks; NULL before the first is asked for */
    int node_ranks;       /* what `is_local` was found with; -1 before */
    char *is_local;       /* for each rank: this rank reads its memory */
    int npages, room;     /* pages of counters, and how many `page` has room for */
    sx_counters_page **page;
    void *grids; /* the grids made on it (grid.c) */
} sx_comm;

/* Get the duplicate of a communicator, and hold it. SUBX_ERR_COMM if it is null or an inter-communicator. Collective;
 * the outcome is the same on all ranks. */
int sx_comm_get(MPI_Comm outer, sx_comm **c);

/* The same for a communicator that is ours and needs no duplicate; it is freed with `c`. */
int sx_comm_adopt(MPI_Comm ours, sx_comm **c);

/* Hold one more time what is held already. */
static inline sx_comm *sx_comm_hold(sx_comm *c)
{
    c->users++;
    return c;
}

/* End one hold. The last one frees it. Collective. *c becomes NULL. */
int sx_comm_free(sx_comm **c);

/* Get a tag that tells the messages of one object from those of others. To be called on all ranks. */
int sx_comm_get_tag(sx_comm *c);

/* Number the nodes of all ranks, as sx_mem_number_nodes does. Collective; the outcome is agreed on. rc is the
 * outcome of this rank so far. */
int sx_comm_get_nodes(sx_comm *c, int rc, int node_ranks, int node[]);

/* Tell of each rank whether this rank can read its memory: both are on one node, or on one of the pretended nodes of
 * node_ranks ranks (see subx_mem_alloc), and the system permits it. This rank counts as well. The array belongs
 * to `c` and is valid until the next call. Collective, with the same node_ranks everywhere; the outcome is the same
 * on all ranks. Communicates only if node_ranks has changed, or if there are new counters. */
int sx_comm_get_local(sx_comm *c, int node_ranks, const char **is_local);

/* ---- places (place.c): where data lies, in terms that other ranks understand */

/* An offset in the piece of a rank of a segment of subx_mem_alloc; key 0 for memory that others cannot see. */
typedef struct sx_place {
    int64_t key, rank, offset;
} sx_place;

/* Find the place of `low`. Its key is 0 unless all bytes from `low` to `high` lie in one piece. */
sx_place sx_comm_find_place(const void *low, const void *high);

/* Get the address of a place in the memory of local rank q as this rank sees it; NULL if it does not. */
const char *sx_comm_get_address(const sx_comm *c, int q, sx_place place);

/* 1 if local rank q sees this rank's place. */
int sx_comm_is_visible(const sx_comm *c, int q, sx_place place);

/* subx_mem_alloc for callers that may have failed already: rc is agreed on (alloc.c). */
int sx_comm_alloc(sx_comm *c, int rc, ptrdiff_t bytes, int node_ranks, void **mem);

/* ---- counters (counters.c): what a rank lets the ranks of its node know; only it writes them */

/* A counter never decreases, also when another object takes it over. So a rank that still polls it for the
 * object before sees no wrong value. Two cache lines, since the two counters are polled at different
 * times. */
typedef struct sx_counters {
    uint64_t posted; /* slices that may be read */
    uint64_t failed; /* 1 + the value of `posted` at the beginning of the failed epoch */
    sx_place data;   /* data that does not lie in the send area */
    char fill[SX_ALIGNMENT - 2 * sizeof(uint64_t) - sizeof(sx_place)];
    uint64_t completed; /* slices that this rank has read */
    char fill_too[SX_ALIGNMENT - sizeof(uint64_t)];
} sx_counters;

/* The index of a rank's counters. Each rank has an index of its own for the same object. */
typedef struct sx_slot {
    int page, index; /* page -1 for none */
} sx_slot;

/* Take counters. Collective; the outcome is agreed on. rc is the outcome of this rank so far. */
int sx_comm_take_counters(sx_comm *c, int rc, sx_slot *slot);
void sx_comm_give_counters(sx_comm *c, sx_slot *slot);

/* Get the counters of a rank that is local. */
sx_counters *sx_comm_get_counters(const sx_comm *c, int q, sx_slot slot);

/* Get the number that sx_mem_process gives a local rank's process. */
int64_t sx_comm_get_process(const sx_comm *c, int q);

/* Free all pages. */
void sx_comm_free_counters(sx_comm *c);

#endif
