/* network.h - the links between nodes: how much of an exchange the busiest one carries. Ranks fill the nodes in blocks, and
 * nodes fill groups in blocks, so loads follow from the dimensions of a grid, without a list of ranks. For predictions. */
#ifndef SX_NETWORK_H
#define SX_NETWORK_H

#include "machine/machine.h"

/* How nodes are connected.
 *   switch      each node has a link to one switch, which never is the limit
 *   fat_tree    a group is the nodes of a leaf switch. All messages to other groups share the leaf's links upwards, which
 *               are equally loaded; higher levels never are the limit
 *   dragonfly   each pair of groups has links of its own, and messages take these (minimal routing) */
enum { SX_SWITCH, SX_FAT_TREE, SX_DRAGONFLY };

/* The largest number of groups of a dragonfly: its load takes a step per pair of groups. Real ones have below 600. */
enum { SX_GROUPS_MAX = 1024 };

typedef struct sx_network {
    int topology;
    int ranks_per_node, nodes_per_group;
    double
        tapering; /* bandwidth of all nodes of a group / bandwidth of the links from this group to all others */
    double latency; /* seconds that a message needs besides the time of its sender: once per exchange */
} sx_network;

/* Get the load of an exchange over dimension k of a grid; as sx_placement_get_load, but for the node that most bytes
 * leave. Exact; takes a few steps per node, and on a dragonfly per pair of groups. */
void sx_network_get_load(const sx_network *w, int g, const int dims[], int k, double bytes, sx_load *load);

/* Count the groups of a number of ranks. */
int sx_network_count_groups(const sx_network *w, int nranks);

#endif
