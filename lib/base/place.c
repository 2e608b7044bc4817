/* place.c - find out whether an address is in the memory of a GPU. CUDA is not linked: a process that uses
 * CUDA has loaded CUDA's driver library, and that library is asked. */
#include "base/base.h"
#include <stdint.h>

#ifdef HAVE_DL_ITERATE_PHDR
#include <dlfcn.h>
#include <link.h>

/* The function cuPointerGetAttribute, and the numbers of its interface that are needed here. It fails for
 * addresses that CUDA does not know, and before the first use of CUDA. */
typedef int (*query)(void *data, int attribute, unsigned long long address);
enum { MEMORY_TYPE = 2, IS_MANAGED = 8 }; /* attributes */
enum { IS_ON_DEVICE = 2 };                /* a value of MEMORY_TYPE */

/* found: NULL until the library is loaded. nloaded: how many libraries the process had loaded when they were
 * last searched in vain. Several threads may write these variables at once, because they write the same
 * values. */
static query found;
static unsigned long long nloaded;

static int get_nloaded(struct dl_phdr_info *info, size_t size, void *n)
{
    (void)size;
    *(unsigned long long *)n = info->dlpi_adds;
    return 1;
}

/* Get the function, or NULL. A search takes some ten microseconds, so libraries are searched only if some
 * library has been loaded since the last search. The handle is never closed: the library must stay loaded
 * while `found` is used. */
static query find(void)
{
    query f = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
    unsigned long long n = 0;
    if (f)
        return f;
    (void)dl_iterate_phdr(get_nloaded, &n);
    if (n == __atomic_load_n(&nloaded, __ATOMIC_RELAXED))
        return NULL;
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (library)
        *(void **)&f = dlsym(library, "cuPointerGetAttribute");
    if (f)
        __atomic_store_n(&found, f, __ATOMIC_RELEASE);
    __atomic_store_n(&nloaded, n, __ATOMIC_RELAXED);
    return f;
}

int sx_base_find_place(const void *address)
{
    const unsigned long long at = (uintptr_t)address;
    unsigned type = 0, is_managed = 0;
    const query f = find();
    if (!f || f(&type, MEMORY_TYPE, at) || type != IS_ON_DEVICE)
        return SX_PLACE_HOST;
    return f(&is_managed, IS_MANAGED, at) == 0 && is_managed ? SX_PLACE_MANAGED : SX_PLACE_DEVICE;
}

#else

int sx_base_find_place(const void *address)
{
    (void)address;
    return SX_PLACE_HOST;
}

#endif
