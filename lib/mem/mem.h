/* mem.h - memory that the ranks of a node share: each maps what the others have allocated. */
#ifndef SX_MEM_H
#define SX_MEM_H

#include "base/base.h"
#include <stdint.h>

/* A piece of memory on every rank of a communicator. */
typedef struct sx_segment {
    int p, r;         /* ranks, and this one */
    char **base;      /* of each rank's piece as this rank sees it; NULL if it is not to be seen from here */
    ptrdiff_t *bytes; /* of each rank's piece */
    int64_t *process; /* which process has it, in numbers that no other has */
    int64_t key;      /* the same on all ranks, and nobody else's */
    int is_private;   /* own piece is ordinary memory */
    struct sx_segment *next; /* in the list of what subx_mem_alloc has made */
} sx_segment;

/* Tell which ranks share memory: those with equal numbers in `node`, which has an entry for each rank of
 * comm and is the same on all. Nodes are also cut between groups of node_ranks ranks of MPI_COMM_WORLD, in
 * their order, if that is not 0. Collective; the outcome is agreed on, and rc tells how this rank has
 * fared so far. */
int sx_mem_get_nodes(MPI_Comm comm, int rc, int node_ranks, int node[]);

/* How a piece may be used by others, and when its pages come into being. */
enum { SX_MEM_READ, SX_MEM_WRITE };

/* Create a segment with a piece of `bytes` on this rank, to be seen by the ranks with the same number in
 * `node`. Pieces that others only read have all their pages from the start; those that others write get
 * them as they are touched. Zeroed. Collective; the outcome is agreed on, and rc tells how this rank has
 * fared so far. If sharing is not to be had, every rank sees its own piece only. */
int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, int use, const int node[], sx_segment *s);

/* Local; others keep what they have mapped. */
void sx_mem_segment_free(sx_segment *s);

/* To be called between two looks at what another rank will change: gives the processor to others now and
 * then, who may need it for that, and lets MPI progress, without which a rank that is in MPI may never
 * come to it. `round` begins at 0; `cost` tells how dear a look is, from 1 for a load to 100: dear ones
 * are waited between sooner. */
int sx_mem_relax(MPI_Comm comm, int cost, int *round);

/* ---- pages (pages.c): files in memory, where the system has them */

/* Create an empty file in memory that only its owner's processes can find; -1 if there is no such thing. */
int sx_mem_file_create(int64_t process);
void sx_mem_file_free(int file);

/* Give a file its length, and its pages too if `commit`, and map it. NULL if there is no memory. */
char *sx_mem_file_map(int file, ptrdiff_t bytes, int commit);

/* Map the file of another process of this node, after checking that it is the one that is meant. NULL if it
 * cannot be had. */
char *sx_mem_file_map_other(int pid, int file, int64_t process, ptrdiff_t bytes, int use);
void sx_mem_file_unmap(char *base, ptrdiff_t bytes);

/* Get a number for this process that no other has, and one for the system that it runs on. */
int64_t sx_mem_process(void);
int64_t sx_mem_host(void);

/* ---- what subx_mem_alloc has made (alloc.c) */

/* Find the segment whose own piece holds an address, or that has a key; NULL if there is none. */
const sx_segment *sx_mem_find_address(const void *address);
const sx_segment *sx_mem_find_key(int64_t key);

#endif
