/* copy.h - copies as public objects, and as loop nests for devices. */
#ifndef SX_COPY_H
#define SX_COPY_H

#include "device/device.h"
#include "kern/kern.h"

/* Get the loop nest that copies a layout on a device, in the order of its levels (nest.c). The nest's elements are as long as
 * the alignment of the two addresses allows. */
sx_device_nest sx_copy_get_nest(const sx_layout *l, const void *from, const void *to);

#endif
