/* inside.h - what a pass consists of; for the files of this folder, and for its tests. */
#ifndef SX_PASS_INSIDE_H
#define SX_PASS_INSIDE_H

#include "pass/pass.h"

/* A piece of the batch axis: the pencils of one tile. Stretches of equal length are of one kind. All of a
 * kind share copies and transforms. */
typedef struct sx_stretch {
    ptrdiff_t start, n;
    int kind;
} sx_stretch;

/* The batch axis, cut into stretches. A stretch never crosses a boundary of a region. If all axes are
 * transformed there is no batch axis: axis is -1, and there is one stretch of length 1. */
typedef struct sx_cut {
    int axis, nkinds;
    ptrdiff_t count, longest;
    sx_stretch *stretch;
    ptrdiff_t *length; /* [kind] */
} sx_cut;

/* The regions of one side, found by the position of a tile (index.c). The boundaries of all regions divide
 * each axis that is not transformed into intervals. One interval per such axis makes a group: the regions
 * that a tile in these intervals meets. They differ along transformed axes only, which a tile has in full
 * length. */
typedef struct sx_index {
    int ndims;
    ptrdiff_t nintervals[SUBX_NDIMS_MAX];
    int *interval[SUBX_NDIMS_MAX]; /* [index along the axis]; NULL for an axis with a single interval */
    ptrdiff_t *first;              /* [group], and one more: where its list begins in `region` */
    int *region;
} sx_index;

/* The copies between the regions of one side and a tile buffer (copies.c). The copies of a region depend on
 * its lengths and strides only, which are its shape. Regions of one shape share them. */
typedef struct sx_copies {
    int nshapes;
    int *shape;      /* [region] */
    subx_copy *copy; /* [shape * kinds + kind]; NULL if the array is transformed where it lies */
} sx_copies;

/* The transform along one axis. It reads from and writes to a buffer (SX_FROM or SX_TO) or the array
 * itself. */
enum { SX_ARRAY = 2 };
typedef struct sx_step {
    int axis, from, to;
    void **serial; /* [kind] */
} sx_step;

/* How a tile of one side lies in its buffer. */
typedef struct sx_buffer {
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_buffer;

struct sx_pass_s {
    sx_pass_problem p;
    char is_whole[SUBX_NDIMS_MAX]; /* the axis is transformed: a tile has all of it */
    sx_cut batch;
    int is_direct[2]; /* the first step reads the array, or the last one writes it, without a buffer */
    sx_index index[2];
    sx_copies copies[2];
    sx_buffer buffer[2];
    int nbuffers; /* per thread: 1 if both sides share it, since all transforms are in place */
    int nsteps;
    sx_step step[SUBX_NDIMS_MAX];
    char **memory; /* [thread]: its buffers */
    ptrdiff_t thread_bytes;
};

/* Cut an axis into stretches of `width` (cut.c). */
int sx_pass_cut_create(sx_pass pass, int axis, ptrdiff_t width, sx_cut *cut);
void sx_pass_cut_free(sx_cut *cut);

/* Create the index of a side (index.c). */
int sx_pass_index_create(sx_pass pass, int side, sx_index *index);
void sx_pass_index_free(sx_index *index);

/* Get the regions that a tile meets, ascending, and their number. `lo` is the tile's first element. */
const int *sx_pass_index_find(const sx_index *index, const ptrdiff_t lo[], int *count);

/* Create the copies of a side (copies.c). */
int sx_pass_copies_create(sx_pass pass, int side);
void sx_pass_copies_free(sx_pass pass, int side);

static inline subx_copy sx_pass_get_copy(sx_pass pass, int side, int region, int kind)
{
    const sx_copies *c = &pass->copies[side];
    return c->copy[c->shape[region] * pass->batch.nkinds + kind];
}

/* Create the serial transforms of all steps (steps.c). */
int sx_pass_steps_create(sx_pass pass);
void sx_pass_steps_free(sx_pass pass);

/* Get a thread's buffer for one side. */
static inline char *sx_pass_get_buffer(sx_pass pass, int thread, int side)
{
    ptrdiff_t before = pass->nbuffers == 2 && side == SX_TO ? pass->buffer[SX_FROM].bytes : 0;
    return pass->memory[thread] + before;
}

/* Get the bytes of an element of a side. */
static inline ptrdiff_t sx_pass_get_element(sx_pass pass, int side)
{
    return pass->p.side[side].width * (ptrdiff_t)sizeof(double);
}

#endif
