/* machine.h - what is known of the machine: on which node and in which NUMA domain each rank runs, how fast ranks compute,
 * copy and send. Knows nothing of plans. */
#ifndef SX_MACHINE_H
#define SX_MACHINE_H

#include "base/base.h"

enum { SX_INSIDE = 0, SX_BETWEEN = 1 }; /* a node; nodes */

/* ---- placement (placement.c) */

/* In a node with more NUMA domains, the last one stands for all others. */
enum { SX_DOMAINS_MAX = 64 };

/* Where the ranks of a communicator run. The ranks of a node are all in one domain if one of them is not bound within a
 * NUMA domain, because then it may move, or if the system is not Linux. */
typedef struct sx_placement {
    int nranks, nnodes, ndomains; /* ndomains: the most that a node has */
    int *node;                    /* of each rank; numbered from 0 in the order of their lowest ranks */
    int *domain;                  /* of each rank, within its node; numbered likewise */
    int *room;                    /* 2 nranks, for sorting */
} sx_placement;

/* Find out where ranks run, with the pretended nodes of the hint subx_node_ranks. Collective; the outcome is agreed on. */
int sx_placement_create(MPI_Comm all, MPI_Info hints, sx_placement *p);

/* Make a placement without ranks: ranks fill node after node, or go round the nodes; those of a node fill domain after
 * domain, of at most SX_DOMAINS_MAX. Local. For tests and predictions. */
int sx_placement_create_regular(int nnodes, int ranks_per_node, int domains_per_node, int is_cyclic,
                                sx_placement *p);
void sx_placement_free(sx_placement *p);

/* Renumber the ranks so that those of a node are consecutive, as the hint subx_reorder does. Within a node they keep their
 * order. */
void sx_placement_sort(sx_placement *p);

/* Print how ranks lie on nodes, for people and as a part of keys: "8" ranks of one node; "2x4", nodes and ranks per node;
 * "4x2 cyclic", where ranks go round four nodes; else run lengths such as "4+4+3", in which 2@0 are two more ranks of node 0.
 * Beyond 60 bytes it ends in a hash: "500 ranks on 63 nodes, <16 hexadecimal digits>". */
void sx_placement_print(const sx_placement *p, sx_text *t);

/* What an exchange over dimension k of a grid moves; k = -1 for all ranks. The last dimension of the grid varies fastest. */
typedef struct sx_load {
    double bytes[2];    /* that a rank sends inside its node, and to other nodes; the mean of node 0 */
    double across;      /* the part of bytes[SX_INSIDE] that goes to other domains of the node */
    double leaving;     /* bytes that all ranks of node 0 together send to other nodes */
    double partners[2]; /* of a rank, inside its node and on other nodes; the mean of node 0 */
} sx_load;

/* Get the load if each rank has `bytes` bytes, of which it keeps its own block. The grid has the first ranks, as many as the
 * product of its dimensions; g = 0 for all ranks. Local; reads the node of each rank once, so that it serves thousands of
 * ranks. */
void sx_placement_get_load(const sx_placement *p, int g, const int dims[], int k, double bytes,
                           sx_load *load);

/* ---- what should not be (warning.c) */

enum { SX_WARN_UNBOUND = 1, SX_WARN_OVERSUBSCRIBED = 2, SX_WARN_SHARED_CORE = 4 };

/* Find out whether several ranks of a node are not bound to cores, have more threads than cores, or are bound to the same
 * core although others are idle. Pretended nodes do not count. *flags is the same on all ranks: SX_WARN_*. Collective; the
 * outcome is agreed on. Takes milliseconds. Without hwloc nothing is found. */
int sx_machine_find_warnings(MPI_Comm all, int threads, int *flags);

/* Get the sentence for one flag, without a full stop; NULL if there is no such flag. */
const char *sx_machine_get_warning(int flag);

/* ---- parameters (parameters.c) */

/* The parameters of the cost model. All rates hold while all ranks of a node work at the same time. */
typedef struct sx_machine {
    double flops;       /* flop/s of a core for transforms in the caches, 5 N log2 N for N complex points */
    double memory;      /* bytes/s that a rank reads and writes, of arrays beyond its caches */
    double across;      /* bytes/s that a rank reads in the memory of another NUMA domain of its node */
    double cache;       /* the same of arrays within its caches */
    double cache_bytes; /* the largest array of a rank that stays in the caches, bytes */
    double latency[2];  /* seconds per partner: inside a node; between nodes, by messages */
    /* Bytes/s of messages: of a rank, inside its node; of a node, to all others together. */
    double bandwidth[2];
    double stage; /* seconds that any stage takes at least: calls, and waiting for each other */
} sx_machine;

/* Set what a common cluster has. */
void sx_machine_set_default(sx_machine *m);

/* Print all parameters as "flops 1.2e+10, memory 9e+09, .., latency_inside 5e-07, ..", six digits, the same in all locales. Parse
 * that text, in any order: SUBX_ERR_HINT if a parameter is missing, unknown or not positive, and then *m is unchanged. */
void sx_machine_print(const sx_machine *m, sx_text *t);
int sx_machine_parse(const char *text, sx_machine *m);

/* ---- names (names.c) */

/* Print the processor's name, such as "AMD EPYC 9B45", and the name and version of MPI, such as "Open MPI 4.1.4": parts
 * of keys. Local. */
void sx_machine_print_cpu(sx_text *t);
void sx_machine_print_mpi(sx_text *t);

/* ---- calibration (calibrate.c) */

/* Measure the parameters on all ranks of a communicator, for at most about `seconds`. Collective; the outcome and the values
 * are the same on all ranks. What cannot be measured, because there is one rank or one node, stays as it is in *m. With one
 * domain per node, `across` keeps its ratio to `memory`. */
int sx_machine_calibrate(MPI_Comm all, const sx_placement *p, MPI_Info hints, double seconds, sx_machine *m);

#endif
