/* calls.c - find MPI's own functions in MPI's library, past an interposer. */
#include "compat/pmpi/calls.h"
#include <dlfcn.h>
#include <string.h>

calls calls_program, calls_plain;

/* MPI_Comm_rank is not interposed. So the library that contains its address is MPI's. */
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

/* The functions are searched by name, because the program's own address of a function may be a jump inside
 * the program. */
int calls_differ(void)
{
    Dl_info program, plain;
    return !dladdr(dlsym(RTLD_DEFAULT, "MPI_Alltoallw"), &program) ||
           !dladdr(*(void **)&calls_plain.Alltoallw, &plain) ||
           strcmp(program.dli_fname, plain.dli_fname) != 0;
}
