/* boxes.h - redistribution of a global array: which boxes each rank holds, which boxes it wants, and the
 * datatypes of the pieces that are sent.
 *
 *     subx_boxes: boxes of one rank (own.c; of an MPI datatype: datatype.c)
 *        |
 *        +--set.c--> sx_all_boxes: boxes of all ranks --check.c--> nothing is held twice, all is held
 *                                         |
 *                                         +--pieces.c--> pieces: where a held and a wanted box meet
 *                                                                |
 *                                                    create.c: one type per rank --> an exchange */
#ifndef SX_BOXES_H
#define SX_BOXES_H

#include "comm/comm.h"
#include <subx_boxes.h>

/* ---- boxes of one rank (own.c) */

struct subx_boxes_s {
    int ndims, n, room; /* n: number of boxes; room: number of boxes that there is memory for */
    int is_strided;     /* 1 if the caller has given the offset and the strides of at least one box
                           (subx_boxes_add_strided) */
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    ptrdiff_t
        *row; /* for each box: ndims starts, ndims lengths, ndims strides, the offset of its first element */
    ptrdiff_t end; /* length of the buffer, elements: the largest end of all boxes */
};

/* Get the row of box i. */
static inline ptrdiff_t *sx_boxes_get_row(const struct subx_boxes_s *own, int i)
{
    return own->row + (ptrdiff_t)i * (3 * own->ndims + 1);
}

/* Check that a box lies in the array. SUBX_ERR_ARG, SUBX_ERR_SIZE. */
int sx_boxes_check_box(subx_boxes own, const ptrdiff_t start[], const ptrdiff_t len[]);

/* Add a box, which may extend beyond the array. A failure leaves the boxes as they were. */
int sx_boxes_add(subx_boxes own, const ptrdiff_t start[], const ptrdiff_t len[], ptrdiff_t offset,
                 const ptrdiff_t stride[]);

/* ---- boxes of all ranks (set.c) */

/* An entry of the sorted list: the start of a box along axis 0, by which the list is sorted, and the number
 * of the box. */
typedef struct sx_sorted {
    ptrdiff_t start;
    int index;
} sx_sorted;

/* The boxes of all ranks, numbered in the order of the ranks. */
typedef struct sx_all_boxes {
    int ndims, p, r;
    subx_boxes own;    /* the boxes of this rank, which belong to the caller */
    int *first;        /* p + 1: rank q has the boxes first[q] .. first[q + 1] - 1 */
    ptrdiff_t *row;    /* for each box: ndims starts, ndims lengths, and the ndims axes in the order of
                          storage, innermost first */
    sx_sorted *sorted; /* all boxes, by their starts along axis 0 */
    ptrdiff_t longest; /* the largest length of a box along axis 0 */
} sx_all_boxes;

/* Get the boxes of all ranks. `own` has the boxes of this rank, and must exist as long as the result; `own`
 * may be NULL if rc is an error. rc is the outcome of this rank so far. `key` must be the same on all ranks;
 * NULL for none. Collective; the outcome is agreed on. The caller frees the result, also after an error. */
int sx_boxes_gather(const sx_comm *comm, int rc, const char *key, subx_boxes own, sx_all_boxes *boxes);
void sx_boxes_free(sx_all_boxes *boxes);

static inline const ptrdiff_t *sx_boxes_get_start(const sx_all_boxes *boxes, int i)
{
    return boxes->row + (ptrdiff_t)i * 3 * boxes->ndims;
}

static inline const ptrdiff_t *sx_boxes_get_len(const sx_all_boxes *boxes, int i)
{
    return sx_boxes_get_start(boxes, i) + boxes->ndims;
}

static inline const ptrdiff_t *sx_boxes_get_order(const sx_all_boxes *boxes, int i)
{
    return sx_boxes_get_len(boxes, i) + boxes->ndims;
}

/* Get the rank that has box i. */
int sx_boxes_get_rank(const sx_all_boxes *boxes, int i);

/* Find the boxes that may contain indices from `start` to `end` - 1 along axis 0: sorted[low] .. sorted[high
 * - 1]. */
void sx_boxes_find(const sx_all_boxes *boxes, ptrdiff_t start, ptrdiff_t end, int *low, int *high);

/* ---- checks (check.c) */

/* Check that no element is held twice. If `wanted` is not NULL, also check that no rank wants an element
 * twice, and that every wanted element is held. If `sizes` is not NULL, also check that every element of the
 * array is held. The text of the error is set on all ranks. Collective; the outcome is agreed on. */
int sx_boxes_check(const sx_comm *comm, const sx_all_boxes *held, const sx_all_boxes *wanted,
                   const ptrdiff_t sizes[]);

/* ---- the pieces that are sent (pieces.c, create.c) */

typedef struct sx_travel {
    const sx_all_boxes *side[2]; /* the held boxes, the wanted boxes */
    int permuting_side;          /* SX_FROM or SX_TO: the side that changes the order of elements. Messages
                                    have the order of the other side's boxes */
    int is_in_place;             /* 1 if both sides are one array. An element that this rank both holds and
                                    wants is then not moved, because it is already there; its images are
                                    moved */
    const ptrdiff_t *period;     /* for each axis: its period, elements; 0 if the axis is not periodic. NULL
                                    if no axis is. Along a periodic axis, a held box has images (copies), one
                                    period apart */
    MPI_Datatype elemtype;
    MPI_Aint extent; /* the extent of an element, bytes */
} sx_travel;

/* Create the types of one side, one for each rank. `types` has p null types; a type stays null if nothing is
 * exchanged with its rank on this side. The caller frees the types, also after an error. */
int sx_boxes_create_types(const sx_travel *travel, int side, MPI_Datatype types[]);

/* Create the exchange that moves all pieces. Collective; rc is the outcome of this rank so far, and a rank
 * that has failed must call this function, too. */
int sx_boxes_create_exch(MPI_Comm comm, int rc, sx_travel *travel, MPI_Info hints, subx_exch *ex);

#endif
