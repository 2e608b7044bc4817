/* binding.c - find the processing units (PUs) to which the ranks of a node are bound. */
#include "machine/binding.h"
#ifdef HAVE_HWLOC
#include <stdlib.h>

/* Load only the parts of the topology that are needed, as lib/kern/cache_sizes.c does. hwloc's x86 component
 * is not used, because it would bind the process to one PU after the other. */
static int load(hwloc_topology_t topology)
{
#if HWLOC_API_VERSION >= 0x20100
    const unsigned long all_pus = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#else
    const unsigned long all_pus = HWLOC_TOPOLOGY_FLAG_WHOLE_SYSTEM;
#endif
    if (hwloc_topology_set_flags(topology, all_pus) ||
        hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE) ||
        hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL))
        return -1;
    return hwloc_topology_load(topology);
}

hwloc_topology_t sx_binding_get_topology(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology))
        return NULL;
    if (load(topology) == 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

/* ---- the message with the binding of a rank, which goes to rank 0 of the node */

/* The largest number of PUs. It is more than twice the number of PUs of the largest shared-memory
 * machines. */
enum { PUS_MAX = 4096, NWORDS = PUS_MAX / (8 * sizeof(unsigned long)) };

typedef struct message {
    unsigned long threads, word[NWORDS];
} message;

/* Get the number of threads that are known to share the cpuset of this rank. If OpenMP binds threads, the
 * main thread is bound to a part of the rank's cores, and the other threads may not exist yet. Then the
 * cpuset tells nothing about the other threads, so only the main thread counts. */
static unsigned long count_threads(int threads)
{
    return getenv("OMP_PROC_BIND") || getenv("OMP_PLACES") ? 1 : (unsigned long)threads;
}

static void encode(hwloc_topology_t topology, int threads, message *m)
{
    hwloc_bitmap_t cpuset = hwloc_bitmap_alloc();
    if (cpuset && hwloc_get_cpubind(topology, cpuset, HWLOC_CPUBIND_PROCESS) == 0) {
        m->threads = count_threads(threads);
        for (unsigned i = 0; i < NWORDS; i++)
            m->word[i] = hwloc_bitmap_to_ith_ulong(cpuset, i);
    }
    hwloc_bitmap_free(cpuset);
}

static void decode(const message *m, sx_binding *b)
{
    b->cpuset = hwloc_bitmap_alloc();
    b->threads = b->cpuset ? sx_base_fit((ptrdiff_t)m->threads) : 0;
    for (unsigned i = 0; i < NWORDS && b->cpuset; i++)
        if (m->word[i])
            hwloc_bitmap_set_ith_ulong(b->cpuset, i, m->word[i]);
}

/* ---- gather */

int sx_binding_gather(MPI_Comm host, hwloc_topology_t topology, int threads, int *n, sx_binding **binding)
{
    int p = 0, r = 0;
    int rc = MPI_Comm_size(host, &p);
    if (!rc)
        rc = MPI_Comm_rank(host, &r);
    *n = r == 0 ? p : 0;
    message mine = {0}, *all = sx_base_alloc(*n, sizeof *all);
    *binding = sx_base_alloc(*n, sizeof **binding);
    if (!rc && !(all && *binding))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(host, rc, NULL);
    if (topology)
        encode(topology, threads, &mine);
    if (!rc)
        rc = MPI_Gather(&mine, NWORDS + 1, MPI_UNSIGNED_LONG, all, NWORDS + 1, MPI_UNSIGNED_LONG, 0, host);
    for (int i = 0; i < *n && !rc; i++)
        decode(&all[i], &(*binding)[i]);
    sx_base_free(all);
    return rc;
}

void sx_binding_free(int n, sx_binding *binding)
{
    for (int i = 0; i < n && binding; i++)
        hwloc_bitmap_free(binding[i].cpuset);
    sx_base_free(binding);
}

#endif
