/* piped.h - the mover over a pipe: blocks are read in place where that can be, else packed, brought by the pipe, unpacked.
 *
 *     to whom, from whom                     data                                  copies
 *     -------------------------------------  ------------------------------------  ------
 *     this rank, layouts nest                send buffer -> receive buffer         1
 *     local, layouts nest, buffer shared     peer's send buffer -> receive buffer  1, by the reader
 *     local, otherwise                       send area, where the peer unpacks it  2
 *     remote                                 send area, carrier, receive area      2, and the carrier's
 */
#ifndef SX_EXCH_PIPED_H
#define SX_EXCH_PIPED_H

#include "exch/exch.h"

typedef struct sx_piped {
    subx_pipe pipe;
    sx_place place;    /* where the data of this execution is, for local partners */
    int has_readers;   /* some local partner can read the send buffer in place */
    int64_t known_key; /* a segment that all of them see; 0 for none */
    /* for each rank */
    char *is_local;
    char
        *reads_mine; /* it reads the block that this rank has for it in place, if the send buffer is shared */
    char *is_done;   /* its block of the slice that is being read has been copied */
    int *join;       /* which join its block for this rank has; -1 for none */
    ptrdiff_t *peer_offset; /* of that block, from its send buffer */
    ptrdiff_t *step[2];     /* of blocks, see sx_exch_block_get_step; the same at both ends */
    int njoins;
    sx_join *joins;
    int nslices;
    int posted, read; /* slices */
    int is_begun;     /* the slice that is being read has been begun */
} sx_piped;

/* Get the bytes of a block that are of a slice, and the number of the first. */
ptrdiff_t sx_piped_get_slice(const subx_exch ex, int side, int slice, int q, ptrdiff_t *first);

int sx_piped_start(subx_exch ex);
int sx_piped_test(subx_exch ex, int *done);
int sx_piped_wait(subx_exch ex);

#endif
