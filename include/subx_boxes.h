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

/* A list of boxes of a global array that one rank has, or wants, and the places of their elements in the
 * rank's memory. This object belongs to no communicator, and holds no elements. Functions that create an
 * exchange or set the boxes of a problem copy the object, so the caller may change or free it afterwards. All
 * functions of this section except subx_boxes_check are local. Only one thread at a time may use an object.
 *
 * There are three ways to add a box, and an object may have boxes of all three kinds. Boxes may be empty; an
 * empty box takes no memory. */
typedef struct subx_boxes_s *subx_boxes;
#define SUBX_BOXES_NULL ((subx_boxes)0)

/* Create an empty list of boxes. Local.
 *   ndims  [in]   number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes  [in]   ndims lengths of the global array, elements, >= 0
 * Errors: NDIMS, SIZE, TOO_LARGE (the array has more than 2^63-1 elements), NO_MEM, ARG. */
SUBX_EXPORT int subx_boxes_create(int ndims, const ptrdiff_t sizes[], subx_boxes *boxes);

/* Create the boxes that a filetype describes: a type of MPI_Type_create_darray (also a block-cyclic one), a
 * subarray, a vector, or any other type. Local. Time grows with the number of contiguous pieces of the type.
 *
 * The file has the whole array in C order. The local array has the elements of the type in the order of the
 * typemap, without gaps, as if the file were read with this type. So the boxes of a block-cyclic array
 * interleave in the local array. The function adds them with strides (subx_boxes_add_strided), in the order
 * of their first elements in the file.
 *   type          [in]   the datatype, used with count 1; its displacements count from the array's first
 *                        element
 *   ndims, sizes  [in]   the array, as for subx_boxes_create
 *   elemtype      [in]   type of an element; without gaps
 * Errors: those of subx_boxes_create, SIZE (also if an element is not in the array), TYPE (the type is not
 * made of whole elements). */
SUBX_EXPORT int subx_boxes_create_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[],
                                       MPI_Datatype elemtype, subx_boxes *boxes);

/* Add a box without gaps in C order, behind all boxes that were added before. Local. A failure leaves the
 * boxes as they were.
 *   start  [in]  ndims global indices of the first element, in axis order
 *   len    [in]  ndims lengths, elements, >= 0
 * Errors: SIZE (the box leaves the array), TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_boxes_add(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[]);

/* Add a box without gaps in any order of its axes, behind all boxes that were added before. Local.
 *   start, len  [in]  as for subx_boxes_add
 *   order       [in]  ndims axes, innermost first; NULL for C order
 * Errors: those of subx_boxes_add, ORDER. */
SUBX_EXPORT int subx_boxes_add_ordered(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[],
                                       const int order[]);

/* Add a box at any place in memory, with any strides. Local.
 *   start, len  [in]  as for subx_boxes_add
 *   offset      [in]  elements from the buffer's address to the first element of the box, >= 0
 *   stride      [in]  ndims strides in memory, in axis order, elements, each >= 0. If the box is not empty,
 *                     strides of axes with a length above 1 must be > 0
 * Errors: those of subx_boxes_add, SIZE (also for offset and stride). */
SUBX_EXPORT int subx_boxes_add_strided(subx_boxes boxes, const ptrdiff_t start[], const ptrdiff_t len[],
                                       ptrdiff_t offset, const ptrdiff_t stride[]);

/* Get the lengths of the global array, the number of boxes, and how much memory the boxes take. Local;
 * any output may be NULL.
 *   ndims       [out]  number of axes
 *   sizes       [out]  ndims lengths of the global array; room for SUBX_NDIMS_MAX is always enough
 *   count       [out]  number of boxes
 *   is_strided  [out]  1 if a box was added by subx_boxes_add_strided, else 0
 *   elements    [out]  length of the memory that the boxes need, elements: up to the end of the last element
 * Errors: ARG. */
SUBX_EXPORT int subx_boxes_get(subx_boxes boxes, int *ndims, ptrdiff_t sizes[], int *count, int *is_strided,
                               ptrdiff_t *elements);

/* Get a box. Local; any output may be NULL.
 *   i       [in]   which box, from 0, in the order in which boxes were added
 *   start   [out]  ndims global indices of the box's first element
 *   len     [out]  ndims lengths, elements
 *   offset  [out]  elements from the buffer's address to the box's first element
 *   stride  [out]  ndims strides in memory, in axis order, elements
 * Errors: ARG. */
SUBX_EXPORT int subx_boxes_get_box(subx_boxes boxes, int i, ptrdiff_t start[], ptrdiff_t len[],
                                   ptrdiff_t *offset, ptrdiff_t stride[]);

/* Free boxes. Local. Errors: none. */
SUBX_EXPORT int subx_boxes_free(subx_boxes *boxes);

/* Check that no element of an array is in two boxes of one rank, or in boxes of two ranks. Collective on
 * comm.
 *   boxes       [in]  the boxes of this rank; their number may be 0. All ranks give boxes of the same array
 *   must_cover  [in]  1 if every element must be in a box, else 0; the same on all ranks
 * Errors: COMM, OVERLAP, GAP, DIFFERS, NO_MEM, TOO_LARGE, ARG. After OVERLAP and GAP, MPI_Error_string names
 * ranks and an element, on all ranks: "boxes of ranks 2 and 5 overlap at (3,0,7)", "nobody holds (3,0,7)". */
SUBX_EXPORT int subx_boxes_check(MPI_Comm comm, subx_boxes boxes, int must_cover);

/* ----------------------------------------------------------------------------- redistribution */

/* Create the exchange between any two distributions of a global array: from the boxes that ranks hold to the
 * boxes that ranks want. Collective on comm.
 *
 * A rank may hold and want any number of boxes, also 0. Two ranks must not hold the same element, and a rank
 * must not hold an element twice. Several ranks may want the same element, but each rank only once. If a rank
 * wants an element, some rank must hold this element. During creation every rank learns the boxes of all
 * ranks.
 *
 * Hints: those of subx_exch_create, and the word permute of subx_exch_create_realign
 *
 *   send      [in]   the boxes that this rank holds, and where they lie in the send buffer
 *   recv      [in]   the boxes that this rank wants, and where they lie in the receive buffer; they must not
 *                    overlap there. send and recv are boxes of one array, with the same lengths on all ranks
 *   elemtype  [in]   type of an element; any datatype
 * Errors: those of subx_exch_create, DIFFERS (also if send and recv are of different arrays), OVERLAP, GAP.
 * The text of OVERLAP is as for subx_boxes_check, or "rank 4 wants (3,0,7) twice". The text of GAP is "nobody
 * holds (3,0,7), which rank 4 wants". */
SUBX_EXPORT int subx_exch_create_boxes(MPI_Comm comm, subx_boxes send, subx_boxes recv, MPI_Datatype elemtype,
                                       MPI_Info hints, subx_exch *ex);

/* ---------------------------------------------------------------------------------------- halos */

/* A halo exchange: fills the ghost cells around each rank's box of a global array. It can be executed many
 * times. */
typedef struct subx_halo_s *subx_halo;
#define SUBX_HALO_NULL ((subx_halo)0)

/* Create a halo exchange. Collective on comm.
 *
 * Every rank owns one box of the global array. The boxes do not overlap, and together they cover the array.
 * The local array of a rank has its box and the ghost cells around the box: along axis i, below[i] cells
 * before the box and above[i] cells behind it. An execution fills all ghost cells, also at corners, with the
 * elements of their owners. Along a periodic axis the array is repeated without end. Ghost cells beyond the
 * ends of an axis that is not periodic are left unchanged. below[i] and above[i] may be larger than the boxes
 * of other ranks, and even than the array. below, above and order may differ between ranks.
 *
 * Hints: those of subx_exch_create. If the array is memory of subx_mem_alloc, a local partner that needs one
 * piece of this rank's box reads the piece directly. For a partner that needs several pieces (periodic
 * images), this rank packs them
 *
 *   ndims, sizes  [in]   the global array, as for subx_boxes_create; the same on all ranks
 *   start, len    [in]   ndims starts and lengths of this rank's box, elements; lengths may be 0
 *   below, above  [in]   ndims numbers of ghost cells, >= 0
 *   periodic      [in]   ndims flags, the same on all ranks; NULL for no periodic axis
 *   order         [in]   ndims axes, innermost first: how the local array is stored; NULL for C order
 *   elemtype      [in]   type of an element; any datatype
 * Errors: those of subx_exch_create, and NDIMS, SIZE, ORDER, OVERLAP, GAP (the last two with the texts of
 * subx_boxes_check). */
SUBX_EXPORT int subx_halo_create(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], const ptrdiff_t start[],
                                 const ptrdiff_t len[], const ptrdiff_t below[], const ptrdiff_t above[],
                                 const int periodic[], const int order[], MPI_Datatype elemtype,
                                 MPI_Info hints, subx_halo *halo);

/* Execute a halo exchange: start and wait in one call. Collective. Allocates no memory.
 *   halo   [in]      the halo exchange, not in flight
 *   array  [in,out]  the local array, len[i] + below[i] + above[i] elements along axis i; any array of this
 *                    shape
 * Either all ranks call execute, or all ranks call start and wait.
 * Errors: ARG, ACTIVE, PEER, and MPI's
 * own. */
SUBX_EXPORT int subx_halo_execute(subx_halo halo, void *array);

/* Start a halo exchange. Collective; the rules of subx_exch_start for several exchanges in flight apply.
 * Until subx_halo_wait returns, the cells that this rank owns may be read but not written, and ghost cells
 * must be neither read nor written.
 *   halo   [in]      the halo exchange, not in flight
 *   array  [in,out]  as for subx_halo_execute
 * Errors: ARG (the halo exchange is null), ACTIVE; subx_halo_wait returns all other errors. */
SUBX_EXPORT int subx_halo_start(subx_halo halo, void *array);

/* Test whether a started halo exchange is complete, as subx_exch_test does. Local.
 *   flag  [out]  1 if only the call of subx_halo_wait is left; else 0
 * Errors: ARG, ACTIVE. */
SUBX_EXPORT int subx_halo_test(subx_halo halo, int *flag);

/* Wait for a started halo exchange to complete. Collective.
 * Errors: ARG, ACTIVE, PEER, and MPI's own. */
SUBX_EXPORT int subx_halo_wait(subx_halo halo);

/* Free a halo exchange. Collective. Errors: ACTIVE (it is in flight). */
SUBX_EXPORT int subx_halo_free(subx_halo *halo);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_BOXES_H */
