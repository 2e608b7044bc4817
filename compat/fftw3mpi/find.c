/* find.c - find functions of FFTW's own libraries, whose names this library replaces. */
#include "fftw3mpi/fftw3mpi.h"
#include <dlfcn.h>
#include <string.h>

/* Find the function <name>_<what>; NULL if there is none. dlsym returns the address of data, which is converted to the
 * address of a function. */
static sx_fftw_function find(void *where, const char *name, const char *what)
{
    char symbol[SX_HINT_LEN];
    sx_text t = {symbol, sizeof symbol, 0};
    sx_fftw_function function = NULL;
    sx_base_print(&t, "%s_%s", name, what);
    void *address = dlsym(where, symbol);
    memcpy(&function, &address, sizeof function);
    return function;
}

sx_fftw_function sx_fftw_find(const char *name, const char *what)
{
    return find(RTLD_NEXT, name, what);
}

/* Load FFTW's MPI library if configure found one for this MPI; NULL if not. */
static void *load(const char *name)
{
#ifdef SX_HAVE_FFTW3_MPI
    char file[SX_HINT_LEN];
    sx_text t = {file, sizeof file, 0};
    sx_base_print(&t, "libfftw3%s_mpi.so.3", name + strlen("fftw"));
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
#else
    (void)name;
    return NULL;
#endif
}

sx_fftw_function sx_fftw_find_stock(const char *name, const char *what)
{
    static const char *const words[] = {"auto", "load", "never", NULL};
    int how = 0;
    if (sx_base_hint_word(MPI_INFO_NULL, "subx_fftw3mpi_stock", words, &how) || how == 2)
        return NULL;
    sx_fftw_function function = find(RTLD_NEXT, name, what);
    void *library = function || how != 1 ? NULL : load(name);
    return library ? find(library, name, what) : function;
}
