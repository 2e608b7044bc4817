/* collective.h - what the carriers by MPI's collectives share: the arguments for each slice, and a request for each. */
#ifndef SX_PIPE_COLLECTIVE_H
#define SX_PIPE_COLLECTIVE_H

#include "pipe/pipe.h"

/* Of all blocks of a side. Displacements count from the place of the first remote block of their slice. */
typedef struct sx_counts {
    int *count, *displ;
    ptrdiff_t *base; /* that place for each slice; -1 if there is no such block */
} sx_counts;

/* The state of such a carrier. */
typedef struct sx_collective {
    sx_counts of[2];
    MPI_Request *request; /* of each slice; null before it is posted */
} sx_collective;

/* Set pipe->state. SUBX_ERR_UNAVAILABLE if an int cannot count the bytes of a slice. Local. */
int sx_collective_create(subx_pipe pipe);
void sx_collective_free(subx_pipe pipe);

/* Slices arrive in the order in which they were posted. What has arrived is sent, too. */
int sx_collective_progress(subx_pipe pipe);

typedef struct sx_call {
    const void *from;
    void *to;
    const int *count[2], *displ[2];
} sx_call;

/* Get the arguments of a slice. */
sx_call sx_collective_get_call(const subx_pipe pipe, int slice);

#endif
