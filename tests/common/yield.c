/* yield.c - a library to preload: ranks that wait in MPICH yield their processors to ranks that have work.
 *
 * When there are more ranks than cores, Open MPI yields by itself. MPICH polls until the kernel takes the core away, for
 * milliseconds at a time. Debian's MPICH polls UCX, hence this wrapper around the function that does. */
#include "config.h"
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

typedef unsigned progress(void *worker);

/* RTLD_NEXT does not find a UCX that was loaded together with a plugin, as Open MPI does it. */
static progress *find_progress(void)
{
    static const char name[] = "ucp_worker_progress";
    progress *found = NULL;
    void *library = RTLD_NEXT, *address = dlsym(library, name);
    if (!address && (library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD)))
        address = dlsym(library, name);
    if (!address)
        abort();
    *(void **)&found = address; /* ISO C has no cast for this */
    return found;
}

/* Yielding after every idle call was as fast as yielding after 10 or 100 of them. */
__attribute__((visibility("default"))) progress ucp_worker_progress;

unsigned ucp_worker_progress(void *worker)
{
    static __thread progress *real; /* per thread: MPI may be used by several */
    if (!real)
        real = find_progress();
    const unsigned events = real(worker);
    if (!events)
        sched_yield();
    return events;
}
