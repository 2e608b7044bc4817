/* on_device.h - the mover for arrays in the memory of a device, such as a GPU. Kernels pack and unpack; data for other ranks
 * pass through the memory of the hosts, slice by slice:
 *
 *     send buffer --permute--> packed --copy--> send area ==pipe==> receive area --copy--> packed --permute--> receive buffer
 *     `----------------- stream 0 ----------------'                   `---------------------- stream 1 ------------------'
 *
 * A slice is a part of every block. The areas, and the buffers `packed`, have room for two slices: while a slice travels, the
 * next one is packed and the one before is unpacked. A rank's block for itself stays on the device. */
#ifndef SX_EXCH_ON_DEVICE_H
#define SX_EXCH_ON_DEVICE_H

#include "copy/copy.h"
#include "exch/exch.h"

enum { SX_ON_DEVICE_DEPTH = 2 };

typedef struct sx_on_device {
    subx_pipe pipe;
    int nslices;
    void *stream[2];
    void *event[2][SX_ON_DEVICE_DEPTH]; /* [stream][slice % DEPTH]: the stream has copied this slice */
    void *begun;                        /* the work that is in the caller's stream has ended */
    /* Buffers on the device, in the exchange's work space: `packed` for each side and slice % DEPTH, and `own` for this
     * rank's block for itself, which is packed if its layouts do not nest. */
    char *packed[2][SX_ON_DEVICE_DEPTH], *own;
    ptrdiff_t packed_bytes[2], own_bytes;
    sx_join self;
    void *memory;       /* the work space on the device, if it is the exchange's own */
    void *pinned;       /* the pages of the host that the exchange has pinned; NULL for none */
    const void **block; /* the addresses of the blocks of a slice that has been received */
    int error;          /* the first error of an execution */
} sx_on_device;

/* Get the part of a block that a slice has. Returns its bytes; *first becomes the index of its first byte in the packed
 * block. Sender and receiver cut in the same way, at multiples of the longest element of a kernel. */
ptrdiff_t sx_exch_device_get_slice(const subx_exch ex, int side, int slice, int q, ptrdiff_t *first);

int sx_exch_device_start(subx_exch ex);

/* Wait for all work of the exchange on its device, also after an error: a call that fails is repeated once. Returns a kind of
 * error. */
int sx_exch_device_wait(const subx_exch ex);

#endif
