/* network.h - for predictions: how many bytes of an exchange the busiest link between nodes carries.
 * Consecutive ranks fill a node, and consecutive nodes fill a group. So loads are computed from the
 * dimensions of a grid, without a list of ranks. */
#ifndef SX_NETWORK_H
#define SX_NETWORK_H

#include "machine/machine.h"

/* How nodes are connected. A link is the limit if an exchange must wait for it.
 *   switch      each node has a link to one switch, which never is the limit
 *   fat_tree    a group is the nodes of a leaf switch. All messages to other groups share the leaf's links
 *               upwards, which are equally loaded; higher levels never are the limit
 *   dragonfly   each pair of groups has links of its own, and messages take these (minimal routing) */
enum { SX_SWITCH, SX_FAT_TREE, SX_DRAGONFLY };

/* The largest number of groups of a dragonfly. It limits the time of sx_network_get_load, which may take a
 * step per pair of groups. Real dragonflies have fewer than 600 groups. */
enum { SX_GROUPS_MAX = 1024 };

typedef struct sx_network {
    int topology;
    int ranks_per_node, nodes_per_group;
    double tapering; /* bandwidth of a group's nodes / bandwidth of the links from this group to others */
    double latency;  /* seconds that a message takes besides its sender's time; counts once per exchange */
} sx_network;

/* The rows of ranks over a dimension of a grid. nranks: ranks of the grid; length: ranks of a row, which
 * exchange with each other; stride: from a rank of a row to the next one; period: stride * length. In an
 * exchange among all ranks (k is -1), a single row has all ranks (placement.c). */
typedef struct sx_grid_rows {
    int nranks, length, stride, period;
} sx_grid_rows;

sx_grid_rows sx_network_get_rows(int g, const int dims[], int k);

/* Get the load of an exchange over dimension k of a grid, as sx_placement_get_load does. But the load
 * describes the node that sends the most bytes to other nodes, not node 0. The load is exact. The function
 * takes far fewer steps than there are nodes, because it skips nodes and groups with the same load as an
 * earlier one. */
void sx_network_get_load(const sx_network *net, int g, const int dims[], int k, double bytes, sx_load *load);

/* Count the groups on which a number of ranks run. */
int sx_network_count_groups(const sx_network *net, int nranks);

#endif
