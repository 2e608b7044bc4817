/* pass.h - a pass: serial transforms of a local array along some axes, tile by tile. No MPI in here.
 *
 * The array lies in regions: boxes with memory of their own. A tile is a group of adjacent pencils. It is
 * gathered from all regions that it meets into a buffer, transformed there while it is in the caches, and
 * scattered to all regions that it meets on the other side. The pass thus reads memory once and writes it
 * once. Here it transforms axis 0 (downwards); the array is read from two regions that divide axis 0, and is
 * written to three regions that divide axis 1:
 *
 *             side SX_FROM                 buffer                    side SX_TO
 *
 *           axis 1 ->                                        region 0  region 1  region 2
 *          +-------+---+---------+         +---+            +---------+---------+---------+
 *   region |       |###|         |         |###|            |         | |###|   |         |
 *      0   |       |###|         | gather  |###|  scatter   |         | |###|   |         |
 *          +-------+---+---------+ ======> |###| =========> |         | |###|   |         |
 *   region |       |###|         |         |###|            |         | |###|   |         |
 *      1   |       |###|         |         |###|            |         | |###|   |         |
 *          +-------+---+---------+         +---+            +---------+---------+---------+
 *          the tile meets 2 regions      transform           the tile meets 1 region
 *
 * The tile is 3 pencils wide along axis 1, its batch axis. Along any further axis a tile has one index. */
#ifndef SX_PASS_H
#define SX_PASS_H

#include "serial/serial.h"
#include <subx_lowlevel.h>

/* A box of the local array that lies in memory of its own: a block for or from a partner, or the whole
 * array. */
typedef struct sx_region {
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX]; /* in the local array */
    ptrdiff_t stride[SUBX_NDIMS_MAX];                     /* elements */
    int place;                                            /* index into the addresses given to an execution */
    ptrdiff_t offset;                                     /* bytes from that address to the first element */
} sx_region;

/* One side of a pass: the local array as it is read, or as it is written. */
typedef struct sx_pass_side {
    int width; /* doubles per element */
    ptrdiff_t len[SUBX_NDIMS_MAX];
    int nregions;
    sx_region *region; /* owned by the caller; regions cover the array and do not overlap */
} sx_pass_side;

/* The description from which a pass is created. This rank has the transformed axes in full length. The halved
 * axis of a real transform is the last of them. */
typedef struct sx_pass_problem {
    int kind, direction, ndims;
    sx_pass_side side[2];
    int naxes, axes[SUBX_NDIMS_MAX]; /* ascending */
    ptrdiff_t width;                 /* of a tile: the number of pencils along the batch axis */
    int interleaved;                 /* in a buffer, pencils alternate element by element */
    int is_small;    /* the array fits into subx_cache bytes, and so stays in the caches between two passes */
    int is_in_place; /* both sides always are the same array */
    int threads, effort;
    double factor; /* all results are multiplied by it */
    const sx_serial *serial;
} sx_pass_problem;

typedef struct sx_pass_s *sx_pass;

/* Create a pass. It keeps its own copy of the regions. Local. */
int sx_pass_create(const sx_pass_problem *p, sx_pass *pass);
void sx_pass_free(sx_pass *pass);

/* Get the bytes of the tile buffers of all threads. */
ptrdiff_t sx_pass_get_bytes(sx_pass pass);

/* The tiles of a pass that are executed together: those with lo <= index < hi along one axis that is not
 * transformed. Regions must begin or end at lo and at hi. All tiles if axis is -1. */
typedef struct sx_range {
    int axis;
    ptrdiff_t lo, hi;
} sx_range;

/* A function that the first thread calls now and then between two tiles. */
typedef struct sx_pause {
    void (*call)(void *context);
    void *context;
    int times; /* calls per execution, at most */
} sx_pause;

/* Execute a range of a pass. Allocates nothing. Calls MPI only through `pause`, which may be NULL.
 *   from, to  one address per place */
void sx_pass_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                     const sx_pause *pause);

/* ---- threads (threads.c) */

/* Get the number of threads that can be had, at most `wanted`. */
int sx_pass_get_threads(int wanted);

/* Call body(context, i) for i = 0 .. threads-1, and wait until all calls have returned. With OpenMP each call
 * has a thread of its own, and i = 0 runs in the caller's. */
void sx_pass_fork(int threads, void (*body)(void *context, int i), void *context);

#endif
