/* packed.h - packed blocks in the work space: where they lie, and what MPI is told of them. */
#ifndef SX_EXCH_PACKED_H
#define SX_EXCH_PACKED_H

#include "exch/self.h"

/* The packed blocks of one side. What a rank sends to itself never meets MPI, and its count is 0: if it
 * cannot be copied at once it is packed where it would have been received. */
typedef struct sx_packed {
    /* Bytes, from the work space to what MPI is told is the buffer; never equal on both sides, which MPICH
     * takes for aliasing even where nothing is sent. */
    ptrdiff_t base;
    ptrdiff_t *start; /* bytes, from the work space to each rank's block */
    int *counts, *displs;
} sx_packed;

/* Blocks begin on a cache line, so that kernels write whole ones. */
ptrdiff_t sx_exch_round_up(ptrdiff_t bytes);

/* Deal out a work space to the packed blocks of both sides; *bytes is all of it. Counts and displacements
 * are left 0. TOO_LARGE if a block can be packed by MPI_Pack only, which counts in int. */
int sx_exch_packed_create(subx_exch ex, sx_packed of[2], sx_self *self, ptrdiff_t *bytes);

/* Set counts and displacements in bytes; TOO_LARGE if an int cannot hold one. */
int sx_exch_packed_count(subx_exch ex, sx_packed of[2]);

void sx_exch_packed_free(sx_packed of[2]);

/* Pack what goes to each rank q to work + start[q], or unpack what came from it. What a kernel can copy to
 * its place at once is left out, and copied when the rest is unpacked. */
int sx_exch_pack_all(subx_exch ex, const sx_self *self, const ptrdiff_t start[], char *work);
int sx_exch_unpack_all(subx_exch ex, const sx_self *self, const ptrdiff_t start[], const char *work);

#endif
