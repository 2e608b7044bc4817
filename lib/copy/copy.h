/* copy.h - copies as public objects, and as loop nests for devices. */
#ifndef SX_COPY_H
#define SX_COPY_H

#include "device/device.h"
#include "kern/kern.h"
#include <subx_lowlevel.h>

struct subx_copy_s {
    sx_layout layout;
    ptrdiff_t offset[2]; /* [side]: bytes from the address of an execution to the first byte */
    const sx_kern *kern;
    struct sx_copy_on_device *on_device; /* NULL for memory of the host (on_device.c) */
};

/* Create a copy from a layout. Local. */
int sx_copy_create(const sx_layout *layout, ptrdiff_t from_offset, ptrdiff_t to_offset, subx_copy *copy);

/* Functions for copies on a device. free: `d` may be NULL. */
int sx_copy_execute_on_device(subx_copy copy, const char *from, char *to);
void sx_copy_free_on_device(struct sx_copy_on_device *d);

/* Get the loop nest that copies a layout on a device, in the order of its levels (nest.c). The nest's
 * elements are as long as the alignment of the two addresses allows. converts: SX_DEVICE_*. If the nest
 * converts, the layout copies doubles to doubles, and all its lengths and strides are multiples of a
 * double. */
sx_device_nest sx_copy_get_nest(const sx_layout *l, int converts, const void *from, const void *to);

/* Get the rows that copy a layout on a device. Returns 0 if it has none: it permutes, or a copy engine would
 * take many calls or short rows. */
int sx_copy_get_rows(const sx_layout *l, sx_device_rows *rows);

#endif
