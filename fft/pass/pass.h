/* tile.h - a pass: serial transforms of a local array along some axes, tile by tile. A tile is gathered
 * from wherever its regions lie, transformed while it is in the caches, and scattered to wherever they
 * belong, so that the pass reads and writes memory once. No MPI in here. */
#ifndef SX_PASS_H
#define SX_PASS_H

#include "serial/serial.h"
#include <subx_lowlevel.h>

/* A box of the local array that lies in memory of its own: a block from or for a peer, or the whole array. */
typedef struct sx_region {
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX]; /* in the local array */
    ptrdiff_t stride[SUBX_NDIMS_MAX];                     /* elements */
    int place;                                            /* which of the addresses that execution is given */
    ptrdiff_t offset;                                     /* bytes from there to the region's first element */
} sx_region;

/* One side of a pass: the local array as it is before, or after. */
typedef struct sx_pass_side {
    int width; /* doubles an element */
    ptrdiff_t len[SUBX_NDIMS_MAX];
    int nregions;
    sx_region *region; /* the caller's; they cover the array and do not overlap */
} sx_pass_side;

/* What a pass is to do. The transformed axes are whole on this rank. A real transform's halved axis is the
 * last of them. */
typedef struct sx_pass_problem {
    int kind, direction, ndims;
    sx_pass_side side[2];
    int naxes, axes[SUBX_NDIMS_MAX]; /* ascending */
    ptrdiff_t width;                 /* pencils side by side in a tile, at most */
    int interleaved;                 /* whether these alternate in the caches, or follow each other */
    int is_small;                    /* both arrays stay in the caches from one pass to the next */
    int is_in_place;                 /* both arrays always are the same one */
    int threads, effort;
    double factor; /* what all results are multiplied by */
    const sx_serial *serial;
} sx_pass_problem;

typedef struct sx_pass_s *sx_pass;

/* Create a pass. Copies of the regions are made. Local. */
int sx_pass_create(const sx_pass_problem *p, sx_pass *pass);
void sx_pass_free(sx_pass *pass);

/* Get the bytes of the tile buffers of all threads. */
ptrdiff_t sx_pass_get_bytes(sx_pass pass);

/* The regions of a pass that are executed together: those with lo <= index < hi along one axis that is not
 * transformed, where some boundary between regions is at lo and hi; axis -1 for all. */
typedef struct sx_range {
    int axis;
    ptrdiff_t lo, hi;
} sx_range;

/* What the first thread does now and then between tiles; NULL for nothing. */
typedef struct sx_pause {
    void (*call)(void *context);
    void *context;
    int times; /* in one execution */
} sx_pause;

/* Execute a pass, or a range of it. Allocates nothing, and calls MPI only by way of `pause`.
 *   from, to  addresses of places, one array each */
void sx_pass_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                     const sx_pause *pause);

/* ---- threads (threads.c): call body(context, i) for i = 0 .. threads-1, each in a thread of its own if
 * there is OpenMP; i = 0 in the caller's. */
int sx_pass_get_threads(int wanted); /* as many as there can be */
void sx_pass_fork(int threads, void (*body)(void *context, int i), void *context);

#endif
