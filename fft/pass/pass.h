/* pass.h - a pass: serial transforms of a local array along some axes, tile by tile. No MPI in here.
 *
 * The array consists of regions: boxes with memory of their own. A pencil has the elements along a transformed axis, at
 * one index of all other axes. A tile is a group of adjacent pencils. It is gathered from all regions that it meets into
 * a buffer, transformed there while it is in the caches, and scattered to all regions that it meets on the other side.
 * The pass thus reads memory once and writes it once. In this figure it transforms axis 0 (downwards). The array is read
 * from two regions that divide axis 0, and written to three regions that divide axis 1:
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
 * The tile is 3 pencils wide along axis 1, its batch axis; these pencils are a stretch. Along any further axis a tile
 * has one index, unless the axis is whole in a tile (is_whole). A range is a set of tiles that are executed together. A
 * bundle is a set of regions that differ only along the transformed axis: together they contain whole pencils. */
#ifndef SX_PASS_H
#define SX_PASS_H

#include "serial/serial.h"
#include <subx_lowlevel.h>

/* A region: a box of the local array with memory of its own. It is a block for or from a partner, or the whole array.
 * There may be thousands of regions, so their arrays have only one entry per axis of the pass. It is no layout of
 * lib/layout: passes find and cut regions by indices, which a loop nest does not have. */
typedef struct sx_region {
    ptrdiff_t *start, *len; /* in indices of the local array */
    ptrdiff_t *stride;      /* elements */
    int place;              /* index of its address among the addresses given to an execution */
    ptrdiff_t offset;       /* bytes from this address to the first element */
} sx_region;

/* Allocate n regions together with their arrays, all zero; NULL if there is no memory. Freed by sx_base_free
 * (list.c). */
sx_region *sx_pass_regions_alloc(int ndims, ptrdiff_t n);

/* Copy the members of region `as`, and the contents of its arrays. An assignment would copy only the addresses of the
 * arrays. */
void sx_pass_region_set(sx_region *region, const sx_region *as, int ndims);

/* One side of a pass: the local array that is read, or the one that is written. Lengths and regions contain only
 * elements that exist. */
typedef struct sx_pass_side {
    int width; /* reals per element: 1 or 2 */
    ptrdiff_t len[SUBX_NDIMS_MAX];
    int nregions;
    sx_region *region; /* owned by the caller; the regions cover the array and do not overlap */
    int is_narrow; /* 1 if the regions have floats, whatever the precision of the pass: tiles are widened after they were
                      gathered, and narrowed before they are scattered (floats.c) */
} sx_pass_side;

/* The transform along one axis, described for forward: from the physical to the spectral side. Backward is the
 * inverse, except for the factor sx_serial_get_factor.
 *
 *     physical, n = 8, points = 5        spectral, c2c, modes = 4
 *
 *     index      0 1 2 3 4 5 6 7         frequency  0 1 2 3 4 -3 -2 -1
 *     exists     * * * * *               exists     * * *           *
 *     stored at  0 1 2 3 4               stored at  0 1 2           3
 *
 * Forward drops frequencies that do not exist; backward takes them as zeros. So backward interpolates by the
 * trigonometric polynomial through `modes` points, and forward is its inverse. If the number of modes is even, entry
 * modes/2 is the sum of the frequencies +modes/2 and -modes/2. */
typedef struct sx_pass_axis {
    int axis;
    int kind;    /* for forward: SUBX_FFT_C2C, SUBX_FFT_R2C or a real-to-real kind */
    ptrdiff_t n; /* length of the transform; for R2C on the real side */

    /* On the physical side the first `points` elements exist; the others are zeros that are not stored. On the
     * spectral side the `modes` entries with the lowest frequencies exist; for R2C, modes/2+1 entries are stored. */
    ptrdiff_t points, modes;
} sx_pass_axis;

/* The description of a pass. The transformed axes are whole on this rank. SUBX_FFT_HC2R needs all points and modes. */
typedef struct sx_pass_problem {
    int precision, direction, ndims;
    int order
        [SUBX_NDIMS_MAX]; /* storage order, innermost axis first; the batch axis is the first one that is not
                             whole */
    sx_pass_side side[2];

    /* Forward transforms the axes in this order, backward in the reverse order. If there is an axis of R2C, it is the
     * first. Without axes nothing is transformed. */
    int naxes;
    sx_pass_axis axis[SUBX_NDIMS_MAX];

    char is_cut[SUBX_NDIMS_MAX];    /* ranges may be parts of this axis */
    char is_merged[SUBX_NDIMS_MAX]; /* set by sx_pass_merge */
    char is_whole[SUBX_NDIMS_MAX];  /* further axes that are whole in a tile, although they are not
                                       transformed */
    ptrdiff_t width;                /* of a tile: number of pencils along the batch axis */
    int interleaved;                /* 1 if the pencils in a buffer alternate element by element */
    int is_small;    /* the array fits into subx_cache bytes, and so stays in the caches between two passes */
    int is_in_place; /* both sides are always the same array */
    int is_read_soon; /* the written data is small, and read before much other data is written */
    int threads, effort;
    double volume; /* the results are divided by the square root of `volume`, `roots` times: 0, 1 or 2 */
    int roots;
    const sx_serial *serial;
    struct sx_serial_notes *notes; /* see sx_serial_problem */
    int is_orthonormal; /* DCTs and DSTs have weights at their ends that make them orthogonal, except for a
                           factor */
    int has_operation;  /* executions may have an operation */
    int is_round;       /* forward, the operation, backward; both sides are physical */
} sx_pass_problem;

typedef struct sx_pass_s *sx_pass;

/* Merge the innermost axis without is_whole with the axes that follow it in memory, on both sides and in all regions,
 * until it is long enough (merge.c). Transformed axes, and axes with is_cut, are not merged. Does nothing if the pass
 * transforms no axis, or has an operation. Local; changes the regions. */
void sx_pass_merge(sx_pass_problem *p);

/* Create a pass, which keeps its own copy of the regions. Local. SUBX_ERR_UNAVAILABLE if the backend does not have the
 * precision, or if SUBX_FFT_HC2R has fewer points or modes. */
int sx_pass_create(const sx_pass_problem *p, sx_pass *pass);
void sx_pass_free(sx_pass *pass);

/* Divide n reals by the square root of `volume`, `roots` times: 1 or 2. */
void sx_pass_scale(int precision, void *x, ptrdiff_t n, double volume, int roots);

/* Get the bytes of the tile buffers and work spaces of all threads; 0 if the pass is NULL. */
ptrdiff_t sx_pass_get_bytes(sx_pass pass);

/* A range: the tiles with lo <= index < hi along one axis that is not transformed. lo and hi must be
 * boundaries of regions, so that no region is cut. All tiles if axis is -1, or if the axis is merged. */
typedef struct sx_range {
    int axis;
    ptrdiff_t lo, hi;
} sx_range;

/* A function that thread 0 calls from time to time between two tiles. */
typedef struct sx_pause {
    void (*call)(void *context);
    void *context;
    int times; /* largest number of calls per execution */
} sx_pause;

/* A function that is called for each tile while the tile is spectral: forward before the tile is scattered,
 * backward after it was gathered, in a round pass (is_round) between forward and backward. It is called once per corner
 * of the tile; each axis with a gap doubles the number of corners. All arrays have ndims entries.
 *   thread  number of the thread, for memory of its own
 *   lo, n   first index and lengths of the box, in the local array of the spectral side
 *   stride  for each axis, between adjacent elements of `data`, in elements
 *   data    [in, out] the box's first element. Forward has scaled the results; backward and round scale what the
 *           operation leaves */
typedef struct sx_operation {
    void (*call)(void *context, int thread, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                 const ptrdiff_t stride[], void *data);
    void *context;
} sx_operation;

/* Execute a range of a pass. Allocates nothing. Calls MPI only through `pause`.
 *   from, to  one address per place
 *   pause     may be NULL
 *   op        may be NULL; must be NULL if the pass was created without has_operation */
void sx_pass_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                     const sx_pause *pause, const sx_operation *op);

/* ---- threads (threads.c) */

/* Get the number of threads that are available, at most `wanted`. */
int sx_pass_get_threads(int wanted);

/* Call body(context, i) for i = 0 .. threads-1, and wait until all calls have returned. With OpenMP each call runs in
 * its own thread, and i = 0 in the caller's thread. */
void sx_pass_fork(int threads, void (*body)(void *context, int i), void *context);

#endif
