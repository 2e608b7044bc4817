/* host.c - a program that knows nothing of FFTW loads modules that use FFTW, as Python loads its modules: the
 * names of a module, and those of the libraries that come with it, are not visible to others. Every argument
 * is a module. */
#include "config.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int run_module(const char *path)
{
    int (*run)(void) = NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *address = module ? dlsym(module, "run") : NULL;
    memcpy(&run, &address, sizeof run);
    if (run)
        return run();
    fprintf(stderr, "host: %s\n", dlerror());
    return 1;
}

int main(int argc, char **argv)
{
    int failures = 0;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++)
        failures += run_module(argv[i]);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures > 0;
}
