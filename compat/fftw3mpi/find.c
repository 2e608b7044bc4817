/* find.c - find functions of FFTW's own libraries, whose names this library replaces. */
#include "fftw3mpi/fftw3mpi.h"
#include <dlfcn.h>
#include <string.h>

/* Find the function <name>_<what>; NULL if there is none. dlsym returns the address of data, which is
 * converted to the address of a function. */
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

/* Find the function in libfftw3<letter><suffix>, also if that library is not visible to others: programs such
 * as Python load modules with RTLD_LOCAL, and RTLD_NEXT does not see the libraries that come with a module.
 * mode: RTLD_NOLOAD, or 0 to load the library if it is not loaded. It is never closed, because the caller
 * keeps the function. */
static sx_fftw_function find_in(const char *suffix, int mode, const char *name, const char *what)
{
    char file[SX_HINT_LEN];
    sx_text t = {file, sizeof file, 0};
    sx_base_print(&t, "libfftw3%s%s.so.3", name + strlen("fftw"), suffix);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | mode);
    return library ? find(library, name, what) : NULL;
}

sx_fftw_function sx_fftw_find(const char *name, const char *what)
{
    return find(RTLD_NEXT, name, what);
}

sx_fftw_function sx_fftw_find_threads(const char *name, const char *what)
{
    sx_fftw_function function = find(RTLD_NEXT, name, what);
    if (!function)
        function = find_in("_omp", RTLD_NOLOAD, name, what);
    return function ? function : find_in("_threads", RTLD_NOLOAD, name, what);
}

/* A library that is not loaded yet may only be loaded if configure found one for this MPI. */
sx_fftw_function sx_fftw_find_stock(const char *name, const char *what)
{
    static const char *const words[] = {"auto", "load", "never", NULL};
    int how = 0, mode = RTLD_NOLOAD;
    if (sx_base_hint_word(MPI_INFO_NULL, "subx_fftw3mpi_stock", words, &how) || how == 2)
        return NULL;
#ifdef SX_HAVE_FFTW3_MPI
    mode = how == 1 ? 0 : RTLD_NOLOAD;
#endif
    sx_fftw_function function = find(RTLD_NEXT, name, what);
    return function ? function : find_in("_mpi", mode, name, what);
}
