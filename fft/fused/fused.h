/* fused.h - what the strategy fused has for the stages of a plan: passes, pipes between them, and areas of memory.
 *
 * A pass reads an array or the blocks of a pipe, transforms it tile by tile in the caches, and writes an array or the
 * blocks of the next pipe. Nothing else packs, unpacks or reorders. In a direction:
 *
 *      from --> pass --> send area 0 ==> pipe ==> pass --> send area 1 ==> pipe ==> pass --> to
 *                                          |                                 |
 *      remote blocks arrive in             receive area                      receive area
 *
 *      A local partner's block is read in the send area of that partner, a remote partner's block in the receive
 *      area of this rank.
 *
 * The pipes of a direction use the send areas 0 and 1 in turn: a pass writes into one while peers still read from
 * the other. The epoch of a pipe is waited for only when its area is needed again. One receive area is enough,
 * because an epoch is read before the next one is received, unless some pass sends slices while it still reads those
 * of the pipe before. Then there are two, used in turn as well.
 *
 * Slices let messages travel while a pass computes. How a pass treats them, for pipes of three slices:
 *
 *      NONE       start 0 1 2   transform all                  post 0 1 2
 *      IN         start 0   transform 0   start 1   transform 1   start 2   transform 2   post 0 1 2
 *      OUT        start 0 1 2   transform 0   post 0   transform 1   post 1   transform 2   post 2
 *      THROUGH    start 0   transform 0   post 0   start 1   transform 1   post 1   start 2   transform 2   post 2
 *
 * THROUGH needs equal slices on both sides: the same axis, the same number, and so the same boundaries. */
#ifndef SX_FUSED_H
#define SX_FUSED_H

#include "pass/pass.h"
#include "plan/plan.h"

enum { SX_ELEMENT = 2 * sizeof(double) }; /* bytes of what travels */

/* A tile holds at least this many pencils side by side, except of the last axis. */
enum { SX_LEAST_PENCILS = 4 };

enum { SX_SLICES_NONE, SX_SLICES_IN, SX_SLICES_OUT, SX_SLICES_THROUGH };

/* Arrays of two are by direction. */
typedef struct sx_fused_pass {
    sx_pass pass[2]; /* NULL where this rank has no data */
    int slices[2];   /* SX_SLICES_* */
} sx_fused_pass;

typedef struct sx_fused_pipe {
    subx_pipe pipe[2];
    int nslices, slice_axis[2];
    int send_area[2], recv_area[2];
} sx_fused_pipe;

typedef struct sx_fused {
    sx_fused_pass pass[SX_NSTAGES_MAX]; /* by the index of a serial stage */
    sx_fused_pipe pipe[SX_NSTAGES_MAX]; /* by the index of an exchange stage */
    int has_messages;                   /* some rank gets messages in some pipe; agreed */

    /* Areas. Both send areas are one piece of memory that the ranks of a node share. */
    void *memory;
    char *send[2];
    void *recv[2];
    void *local; /* between two passes without an exchange, where the caller's array is no place for it */
    ptrdiff_t send_bytes[2], recv_bytes[2], local_bytes;
    const void **block; /* the blocks that a pipe gives to read */
    subx_pipe busy[2];  /* the pipe whose epoch used a send area last, until it is waited for */
} sx_fused;

/* ---- create and free (create.c) */
int sx_fused_create(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free(subx_fft_plan plan);

/* ---- stages (axes.c): add a pass for as many axes as a tile has room for, and further ones for the rest. */
void sx_fused_add_passes(subx_fft_plan plan, const sx_box *from, const char axes[]);

/* ---- pipes (pipes.c) */

/* Create all pipes, in slices where messages are worth them. Collective; the outcome is agreed on. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free_pipes(sx_fused *a);

/* Get the region of a slice that this rank sends to a peer (SX_FROM), or gets from it (SX_TO): a block in C order,
 * number slice * ranks + peer. */
int sx_fused_get_block(subx_fft_plan plan, int i, int d, int side, int slice, int peer, sx_region *region);

/* ---- slices (slices.c) */

/* Choose the number of slices of each pipe, and what each pass does with them. */
void sx_fused_choose_slices(subx_fft_plan plan);

/* Query whether some pass sends slices while it may still read those of the pipe before. */
int sx_fused_sends_slices(const sx_fused *a);

/* Get a slice as a range of the local array on a side of pipe i. */
sx_range sx_fused_get_slice(subx_fft_plan plan, int i, int d, int side, int slice);

/* ---- passes (passes.c) */

/* Create all passes. Their pipes must be there. Local. */
int sx_fused_create_passes(subx_fft_plan plan);
void sx_fused_free_passes(sx_fused *a);

/* Get the bytes of all buffers for tiles. */
ptrdiff_t sx_fused_get_tile_bytes(const sx_fused *a);

/* Query whether an axis is among those that a stage transforms. */
int sx_fused_is_transformed(const sx_stage *s, int axis);

/* ---- execution (execute.c) */
int sx_fused_execute(subx_fft_plan plan, int d, const void *from, void *to);

#endif
