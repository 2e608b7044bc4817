/* pass.h - a pass: serial transforms of a local array along some axes, tile by tile. No MPI in here.
 *
 * The array consists of regions: boxes with memory of their own. A pencil is the elements along a transformed
 * axis, at one index of each other axis. A tile is a group of adjacent pencils. The pass gathers a tile into
 * a buffer, from all regions that the tile meets; transforms the tile there, while it is in the caches; and
 * scatters it to all regions that it meets on the other side. So the pass reads memory once and writes it
 * once. In this figure it transforms axis 0 (downwards). It reads the array from two regions that divide axis
 * 0, and writes three regions that divide axis 1:
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
 * Along axis 1, its batch axis, the tile is 3 pencils wide: this part of the axis is a stretch. Along any
 * further axis a tile has one index, unless the axis is whole in a tile (is_whole). A range is a set of tiles
 * that one call executes. A bundle is a set of regions that differ only along the transformed axis: together
 * they contain whole pencils. */
#ifndef SX_PASS_H
#define SX_PASS_H

#include "serial/serial.h"
#include <subx_lowlevel.h>

/* A region: a box of the local array with memory of its own. It is a block for or from a partner, or the
 * whole array. There may be thousands of regions, so their arrays have only one entry per axis of the pass. A
 * region is no layout of lib/layout, because passes find and cut regions by indices, and a loop nest has no
 * indices. */
typedef struct sx_region {
    ptrdiff_t *start, *len; /* first index and length along each axis, in the local array */
    ptrdiff_t *stride;      /* elements */
    int place;              /* index of this region's address in the list of addresses that an execution
                               gets */
    int is_far; /* 1 if a far rank reads the region (SX_TO) or has written it (SX_FROM): past the caches, see
                   copies.c */
    ptrdiff_t offset; /* bytes from this address to the first element of the region */
} sx_region;

/* Allocate n regions and their arrays, all zero; NULL if there is no memory. The caller frees them with
 * sx_base_free (list.c). */
sx_region *sx_pass_regions_alloc(int ndims, ptrdiff_t n);

/* Copy the members of region `as`, and the contents of its arrays. (An assignment would copy the addresses of
 * the arrays instead.) */
void sx_pass_region_set(sx_region *region, const sx_region *as, int ndims);

/* One side of a pass: the local array that the pass reads, or the local array that it writes. Lengths and
 * regions count only elements that exist (sx_pass_axis). */
typedef struct sx_pass_side {
    int width; /* reals per element: 1 or 2 */
    ptrdiff_t len[SUBX_NDIMS_MAX];
    int nregions;
    sx_region *region; /* owned by the caller; the regions cover the array and do not overlap */
    int is_narrow; /* 1 if the regions have floats, whatever the precision of the pass: the pass widens tiles
                      after it has gathered them, or narrows them before it scatters them (floats.c) */
} sx_pass_side;

/* The transform along one axis. Forward is from the physical to the spectral side; backward is the inverse,
 * except for the factor sx_serial_get_factor. Elements that do not exist are zero, and have no memory in the
 * array:
 *
 *     physical, n = 8, points = 5        spectral, c2c, modes = 4
 *
 *     index      0 1 2 3 4 5 6 7         frequency  0 1 2 3 4 -3 -2 -1
 *     exists     * * * * *               exists     * * *           *
 *     stored at  0 1 2 3 4               stored at  0 1 2           3
 *
 * Forward drops the frequencies that do not exist; backward takes them as zeros. So backward evaluates a
 * trigonometric polynomial with `modes` coefficients, and forward gives the coefficients back. If the number
 * of modes is even, and less than n, entry modes/2 is the sum of the coefficients of the frequencies modes/2
 * and -modes/2. */
typedef struct sx_pass_axis {
    int axis;
    int kind;    /* of the forward transform: SUBX_FFT_C2C, SUBX_FFT_R2C or a real-to-real kind */
    ptrdiff_t n; /* length of the transform; for R2C the number of reals */

    /* On the physical side the first `points` elements exist. On the spectral side the `modes` entries with
     * the lowest frequencies exist; R2C stores modes/2+1 of them, without negative frequencies. */
    ptrdiff_t points, modes;
} sx_pass_axis;

/* The description of a pass. The transformed axes are whole on this rank. An axis of SUBX_FFT_HC2R must have
 * all points and modes. */
typedef struct sx_pass_problem {
    int precision, direction, ndims;
    int order[SUBX_NDIMS_MAX]; /* storage order, innermost axis first. The first axis that is not whole is the
                                  batch axis */
    sx_pass_side side[2];

    /* The transformed axes, in the order in which forward transforms them; backward has the reverse order. An
     * axis of R2C comes first. Without axes the pass transforms nothing. */
    int naxes;
    sx_pass_axis axis[SUBX_NDIMS_MAX];

    char is_cut[SUBX_NDIMS_MAX];    /* 1 if an sx_range may divide this axis */
    char is_merged[SUBX_NDIMS_MAX]; /* 1 if sx_pass_merge has merged this axis with another */
    char is_whole[SUBX_NDIMS_MAX];  /* 1 if the axis is whole in a tile, although not transformed */
    ptrdiff_t width;                /* number of pencils of a tile along the batch axis */
    int interleaved;     /* 1 if the pencils lie in rows in a buffer; 0 if each pencil is contiguous */
    int is_small;        /* 1 if the array fits into cache bytes: it stays in the caches between two passes */
    int is_in_place;     /* 1 if both sides are the same array in all executions */
    int is_read_soon;    /* 1 if the written data is small, and is read before much other data is written */
    int threads, effort; /* effort: how hard the serial backend plans */
    double volume; /* the results are divided `roots` times (0, 1 or 2) by the square root of `volume` */
    int roots;
    const sx_serial *serial;
    struct sx_serial_notes *notes; /* see sx_serial_problem */
    int is_orthonormal; /* 1 if weights at the ends of pencils make DCTs and DSTs orthogonal, up to a common
                           factor */
    int has_operation;  /* 1 if executions may have an operation */
    int is_round; /* 1 if the pass transforms forward, calls the operation, and transforms backward: both
                     sides are physical */
} sx_pass_problem;

typedef struct sx_pass_s *sx_pass;

/* Make tiles wider if the batch axis is short (merge.c): merge it with the axes that follow it in memory, on
 * both sides and in all regions, until it is long enough. Transformed axes, whole axes, and axes with is_cut
 * are not merged. Does nothing if the pass transforms no axis, or has an operation. Local; changes the
 * regions. */
void sx_pass_merge(sx_pass_problem *p);

/* Create a pass, which keeps its own copy of the regions. Local. SUBX_ERR_UNAVAILABLE if the backend does not
 * have the precision, or if an axis of SUBX_FFT_HC2R does not have all points and modes. */
int sx_pass_create(const sx_pass_problem *p, sx_pass *pass);
void sx_pass_free(sx_pass *pass);

/* Query whether a pass writes an array of so many bytes past the caches, unless it works in place or its data
 * is read soon. */
int sx_pass_may_bypass(ptrdiff_t array);

/* Divide n reals by the square root of `volume`: once if roots is 1, twice if roots is 2. */
void sx_pass_scale(int precision, void *x, ptrdiff_t n, double volume, int roots);

/* Get the bytes of the tile buffers and work spaces of all threads; 0 if the pass is NULL. */
ptrdiff_t sx_pass_get_bytes(sx_pass pass);

/* A range: the tiles with lo <= index < hi along one axis that is not transformed. lo and hi must be
 * boundaries of regions, so that no region is cut. If axis is -1, or if the axis is merged, the range has all
 * tiles. */
typedef struct sx_range {
    int axis;
    ptrdiff_t lo, hi;
} sx_range;

/* A function that thread 0 of an execution calls from time to time, between two tiles. */
typedef struct sx_pause {
    void (*call)(void *context);
    void *context;
    int times; /* largest number of calls per execution */
} sx_pause;

/* A function that the pass calls with each tile while the tile is spectral: in a forward pass before it
 * scatters the tile, in a backward pass after it has gathered the tile, in a round pass (is_round) between
 * forward and backward. If some frequencies do not exist, a tile is several boxes (sx_corner in inside.h),
 * and there is one call per box. All arrays have ndims entries.
 *   thread  number of the calling thread: the function may have memory per thread
 *   lo, n   first index and lengths of the box, in the local array of the spectral side
 *   stride  for each axis, between adjacent elements of `data`, in elements
 *   data    [in, out] the box's first element. A forward pass has scaled the data before the call; backward
 *           and round passes scale after it */
typedef struct sx_operation {
    void (*call)(void *context, int thread, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                 const ptrdiff_t stride[], void *data);
    void *context;
} sx_operation;

/* Execute a range of a pass. Allocates nothing. Calls MPI only through `pause`.
 *   from, to  lists of addresses: region r lies at from[r.place] + r.offset, or at to[r.place] + r.offset
 *             (bytes)
 *   pause     may be NULL
 *   op        may be NULL; must be NULL if the pass was created without has_operation */
void sx_pass_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                     const sx_pause *pause, const sx_operation *op);

/* ---- threads (threads.c) */

/* Get the number of threads that a pass can have: `wanted`, or 1 without OpenMP. */
int sx_pass_get_threads(int wanted);

/* Call body(context, i) for i = 0 .. threads-1, and wait until all calls have returned. With OpenMP each call
 * runs in its own thread, and i = 0 in the caller's thread. */
void sx_pass_fork(int threads, void (*body)(void *context, int i), void *context);

#endif
