/* yield.c - a library to preload with MPICH, so that waiting ranks yield their cores to ranks that have work.
 *
 * If there are more ranks than cores, Open MPI yields by itself. MPICH polls until the kernel takes the core
 * away, which may take milliseconds each time. Debian's MPICH polls by ucp_worker_progress of UCX, so this
 * library wraps that function. */
#include "config.h"
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

typedef unsigned progress(void *worker);

/* Find the function of UCX. dlsym with RTLD_NEXT does not find it if UCX was loaded with a plugin, as in Open
 * MPI. */
static progress *find_progress(void)
{
    static const char name[] = "ucp_worker_progress";
    progress *found = NULL;
    void *library = RTLD_NEXT, *address = dlsym(library, name);
    if (!address && (library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD)))
        address = dlsym(library, name);
    if (!address)
        abort();
    *(void **)&found = address; /* ISO C has no cast from an object pointer to a function pointer */
    return found;
}

/* Yields after every call that made no progress: measured, this is as fast as yielding after 10 or 100 such
 * calls. */
__attribute__((visibility("default"))) progress ucp_worker_progress;

unsigned ucp_worker_progress(void *worker)
{
    static __thread progress *real; /* one per thread, because several threads may use MPI */
    if (!real)
        real = find_progress();
    const unsigned events = real(worker);
    if (!events)
        sched_yield();
    return events;
}
