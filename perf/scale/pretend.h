/* pretend.h - pretended communicators: one process creates objects as if it were one of many ranks. MPI's functions of the
 * creation of objects are replaced in this program (pretend.c). No data is exchanged, so nothing can be executed. */
#ifndef PRETEND_H
#define PRETEND_H

#include "config.h"
#include <mpi.h>

/* From now on MPI_COMM_WORLD has p ranks, this process is rank r of them, and ranks fill nodes of per_node ranks in blocks.
 * r must be the first rank of its node, because this process then creates the node's shared memory. */
void pretend_begin(int p, int r, int per_node);

/* The grid whose rows MPI_Comm_split creates: the caller of MPI_Comm_split tells a color, but not how many ranks have it. */
void pretend_set_grid(int g, const int dims[]);

/* What MPI_Iallgatherv in place writes for rank q. `gather` counts the calls from 0. */
void pretend_set_gather(void (*write)(int gather, int q, void *data));

/* What this rank has asked of MPI since pretend_begin: its collective calls, the bytes that they brought to it, its
 * messages. */
typedef struct pretend_traffic {
    long calls, messages;
    double bytes;
} pretend_traffic;

pretend_traffic pretend_get_traffic(void);

#endif
