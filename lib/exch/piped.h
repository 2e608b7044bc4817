/* piped.h - the engines that use a pipe: blocks are read in place if possible; else they are packed, moved by
 * the pipe, and unpacked.
 *
 *     partner                                path of the data                          copies
 *     -------------------------------------  ----------------------------------------  ------
 *     this rank itself, layouts nest         send buffer -> receive buffer             1
 *     local, layouts nest, buffer shared     partner's send buffer -> receive buffer   1, by the reader
 *     local, otherwise                       partner's send area -> receive buffer     2
 *     remote                                 send area, carrier, receive area          2, and the carrier's
 */
#ifndef SX_EXCH_PIPED_H
#define SX_EXCH_PIPED_H

#include "exch/exch.h"

typedef struct sx_piped {
    subx_pipe pipe;
    sx_place place;    /* the place of the send buffer in this execution; its key is 0 if local partners
                          cannot read it. Key -1: see sx_piped_start */
    int has_readers;   /* 1 if some local partner reads its block in the send buffer when the buffer is
                          shared */
    int64_t known_key; /* all ranks q with reads_mine[q] have mapped the segment with this key (is_visible in
                          piped_execute.c has found this); 0: no such segment is known */
    /* for each rank q: */
    char *is_local;
    char *reads_mine; /* 1 if rank q reads the block for it in this rank's send buffer, if this is shared */
    char *is_done;    /* 1 if the block from rank q of the current slice has been copied */
    int *direct;      /* the direct copy of the block from rank q, an index of `directs`; -1 for none */
    ptrdiff_t *partner_offset; /* bytes from the address of rank q's send buffer to its block for this
                                  rank */
    ptrdiff_t *step[2]; /* by side: the step at which this rank and rank q cut a block, bytes of its packed
                           form */
    int ndirects;
    sx_direct *directs;
    int nslices;
    int posted, read; /* how many slices this rank has posted, and how many it has read */
    int is_begun;     /* 1 if this rank has begun to read the current slice */
} sx_piped;

/* Get the number of bytes that a slice of a block has, and the index of its first byte in the packed
 * block. */
ptrdiff_t sx_piped_get_slice(const subx_exch ex, int side, int slice, int q, ptrdiff_t *first);

int sx_piped_start(subx_exch ex);
int sx_piped_test(subx_exch ex, int *done);
int sx_piped_wait(subx_exch ex);

#endif
