/* machine.h - facts about the machine: the node and the NUMA domain of each rank, and how fast ranks compute,
 * copy and send. Knows nothing of plans. */
#ifndef SX_MACHINE_H
#define SX_MACHINE_H

#include "base/base.h"
#include "device/device.h"

enum { SX_INSIDE = 0, SX_BETWEEN = 1 }; /* inside a node; between nodes */

/* ---- placement (placement.c) */

/* The largest number of NUMA domains of a node. If a node has more, the last one stands for all further
 * ones. */
enum { SX_DOMAINS_MAX = 64 };

/* Where the ranks of a communicator run. All ranks of a node count as one domain in two cases: one of them is
 * not bound within a NUMA domain, so that it may move; or the system is not Linux. */
typedef struct sx_placement {
    int nranks, nnodes, ndomains; /* ndomains: the largest number of domains in a node */
    int *node;                    /* for each rank: its node; nodes are numbered from 0 in the order of their
                                     lowest ranks */
    int *domain;                  /* for each rank: its domain; in each node, domains are numbered from 0
                                     in the order of their lowest ranks */
    int *room;                    /* room for 2 * nranks numbers, for sorting */
    /* In a prediction, the described links between nodes: loads are computed from these links, not from the
     * lists above. NULL for a real machine, whose links are not known. The caller owns the network. */
    const struct sx_network *network;
} sx_placement;

/* Find out where ranks run. The word node_ranks divides nodes into smaller ones. Collective; the outcome is
 * agreed on. */
int sx_placement_create(MPI_Comm all, MPI_Info hints, sx_placement *p);

/* Make a placement without communication, for tests and predictions: ranks fill one node after the other, or
 * (is_cyclic) are dealt to the nodes one by one. The ranks of a node fill one domain after the other;
 * domains_per_node is at most SX_DOMAINS_MAX. Local. */
int sx_placement_create_regular(int nnodes, int ranks_per_node, int domains_per_node, int is_cyclic,
                                sx_placement *p);
void sx_placement_free(sx_placement *p);

/* Renumber the ranks so that the ranks of a node are consecutive, as the word reorder does. Within a node
 * they keep their order. */
void sx_placement_sort(sx_placement *p);

/* Print how ranks are placed on nodes, for people and for keys: "8" means 8 ranks on one node; "2x4" means 2
 * nodes with 4 ranks each; "4x2 cyclic" means that 8 ranks are dealt to 4 nodes one by one. Else the text
 * lists how many consecutive ranks are on the same node, such as "4+4+3", or "4+4+2@0" if the last two are on
 * node 0 again. A text of more than 60 bytes is replaced by a hash: "500 ranks on 63 nodes, <16 hexadecimal
 * digits>". */
void sx_placement_print(const sx_placement *p, sx_text *t);

/* The data that an exchange moves. bytes, across and partners are means over the ranks of node 0. */
typedef struct sx_load {
    double bytes[2];    /* bytes that a rank sends inside its node, and to other nodes */
    double across;      /* the part of bytes[SX_INSIDE] that is sent to other domains of the node */
    double leaving;     /* bytes that all ranks of node 0 together send to other nodes */
    double partners[2]; /* partners of a rank inside its node, and on other nodes */
    /* Only in predictions, else 0: the load of the busiest link between groups of nodes (network.h). It is
     * the bytes of this link, divided by (the bandwidth of this link / the bandwidth of a node's link). */
    double beyond;
    double delay; /* the latency of a described network, in seconds, if data leaves the node; else 0 */
} sx_load;

/* Get the load of an exchange over dimension k of a grid, or of an exchange among all ranks of the grid (k =
 * -1). Each rank has an array of `bytes` bytes, and does not send its block for itself. The grid's ranks are
 * the first ranks of the placement; the last dimension varies fastest. g = 0, with k = -1, means all ranks of
 * the placement. Local. Takes one step per rank at most. */
void sx_placement_get_load(const sx_placement *p, int g, const int dims[], int k, double bytes,
                           sx_load *load);

/* ---- faults of the placement (warning.c) */

enum { SX_WARN_UNBOUND = 1, SX_WARN_OVERSUBSCRIBED = 2, SX_WARN_SHARED_CORE = 4 };

/* Find faults. UNBOUND: a rank is not bound to cores, though other ranks run on its node. OVERSUBSCRIBED: a
 * rank has more threads than cores, or the ranks of a node have more threads than cores together.
 * SHARED_CORE: ranks are bound to the same core although other cores are idle. Nodes are the real ones,
 * whatever node_ranks says. *flags gets SX_WARN_*, the same on all ranks. Collective; the outcome is agreed
 * on. Takes milliseconds. Without hwloc no fault is found. */
int sx_machine_find_warnings(MPI_Comm all, int threads, int *flags);

/* Get the sentence for one flag, without a full stop; NULL if there is no such flag. */
const char *sx_machine_get_warning(int flag);

/* ---- parameters (parameters.c) */

/* The parameters of the cost model. All rates are measured while all ranks of a node work at the same
 * time. */
typedef struct sx_machine {
    double flops;       /* flop/s of a core for transforms in the caches; N complex points count as 5 N log2 N
                           flop */
    double memory;      /* bytes/s of a rank, read plus written, for arrays larger than its caches */
    double across;      /* bytes/s that a rank reads from the memory of another NUMA domain of its node */
    double cache;       /* bytes/s of a rank, read plus written, for arrays within its caches */
    double cache_bytes; /* the largest array of a rank that stays in the caches, bytes */
    double latency[2];  /* seconds per partner: inside the node; on other nodes */
    /* Bytes/s of messages. [SX_INSIDE]: of a rank, inside its node. [SX_BETWEEN]: of all ranks of a node
     * together, to other nodes. */
    double bandwidth[2];
    double stage; /* seconds that every stage takes besides its work: calls, waiting */

    /* Devices, such as GPUs. If ranks share a device, each of them has its share. */
    double device_memory; /* bytes/s of a rank, read plus written, in its device's memory */
    double device_launch; /* seconds of a kernel that has hardly any work, one of many in a row */
    double device_host;   /* bytes/s between a device and the host's memory, in one direction at a time */
    double device_link;   /* bytes/s that a rank sends, from its device to the device of another rank of its
                        node */
} sx_machine;

/* Set the values of a typical cluster. */
void sx_machine_set_default(sx_machine *m);

/* get: get the name and the value of parameter i; NULL if there are no more; those of devices only if
 * has_device is 1. print: print the parameters as "flops 1.2e+10, memory 9e+09, .., latency_inside 5e-07,
 * ..", with six digits, the same in all locales. parse: parse such a text, with the parameters in any order.
 * Without parameters of devices, these stay as they are. Returns SUBX_ERR_HINT, and leaves *m unchanged, if a
 * parameter is missing, occurs twice, is not known, or is not a positive finite number. */
const char *sx_machine_get(const sx_machine *m, int has_device, int i, double *value);
void sx_machine_print(const sx_machine *m, int has_device, sx_text *t);
int sx_machine_parse(const char *text, sx_machine *m);

/* ---- names (names.c) */

/* Print the processor's name, such as "AMD EPYC 9B45"; print the name and version of MPI, such as "Open MPI
 * 4.1.4". Both are parts of the keys of wisdom. Local. */
void sx_machine_print_cpu(sx_text *t);
void sx_machine_print_mpi(sx_text *t);

/* ---- calibration (calibrate.c) */

/* Measure the parameters on all ranks of a communicator, for at most about `seconds`; those of devices only
 * if `device` is not NULL: then the hints have its kind of memory. Collective; the outcome and the
 * values are the same on all ranks. Parameters that cannot be measured, because there is one rank or one
 * node, keep their values in *m. If no node has several domains, `across` keeps its ratio to `memory`. */
int sx_machine_calibrate(MPI_Comm all, const sx_placement *p, MPI_Info hints, const sx_device *device,
                         double seconds, sx_machine *m);

#endif
