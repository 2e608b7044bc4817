/* domain.c - find out to which NUMA domain this process is bound. Caches: lib/kern/cache_sizes.c.
 *
 * Reads files of Linux, which takes some ten microseconds. hwloc is not used: it takes milliseconds on a
 * small node, and longer if all ranks of a big node load a topology at the same time. On other systems no
 * domain is found. */
#include "machine/binding.h"
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

int sx_binding_has_pu(const char *list, int pu)
{
    while (*list) {
        char *end;
        const long first = strtol(list, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (end == list)
            return 0;
        if (first <= pu && pu <= last)
            return 1;
        list = *end == ',' ? end + 1 : "";
    }
    return 0;
}

#if defined __linux__ && defined SYS_getcpu

/* PUS_MAX: the largest number of PUs, as in binding.c. LIST_MAX: enough bytes for the longest list, which
 * names every second PU. */
enum { PUS_MAX = 4096, LIST_MAX = 16384 };

static int has_all(const char *list, size_t bytes, const cpu_set_t *set)
{
    for (int i = 0; i < PUS_MAX; i++)
        if (CPU_ISSET_S((size_t)i, bytes, set) && !sx_binding_has_pu(list, i))
            return 0;
    return 1;
}

/* Take the domain where the thread runs now, and check that this domain has all PUs on which the thread may
 * run. If it has, the thread is bound within the domain; else the thread may move, and -1 is returned. */
int sx_binding_get_domain(void)
{
    char path[64], list[LIST_MAX] = "";
    unsigned pu, domain;
    cpu_set_t *set = CPU_ALLOC(PUS_MAX);
    const size_t bytes = CPU_ALLOC_SIZE(PUS_MAX);
    int is_bound =
        set && sched_getaffinity(0, bytes, set) == 0 && syscall(SYS_getcpu, &pu, &domain, NULL) == 0;
    if (is_bound) {
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist", domain);
        FILE *f = fopen(path, "r");
        is_bound = f && fgets(list, sizeof list, f) && has_all(list, bytes, set);
        if (f)
            fclose(f);
    }
    CPU_FREE(set);
    return is_bound ? sx_base_fit(domain) : -1;
}

#else

int sx_binding_get_domain(void)
{
    return -1;
}

#endif
