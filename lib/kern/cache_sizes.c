/* cache_sizes.c - the cache sizes that one thread can use: from hwloc, else from the C library, else a guess.
 * NUMA domains: fft/machine/domain.c. */
#include "kern/kern.h"
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

/* The size of a cache, and the number of hardware threads that share it. */
typedef struct level {
    ptrdiff_t bytes, threads;
} level;

/* The levels of caches. This is a guess until `set` replaces it. */
static level caches[3] = {{0, 0}, {SX_LEVEL2_BYTES, 1}, {SX_LEVEL3_BYTES, 1}};
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef HAVE_HWLOC

/* Load only the caches, because loading other objects takes time. Use only what the operating system reports,
 * because hwloc's x86 component would bind the process to one processor after the other. */
static int load(hwloc_topology_t topology)
{
    if (hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE) ||
        hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL))
        return -1;
#if HWLOC_API_VERSION >= 0x20100
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
    return hwloc_topology_load(topology);
}

/* All hardware threads are assumed to have the same caches as the first one. All threads
 * that share a cache are counted, even those that this process may not use: other processes run on them, and
 * use the cache, too. */
static void read_levels(hwloc_topology_t topology, level l[3])
{
    hwloc_obj_t o = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
    for (; o; o = o->parent)
        if (o->type >= HWLOC_OBJ_L1CACHE && o->type <= HWLOC_OBJ_L3CACHE)
            l[o->type - HWLOC_OBJ_L1CACHE] =
                (level){(ptrdiff_t)o->attr->cache.size, hwloc_bitmap_weight(o->complete_cpuset)};
}

static void ask_hwloc(level l[3])
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology))
        return;
    if (load(topology) == 0)
        read_levels(topology, l);
    hwloc_topology_destroy(topology);
}

#else

static void ask_hwloc(level l[3])
{
    (void)l;
}

#endif

/* The C library does not tell which threads share a cache, and may report the sum of the third-level caches
 * of all sockets. */
static void ask_library(level l[3])
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    ptrdiff_t second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    l[1] = (level){second, 1};
    l[2] = (level){SX_LEVEL3_RATIO * second, 1};
#else
    (void)l;
#endif
}

static void set(void)
{
    level l[3] = {{0, 0}, {0, 0}, {0, 0}};
    ask_hwloc(l);
    if (l[1].bytes == 0)
        ask_library(l);
    if (l[1].bytes > 0)
        memcpy(caches, l, sizeof caches);
}

/* Get the bytes of a level that one thread can use, if at most `ranks` processes share the level. Processes
 * may be fewer than hardware threads: then the others are idle, or are further threads of the same
 * processes. */
static ptrdiff_t get_share(int i, int ranks)
{
    const level *l = &caches[i];
    const ptrdiff_t sharers = sx_kern_least(l->threads, ranks);
    return l->bytes / (sharers > 0 ? sharers : 1);
}

ptrdiff_t sx_kern_caches_get_level2(void)
{
    pthread_once(&once, set);
    return get_share(1, INT_MAX);
}

/* This is half of the share of the caches, because both sides of a copy must fit. */
ptrdiff_t sx_kern_caches_get_keep(void)
{
    return (sx_kern_caches_get_level2() + get_share(2, sx_base_get_ranks())) / 2;
}

int sx_kern_caches_exceeded(ptrdiff_t bytes)
{
    if (sx_base_knobs.keep >= 0)
        return bytes > sx_base_knobs.keep;
    return bytes > SX_KERN_LEAST_KEEP && bytes > sx_kern_caches_get_keep();
}
