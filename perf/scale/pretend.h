/* pretend.h - pretended communicators: one process creates objects as if it were one of many ranks. Those functions
 * of MPI that the library calls to create objects are replaced in this program (pretend.c). No data is exchanged, so
 * nothing can be executed. */
#ifndef PRETEND_H
#define PRETEND_H

#include "config.h"
#include <mpi.h>

/* From now on MPI_COMM_WORLD has p ranks, this process is rank r of them, and each node has per_node consecutive
 * ranks. r must be the first rank of its node, because this process then creates the node's shared memory. */
void pretend_begin(int p, int r, int per_node);

/* Set the grid whose rows MPI_Comm_split pretends to create. The arguments of MPI_Comm_split do not contain the grid: a
 * rank passes its own color, and does not know how many ranks have the same color. */
void pretend_set_grid(int g, const int dims[]);

/* Set the function that writes the data of rank q in a call of MPI_Iallgatherv with MPI_IN_PLACE. `gather` is the number
 * of this call, from 0. */
void pretend_set_gather(void (*write)(int gather, int q, void *data));

/* Counts of this rank since pretend_begin. calls: collective calls. messages: messages sent. bytes: bytes that this
 * rank would receive by them. */
typedef struct pretend_traffic {
    long calls, messages;
    double bytes;
} pretend_traffic;

pretend_traffic pretend_get_traffic(void);

#endif
