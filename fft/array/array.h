/* array.h - the array that a plan works on: its axes, the boxes of ranks between two stages, and distributions that
 * the caller names. */
#ifndef SX_ARRAY_H
#define SX_ARRAY_H

#include "problem/problem.h"
#include "serial/serial.h"
#include <subx_boxes.h>

/* ---- axes (axes.c) */

typedef struct sx_axis {
    int kind;
    ptrdiff_t n, points, modes; /* as in a problem */
    ptrdiff_t spectral;         /* entries on the spectral side: modes, or of the halved axis modes/2+1 */
} sx_axis;

/* The axes of a problem, and one more for its fields if it has several. A transform of one axis on several
 * ranks has two axes, into which its axis is factored (factor.c). */
typedef struct sx_array {
    int ndims;
    sx_axis axis[SUBX_NDIMS_MAX];
    int batch;    /* the axis of the fields, -1 if there is one field. It is never divided */
    int halved;   /* the R2C axis, -1 if there is none */
    int factored; /* 1 if axes 0 and 1 are the factors of the only axis */
    int precision;
    ptrdiff_t real_bytes;
    int is_padded; /* the halved axis of the physical side has room for that of the spectral side */

    /* By side, SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL: reals per element, and storage, innermost axis first. */
    int width[2], order[2][SUBX_NDIMS_MAX];

    /* The axes that grid dimensions divide: dimension k divides sequence[k], and after its exchange sequence[k+1].
     * First come those that are not transformed, and stay divided. The others follow in the reverse order of their
     * transforms. */
    int nsequence, nfixed, sequence[SUBX_NDIMS_MAX];

    /* By side and axis: the length of blocks, 0 if they are balanced. */
    ptrdiff_t block[2][SUBX_NDIMS_MAX];
} sx_array;

/* Set the axes of a problem. `sequence` is the order of transforms that the caller asks for, such as "2,0,1", or
 * "auto". Errors: HINT, FACTOR, UNAVAILABLE. */
int sx_array_set(sx_array *a, const subx_fft_problem problem, int nranks, const char *sequence);

/* Print the order in which forward transforms the axes, as sx_array_set reads it. */
void sx_array_print_sequence(const sx_array *a, sx_text *t);

/* Get how many elements there are on all ranks, on the spectral side. */
double sx_array_get_volume(const sx_array *a);

/* Get the integer frequencies of entries start .. start+n-1 of an axis; negative ones are behind the others, and
 * modes/2 of an even number of modes is positive. 0 for SUBX_FFT_NONE. SUBX_ERR_UNAVAILABLE for kinds whose
 * entries have no integer frequency: DCT and DST of types III and IV, HC2R (frequency.c). */
int sx_array_get_frequencies(int kind, ptrdiff_t modes, ptrdiff_t start, ptrdiff_t n, ptrdiff_t frequency[]);

/* Factor n into two lengths that are as close as can be, first <= second. 0 if n is prime or 1 (factor.c). */
int sx_array_factor(ptrdiff_t n, ptrdiff_t *first, ptrdiff_t *second);

/* ---- boxes (box.c): the array on all ranks between two stages */
typedef struct sx_box {
    int ndims, width;                /* width: reals per element */
    ptrdiff_t element;               /* bytes */
    ptrdiff_t n[SUBX_NDIMS_MAX];     /* global lengths */
    int dist[SUBX_NDIMS_MAX];        /* which grid dimension divides an axis, -1 for none */
    ptrdiff_t block[SUBX_NDIMS_MAX]; /* of an axis that is divided: the length of blocks, 0 if balanced */
    int order[SUBX_NDIMS_MAX];       /* of storage, innermost first */
    int padded;                      /* an axis that has room for twice n/2+1 elements, -1 for none */

    /* This rank's block. */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_box;

/* Make an axis the innermost one of those from `place` on in the order. The others keep their order. */
void sx_box_set_innermost(sx_box *b, int axis, int place);

/* Get the part of an axis of n that coordinate r of p has: of blocks of a given length, or of balanced ones if it
 * is 0. */
void sx_array_get_part(ptrdiff_t n, ptrdiff_t block, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* Get the part of an axis that coordinate r of the grid dimension with p ranks has. */
void sx_box_get_part(const sx_box *b, int axis, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* List the axes by their strides, the smallest first; of equal ones, the last axis first. */
void sx_array_get_order(int ndims, const ptrdiff_t stride[], int order[]);

/* Get the bytes from an array's address to the end of a box in it, whose first element is `offset` elements from
 * there. No length is 0. SUBX_ERR_TOO_LARGE. */
int sx_array_get_bytes(int ndims, ptrdiff_t offset, const ptrdiff_t len[], const ptrdiff_t stride[],
                       ptrdiff_t element, ptrdiff_t *bytes);

/* Compute the strides and bytes of an array without gaps, but for an axis that is padded. SUBX_ERR_TOO_LARGE. */
int sx_box_set_strides(sx_box *b);

/* Compute a rank's block, its strides and bytes from n, dist, block and order. SUBX_ERR_TOO_LARGE. */
int sx_box_set_local(sx_box *b, const int dims[], const int coords[]);

/* ---- edges (edge.c): a distribution that the caller names, or that no stage could have */

/* A box of some rank, in the axes of the array. */
typedef struct sx_edge_box {
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements; of this rank's boxes */
    ptrdiff_t offset;                 /* elements; of this rank's boxes */
} sx_edge_box;

typedef struct sx_edge {
    int nranks, rank;
    ptrdiff_t *first; /* [rank], and one more: where its boxes begin */
    sx_edge_box *box;
    ptrdiff_t bytes; /* of this rank's array */
    /* What callers are told of this rank's array, in the axes of the problem. */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
} sx_edge;

/* Create the edge of a side: of the boxes that the problem names, of bricks on a grid that divides every
 * axis (brick != NULL), or of the balanced blocks of a single axis. Collective on comm. Errors: OVERLAP, GAP,
 * SIZE, NO_MEM. */
int sx_edge_create(MPI_Comm comm, const sx_array *a, const subx_fft_problem problem, int side,
                   const int brick[], sx_edge **edge);
void sx_edge_free(sx_edge **edge);

/* ---- edges that a grid gives after all (reuse.c) */

/* Let the array begin with the boxes of an edge of the physical side, if they are what a grid of g dimensions
 * gives that leaves a transformed axis whole: set the sequence, blocks and order of the array. The sequence is one that
 * begins with the axes that the boxes divide, or, if it must be kept, that of the array. Returns 0 if the boxes are not
 * what such a grid gives. */
int sx_edge_reuse_physical(const sx_edge *e, int keeps_sequence, sx_array *a, int *g, int dims[]);

/* Let the array end with the boxes of an edge of the spectral side, if the grid gives them. Returns 0 if not. */
int sx_edge_reuse_spectral(const sx_edge *e, sx_array *a, int g, const int dims[]);

/* Get a rank's boxes, and their number. */
static inline const sx_edge_box *sx_edge_get(const sx_edge *e, int rank, ptrdiff_t *count)
{
    *count = e->first[rank + 1] - e->first[rank];
    return &e->box[e->first[rank]];
}

#endif
