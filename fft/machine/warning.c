/* warning.c - what a plan warns of: ranks that are not bound to cores, that share cores, or that have fewer
 * cores than threads. */
#include "machine/binding.h"

static const struct {
    int flag;
    const char *sentence;
} warnings[] = {
    {SX_WARN_UNBOUND,
     "several ranks of a node are not bound to cores, and may move from core to core; bind them by an "
     "option of mpiexec or of the batch system"},
    {SX_WARN_OVERSUBSCRIBED,
     "the ranks of a node have more threads than cores; use fewer ranks or threads, or bind the "
     "ranks to more cores"},
    {SX_WARN_SHARED_CORE,
     "several ranks are bound to the same core, while other cores are idle; bind each rank to cores "
     "of its own"},
};

enum { NWARNINGS = sizeof warnings / sizeof *warnings };

const char *sx_machine_get_warning(int flag)
{
    for (int i = 0; i < NWARNINGS; i++)
        if (warnings[i].flag == flag)
            return warnings[i].sentence;
    return NULL;
}

#ifdef HAVE_HWLOC

/* ---- the faults of a node, from the bindings of its ranks */

/* Count the cores that have PUs in a set; if the system reports no cores, count the PUs. */
static int count_cores(hwloc_topology_t topology, hwloc_const_cpuset_t set)
{
    const int depth = hwloc_get_type_or_below_depth(topology, HWLOC_OBJ_CORE);
    int n = 0;
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_covering_cpuset_by_depth(topology, set, depth, core)))
        n++;
    return n;
}

/* 1 if two ranks are bound to the same single core, even if to different PUs of it. */
static int share_core(hwloc_topology_t topology, int n, const sx_binding binding[])
{
    hwloc_bitmap_t seen = hwloc_bitmap_alloc();
    int found = 0;
    const int depth = hwloc_get_type_or_below_depth(topology, HWLOC_OBJ_CORE);
    for (int i = 0; i < n && seen; i++) {
        hwloc_obj_t core =
            hwloc_get_next_obj_covering_cpuset_by_depth(topology, binding[i].cpuset, depth, NULL);
        if (!core || count_cores(topology, binding[i].cpuset) > 1)
            continue;
        found = found || hwloc_bitmap_isset(seen, core->logical_index);
        hwloc_bitmap_set(seen, core->logical_index);
    }
    hwloc_bitmap_free(seen);
    return found;
}

/* Get the faults of a node, as flags SX_WARN_*. `all` has the PUs to which ranks are bound; `allowed` also
 * has the PUs that no rank uses. */
static int judge(hwloc_topology_t topology, int n, const sx_binding binding[], hwloc_const_bitmap_t all,
                 hwloc_const_bitmap_t allowed)
{
    const int cores = count_cores(topology, all), allowed_cores = count_cores(topology, allowed);
    int flags = 0;
    ptrdiff_t threads = 0;
    for (int i = 0; i < n; i++) {
        threads += binding[i].threads;
        if (n > 1 && allowed_cores > 1 && hwloc_bitmap_isequal(binding[i].cpuset, allowed))
            flags |= SX_WARN_UNBOUND;
        if (binding[i].threads > count_cores(topology, binding[i].cpuset))
            flags |= SX_WARN_OVERSUBSCRIBED;
    }
    if (threads > cores)
        flags |= SX_WARN_OVERSUBSCRIBED;
    if (cores < allowed_cores && (cores < n || share_core(topology, n, binding)))
        flags |= SX_WARN_SHARED_CORE;
    return flags;
}

/* If each rank is in a cgroup of its own, the topology of this rank allows only the PUs of this rank. So the
 * PUs of all ranks are added to the allowed ones. */
int sx_binding_check(hwloc_topology_t topology, int n, const sx_binding binding[])
{
    for (int i = 0; i < n; i++)
        if (!binding[i].threads)
            return 0;
    hwloc_bitmap_t all = hwloc_bitmap_alloc();
    hwloc_bitmap_t allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
    int flags = 0;
    if (all && allowed) {
        for (int i = 0; i < n; i++)
            hwloc_bitmap_or(all, all, binding[i].cpuset);
        hwloc_bitmap_or(allowed, allowed, all);
        flags = judge(topology, n, binding, all, allowed);
    }
    hwloc_bitmap_free(all);
    hwloc_bitmap_free(allowed);
    return flags;
}

/* ---- all nodes */

static int judge_host(MPI_Comm host, int threads, int *flags)
{
    hwloc_topology_t topology = sx_binding_get_topology();
    sx_binding *binding;
    int n;
    const int rc = sx_binding_gather(host, topology, threads, &n, &binding);
    if (!rc && topology)
        *flags = sx_binding_check(topology, n, binding);
    sx_binding_free(n, binding);
    if (topology)
        hwloc_topology_destroy(topology);
    return rc;
}

/* The real nodes are examined, because the smaller nodes of the word node_ranks may share cores. */
int sx_machine_find_warnings(MPI_Comm all, int threads, int *flags)
{
    MPI_Comm host = MPI_COMM_NULL;
    int set[NWARNINGS], found = 0;
    *flags = 0;
    int rc = MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    if (!rc)
        rc = judge_host(host, threads, &found);
    if (host != MPI_COMM_NULL)
        MPI_Comm_free(&host);
    for (int i = 0; i < NWARNINGS; i++)
        set[i] = (found & warnings[i].flag) != 0;
    rc = sx_base_agree_flags(all, rc, NULL, NWARNINGS, set);
    for (int i = 0; i < NWARNINGS && !rc; i++)
        *flags |= set[i] ? warnings[i].flag : 0;
    return rc;
}

#else

int sx_machine_find_warnings(MPI_Comm all, int threads, int *flags)
{
    (void)all, (void)threads;
    *flags = 0;
    return MPI_SUCCESS;
}

#endif
