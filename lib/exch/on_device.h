/* on_device.h - the functions of engines for arrays in the memory of a device, such as a GPU. Kernels pack
 * and unpack. A device carrier brings the data to ranks of other nodes, slice by slice. `staged` lets them
 * pass through the memory of the hosts; with `messages` the areas of the pipe are on the device, and MPI
 * sends from there:
 *
 *     staged
 *     buffer --permute--> packed --copy--> area ==pipe==> area --copy--> packed --permute--> buffer
 *     messages
 *     buffer --permute-------------------> area ==pipe==> area -----------------permute--> buffer
 *     `------------ stream 0 ------------'                `------------- stream 1 -------------'
 *
 * A slice is a part of every block. The areas, and the buffers `packed`, have room for two slices: while a
 * slice travels, the next one is packed and the one before is unpacked. A rank's block for itself stays on
 * the device.
 *
 * If the ranks of a node can read each other's memory on the device (is_shared), partners of this node are
 * visible. A visible partner is read by a kernel of the reader; the pipe only tells when:
 *
 *     partner's send buffer ------------permute-------------> receive buffer
 *     partner's send buffer --permute--> packed --permute---> receive buffer
 *
 * The first way needs a buffer that is memory of subx_mem_alloc, and layouts that nest. */
#ifndef SX_EXCH_ON_DEVICE_H
#define SX_EXCH_ON_DEVICE_H

#include "copy/copy.h"
#include "exch/exch.h"

enum { SX_ON_DEVICE_DEPTH = 2 };

/* What a rank tells a visible partner about its block for this partner: where the block lies in the send
 * buffer; where its slices lie in a buffer `packed`; the distance between these buffers. All in bytes. */
typedef struct sx_visible_block {
    int64_t offset, place, distance;
} sx_visible_block;

/* A device carrier: a value of the word device_carrier. */
typedef struct sx_device_carrier {
    const char *name;
    int value;        /* SX_CARRIER_* */
    int is_on_device; /* 1 if the areas of the pipe are on the device */
    /* Query whether this rank can have the carrier; else the reason is appended to `why`. Local. NULL: it
     * always can. */
    int (*serves)(const subx_exch ex, sx_text *why);
    /* Try the carrier with a pattern, once per communicator. *fails becomes 1 on all ranks if it fails on
     * any. Collective; the outcome is agreed on. NULL if there is nothing to try. */
    int (*test)(subx_exch ex, int *fails);
} sx_device_carrier;

/* Get what trials on this device and communicator have shown so far. */
sx_device_trials *sx_exch_device_get_trials(subx_exch ex);

/* Try with a pattern whether MPI brings packed blocks of devices right. *fails becomes 1 on all ranks if this
 * fails on any. Collective; the outcome is agreed on (engine/device_trial.c). */
int sx_exch_device_test(subx_exch ex, int *fails);

extern const sx_device_carrier sx_exch_messages, sx_exch_staged;

/* Remember that the library does not use a way of data because of `why`. If it was tried, it counts as
 * dropped. Does nothing if the way is remembered already. */
void sx_exch_device_remember(subx_exch ex, const char *way, int is_tried, const char *why);

typedef struct sx_on_device {
    subx_pipe pipe;
    int nslices;
    void *stream[2];
    void *event[2][SX_ON_DEVICE_DEPTH]; /* [stream][slice % DEPTH]: the stream has copied this slice */
    void *begun;                        /* the work that is in the caller's stream has ended */
    /* Buffers on the device, in the exchange's work space: `packed` for each side and slice % DEPTH, and
     * `own` for this rank's block for itself, which is packed if its layouts do not nest. place[side][q]:
     * where the slices of the block for or from rank q begin in `packed`. */
    char *packed[2][SX_ON_DEVICE_DEPTH], *own;
    ptrdiff_t packed_bytes[2], own_bytes, area_bytes, *place[2]; /* area_bytes: of areas on the device */
    sx_direct self;
    void *memory;       /* the work space on the device, if it is the exchange's own */
    void *pinned;       /* the pages of the host that the exchange has pinned; NULL for none */
    int is_on_device;   /* 1 if the areas of the pipe are on the device; they lie in the work space behind
                         `own` */
    int is_lent;        /* 1 if MPI has access to the work space */
    const void **block; /* the addresses of the blocks of a slice that has been received */
    int error;          /* the first error of an execution */
    int is_quiet;       /* 1 if the device has no work of an execution with an error any more */
    /* visible partners; for each rank q: */
    char *is_visible,
        *reads_mine;   /* reads_mine: 1 if rank q reads its block in this rank's send buffer, if it can */
    sx_direct *direct; /* from the send buffer of q to the receive buffer; kern is NULL if none */
    sx_visible_block *visible; /* of the block from q */
    const char **visible_work; /* the address of the work space of q on the device */
    sx_place send;             /* the place of the send buffer; its key is 0 if partners do not read it */
    int has_readers;
} sx_on_device;

/* Get the bytes that a part of a block has in its packed form, given its bytes in the buffers of the caller:
 * the half if blocks travel as floats (subx_wire). Then the kernel that packs rounds, and the kernel that
 * unpacks widens. A block that is not packed, of a visible partner or for this rank itself, is rounded by its
 * kernel: so all data are rounded once, and results do not depend on which partners are visible. */
ptrdiff_t sx_exch_device_get_packed(const subx_exch ex, ptrdiff_t bytes);

/* Get the part of a block that a slice has. Returns its bytes; *first becomes the index of its first byte in
 * the packed block. Sender and receiver cut in the same way, at multiples of the longest element of a
 * kernel. */
ptrdiff_t sx_exch_device_get_slice(const subx_exch ex, int side, int slice, int q, ptrdiff_t *first);

int sx_exch_device_start(subx_exch ex);

/* Let MPI access the work space on the device if the areas are there, or take it back. */
void sx_exch_device_open_areas(subx_exch ex, int is_lent);

/* Wait for all work of the exchange on its device, also after an error: a call that fails is repeated once.
 * Returns a kind of error. */
int sx_exch_device_wait(const subx_exch ex);

/* ---- visible partners (engine/device_visible.c) */

/* check_sharing: set ex->is_shared, from a trial with a pattern, which is made once per communicator. find:
 * find out which partners are visible; the arrays of the state for each rank exist. gather_layouts: exchange
 * layouts and places with visible partners. find_work: find the work space of visible partners. All are
 * collective; the outcome is agreed on, except that of `find`. */
int sx_exch_device_check_sharing(subx_exch ex);
int sx_exch_device_find_partners(subx_exch ex);
int sx_exch_device_gather_layouts(subx_exch ex);
int sx_exch_device_find_work(subx_exch ex, const char *work);

/* Query whether the copy engine can read the block of some visible partner in its send buffer. */
int sx_exch_device_has_rows(const subx_exch ex);

/* Find the place of the send buffer for the visible partners that read it, before an execution. */
sx_place sx_exch_device_find_send(const subx_exch ex);

/* Get the address of the block that visible partner q has for this rank; NULL if it must be read in the
 * partner's buffer `packed`. *rc becomes an error if this rank does not see the partner's send buffer. */
const char *sx_exch_device_get_visible(const subx_exch ex, int q, int *rc);

#endif
