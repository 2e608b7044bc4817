/* text.c - the text about a device: for people, and for keys of wisdom. */
#include "device/device.h"

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
