/* collective.h - the common part of the carriers that use MPI's collectives: the arguments and a request for
 * each slice. */
#ifndef SX_PIPE_COLLECTIVE_H
#define SX_PIPE_COLLECTIVE_H

#include "pipe/pipe.h"

/* Counts and displacements of all blocks of a side, bytes; 0 for blocks that the carrier does not move. The
 * displacements of a slice count from `base`. */
typedef struct sx_counts {
    int *count, *displ;
    ptrdiff_t *base; /* for each slice: the offset of its first remote block; -1 if there is none */
} sx_counts;

/* The state of a carrier that uses MPI's collectives. */
typedef struct sx_collective {
    sx_counts of[2];
    MPI_Request *request; /* for each slice; null if the slice is not in flight. A persistent request exists
                             from `bind` on */
    char nothing[2];      /* MPI gets the address of an entry instead of an area without a remote block */
} sx_collective;

/* Set pipe->state. Local. SUBX_ERR_UNAVAILABLE if an int cannot count the bytes of a slice;
 * SUBX_ERR_NO_MEM. */
int sx_collective_create(subx_pipe pipe);
void sx_collective_free(subx_pipe pipe);

/* The function `progress` of these carriers. It tests the requests of slices in the order in which the slices
 * were posted. A slice whose request has ended has arrived, and is sent. */
int sx_collective_progress(subx_pipe pipe);

/* The arguments of MPI's call for a slice. */
typedef struct sx_call {
    const void *from;
    void *to;
    const int *count[2], *displ[2];
} sx_call;

/* Get the arguments for a slice. */
sx_call sx_collective_get_call(const subx_pipe pipe, int slice);

#endif
