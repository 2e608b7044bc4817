/* boxes.h - redistribution: which rank holds which boxes of a global array, which rank wants which, and the types of
 * what therefore travels.
 *
 *     subx_boxes: boxes of one rank (own.c; of a filetype: filetype.c)
 *        |
 *        +--set.c--> sx_all_boxes: boxes of all ranks --check.c--> nothing is held twice, everything wanted is held
 *                                         |
 *                                         +--pieces.c--> a piece for each held box that meets a wanted one
 *                                                                |
 *                                                    create.c: one type per peer --> an exchange */
#ifndef SX_BOXES_H
#define SX_BOXES_H

#include "comm/comm.h"
#include <subx_boxes.h>

/* ---- boxes of one rank (own.c) */

struct subx_boxes_s {
    int ndims, n, room; /* there is memory for `room` boxes */
    int is_strided;     /* 1 if the caller has placed a box */
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    ptrdiff_t
        *row; /* of each box: ndims starts, ndims lengths, ndims strides, the offset of its first element */
    ptrdiff_t end; /* of this rank's memory, elements */
};

/* Get the row of box i. */
static inline ptrdiff_t *sx_boxes_get_row(const struct subx_boxes_s *own, int i)
{
    return own->row + (ptrdiff_t)i * (3 * own->ndims + 1);
}

/* Check that a box lies in the array. SUBX_ERR_ARG, SUBX_ERR_SIZE. */
int sx_boxes_check_box(subx_boxes own, const ptrdiff_t start[], const ptrdiff_t len[]);

/* Add a box that may also leave the array. A failure leaves the boxes as they were. */
int sx_boxes_add(subx_boxes own, const ptrdiff_t start[], const ptrdiff_t len[], ptrdiff_t offset,
                 const ptrdiff_t stride[]);

/* ---- boxes of all ranks (set.c) */

/* A box by its start along axis 0. */
typedef struct sx_sorted {
    ptrdiff_t start;
    int index;
} sx_sorted;

/* The boxes of all ranks, numbered in the order of the ranks. */
typedef struct sx_all_boxes {
    int ndims, p, r;
    subx_boxes own;    /* this rank's, which belong to the caller */
    int *first;        /* p + 1: rank q has the boxes first[q] .. first[q + 1] - 1 */
    ptrdiff_t *row;    /* of each box: ndims starts, ndims lengths, ndims axes from the innermost one on */
    sx_sorted *sorted; /* all boxes */
    ptrdiff_t longest; /* of all, along axis 0 */
} sx_all_boxes;

/* Tell all ranks of this rank's boxes. Collective; the outcome is agreed on. rc is the outcome of this rank so
 * far; `own` may be NULL if it is an error. `key` must be the same on all ranks. The caller frees the set, also after
 * an error. */
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

/* Find the boxes that may contain indices from `start` to `end` - 1 along axis 0: a range of `sorted`. */
void sx_boxes_find(const sx_all_boxes *boxes, ptrdiff_t start, ptrdiff_t end, int *low, int *high);

/* ---- are boxes right? (check.c) */

/* Check that no element is held twice, that no rank wants an element twice, and that every wanted element is held;
 * `wanted` may be NULL. If `sizes` is not NULL, every element of the array must be held. The text of the error is
 * set on all ranks. Collective; the outcome is agreed on. */
int sx_boxes_check(const sx_comm *comm, const sx_all_boxes *held, const sx_all_boxes *wanted,
                   const ptrdiff_t sizes[]);

/* ---- what travels (pieces.c, create.c) */

typedef struct sx_travel {
    const sx_all_boxes *side[2]; /* the held ones, the wanted ones */
    int permuting_side;          /* the data travels in the order of the other side's boxes */
    int is_in_place;             /* held elements that this rank wants at their own place do not travel */
    const ptrdiff_t *period; /* of each axis: a held box has images at these distances; 0 or NULL for none */
    MPI_Datatype elemtype;
    MPI_Aint extent; /* of an element */
} sx_travel;

/* Create the types of one side, one per peer; MPI_DATATYPE_NULL for nothing. Also after an error the caller frees
 * them. */
int sx_boxes_create_types(const sx_travel *travel, int side, MPI_Datatype types[]);

/* Create the exchange of what travels. Collective: also after a failure on this rank, which rc tells. */
int sx_boxes_create_exch(MPI_Comm comm, int rc, sx_travel *travel, MPI_Info hints, subx_exch *ex);

#endif
