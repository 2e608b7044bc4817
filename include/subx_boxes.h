/* subx_boxes.h - redistribution of an array between any distributions, and halo exchange.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too. */
#ifndef SUBX_BOXES_H
#define SUBX_BOXES_H

#include <subx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------- redistribution */

/* Create the exchange between any two distributions of a global array: from the boxes that ranks hold to the boxes
 * that ranks want. Collective on comm.
 *
 * A rank may hold and want any number of boxes, also none, and boxes may be empty. They lie in its buffer one after
 * the other, each without gaps. No element may be held twice, by two ranks or by one. Several ranks may want the
 * same element, but each only once. Every element that is wanted must be held. Every rank learns all boxes.
 *
 * Hints: those of subx_exch_create, and subx_permute of subx_exch_create_realign
 *
 *   comm                            [in]   the ranks
 *   ndims, sizes                    [in]   1 .. SUBX_NDIMS_MAX axes, and their global lengths, elements, >= 0; the same on all ranks
 *   nsend                           [in]   number of boxes that this rank holds, >= 0
 *   sstarts                         [in]   nsend x ndims starts, one box after the other, in axis order, elements
 *   slens                           [in]   nsend x ndims lengths, elements
 *   sorders                         [in]   nsend x ndims axes: the order of each box in memory; NULL for C order
 *   nrecv, rstarts, rlens, rorders  [in]   the same for the boxes that this rank wants
 *   elemtype                        [in]   type of an element; any datatype
 *   hints                           [in]   see above; MPI_INFO_NULL for none
 *   ex                              [out]  the exchange; the caller owns it and frees it with subx_exch_free
 * Errors: those of subx_exch_create, and NDIMS, SIZE (a box leaves the array), ORDER, OVERLAP, GAP. After the last
 * two, MPI_Error_string names ranks and an element, on all ranks: "boxes of ranks 2 and 5 overlap at (3,0,7)",
 * "nobody holds (3,0,7), which rank 4 wants". */
SUBX_EXPORT int subx_exch_create_boxes(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int nsend,
                                       const ptrdiff_t sstarts[], const ptrdiff_t slens[],
                                       const int sorders[], int nrecv, const ptrdiff_t rstarts[],
                                       const ptrdiff_t rlens[], const int rorders[], MPI_Datatype elemtype,
                                       MPI_Info hints, subx_exch *ex);

/* The same for boxes that lie anywhere in the buffers, such as those of subx_type_get_boxes. Collective on comm.
 *   comm, ndims, sizes     [in]   as for subx_exch_create_boxes
 *   nsend, sstarts, slens  [in]   as for subx_exch_create_boxes
 *   soffsets               [in]   nsend places of the boxes' first elements, elements from the buffer's address, >= 0
 *   sstrides               [in]   nsend x ndims strides in memory, in axis order, elements, >= 0. If soffsets
 *                                 and sstrides are both NULL, the boxes lie one after the other, in C order
 *   nrecv, rstarts, rlens  [in]   as for subx_exch_create_boxes
 *   roffsets, rstrides     [in]   the same for the boxes that this rank wants
 *   elemtype, hints        [in]   as for subx_exch_create_boxes
 *   ex                     [out]  the exchange; the caller owns it and frees it with subx_exch_free
 * Errors: also TOO_LARGE (a box ends beyond 2^63-1 bytes). */
SUBX_EXPORT int subx_exch_create_boxes_strided(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int nsend,
                                               const ptrdiff_t sstarts[], const ptrdiff_t slens[],
                                               const ptrdiff_t soffsets[], const ptrdiff_t sstrides[],
                                               int nrecv, const ptrdiff_t rstarts[], const ptrdiff_t rlens[],
                                               const ptrdiff_t roffsets[], const ptrdiff_t rstrides[],
                                               MPI_Datatype elemtype, MPI_Info hints, subx_exch *ex);

/* Check that no element of an array is in two boxes, whether of two ranks or of one. Collective on comm.
 *   comm, ndims, sizes  [in]  as above
 *   nboxes, starts, lens  [in]  the boxes of this rank, as above
 *   must_cover  [in]  not 0 if every element must be in a box; the same on all ranks
 * Errors: COMM, NDIMS, SIZE, OVERLAP, GAP, DIFFERS, NO_MEM, TOO_LARGE, ARG. The texts of OVERLAP and GAP are as
 * above. */
SUBX_EXPORT int subx_boxes_check(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int nboxes,
                                 const ptrdiff_t starts[], const ptrdiff_t lens[], int must_cover);

/* Get the boxes of a global array that a filetype describes: a type of MPI_Type_create_darray (also a block-cyclic
 * one), a subarray, a vector, or any other type. Local. Time grows with the number of contiguous pieces of the type.
 *
 * The file has the whole array in C order. The local array has the elements of the type in the order of its typemap,
 * without gaps, as if the file were read with this type. Boxes of a block-cyclic array thus interleave in the local
 * array: they have offsets and strides, for subx_exch_create_boxes_strided.
 *   type      [in]   the datatype; it is taken once, and its displacements count from the first element of the array
 *   ndims, sizes  [in]  the array, as above
 *   elemtype  [in]   type of an element; without gaps
 *   max       [in]   the number of boxes for which the arrays have room
 *   nboxes    [out]  number of boxes
 *   starts, lens  [out]  nboxes x ndims elements, boxes in the order of their first element in the file
 *   offsets   [out]  nboxes offsets in the local array, elements
 *   strides   [out]  nboxes x ndims strides in the local array, elements
 *                    All four arrays may be NULL: then only the number is told
 * Errors: NDIMS, SIZE (an element is not in the array), TYPE (the type is not made of whole elements), TRUNCATE,
 * NO_MEM, TOO_LARGE, ARG. */
SUBX_EXPORT int subx_type_get_boxes(MPI_Datatype type, int ndims, const ptrdiff_t sizes[],
                                    MPI_Datatype elemtype, int max, int *nboxes, ptrdiff_t starts[],
                                    ptrdiff_t lens[], ptrdiff_t offsets[], ptrdiff_t strides[]);

/* A halo exchange: fills the ghost cells around each rank's box of a global array, to be executed many times. */
typedef struct subx_halo_s *subx_halo;
#define SUBX_HALO_NULL ((subx_halo)0)

/* Create a halo exchange. Collective on comm.
 *
 * Every rank owns one box of the global array; the boxes do not overlap, and together they are the array. The local
 * array of a rank has its box and ghost cells around it, below[i] before and above[i] behind along axis i. An
 * execution fills the ghost cells, corners included, from the ranks that own the elements. Along a periodic axis the
 * array is repeated without end. Ghost cells beyond the ends of an axis that is not periodic are left unchanged.
 * Widths may exceed the boxes of other ranks, and even the array. They, and the order, may differ between ranks.
 *
 * Hints: those of subx_exch_create. Cells in memory of subx_mem_alloc are read directly by local partners that get
 * one piece of the array; a partner gets several if it needs several periodic images
 *
 *   comm, ndims, sizes  [in]  as above
 *   start, len  [in]  ndims starts and lengths of this rank's box, elements; lengths may be 0
 *   below, above  [in]  ndims numbers of ghost cells, >= 0
 *   periodic  [in]   ndims flags, the same on all ranks; NULL for no periodic axis
 *   order     [in]   ndims axes, innermost first: how the local array is stored; NULL for C order
 *   elemtype, hints  [in]  as above
 *   halo      [out]  the halo exchange; the caller owns it and frees it with subx_halo_free
 * Errors: those of subx_exch_create, and NDIMS, SIZE, ORDER, OVERLAP, GAP; the texts of the last two are as those of
 * subx_exch_create_boxes. */
SUBX_EXPORT int subx_halo_create(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], const ptrdiff_t start[],
                                 const ptrdiff_t len[], const ptrdiff_t below[], const ptrdiff_t above[],
                                 const int periodic[], const int order[], MPI_Datatype elemtype,
                                 MPI_Info hints, subx_halo *halo);

/* Execute a halo exchange: start and wait in one. Collective. Allocates nothing but what subx_exch_execute (subx.h) tells.
 *   halo   [in]      the halo exchange, not in flight
 *   array  [in,out]  the local array, len[i] + below[i] + above[i] elements along axis i; any array of this shape
 * All ranks must use execute, or all start and wait. Errors: ARG, ACTIVE, PEER, and MPI's own. */
SUBX_EXPORT int subx_halo_execute(subx_halo halo, void *array);

/* Start a halo exchange. Collective; what is said of subx_exch_start holds here. Until subx_halo_wait returns, the
 * cells that this rank owns may be read but not written, and ghost cells must not be touched.
 *   halo   [in]      the halo exchange, not in flight
 *   array  [in,out]  as for subx_halo_execute
 * Errors: ARG, ACTIVE; others are returned by subx_halo_wait. */
SUBX_EXPORT int subx_halo_start(subx_halo halo, void *array);

/* Test how far a started halo exchange is, as subx_exch_test does. Local.
 *   halo  [in]   the halo exchange, in flight
 *   flag  [out]  1 if nothing is left but subx_halo_wait, which must still be called; else 0
 * Errors: ARG, ACTIVE. */
SUBX_EXPORT int subx_halo_test(subx_halo halo, int *flag);

/* Wait for a started halo exchange to complete. Collective.
 *   halo  [in]  the halo exchange, in flight
 * Errors: ARG, ACTIVE, PEER, and MPI's own. */
SUBX_EXPORT int subx_halo_wait(subx_halo halo);

/* Free a halo exchange. Collective. *halo becomes SUBX_HALO_NULL.
 *   halo  [in,out]  the halo exchange, not in flight
 * Errors: ACTIVE (it is in flight). */
SUBX_EXPORT int subx_halo_free(subx_halo *halo);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_BOXES_H */
