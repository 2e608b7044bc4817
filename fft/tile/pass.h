/* pass.h - what a pass is made of. */
#ifndef SX_TILE_PASS_H
#define SX_TILE_PASS_H

#include "tile/tile.h"

/* A tile's place and length along the run axis. */
typedef struct sx_stretch {
    ptrdiff_t start, n;
} sx_stretch;

/* One axis of a tile to be transformed, for each length that tiles have along the run axis. */
typedef struct sx_step {
    void **serial; /* [length] */
    int from, to;  /* buffers */
} sx_step;

/* How a side's array lies in a buffer of its own, or in the one that it shares with the other side. */
typedef struct sx_buffer {
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    ptrdiff_t bytes;
} sx_buffer;

struct sx_pass_s {
    sx_tile_problem p;
    char is_whole[SUBX_NDIMS_MAX]; /* transformed, and so as long in a tile as in the array */
    int run;                       /* the axis along which tiles have several places; -1 for none */
    ptrdiff_t nstretches;
    sx_stretch *stretch;
    ptrdiff_t longest; /* stretch */
    sx_buffer buffer[2];
    int nbuffers;       /* 1 if transforms are in place */
    subx_copy *copy[2]; /* [part * (longest + 1) + length] */
    int nsteps;
    sx_step step[SUBX_NDIMS_MAX];
    char *memory; /* of all threads */
    ptrdiff_t thread_bytes;
};

static inline subx_copy *sx_pass_get_copy(sx_pass pass, int side, int part, ptrdiff_t length)
{
    return &pass->copy[side][part * (pass->longest + 1) + length];
}

/* A thread's buffer of a side. */
static inline char *sx_pass_get_buffer(sx_pass pass, int thread, int side)
{
    return pass->memory + thread * pass->thread_bytes +
           (pass->nbuffers == 2 && side == SX_WRITE ? pass->buffer[SX_READ].bytes : 0);
}

#endif
