/* array.h - the array that a plan transforms. sx_array: its axes, made from a problem. sx_box: how it is
 * divided and stored between two stages. sx_edge: a distribution at one end of the plan that no process grid
 * gives.
 *
 *     problem  2*c2c,-,r2c:9x4x8              the caller's request as a text; two fields
 *     array    axes 0 1 2, and 3: the fields  sequence 1 0 2: axis 1 stays divided, axis 2 is whole at first
 *     stages   pass 2, exchange 2 and 0, pass 0
 *
 *     (--> within a rank, ==> an exchange)
 *     an edge  boxes --copy--> pipe of all ranks --> pass ==> .. ==> pass --> pipe --copy--> boxes
 *     one axis N = N0 x N1: edge, pass 0 and twiddle factors, exchange, pass 1, edge (Bailey's six steps)
 *
 * If boxes equal the blocks of a grid, there is no edge (reuse.c). Plans on a device have no copies at edges:
 * there an exchange reads and writes the boxes (fft/offload/exchange.c). */
#ifndef SX_ARRAY_H
#define SX_ARRAY_H

#include "problem/problem.h"
#include "serial/serial.h"
#include <subx_boxes.h>

/* ---- axes (axes.c) */

typedef struct sx_axis {
    int kind;
    ptrdiff_t n, points, modes; /* size, points and modes of the axis, as in the problem */
    ptrdiff_t spectral;         /* entries on the spectral side: modes, or modes/2+1 for the halved axis */
} sx_axis;

/* The array has the axes of the problem, and one more axis if there are several fields. If the problem's
 * single axis is divided between ranks, the array has two axes instead: their lengths are factors of its
 * length (split_length.c). */
typedef struct sx_array {
    int ndims;
    sx_axis axis[SUBX_NDIMS_MAX];
    int fields;   /* the axis of the fields, which is never divided; -1 if there is one field */
    int halved;   /* the axis of R2C, whose spectral side is halved; -1 if there is none */
    int factored; /* 1 if axes 0 and 1 are the factors of the only axis */
    int precision;
    ptrdiff_t real_bytes;
    int is_padded; /* 1 if physical lines of the halved axis have room for the spectral entries */

    /* For each side, SUBX_FFT_PHYSICAL and SUBX_FFT_SPECTRAL: reals per element; storage order, innermost
     * axis first. */
    int width[2], order[2][SUBX_NDIMS_MAX];

    /* The order in which the grid divides the axes: grid dimension k divides axis sequence[k] before the
     * exchange of this dimension, and axis sequence[k+1] after it. First come nfixed axes that are not
     * transformed: a grid dimension that divides one of them needs no exchange. Then come the transformed
     * axes, in the reverse order of their transforms. Last come whole axes that are not transformed, if the
     * caller's boxes give the grid (reuse.c). A factored axis is an exception: the only grid dimension
     * divides sequence[1] first, then sequence[0], and sequence[0] is transformed first. */
    int nsequence, nfixed, sequence[SUBX_NDIMS_MAX];

    /* For each side and axis: the length of blocks; 0 if they are balanced (subx_block_get). */
    ptrdiff_t block[2][SUBX_NDIMS_MAX];
} sx_array;

/* Set the array of a problem. `sequence` is the caller's hint: the order of forward transforms, such as
 * "2,0,1", or "auto". Errors: HINT, FACTOR, UNAVAILABLE. */
int sx_array_set(sx_array *a, const subx_fft_problem problem, int nranks, const char *sequence);

/* Print the order of forward transforms, in the form that sx_array_set reads. */
void sx_array_print_sequence(const sx_array *a, sx_text *t);

/* Get the number of elements on the spectral side, of all ranks together. */
double sx_array_get_volume(const sx_array *a);

/* Get the integer frequencies of entries start .. start+n-1 of an axis. The negative frequencies come last.
 * If the number of modes is even, the frequency of entry modes/2 is positive. All frequencies of
 * SUBX_FFT_NONE are 0. (frequency.c) Error: UNAVAILABLE for kinds whose entries have no integer frequency:
 * DCT and DST of types III and IV, HC2R. */
int sx_array_get_frequencies(int kind, ptrdiff_t modes, ptrdiff_t start, ptrdiff_t n, ptrdiff_t frequency[]);

/* Factor n into two lengths, first <= second, that are as close as possible. Returns 1; 0 if n is prime or
 * 1. */
int sx_array_factor(ptrdiff_t n, ptrdiff_t *first, ptrdiff_t *second);

/* ---- boxes (box.c): how the array is divided and stored between two stages */
typedef struct sx_box {
    int ndims, width;                /* width: reals per element */
    ptrdiff_t element;               /* bytes */
    ptrdiff_t n[SUBX_NDIMS_MAX];     /* global lengths */
    int dist[SUBX_NDIMS_MAX];        /* for each axis: the grid dimension that divides it, -1 for none */
    ptrdiff_t block[SUBX_NDIMS_MAX]; /* for each divided axis: the length of blocks; 0 if they are balanced */
    int order[SUBX_NDIMS_MAX];       /* storage order, innermost axis first */
    int padded;                      /* the axis whose lines have room for 2 (n/2+1) elements; -1 for none */

    /* This rank's block. */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_box;

/* Move an axis inwards in the storage order, to entry `place` of b->order. The other axes keep their
 * order. */
void sx_box_set_innermost(sx_box *b, int axis, int place);

/* An axis of length n is divided among p ranks: get the part of rank r. The parts have length `block`, or are
 * balanced if `block` is 0. */
void sx_array_get_part(ptrdiff_t n, ptrdiff_t block, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* Get a rank's part of a box along one axis. The grid dimension that divides the axis has p ranks; the rank
 * has coordinate r in this dimension. */
void sx_box_get_part(const sx_box *b, int axis, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* Get the number of bytes from the beginning of an array to the end of a box in it. The box begins at
 * element `offset` of the array. All lengths are at least 1. SUBX_ERR_TOO_LARGE. */
int sx_array_get_bytes(int ndims, ptrdiff_t offset, const ptrdiff_t len[], const ptrdiff_t stride[],
                       ptrdiff_t element, ptrdiff_t *bytes);

/* Compute the strides and bytes of a block that has no gaps, except for padding. SUBX_ERR_TOO_LARGE. */
int sx_box_set_strides(sx_box *b);

/* Compute a rank's block, its strides and its bytes from n, dist, block and order. SUBX_ERR_TOO_LARGE. */
int sx_box_set_local(sx_box *b, const int dims[], const int coords[]);

/* ---- edges (edge.c). An edge is a distribution at one end of a plan that no grid of the plan gives: the
 * boxes of the caller, or bricks, which divide every axis, or blocks of a factored axis */

/* One box of one rank, along the axes of the array. */
typedef struct sx_edge_box {
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements, in the array of the rank that has the box */
    ptrdiff_t offset;                 /* elements, in the array of the rank that has the box */
} sx_edge_box;

typedef struct sx_edge {
    int nranks, rank;
    ptrdiff_t *first; /* [rank]: index of the first box of this rank; [nranks]: the number of all boxes */
    sx_edge_box *box;
    ptrdiff_t bytes; /* bytes of this rank's array */
    /* For the caller's queries: this rank's first box along the axes of the problem; its storage order,
     * innermost axis first. */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
} sx_edge;

/* Create the edge of a side. Its boxes are the caller's boxes, if the problem has some; else bricks, if
 * `brick` is not NULL (then brick[i] ranks divide axis i); else blocks of the factored axis. Collective on
 * comm. Errors: OVERLAP, GAP, SIZE, TOO_LARGE, NO_MEM. */
int sx_edge_create(MPI_Comm comm, const sx_array *a, const subx_fft_problem problem, int side,
                   const int brick[], sx_edge **edge);
void sx_edge_free(sx_edge **edge);

/* ---- edges whose boxes are the blocks of a process grid, and which therefore need no exchange (reuse.c) */

/* Find a process grid whose blocks are the boxes of an edge on the physical side. A grid that divides a
 * transformed axis must leave another transformed axis whole. If there is such a grid, set *g, dims, and the
 * sequence, blocks and order of the array, and return 1; else return 0. The new sequence begins with the axes
 * that the boxes divide. If keeps_sequence is 1, the first *g axes of the sequence and the order of the
 * transforms must stay as they are. */
int sx_edge_reuse_physical(const sx_edge *e, int keeps_sequence, sx_array *a, int *g, int dims[]);

/* Query whether the grid's blocks on the spectral side are the boxes of the edge. If they are, set the blocks
 * and the order of the array's spectral side. */
int sx_edge_reuse_spectral(const sx_edge *e, sx_array *a, int g, const int dims[]);

/* Get a rank's boxes, and their number. */
static inline const sx_edge_box *sx_edge_get(const sx_edge *e, int rank, ptrdiff_t *count)
{
    *count = e->first[rank + 1] - e->first[rank];
    return &e->box[e->first[rank]];
}

#endif
