/* find.c - find the device that has a kind of memory (the hint subx_memory_kind). The library of a device is
 * not linked: it is loaded when a plan or an exchange asks for the device, and stays loaded. */
#include "device/fake.h"
#include <dlfcn.h>
#include <string.h>

enum { NAME = 64 };

int sx_device_is_kind(const char *kind)
{
    static const char *const kinds[] = {SX_DEVICE_SYSTEM, "cuda:device", "cuda:managed"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return 1;
    return sx_base_knobs.fake && strcmp(kind, SX_DEVICE_FAKE) == 0;
}

/* The first word of a kind is in the name of the device's library, such as libsubx_cuda.so, and in the name
 * of the table in it, such as sx_device_cuda. */
static void print_name(const char *kind, const char *before, const char *after, char name[NAME])
{
    sx_text t = {name, NAME, 0};
    sx_base_print(&t, "%s%.*s%s", before, sx_base_fit((ptrdiff_t)strcspn(kind, ":")), kind, after);
}

/* Load the device's library from the folder of the library that has this function. If this fails, let the
 * system search for it. */
static void *load(const char *name)
{
    char path[1024];
    sx_text t = {path, sizeof path, 0};
    Dl_info here;
    void *library = NULL;
    if (dladdr((void *)(size_t)sx_device_is_kind, &here) && here.dli_fname && strrchr(here.dli_fname, '/')) {
        sx_base_print(&t, "%.*s/%s", sx_base_fit(strrchr(here.dli_fname, '/') - here.dli_fname),
                      here.dli_fname, name);
        library = t.used < t.room ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    }
    return library ? library : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static const sx_device *find_loaded(const char *kind, sx_text *why)
{
    char name[NAME], table[NAME];
    print_name(kind, "libsubx_", ".so", name);
    print_name(kind, "sx_device_", "", table);
    void *library = load(name);
    const sx_device *device = library ? dlsym(library, table) : NULL;
    if (!device) {
        const char *reason = dlerror();
        sx_base_print(why, "the library for GPUs cannot be loaded: %s", reason ? reason : name);
    } else if (strcmp(device->version, PACKAGE_VERSION) != 0) {
        sx_base_print(why, "%s is of version %s, not %s", name, device->version, PACKAGE_VERSION);
        device = NULL;
    }
    return device;
}

int sx_device_find(const char *kind, const sx_device **device, sx_text *why)
{
    *device = NULL;
    if (strcmp(kind, SX_DEVICE_SYSTEM) == 0)
        return MPI_SUCCESS;
    *device =
        sx_base_knobs.fake && strcmp(kind, SX_DEVICE_FAKE) == 0 ? &sx_device_fake : find_loaded(kind, why);
    return *device ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

int sx_device_open(const sx_device *device, void **handle)
{
    char why[SX_ERROR_LEN] = "", text[SX_ERROR_LEN];
    sx_text reason = {why, sizeof why, 0}, all = {text, sizeof text, 0};
    const int kind = device->open(handle, &reason);
    if (kind != SUBX_ERR_UNAVAILABLE)
        return subx_error_get_code(kind);
    sx_base_print(&all, "subx: device %s: %s", device->name, why);
    return sx_base_set_error_text(kind, text);
}
