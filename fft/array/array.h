/* array.h - the array that a plan works on: its axes, the boxes of ranks between two stages, and the distributions that
 * the caller asks for. */
#ifndef SX_ARRAY_H
#define SX_ARRAY_H

#include "problem/problem.h"
#include "serial/serial.h"
#include <subx_boxes.h>

/* ---- axes (axes.c) */

typedef struct sx_axis {
    int kind;
    ptrdiff_t n, points, modes; /* as in a problem */
    ptrdiff_t spectral;         /* entries on the spectral side: modes, or modes/2+1 for the halved axis */
} sx_axis;

/* The axes of a problem, and one more axis if the problem has several fields. If a problem's single axis is divided
 * between ranks, the array has two axes instead, into which this axis is factored (factor.c). */
typedef struct sx_array {
    int ndims;
    sx_axis axis[SUBX_NDIMS_MAX];
    int batch;    /* the axis of the fields, which is never divided; -1 if there is one field */
    int halved;   /* the axis of R2C, whose spectral side is halved; -1 if there is none */
    int factored; /* 1 if axes 0 and 1 are the factors of the only axis */
    int precision;
    ptrdiff_t real_bytes;
    int is_padded; /* on the physical side, the halved axis has room for its spectral entries */

    /* For each side, SUBX_FFT_PHYSICAL and SUBX_FFT_SPECTRAL: reals per element; storage order, innermost axis
     * first. */
    int width[2], order[2][SUBX_NDIMS_MAX];

    /* The axes that grid dimensions divide: dimension k divides sequence[k] before its exchange, and sequence[k+1]
     * after it. The first nfixed axes are not transformed: a grid dimension that divides one of them needs no exchange.
     * The transformed axes follow in the reverse order of their transforms. If the grid is the grid of the caller's
     * boxes (reuse.c), whole axes that are not transformed come last. A factored axis is the exception: there the only
     * grid dimension divides sequence[1] first, then sequence[0], and sequence[0] is transformed first. */
    int nsequence, nfixed, sequence[SUBX_NDIMS_MAX];

    /* For each side and axis: the length of blocks, 0 if they are balanced. */
    ptrdiff_t block[2][SUBX_NDIMS_MAX];
} sx_array;

/* Set the axes of a problem. `sequence` is the order of transforms that the caller asks for, such as "2,0,1", or
 * "auto". Errors: HINT, FACTOR, UNAVAILABLE. */
int sx_array_set(sx_array *a, const subx_fft_problem problem, int nranks, const char *sequence);

/* Print the order in which forward transforms the axes, as sx_array_set reads it. */
void sx_array_print_sequence(const sx_array *a, sx_text *t);

/* Get the number of elements of all ranks together, on the spectral side. */
double sx_array_get_volume(const sx_array *a);

/* Get the integer frequencies of entries start .. start+n-1 of an axis. Negative frequencies come after the others. If
 * the number of modes is even, the frequency of entry modes/2 is positive. 0 for SUBX_FFT_NONE. SUBX_ERR_UNAVAILABLE
 * for kinds whose entries have no integer frequency: DCT and DST of types III and IV, HC2R (frequency.c). */
int sx_array_get_frequencies(int kind, ptrdiff_t modes, ptrdiff_t start, ptrdiff_t n, ptrdiff_t frequency[]);

/* Factor n into two lengths, first <= second, that are as close as possible. Returns 1; 0 if n is prime or 1
 * (factor.c). */
int sx_array_factor(ptrdiff_t n, ptrdiff_t *first, ptrdiff_t *second);

/* ---- boxes (box.c): the array on all ranks between two stages */
typedef struct sx_box {
    int ndims, width;                /* width: reals per element */
    ptrdiff_t element;               /* bytes */
    ptrdiff_t n[SUBX_NDIMS_MAX];     /* global lengths */
    int dist[SUBX_NDIMS_MAX];        /* for each axis: the grid dimension that divides it, -1 for none */
    ptrdiff_t block[SUBX_NDIMS_MAX]; /* for each divided axis: the length of blocks, 0 if balanced */
    int order[SUBX_NDIMS_MAX];       /* of storage, innermost axis first */
    int padded;                      /* the padded axis, with room for 2 (n/2+1) elements; -1 for none */

    /* This rank's block. */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_box;

/* Move an axis forward in the storage order, to `place`. The other axes keep their order. */
void sx_box_set_innermost(sx_box *b, int axis, int place);

/* Get the part of an axis of length n at coordinate r of p: in blocks of length `block`, or balanced if `block` is
 * 0. */
void sx_array_get_part(ptrdiff_t n, ptrdiff_t block, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* Get the part of an axis at coordinate r of the grid dimension that divides it, which has p ranks. */
void sx_box_get_part(const sx_box *b, int axis, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* List the axes by their strides, the smallest first. Of axes with equal strides the last one comes first. */
void sx_array_get_order(int ndims, const ptrdiff_t stride[], int order[]);

/* Get the bytes from the address of an array to the end of a box in it. The box's first element is `offset` elements
 * after this address. All lengths are at least 1. SUBX_ERR_TOO_LARGE. */
int sx_array_get_bytes(int ndims, ptrdiff_t offset, const ptrdiff_t len[], const ptrdiff_t stride[],
                       ptrdiff_t element, ptrdiff_t *bytes);

/* Compute the strides and the bytes of an array without gaps, except the padding of an axis. SUBX_ERR_TOO_LARGE. */
int sx_box_set_strides(sx_box *b);

/* Compute a rank's block, its strides and its bytes from n, dist, block and order. SUBX_ERR_TOO_LARGE. */
int sx_box_set_local(sx_box *b, const int dims[], const int coords[]);

/* ---- edges (edge.c): an edge is the distribution on one side of a plan if no grid of the plan gives it: the caller's
 * boxes, bricks, or blocks of a factored axis */

/* A box of a rank, in the axes of the array. */
typedef struct sx_edge_box {
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements, in the memory of the box's rank */
    ptrdiff_t offset;                 /* elements, in the memory of the box's rank */
} sx_edge_box;

typedef struct sx_edge {
    int nranks, rank;
    ptrdiff_t *first; /* nranks + 1 entries: the index of each rank's first box, then the number of boxes */
    sx_edge_box *box;
    ptrdiff_t bytes; /* bytes of this rank's array */
    /* This rank's first box along the axes of the problem, and its storage order, innermost axis first: for callers'
     * queries. */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
} sx_edge;

/* Create the edge of a side: the boxes of the problem; or bricks on a grid that divides every axis (brick != NULL); or
 * the blocks of a factored axis. Collective on comm. Errors: OVERLAP, GAP, SIZE, TOO_LARGE, NO_MEM. */
int sx_edge_create(MPI_Comm comm, const sx_array *a, const subx_fft_problem problem, int side,
                   const int brick[], sx_edge **edge);
void sx_edge_free(sx_edge **edge);

/* ---- edges that turn out to be boxes of a grid, and then need no exchange (reuse.c) */

/* Find a grid whose boxes are the boxes of an edge on the physical side; if it divides a transformed axis, it must leave
 * another one whole. If there is such a grid, set *g and dims, and the sequence, blocks and order of the array, and
 * return 1; else return 0. The new sequence begins with the axes that the boxes divide. If keeps_sequence, a grid is
 * accepted only if the axes that it divides, and the order of the transforms, stay as they are. */
int sx_edge_reuse_physical(const sx_edge *e, int keeps_sequence, sx_array *a, int *g, int dims[]);

/* If the grid's boxes on the spectral side are the boxes of an edge, set the blocks and the order of the array's
 * spectral side accordingly, and return 1; else return 0. */
int sx_edge_reuse_spectral(const sx_edge *e, sx_array *a, int g, const int dims[]);

/* Get a rank's boxes, and their number. */
static inline const sx_edge_box *sx_edge_get(const sx_edge *e, int rank, ptrdiff_t *count)
{
    *count = e->first[rank + 1] - e->first[rank];
    return &e->box[e->first[rank]];
}

#endif
