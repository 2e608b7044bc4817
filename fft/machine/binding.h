/* binding.h - to which NUMA domain this process is bound, and, in terms of hwloc, to which processing units the ranks of a node
 * are: private to this room and its tests. */
#ifndef SX_BINDING_H
#define SX_BINDING_H

#include "machine/machine.h"

/* Get the NUMA domain that has all PUs on which the calling thread may run, as the system numbers it; -1 if there is none, or it is
 * unknown. Local (domain.c). */
int sx_binding_get_domain(void);

/* Query whether a PU is in a list such as "0-3,8-11". */
int sx_binding_has_pu(const char *list, int pu);

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* The threads of a rank, 0 if nothing is known of the rank, and where they may run. */
typedef struct sx_binding {
    int threads;
    hwloc_bitmap_t cpuset;
} sx_binding;

/* Load the cores and PUs of this node, also those that this process may not use. NULL if that fails. */
hwloc_topology_t sx_binding_get_topology(void);

/* Gather the bindings of the ranks of a node on its rank 0; on others *n becomes 0. Collective. A rank without topology
 * (NULL) is unknown. The caller frees *binding, also after an error. */
int sx_binding_gather(MPI_Comm host, hwloc_topology_t topology, int threads, int *n, sx_binding **binding);
void sx_binding_free(int n, sx_binding *binding);

/* Judge how the n ranks of a node are bound: SX_WARN_*; 0 if a rank is unknown (warning.c). Local. */
int sx_binding_check(hwloc_topology_t topology, int n, const sx_binding binding[]);

#endif
#endif
