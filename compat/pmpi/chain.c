/* chain.c - find MPI's functions, which are loaded after ours, and profilers between us and MPI. */
#include "pmpi/pmpi.h"
#include <dlfcn.h>

sx_pmpi_calls sx_pmpi_real;
__thread int sx_pmpi_depth;

/* The functions that our MPI_ functions call: the functions of a profiler if one is loaded after us, else our
 * PMPI_ functions. Until a strided datatype is committed, most of them are MPI's own functions. */
static sx_pmpi_calls outer;

#define SX_PMPI_DECLARE(name, params, args) SUBX_EXPORT int PMPI_##name params;
SX_PMPI_FUNCTIONS(SX_PMPI_DECLARE)

/* Find MPI's PMPI_ function, and the MPI_ function that is loaded after ours: a profiler's, or MPI's. dlsym
 * returns an object pointer, which is stored as a function pointer in the way that POSIX suggests. */
#define SX_PMPI_FIND(name, params, args)                                                                     \
    *(void **)&sx_pmpi_real.name = dlsym(RTLD_NEXT, "PMPI_" #name);                                          \
    *(void **)&outer.name = dlsym(RTLD_NEXT, "MPI_" #name);

/* Let our MPI_ function call our PMPI_ function, unless a profiler is in between. The address is stored
 * atomically, because other threads may be calling the function. */
#define SX_PMPI_ENGAGE(name, params, args)                                                                   \
    if (!outer.name || outer.name == sx_pmpi_real.name)                                                      \
        __atomic_store_n(&outer.name, PMPI_##name, __ATOMIC_RELAXED);

static __attribute__((constructor)) void find(void)
{
    SX_PMPI_FUNCTIONS(SX_PMPI_FIND)
    SX_PMPI_EAGER(SX_PMPI_ENGAGE)
}

void sx_pmpi_chain_engage(void){SX_PMPI_LAZY(SX_PMPI_ENGAGE)}

#define SX_PMPI_DEFINE(name, params, args)                                                                   \
    SUBX_EXPORT int MPI_##name params                                                                        \
    {                                                                                                        \
        return __atomic_load_n(&outer.name, __ATOMIC_RELAXED) args;                                          \
    }
SX_PMPI_FUNCTIONS(SX_PMPI_DEFINE)
