/* counts.h - the arguments of MPI's all-to-all calls for the remote blocks of each slice. */
#ifndef SX_PIPE_COUNTS_H
#define SX_PIPE_COUNTS_H

#include "pipe/pipe.h"

/* Of all blocks of a side. Displacements count from the place of the first remote block of their slice. */
typedef struct sx_counts {
    int *count, *displ;
    ptrdiff_t *base; /* that place for each slice; -1 if there is no such block */
} sx_counts;

/* SUBX_ERR_UNAVAILABLE if an int cannot count the bytes of a slice. */
int sx_counts_create(subx_pipe pipe, sx_counts of[2]);
void sx_counts_free(sx_counts of[2]);

typedef struct sx_call {
    const void *from;
    void *to;
    const int *count[2], *displ[2];
} sx_call;

sx_call sx_counts_get_call(const subx_pipe pipe, const sx_counts of[2], int slice);

#endif
