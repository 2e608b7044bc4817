/* text.c - texts about devices: for people, and for keys of wisdom. */
#include "device/device.h"
#include <dlfcn.h>
#include <string.h>

void sx_device_print(const sx_device *device, sx_text *t)
{
    char why[SX_ERROR_LEN];
    sx_text reason = {why, sizeof why, 0};
    void *handle = NULL;
    if (device->open(&handle, &reason)) {
        sx_base_print(t, "%s", device->name);
        return;
    }
    device->describe(handle, t);
    device->close(handle);
}

/* Open MPI and MPICH have a function of this name, which is not of the standard. So it is found by its name. */
void sx_device_print_mpi(sx_text *t)
{
    int (*query)(void);
    void *address = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    memcpy(&query, &address, sizeof query);
    sx_base_print(t, "MPI takes addresses of GPUs: %s", !query ? "unknown" : query() == 1 ? "yes" : "no");
}
