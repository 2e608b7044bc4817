/* pass.h - what a pass is made of. */
#ifndef SX_PASS_INSIDE_H
#define SX_PASS_INSIDE_H

#include "pass/pass.h"

/* A piece of an axis. Pieces of equal length are of one kind, and share copies and transforms. */
typedef struct sx_stretch {
    ptrdiff_t start, n;
    int kind;
} sx_stretch;

/* An axis cut into stretches, none of which lies in two regions; axis -1 if there is nothing to cut: one
 * stretch of length 1. */
typedef struct sx_cut {
    int axis, nkinds;
    ptrdiff_t count, longest;
    sx_stretch *stretch;
    ptrdiff_t *length; /* of each kind */
} sx_cut;

/* One axis to be transformed, for each kind of stretch. Places are buffers, or the array itself. */
enum { SX_ARRAY = 2 };
typedef struct sx_step {
    int axis, from, to;
    void **serial; /* [kind] */
} sx_step;

/* How a side's array lies in a buffer of its own, or in the one that it shares with the other side. */
typedef struct sx_buffer {
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_buffer;

struct sx_pass_s {
    sx_pass_problem p;
    char is_whole[SUBX_NDIMS_MAX]; /* transformed, and so as long in a tile as in the array */
    sx_cut run;                    /* along which tiles have several places */
    int is_direct[2];              /* the array is transformed from where it lies, or to there */
    sx_buffer buffer[2];
    int nbuffers;       /* 1 if all transforms are in place */
    subx_copy *copy[2]; /* [region * kinds + kind] */
    int nsteps;
    sx_step step[SUBX_NDIMS_MAX];
    char *memory; /* of all threads */
    ptrdiff_t thread_bytes;
};

/* Cut an axis into stretches of `width` (cut.c). */
int sx_cut_create(sx_pass pass, int axis, ptrdiff_t width, sx_cut *cut);
void sx_cut_free(sx_cut *cut);

static inline subx_copy *sx_pass_get_copy(sx_pass pass, int side, int region, int kind)
{
    return &pass->copy[side][region * pass->run.nkinds + kind];
}

/* A thread's buffer of a side. */
static inline char *sx_pass_get_buffer(sx_pass pass, int thread, int side)
{
    ptrdiff_t before = pass->nbuffers == 2 && side == SX_TO ? pass->buffer[SX_FROM].bytes : 0;
    return pass->memory + thread * pass->thread_bytes + before;
}

/* Bytes of an element of a side. */
static inline ptrdiff_t sx_pass_get_element(sx_pass pass, int side)
{
    return pass->p.side[side].width * (ptrdiff_t)sizeof(double);
}

#endif
