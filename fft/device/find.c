/* find.c - from a kind of memory, as the hint subx_memory_kind names it, to the device that has such memory. */
#include "device/fake.h"
#include <string.h>

int sx_device_is_kind(const char *kind)
{
    static const char *const kinds[] = {SX_DEVICE_SYSTEM, "cuda:device", "cuda:managed"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return 1;
    return sx_base_knobs.fake && strcmp(kind, SX_DEVICE_FAKE) == 0;
}

int sx_device_find(const char *kind, const sx_device **device, const char **why)
{
    *device = sx_base_knobs.fake && strcmp(kind, SX_DEVICE_FAKE) == 0 ? &sx_device_fake : NULL;
    if (*device || strcmp(kind, SX_DEVICE_SYSTEM) == 0)
        return MPI_SUCCESS;
    *why = "this version of the library has no support for GPUs of this kind";
    return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}
