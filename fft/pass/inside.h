/* inside.h - the parts of a pass: for the files of this folder, and for its tests. */
#ifndef SX_PASS_INSIDE_H
#define SX_PASS_INSIDE_H

#include "pass/pass.h"
#include "simd/simd.h"

/* A stretch: a part of the batch axis, with the pencils of one tile. Stretches of equal length are of one kind, and
 * share copies and transforms. */
typedef struct sx_stretch {
    ptrdiff_t start, n;
    int kind;
} sx_stretch;

/* The batch axis, cut into stretches. A stretch does not extend across a boundary of a region. If all axes are whole in
 * a tile there is no batch axis: axis is -1, and there is one stretch of length 1. */
typedef struct sx_cut {
    int axis, nkinds;
    ptrdiff_t count, longest;
    sx_stretch *stretch;
    ptrdiff_t *length; /* [kind] */
} sx_cut;

/* An index: finds the regions of one side from the position of a tile (index.c). Along each axis that is not whole in a
 * tile, the boundaries of all regions divide the axis into intervals. One interval of each such axis makes a group,
 * which has the regions that a tile in these intervals meets. */
typedef struct sx_index {
    int ndims;
    ptrdiff_t nintervals[SUBX_NDIMS_MAX];
    int *interval[SUBX_NDIMS_MAX]; /* [index along the axis]; NULL if the axis has a single interval */
    ptrdiff_t *first;              /* [group], and one more entry: where the group's list begins in
                                      `region` */
    int *region;
} sx_index;

/* The copies between the regions of one side and a tile buffer (copies.c). The copies of a region depend only on its
 * lengths and strides, which are its shape. Regions of one shape share copies. */
typedef struct sx_copies {
    int nshapes;
    int *shape;      /* [region] */
    subx_copy *copy; /* [shape * kinds + kind]; NULL if the side is direct */
} sx_copies;

/* The indices of an axis of a tile that exist: the first `low` and the last `high` of n. The indices between them are
 * the gap. */
typedef struct sx_extent {
    ptrdiff_t n, low, high;
} sx_extent;

/* A corner: a box of a tile in which all elements exist, in the coordinates of the buffer. Without gaps it is the whole
 * tile. Along an axis that has high indices, a tile has two corners.
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

/* The forms of the pencils of a step. ROWS: pencils lie side by side, and a row has one element of each pencil. LINES:
 * the elements of each pencil are contiguous. */
enum { SX_ROWS, SX_LINES, SX_NEITHER };

/* Lines are transformed in groups of this many: enough to fill registers, with few addresses. */
enum { SX_GROUP = 64 };

/* A fix: a change of the entries at .. at+n-1 of each pencil of a step, in a buffer (fix.c). */
enum { SX_ZERO, SX_COPY, SX_ADD, SX_WEIGH };
typedef struct sx_fix {
    int what;
    ptrdiff_t at, n, other; /* other: the first entry that is copied or added */
    double square;          /* the square of the weight */
} sx_fix;

/* A step: the transform along one axis. It reads from and writes to a buffer (SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL),
 * the array, or regions. Fixes change the pencils before and after the transform. */
enum { SX_ARRAY = 2, SX_REGIONS = 3, SX_BEFORE = 0, SX_AFTER = 1, SX_FIXES_MAX = 3 };
typedef struct sx_step {
    int axis, kind, from, to; /* kind: the kind that is executed */
    int direction;
    ptrdiff_t n;
    int nspectral; /* during the step, this many axes, the first ones of the problem, are spectral */
    int ncorners;  /* number of corners of a tile during the step */
    int nfixes[2];
    sx_fix fix[2][SX_FIXES_MAX];
    void **serial; /* [corner * kinds + kind]; NULL if a kernel of ours executes the step */
    sx_simd simd;  /* this kernel */
    int along;     /* the axis along which the pencils are side by side */
    int form[2];   /* for each side of the step: SX_ROWS or SX_LINES */
    int streams;   /* the step writes regions past the caches */
    int is_far;    /* the step reads lines from memory, and prefetches them itself */
} sx_step;

/* The layout of a tile in its buffer, while the tile is physical, or while it is spectral. */
typedef struct sx_buffer {
    ptrdiff_t element;                /* bytes */
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_buffer;

/* A tile: the index of its first element, in the local array of each side; the kind of its stretch; and the regions
 * that it meets on each side. Whole axes begin at 0. */
typedef struct sx_tile {
    ptrdiff_t lo[SUBX_NDIMS_MAX];
    int kind, nregions[2];
    const int *region[2];
} sx_tile;

/* Functions for a precision (real.c), on n reals that follow each other. */
typedef struct sx_real {
    /* Divide by the square root of `volume`, `roots` times: 1 or 2. */
    void (*scale)(void *x, ptrdiff_t n, double volume, int roots);
    void (*weigh)(void *x, ptrdiff_t n, double square);   /* multiply by the square root of `square` */
    void (*add)(void *x, const void *y, ptrdiff_t n);     /* x += y */
    void (*widen)(void *x, const float *y, ptrdiff_t n);  /* x = y */
    void (*narrow)(float *y, const void *x, ptrdiff_t n); /* y = x, each real rounded to the nearest float */
} sx_real;

/* The two sides of a step, and of the pass, are SX_FROM and SX_TO (HACKING). is_spectral tells of data whether it is
 * SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL. The regions in p.side are copies that the pass owns: no region extends
 * across a gap, and along whole axes their indices are the indices in the buffer. */
struct sx_pass_s {
    sx_pass_problem p;
    const sx_real *real;
    int is_spectral[2];                  /* [side]; a round pass has two physical sides */
    char is_whole[SUBX_NDIMS_MAX];       /* 1 if the axis is whole in a tile */
    sx_extent extent[2][SUBX_NDIMS_MAX]; /* [is_spectral], for whole axes */
    sx_cut batch;
    int is_direct[2]; /* the first step reads the array, or the last one writes it, without a buffer */
    sx_index index[2];
    sx_copies copies[2];
    sx_buffer buffer[2];        /* [is_spectral] */
    int nbuffers;               /* per thread: 1 if a tile has one buffer, physical or spectral, since all
                                   transforms are in place */
    sx_step scattered;          /* used instead of the last step if that one streams, but the regions are not
                                   aligned: the results stay in the buffer */
    int prefetches;             /* while a tile is transformed, the next one is prefetched */
    int operates_at, scales_at; /* the step before which the operation, or the scaling, is done; nsteps for
                                   after the last one; scales_at is -1 if the last step itself scales */
    char **memory;              /* [thread]: its buffers; behind them, a tile of floats if a side is narrow */
    ptrdiff_t thread_bytes, floats_at; /* floats_at: bytes before the tile of floats */
    int *next[2]; /* [side][region]: the next region of its bundle, or -1; only if a kernel reads or writes
                     regions */
    char *is_first[2]; /* [side][region]: 1 if it is the first region of its bundle */
    char **work;       /* [thread]: work space of serial transforms */
    ptrdiff_t work_bytes;
    struct sx_pieces
        *pieces; /* of a pass that only copies, else NULL; such a pass has no tiles, and none of the
                    members above that belong to tiles */
    int nsteps;  /* during creation: the steps that are listed already */
    sx_step step[];
};

/* For a pass that only copies: create its copies, execute a range of them, and free them (pieces.c). */
int sx_pass_pieces_create(sx_pass pass);
void sx_pass_pieces_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                            const sx_pause *pause);
void sx_pass_pieces_free(sx_pass pass);

/* Cut an axis into stretches of `width` (stretches.c). */
int sx_pass_cut_create(sx_pass pass, int axis, ptrdiff_t width, sx_cut *cut);
void sx_pass_cut_free(sx_cut *cut);

/* A tile of a narrow side, as floats: copies gather it from the regions, or scatter it to them (floats.c). It has the
 * strides of the side's buffer.
 *   get_bytes  its length; 0 if no side is narrow
 *   import     widen it into the buffer of side SX_FROM
 *   export     narrow the buffer of side SX_TO into it */
ptrdiff_t sx_pass_floats_get_bytes(sx_pass pass);
void sx_pass_floats_import(sx_pass pass, int thread, int kind);
void sx_pass_floats_export(sx_pass pass, int thread, int kind);

/* Create the index of a side (index.c). */
int sx_pass_index_create(sx_pass pass, int side, sx_index *index);
void sx_pass_index_free(sx_index *index);

/* Get the regions that a tile meets, ascending, and their number. `lo` is the tile's first element. */
const int *sx_pass_index_find(const sx_index *index, const ptrdiff_t lo[], int *count);

/* Create the copies of a side (copies.c). */
int sx_pass_copies_create(sx_pass pass, int side);
void sx_pass_copies_free(sx_pass pass, int side);

/* Get the whole_bytes (subx_copy_create) of the copies that write for this pass. */
ptrdiff_t sx_pass_get_whole_bytes(sx_pass pass);

static inline subx_copy sx_pass_get_copy(sx_pass pass, int side, int region, int kind)
{
    const sx_copies *c = &pass->copies[side];
    return c->copy[c->shape[region] * pass->batch.nkinds + kind];
}

/* Set which sides are spectral. Set which axes of a tile are whole, and for each axis the range of indices that have
 * data (extent) while the axis is physical, and while it is spectral (modes.c). */
void sx_pass_extents_set(sx_pass pass);

/* 1 if no transformed axis has fewer points, or modes, than its length: then all physical, or spectral, elements
 * exist. */
int sx_pass_is_full(sx_pass pass, int is_spectral);

/* 1 if physical and spectral elements have different widths, because the first axis of forward is halved. */
int sx_pass_has_half(const sx_pass_problem *p);

/* Create the pass's own copies of a side's regions. */
int sx_pass_regions_create(sx_pass pass, const sx_pass_side *given, int side);

/* Get the number of corners of a tile while the first `nspectral` axes of the problem are spectral; get corner k. */
int sx_pass_corners_count(sx_pass pass, int nspectral);
void sx_pass_corner_get(sx_pass pass, int nspectral, int k, int kind, sx_corner *corner);

/* Get the bytes from the beginning of the tile to a corner, in a buffer. 0 for SX_ARRAY: steps read or write the array
 * only if all its elements exist, so it has one corner. */
ptrdiff_t sx_pass_get_offset(sx_pass pass, int place, const sx_corner *corner);

/* Set the fixes of a step; execute them (fix.c). */
void sx_pass_fixes_set(sx_pass pass, const sx_pass_axis *x, sx_step *step);
void sx_pass_fixes_execute(sx_pass pass, const sx_step *step, int when, int kind, char *buffer);

/* Get the functions for a precision. */
const sx_real *sx_pass_real_get(int precision);

/* Create the serial transforms of all steps (steps.c). */
int sx_pass_steps_create(sx_pass pass);
void sx_pass_steps_free(sx_pass pass);

/* Choose the steps that our kernels execute, and whether they read or write regions (kernels.c). */
int sx_pass_kernels_create(sx_pass pass);
void sx_pass_kernels_free(sx_pass pass);
/* Set where the addresses of both sides are in the work space. Returns the bytes of the work space. */
ptrdiff_t sx_pass_kernel_set_work(const sx_step *step, char *work, char **address[]);
/* Execute a step by its kernel (regions.c). A side is a buffer, or regions, whose places have the given addresses. */
void sx_pass_kernel_execute(sx_pass pass, const sx_step *step, const sx_tile *t, char *const buffer[],
                            const void *const from[], void *const to[], void *work);

/* 1 if a step reads the regions of a side, or writes them. */
static inline int sx_pass_has_regions(sx_pass pass, int side)
{
    const int at = side == SX_FROM ? 0 : pass->nsteps - 1;
    return pass->nsteps > 0 && (side == SX_FROM ? pass->step[at].from : pass->step[at].to) == SX_REGIONS;
}

/* Transform a tile after it was gathered and before it is scattered (transform.c).
 *   from, to       the tile's first element in the arrays of direct sides; NULL for a side that is not direct
 *   regions_from,  addresses per place, for steps that read or write regions; regions_to is NULL if the last step must
 *   regions_to     not write them */
void sx_pass_transform(sx_pass pass, int thread, const sx_tile *t, const char *from, char *to,
                       const void *const regions_from[], void *const regions_to[], const sx_operation *op);

/* Call the pause at equal distances among the n tiles, or pieces, of thread 0; i of them are done. */
static inline void sx_pass_execute_pause(const sx_pause *pause, ptrdiff_t i, ptrdiff_t n)
{
    const ptrdiff_t every = pause ? n / ((ptrdiff_t)pause->times + 1) : 0;
    if (pause && i > 0 && i % (every + 1) == 0)
        pause->call(pause->context);
}

/* Get a thread's buffer for a tile that is physical, or spectral. */
static inline char *sx_pass_get_buffer(sx_pass pass, int thread, int is_spectral)
{
    ptrdiff_t before = pass->nbuffers == 2 && is_spectral ? pass->buffer[SUBX_FFT_PHYSICAL].bytes : 0;
    return pass->memory[thread] + before;
}

/* Get the layout of a tile of a side in its buffer. */
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

/* Get the memory that the copies of a side write to, or read from: a buffer, or a tile of floats. */
static inline char *sx_pass_get_copied(sx_pass pass, int side, int thread)
{
    return pass->p.side[side].is_narrow ? pass->memory[thread] + pass->floats_at
                                        : sx_pass_get_buffer(pass, thread, pass->is_spectral[side]);
}

#endif
