/* binding.h - find the NUMA domain to which this process is bound, and the processing units (hwloc's PUs) to
 * which the ranks of a node are bound. Private to this room and its tests. */
#ifndef SX_BINDING_H
#define SX_BINDING_H

#include "machine/machine.h"

/* Get the system's number of the NUMA domain that contains all PUs on which the calling thread may run; -1 if
 * there is none, or it is not known. Local (domain.c). */
int sx_binding_get_domain(void);

/* Query whether a PU is in a list such as "0-3,8-11". */
int sx_binding_has_pu(const char *list, int pu);

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* The number of threads of a rank, and the PUs on which these threads may run. threads is 1 if OpenMP binds
 * threads: then only the main thread is counted (binding.c). It is 0 if nothing is known about the rank. */
typedef struct sx_binding {
    int threads;
    hwloc_bitmap_t cpuset;
} sx_binding;

/* Load the cores and PUs of this node, also those that this process may not use. NULL if that fails. */
hwloc_topology_t sx_binding_get_topology(void);

/* Gather the bindings of the ranks of a node on its rank 0; on other ranks *n becomes 0. Collective. The
 * binding of a rank without topology (NULL) is not known. The caller frees *binding, also after an error. */
int sx_binding_gather(MPI_Comm host, hwloc_topology_t topology, int threads, int *n, sx_binding **binding);
void sx_binding_free(int n, sx_binding *binding);

/* Get the faults of the bindings of the n ranks of a node, as flags SX_WARN_*; 0 if there is no fault, or if
 * the binding of any of the ranks is not known (warning.c). Local. */
int sx_binding_check(hwloc_topology_t topology, int n, const sx_binding binding[]);

#endif
#endif
