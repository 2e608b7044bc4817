/* aware.c - lets any MPI behave as one that can read and write the memory of GPUs. This library comes between
 * the interposer and MPI. Each function that the interposer calls opens the memory of libcuda.c, calls MPI,
 * and closes the memory again. So the memory is open in MPI, and nowhere else. */
#define _GNU_SOURCE
#include "config.h"
#include "pmpi/functions.h"
#include <dlfcn.h>
#include <stddef.h>

static void open_memory(int is_open)
{
    static void (*open)(int);
    void *library = open ? NULL : dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (library)
        *(void **)&open = dlsym(library, "test_cuda_open");
    if (open)
        open(is_open);
}

/* Both names of a function must have the same address: else the interposer takes this library for a
 * profiler. */
#define DEFINE(name, params, args)                                                                           \
    int PMPI_##name params;                                                                                  \
    int MPI_##name params __attribute__((alias("PMPI_" #name)));                                             \
    int PMPI_##name params                                                                                   \
    {                                                                                                        \
        static int(*next) params;                                                                            \
        if (!next)                                                                                           \
            *(void **)&next = dlsym(RTLD_NEXT, "PMPI_" #name);                                               \
        open_memory(1);                                                                                      \
        const int rc = next args;                                                                            \
        open_memory(0);                                                                                      \
        return rc;                                                                                           \
    }
SX_PMPI_FUNCTIONS(DEFINE)
