/* pipe.h - what a pipe is made of: blocks with places, partners that are near or far, and a carrier for
 * the far. */
#ifndef SX_PIPE_H
#define SX_PIPE_H

#include "mem/mem.h"
#include "message/message.h"
#include <subx_lowlevel.h>

/* What the hints of a pipe say. */
typedef struct sx_pipe_choices {
    int engine, between; /* as create.c numbers them */
    int window, node_ranks;
} sx_pipe_choices;

/* One direction: of each block, slice after slice and in each rank after rank, how long it is and where it
 * lies. */
typedef struct sx_pipe_side {
    ptrdiff_t *bytes, *place;
    ptrdiff_t area; /* bytes of all, with what keeps them aligned */
} sx_pipe_side;

/* What a rank lets its near partners know: nobody else writes it. A line each, for they are waited for at
 * different times. */
typedef struct sx_pipe_counters {
    uint64_t posted; /* slices, of all runs */
    char fill[SX_ALIGNMENT - sizeof(uint64_t)];
    uint64_t completed; /* runs */
    char fill_too[SX_ALIGNMENT - sizeof(uint64_t)];
} sx_pipe_counters;

/* A partner on this node. */
typedef struct sx_pipe_neighbour {
    int rank, gives, takes; /* it gives some block to this rank, takes some from it */
    const sx_pipe_counters *counters;
    uint64_t posted; /* as last seen */
} sx_pipe_neighbour;

/* What brings the blocks of far partners. All but `create` are for a pipe whose `create` has served. None
 * waits for others but `start`. */
typedef struct sx_carrier {
    const char *name;
    int (*create)(subx_pipe pipe); /* local; all ranks then agree on the outcome */
    int (*begin)(subx_pipe pipe);  /* a run; NULL for nothing */
    int (*post)(subx_pipe pipe, int slice);
    int (*start)(subx_pipe pipe, int slice); /* NULL if nothing is left to do then */
    int (*progress)(subx_pipe pipe);         /* let pipe->arrived and pipe->sent become what they can */
    void (*free)(subx_pipe pipe);            /* also after a create that failed */
} sx_carrier;

extern const sx_carrier sx_pipe_far, sx_pipe_alltoallv;

struct subx_pipe_s {
    MPI_Comm comm;
    int p, r; /* ranks, and this one */
    int nslices;
    sx_pipe_choices choices;
    const char *engine;
    sx_pipe_side send, recv; /* recv.bytes of all blocks, recv.place and .area of far ones */
    /* near partners */
    char *is_near; /* for each rank: its blocks are read where they lie; so are this rank's own */
    sx_segment segment;
    int nneighbours, nread; /* and of them, this rank knows of that they have read all in this run */
    sx_pipe_neighbour *neighbour;
    ptrdiff_t *peer_place; /* where a peer has the blocks for this rank, in its send area */
    /* far partners; NULL if no rank has any */
    const sx_carrier *carrier;
    void *state; /* the carrier's */
    /* areas */
    int is_set;
    const char *from; /* the send area */
    char *to;         /* the receive area */
    const void **block;
    /* the run */
    int active, completed;
    int posted, started; /* slices */
    int arrived, sent;   /* slices, of far blocks; by the carrier */
    uint64_t runs;
};

/* Index of a block in all arrays that have an entry for each. */
static inline ptrdiff_t sx_pipe_at(const struct subx_pipe_s *pipe, int slice, int q)
{
    return (ptrdiff_t)slice * pipe->p + q;
}

/* 1 if a block goes to, or comes from, a far partner. */
static inline int sx_pipe_is_far(const struct subx_pipe_s *pipe, const sx_pipe_side *side, int slice, int q)
{
    return !pipe->is_near[q] && side->bytes[sx_pipe_at(pipe, slice, q)] > 0;
}

/* ---- near partners (near.c) */

/* Get the ranks of this node to see each other's counters. Sets is_near. Collective; the outcome is agreed
 * on, and rc tells how this rank has fared so far. */
int sx_pipe_near_create(subx_pipe pipe, int rc);
void sx_pipe_near_free(subx_pipe pipe);

/* Note which of the near ranks are partners, once is_near is final. Local. */
void sx_pipe_near_list(subx_pipe pipe);

void sx_pipe_near_begin(subx_pipe pipe);
void sx_pipe_near_post(subx_pipe pipe);
void sx_pipe_near_complete(subx_pipe pipe);

/* 1 if all near blocks of a slice may be read; if all near partners have read what they take from here. */
int sx_pipe_near_is_here(subx_pipe pipe, int slice);
int sx_pipe_near_is_read(subx_pipe pipe);

#endif
