/* inside.h - the parts of a pass. Only the files of this folder and their tests include this header. */
#ifndef SX_PASS_INSIDE_H
#define SX_PASS_INSIDE_H

#include "pass/pass.h"
#include "limits/limits.h"
#include "simd/simd.h"

/* A stretch: a part of the batch axis, with the n pencils of one tile. Stretches of equal length have the
 * same number `kind`, and share copies and transforms. */
typedef struct sx_stretch {
    ptrdiff_t start, n;
    int kind;
} sx_stretch;

/* The batch axis, cut into stretches. No stretch extends across a boundary of a region. If all axes are whole
 * in a tile, there is no batch axis: `axis` is -1, and there is one stretch of length 1. */
typedef struct sx_cut {
    int axis, nkinds;
    ptrdiff_t count, longest;
    sx_stretch *stretch;
    ptrdiff_t *length; /* [kind]: the length of the stretches of this kind */
} sx_cut;

/* A table that tells which regions of one side a tile meets (index.c). The boundaries of all regions divide
 * each axis that is not whole in a tile into intervals. A group is a combination of one interval per such
 * axis. Each group has a list of the regions that a tile in these intervals meets. */
typedef struct sx_index {
    int ndims;
    ptrdiff_t nintervals[SUBX_NDIMS_MAX];
    int *interval[SUBX_NDIMS_MAX]; /* [axis][index]: number of the interval; NULL if there is only one */
    ptrdiff_t *first;              /* [group]: index in `region` where the list of the group begins. One
                                      more entry: where the last list ends */
    int *region;                   /* the lists of all groups */
} sx_index;

/* The copies between the regions of one side and a tile's buffer (copies.c). The copies of a region depend
 * only on its shape: its lengths and strides. Regions of one shape share copies. */
typedef struct sx_copies {
    int nshapes;
    int *shape;      /* [region]: number of its shape */
    subx_copy *copy; /* [shape * sx_cut.nkinds + sx_stretch.kind]; NULL if the side is direct */
} sx_copies;

/* A corner: a box of a tile in which all elements exist, in the coordinates of the buffer. Without gaps it is
 * the whole tile. An axis with elements on both sides of its gap doubles the number of corners.
 *
 *      +---+-------+--+
 *      | 0 |       | 1|
 *      +---+       +--+        two axes with a gap, four corners
 *      |      gap     |
 *      +---+       +--+
 *      | 2 |       | 3|
 *      +---+-------+--+ */
typedef struct sx_corner {
    ptrdiff_t lo[SUBX_NDIMS_MAX], n[SUBX_NDIMS_MAX];
} sx_corner;

/* How the pencils of a step lie in memory. ROWS: side by side; a row has one element of each pencil. LINES:
 * the elements of each pencil are contiguous. */
enum { SX_ROWS, SX_LINES, SX_NEITHER };

/* A fix: a change of n entries of each pencil of a step, from entry `at` on, in a buffer (fixes.c). */
enum { SX_ZERO, SX_COPY, SX_ADD, SX_WEIGH };
typedef struct sx_fix {
    int what;
    ptrdiff_t at, n, other; /* other: the first entry that SX_COPY copies, or that SX_ADD adds */
    double square;          /* SX_WEIGH: the square of the weight */
} sx_fix;

/* A step: the transform along one axis. `from` and `to` say what the step reads and writes: a buffer
 * (SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL), the array of a direct side (SX_ARRAY), or regions (SX_REGIONS).
 * Fixes change the pencils before and after the transform. */
enum { SX_ARRAY = 2, SX_REGIONS = 3, SX_BEFORE = 0, SX_AFTER = 1, SX_FIXES_MAX = 3 };
typedef struct sx_step {
    int axis, kind, from, to; /* kind: C2R if an R2C axis is transformed backward */
    int direction;
    ptrdiff_t n;
    int nspectral; /* the first nspectral axes of the problem are spectral during the step */
    int ncorners;  /* number of corners of a tile during the step */
    int nfixes[2];
    sx_fix fix[2][SX_FIXES_MAX];
    void **serial;     /* transforms [corner * nkinds + kind of the stretch]; NULL if the step has a kernel */
    sx_simd simd;      /* the kernel of fft/simd that executes the step; NULL if none does */
    int along;         /* the axis along which the pencils are side by side */
    int form[2];       /* [side]: SX_ROWS or SX_LINES */
    int most_parts[2]; /* [side]: pencils have at most this many parts */
    int streams;       /* 1 if the step writes regions past the caches */
    int keeps;         /* 1 if it writes only far regions past the caches */
    int is_far;        /* 1 if the step reads lines from memory, and prefetches them itself */
} sx_step;

/* How a tile lies in its buffer while it is physical, or while it is spectral. */
typedef struct sx_buffer {
    ptrdiff_t element;                /* bytes of an element */
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* in elements */
    ptrdiff_t bytes;
} sx_buffer;

/* A tile: the index of its first element in the local arrays, which is 0 along whole axes; the kind of its
 * stretch; and the regions that it meets on each side. */
typedef struct sx_tile {
    ptrdiff_t lo[SUBX_NDIMS_MAX];
    int kind, nregions[2];
    const int *region[2];
    sx_simd_prefetch *prefetch; /* what kernels prefetch while they transform this tile; NULL for nothing */
} sx_tile;

/* The functions that depend on the precision (real.c). They work on n reals that follow each other. */
typedef struct sx_real {
    /* Divide by the square root of `volume`: once if roots is 1, twice if roots is 2. */
    void (*scale)(void *x, ptrdiff_t n, double volume, int roots);
    void (*weigh)(void *x, ptrdiff_t n, double square);   /* multiply by the square root of `square` */
    void (*add)(void *x, const void *y, ptrdiff_t n);     /* x += y */
    void (*widen)(void *x, const float *y, ptrdiff_t n);  /* x = y */
    void (*narrow)(float *y, const void *x, ptrdiff_t n); /* y = x, each real rounded to the nearest float */
} sx_real;

/* A pass. Arrays marked [side] are indexed by SX_FROM and SX_TO, arrays marked [is_spectral] by
 * SUBX_FFT_PHYSICAL and SUBX_FFT_SPECTRAL. p.side has copies of the caller's regions. The pass changes these
 * copies: a region that extends across a gap is divided, and `start` becomes an index in the buffer along
 * whole axes. */
struct sx_pass_s {
    sx_pass_problem p;
    const sx_real *real;
    int is_spectral[2];                  /* [side]; a round pass has two physical sides */
    char is_whole[SUBX_NDIMS_MAX];       /* 1 if the axis is whole in a tile */
    sx_extent extent[2][SUBX_NDIMS_MAX]; /* [is_spectral][axis]; only for whole axes */
    sx_cut batch;

    /* [side]: 1 if the side is direct: the first step reads the array, or the last one writes it, without a
     * buffer. */
    int is_direct[2];
    sx_index index[2];
    sx_copies copies[2];
    sx_buffer buffer[2]; /* [is_spectral] */
    int nbuffers; /* buffers per thread: 1 if all transforms are in place; else 2, a physical and a spectral
                     one */

    /* The last step can stream to aligned regions only. In executions with other regions, `scattered`
     * replaces the last step: it writes a buffer, and copies scatter the buffer. Unused if the last step does
     * not stream. */
    sx_step scattered;

    int has_far[2]; /* [side]: 1 if regions of this side are far */

    /* How the next tile is prefetched. prefetches: 1 if all of it is prefetched just before a tile is
     * transformed. looks_ahead: 1 if kernels prefetch it while they transform a tile (ahead.c). */
    int prefetches, looks_ahead;

    /* The pass calls the operation before the step with index operates_at, and scales before the step with
     * index scales_at. An index nsteps means: after the last step. scales_at is -1 if the kernel of the last
     * step also scales. */
    int operates_at, scales_at;
    char **memory; /* [thread]: its buffers; behind them, if a side is narrow, the tile of floats */
    ptrdiff_t thread_bytes, floats_at; /* floats_at: offset of the tile of floats in the memory of a thread */

    /* The bundles of a side whose regions are read or written by a kernel; else NULL. next[side][region]: the
     * next region of the same bundle; -1 after the last one. is_first[side][region]: 1 if the region is the
     * first one of its bundle. */
    int *next[2];
    char *is_first[2];
    char **work; /* [thread]: work space of serial transforms */
    ptrdiff_t work_bytes;

    /* The copies of a pass that only copies; NULL for other passes. A pass that only copies has no tiles, and
     * does not use the members above that belong to tiles. */
    struct sx_pieces *pieces;
    int nsteps; /* number of steps; while steps are being listed, their number so far */
    sx_step step[];
};

/* For a pass that only copies: create its copies, execute a range of them, and free them (pieces.c). */
int sx_pass_pieces_create(sx_pass pass);
void sx_pass_pieces_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                            const sx_pause *pause);
void sx_pass_pieces_free(sx_pass pass);

/* Cut an axis into stretches of about `width` pencils (stretches.c). */
int sx_pass_cut_create(sx_pass pass, int axis, ptrdiff_t width, sx_cut *cut);
void sx_pass_cut_free(sx_cut *cut);

/* The tile of floats: a tile of a narrow side (is_narrow), converted to floats. Copies gather it from the
 * regions, or scatter it to them (floats.c). It has the strides of the side's buffer.
 *   get_bytes  bytes of the tile of floats; 0 if no side is narrow
 *   import     convert the tile of floats to the precision of the pass, into the buffer of side SX_FROM
 *   export     convert the buffer of side SX_TO to floats, into the tile of floats */
ptrdiff_t sx_pass_floats_get_bytes(sx_pass pass);
void sx_pass_floats_import(sx_pass pass, int thread, int kind);
void sx_pass_floats_export(sx_pass pass, int thread, int kind);

/* Query whether a kernel of fft/simd should execute steps of this kind and length (kernels.c). */
int sx_pass_likes_kernels(sx_pass pass, int kind, ptrdiff_t n);

/* Create the index of a side (index.c). */
int sx_pass_index_create(sx_pass pass, int side, sx_index *index);
void sx_pass_index_free(sx_index *index);

/* Get the regions that a tile meets, in ascending order, and their number. `lo` is the index of the tile's
 * first element. */
const int *sx_pass_index_find(const sx_index *index, const ptrdiff_t lo[], int *count);

/* Create the copies of a side (copies.c). */
int sx_pass_copies_create(sx_pass pass, int side);
void sx_pass_copies_free(sx_pass pass, int side);

/* Get the argument whole_bytes of subx_copy_create for the copies that write regions of this pass, far
 * regions or others. */
ptrdiff_t sx_pass_get_whole_bytes(sx_pass pass, int is_far);

/* Get how many indices along an axis a region and a tile have in common. kind: of the tile's stretch. */
static inline ptrdiff_t sx_pass_get_count(sx_pass pass, const sx_region *region, int kind, int axis)
{
    if (pass->is_whole[axis])
        return region->len[axis];
    return axis == pass->batch.axis ? pass->batch.length[kind] : 1;
}

static inline subx_copy sx_pass_get_copy(sx_pass pass, int side, int region, int kind)
{
    const sx_copies *c = &pass->copies[side];
    return c->copy[c->shape[region] * pass->batch.nkinds + kind];
}

/* Set is_spectral, is_whole, and the extent of each axis while it is physical and while it is spectral
 * (dealias.c). */
void sx_pass_extents_set(sx_pass pass);

/* Query whether all physical elements (is_spectral is 0) or all spectral elements (1) exist: the points, or
 * the modes, of each transformed axis are as many as its length n. */
int sx_pass_is_full(sx_pass pass, int is_spectral);

/* Query whether the first transformed axis has the kind R2C. Then physical elements are real, and spectral
 * elements are complex. */
int sx_pass_has_half(const sx_pass_problem *p);

/* Create the pass's own copies of a side's regions. */
int sx_pass_regions_create(sx_pass pass, const sx_pass_side *given, int side);

/* count: get the number of corners that a tile has while the first `nspectral` axes of the problem are
 * spectral. get: get corner k of a tile whose stretch has this kind. */
int sx_pass_corners_count(sx_pass pass, int nspectral);
void sx_pass_corner_get(sx_pass pass, int nspectral, int k, int kind, sx_corner *corner);

/* Get the bytes from the beginning of a tile to a corner. `place` is a buffer, or SX_ARRAY, as in
 * sx_step.from. For SX_ARRAY the result is 0: steps read or write the array only if all its elements exist,
 * and then the only corner is the whole tile. */
ptrdiff_t sx_pass_get_offset(sx_pass pass, int place, const sx_corner *corner);

/* The rows of a box of a buffer (rows.c). A row has `length` elements, from the element with index `first` in
 * the buffer on. */
typedef struct sx_rows {
    int ndims, axis; /* axis: the axis of the rows; -1 if a row is a single element */
    const ptrdiff_t *stride, *n;
    ptrdiff_t first, length, at[SUBX_NDIMS_MAX];
} sx_rows;

/* set: begin with the first row of a box that begins at the indices `lo`, and has the lengths n. It must not
 * be empty. next: go to the next row; returns 0 after the last one. */
void sx_pass_rows_set(const sx_buffer *buffer, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                      sx_rows *r);
int sx_pass_rows_next(sx_rows *r);

/* set: list the fixes of a step. execute: execute the fixes of a step in a buffer, before the transform
 * (`when` is SX_BEFORE) or after it (SX_AFTER) (fixes.c). */
void sx_pass_fixes_set(sx_pass pass, sx_step *step);
void sx_pass_fixes_execute(sx_pass pass, const sx_step *step, int when, int kind, char *buffer);

/* Get the functions that work in a precision. */
const sx_real *sx_pass_real_get(int precision);

/* List the steps of a pass, and create their transforms (steps.c). */
int sx_pass_steps_create(sx_pass pass);
void sx_pass_steps_free(sx_pass pass);

/* Choose the steps that our kernels execute, and whether they read or write regions (kernels.c). */
int sx_pass_kernels_create(sx_pass pass);
void sx_pass_kernels_free(sx_pass pass);

/* Choose the axis along which the pencils of a step are side by side (forms.c). The kernel reads `from` and
 * writes `to`. form[side] becomes SX_ROWS or SX_LINES. Returns -1 if no axis has enough pencils that are rows
 * or lines on both sides. */
int sx_pass_find_pencils(sx_pass pass, const sx_step *step, int from, int to, int form[]);

/* Set the sweep of a step and its work space, apart from the members that belong to a tile (regions.c).
 * Returns the bytes of the work space. */
ptrdiff_t sx_pass_kernel_set_sweep(sx_pass pass, const sx_step *step, char *work, sx_simd_sweep *w);

/* Execute a step by its kernel (regions.c). Each side of the step is a buffer, or regions. buffer[side] is
 * the address of a buffer. `from` and `to` are the lists of addresses of regions that sx_pass_execute has
 * got, indexed by sx_region.place. */
void sx_pass_kernel_execute(sx_pass pass, const sx_step *step, const sx_tile *t, char *const buffer[],
                            const void *const from[], void *const to[], void *work);

/* Query whether the first step itself reads the regions (SX_FROM), or the last step itself writes them
 * (SX_TO). */
static inline int sx_pass_has_regions(sx_pass pass, int side)
{
    const int at = side == SX_FROM ? 0 : pass->nsteps - 1;
    return pass->nsteps > 0 && (side == SX_FROM ? pass->step[at].from : pass->step[at].to) == SX_REGIONS;
}

/* The rows of the next tile, which kernels prefetch (ahead.c). If there are more than SX_AHEAD_MAX, the
 * others are not prefetched. */
typedef struct sx_ahead {
    sx_simd_prefetch prefetch;
    int nrows;
    sx_simd_row row[SX_AHEAD_MAX + 1]; /* one more, which ends the list */
} sx_ahead;

/* List the rows of the tile `next`, and say how fast they are prefetched. Returns NULL if there is no such
 * tile (next is NULL), or nothing is to be prefetched. `from` is as in sx_pass_execute.
 * a->prefetch.butterflies is SX_AHEAD_UNKNOWN at the first call; then kernels only count. Later it is what
 * kernels have counted since the call before. It stays SX_AHEAD_NONE if kernels have counted nothing, or if
 * no row is long enough. Then nothing is prefetched any more. */
enum { SX_AHEAD_UNKNOWN = -1, SX_AHEAD_NONE = 0 };
sx_simd_prefetch *sx_pass_ahead_set(sx_pass pass, const void *const from[], const sx_tile *next, sx_ahead *a);

/* Get the address at which the intersection of a region and a tile begins. `base` is the address of the
 * region's memory. */
char *sx_pass_get_region_memory(sx_pass pass, int side, const sx_region *region, const sx_tile *t,
                                char *base);

/* Transform a tile after it was gathered and before it is scattered (transform.c).
 *   from, to       for a side that is direct (is_direct): the address of the tile's first element in the
 *                  array; else NULL
 *   regions_from,  lists of addresses, indexed by sx_region.place, for steps that read or write regions;
 *                  regions_to is
 *   regions_to     NULL if the last step must leave its results in the buffer */
void sx_pass_transform(sx_pass pass, int thread, const sx_tile *t, const char *from, char *to,
                       const void *const regions_from[], void *const regions_to[], const sx_operation *op);

/* Call the function of `pause` if a call is due. Thread 0 has executed i of its n tiles or pieces; the calls
 * are spread evenly over these n. */
static inline void sx_pass_execute_pause(const sx_pause *pause, ptrdiff_t i, ptrdiff_t n)
{
    const ptrdiff_t every = pause ? n / ((ptrdiff_t)pause->times + 1) : 0;
    if (pause && i > 0 && i % (every + 1) == 0)
        pause->call(pause->context);
}

/* Get a thread's buffer for a tile that is physical, or for one that is spectral. */
static inline char *sx_pass_get_buffer(sx_pass pass, int thread, int is_spectral)
{
    ptrdiff_t before = pass->nbuffers == 2 && is_spectral ? pass->buffer[SUBX_FFT_PHYSICAL].bytes : 0;
    return pass->memory[thread] + before;
}

/* Get how a tile lies in the buffer when it has been gathered (SX_FROM), or before it is scattered
 * (SX_TO). */
static inline const sx_buffer *sx_pass_get_layout(sx_pass pass, int side)
{
    return &pass->buffer[pass->is_spectral[side]];
}

/* Get the bytes of an element in the regions of a side. */
static inline ptrdiff_t sx_pass_get_element(sx_pass pass, int side)
{
    const ptrdiff_t element = sx_pass_get_layout(pass, side)->element;
    return pass->p.side[side].is_narrow
               ? element / sx_serial_get_real_bytes(pass->p.precision) * (ptrdiff_t)sizeof(float)
               : element;
}

/* Get the bytes of the array that the pass reads. */
static inline ptrdiff_t sx_pass_get_array_bytes(sx_pass pass)
{
    return sx_pass_get_element(pass, SX_FROM) * sx_base_get_volume(pass->p.ndims, pass->p.side[SX_FROM].len);
}

/* Get the memory to which copies gather a tile (SX_FROM), or from which copies scatter a tile (SX_TO): a
 * buffer, or the tile of floats. */
static inline char *sx_pass_get_copied(sx_pass pass, int side, int thread)
{
    return pass->p.side[side].is_narrow ? pass->memory[thread] + pass->floats_at
                                        : sx_pass_get_buffer(pass, thread, pass->is_spectral[side]);
}

#endif
