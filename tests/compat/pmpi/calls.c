/* calls.c - finds MPI's own functions behind an interposer, in MPI's library. */
#include "compat/pmpi/calls.h"
#include <dlfcn.h>
#include <string.h>

calls calls_program, calls_plain;

/* MPI_Comm_rank is not interposed, so its address shows which library is MPI's. */
static void *open_library(void)
{
    Dl_info info;
    void *known = dlsym(RTLD_DEFAULT, "MPI_Comm_rank");
    return known && dladdr(known, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

#define FIND(name, params, args)                                                                             \
    calls_program.name = MPI_##name;                                                                         \
    *(void **)&calls_plain.name = dlsym(library, "PMPI_" #name);                                             \
    found &= calls_plain.name != NULL;

int calls_find(void)
{
    void *library = open_library();
    int found = library != NULL;
    if (found) {
        SX_PMPI_FUNCTIONS(FIND)
    }
    return found;
}

/* Searches by name: the address that a program has may be that of a jump in the program itself. */
int calls_differ(void)
{
    Dl_info program, plain;
    return !dladdr(dlsym(RTLD_DEFAULT, "MPI_Alltoallw"), &program) ||
           !dladdr(*(void **)&calls_plain.Alltoallw, &plain) ||
           strcmp(program.dli_fname, plain.dli_fname) != 0;
}
