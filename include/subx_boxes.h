/* subx_boxes.h - boxes of a global array, redistribution between any boxes, and halo exchange.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too. */
#ifndef SUBX_BOXES_H
#define SUBX_BOXES_H

#include <subx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- boxes */

/* The boxes that one rank has, or wants, of a global array, and where their elements lie in its memory. The object belongs to
 * no communicator and has no data. An exchange or a problem that gets it reads it at once: it may be changed or freed as soon
 * as the call returns. All functions of this section are local, and one thread at a time may use an object.
 *
 * A box has no gaps, and lies behind all boxes that were added before it, unless the caller says where it lies:
 *
 *     subx_boxes_add           in C order
 *     subx_boxes_add_ordered   in another order of its axes
 *     subx_boxes_add_strided   anywhere
 *
 * An object may have boxes of all three kinds. Boxes may be empty; an empty box takes no memory. */
typedef struct subx_boxes_s *subx_boxes;
#define SUBX_BOXES_NULL ((subx_boxes)0)

/* Create an object without boxes. Local.
 *   ndims  [in]   number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes  [in]   ndims lengths of the global array, elements, >= 0
 *   boxes  [out]  the boxes; the caller owns them and frees them with subx_boxes_free
 * Errors: NDIMS, SIZE, TOO_LARGE (the array has more than 2^63-1 elements), NO_MEM, ARG. */
SUBX_EXPORT int subx_boxes_create(int ndims, const ptrdiff_t sizes[], subx_boxes *boxes);

/* Create the boxes that a filetype describes: a type of MPI_Type_create_darray (also a block-cyclic one), a subarray, a
 * vector, or any other type. Local. Time grows with the number of contiguous pieces of the type.
 *
 * The file has the whole array in C order. The local array has the elements of the type in the order of its typemap,
 * without gaps, as if the file were read with this type. Boxes of a block-cyclic array thus interleave in the local
 * array: they are those of subx_boxes_add_strided, in the order of their first element in the file.
 *   type          [in]   the datatype; it is taken once, and its displacements count from the first element of the array
 *   ndims, sizes  [in]   the array, as for subx_boxes_create
 *   elemtype      [in]   type of an element; without gaps
 *   boxes         [out]  the boxes; the caller owns them and frees them with subx_boxes_free
 * Errors: those of subx_boxes_create, SIZE (also if an element is not in the array), TYPE (the type is not made of whole
 * elements). */
SUBX_EXPORT int subx_boxes_create_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[],
                                       MPI_Datatype elemtype, subx_boxes *boxes);

/* Add a box in C order, behind all boxes that are there. Local. A failure leaves the boxes as they were.
 *   boxes  [in]  the boxes
 *   start  [in]  ndims global indices of the first element, in axis order
 *   len    [in]  ndims lengths, elements, >= 0
 * Errors: SIZE (the box leaves the array), TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_boxes_add(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[]);

/* Add a box in any order of its axes, behind all boxes that are there. Local.
 *   boxes       [in]  the boxes
 *   start, len  [in]  as for subx_boxes_add
 *   order       [in]  ndims axes, innermost first; NULL for C order
 * Errors: those of subx_boxes_add, ORDER. */
SUBX_EXPORT int subx_boxes_add_ordered(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[],
                                       const int order[]);

/* Add a box that lies anywhere. Local.
 *   boxes       [in]  the boxes
 *   start, len  [in]  as for subx_boxes_add
 *   offset      [in]  elements from the buffer's address to the first element of the box, >= 0
 *   stride      [in]  ndims strides in memory, in axis order, elements; > 0 where the length is more than 1, else >= 0
 * Errors: those of subx_boxes_add, SIZE (also for offset and stride). */
SUBX_EXPORT int subx_boxes_add_strided(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[],
                                       ptrdiff_t offset, const ptrdiff_t stride[]);

/* Get the array, and what there is of it. Local; any output may be NULL.
 *   boxes       [in]   the boxes
 *   ndims       [out]  number of axes
 *   sizes       [out]  ndims lengths of the global array; room for SUBX_NDIMS_MAX is always enough
 *   count       [out]  number of boxes
 *   is_strided  [out]  1 if a box was added by subx_boxes_add_strided, else 0
 *   elements    [out]  how many elements the memory must have: up to the end of the last one
 * Errors: ARG. */
SUBX_EXPORT int subx_boxes_get(subx_boxes boxes, int *ndims, ptrdiff_t sizes[], int *count, int *is_strided,
                               ptrdiff_t *elements);

/* Get a box. Local; any output may be NULL.
 *   boxes   [in]   the boxes
 *   i       [in]   which, from 0, in the order in which they were added
 *   start   [out]  ndims global indices of its first element
 *   len     [out]  ndims lengths, elements
 *   offset  [out]  where its first element lies, elements from the buffer's address
 *   stride  [out]  ndims strides in memory, in axis order, elements
 * Errors: ARG. */
SUBX_EXPORT int subx_boxes_get_box(subx_boxes boxes, int i, ptrdiff_t start[], ptrdiff_t len[],
                                   ptrdiff_t *offset, ptrdiff_t stride[]);

/* Free boxes. Local. *boxes becomes SUBX_BOXES_NULL.
 *   boxes  [in,out]  the boxes */
SUBX_EXPORT int subx_boxes_free(subx_boxes *boxes);

/* Check that no element of an array is in two boxes, whether of two ranks or of one. Collective on comm.
 *   comm        [in]  the ranks
 *   boxes       [in]  the boxes of this rank, perhaps none; all ranks give the same array
 *   must_cover  [in]  1 if every element must be in a box, else 0; the same on all ranks
 * Errors: COMM, OVERLAP, GAP, DIFFERS, NO_MEM, TOO_LARGE, ARG. After OVERLAP and GAP, MPI_Error_string names ranks and an
 * element, on all ranks: "boxes of ranks 2 and 5 overlap at (3,0,7)", "nobody holds (3,0,7)". */
SUBX_EXPORT int subx_boxes_check(MPI_Comm comm, subx_boxes boxes, int must_cover);

/* ----------------------------------------------------------------------------- redistribution */

/* Create the exchange between any two distributions of a global array: from the boxes that ranks hold to the boxes
 * that ranks want. Collective on comm.
 *
 * A rank may hold and want any number of boxes, also none. No element may be held twice, by two ranks or by one.
 * Several ranks may want the same element, but each only once. Every element that is wanted must be held. Every rank
 * learns all boxes.
 *
 * Hints: those of subx_exch_create, and subx_permute of subx_exch_create_realign
 *
 *   comm      [in]   the ranks
 *   send      [in]   the boxes that this rank holds, and where they lie in the send buffer
 *   recv      [in]   the boxes that it wants, and where they lie in the receive buffer, without overlapping there. The
 *                    arrays of send and recv have the same axes and lengths, on all ranks
 *   elemtype  [in]   type of an element; any datatype
 *   hints     [in]   see above; MPI_INFO_NULL for none
 *   ex        [out]  the exchange; the caller owns it and frees it with subx_exch_free
 * Errors: those of subx_exch_create, DIFFERS (also if send and recv are of different arrays), OVERLAP, GAP. The texts of
 * the last two are those of subx_boxes_check, "rank 4 wants (3,0,7) twice", or "nobody holds (3,0,7), which rank 4 wants". */
SUBX_EXPORT int subx_exch_create_boxes(MPI_Comm comm, subx_boxes send, subx_boxes recv, MPI_Datatype elemtype,
                                       MPI_Info hints, subx_exch *ex);

/* ---------------------------------------------------------------------------------------- halos */

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
 *   comm          [in]   the ranks
 *   ndims, sizes  [in]   the global array, as for subx_boxes_create; the same on all ranks
 *   start, len    [in]   ndims starts and lengths of this rank's box, elements; lengths may be 0
 *   below, above  [in]   ndims numbers of ghost cells, >= 0
 *   periodic      [in]   ndims flags, the same on all ranks; NULL for no periodic axis
 *   order         [in]   ndims axes, innermost first: how the local array is stored; NULL for C order
 *   elemtype      [in]   type of an element; any datatype
 *   hints         [in]   see above; MPI_INFO_NULL for none
 *   halo          [out]  the halo exchange; the caller owns it and frees it with subx_halo_free
 * Errors: those of subx_exch_create, and NDIMS, SIZE, ORDER, OVERLAP, GAP; the texts of the last two are those of
 * subx_boxes_check. */
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
