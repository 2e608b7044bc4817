/* fused.h - what the strategy fused has for the stages of a plan: passes, pipes between them, and areas of memory.
 *
 * A pass reads an array or the blocks of a pipe, transforms it tile by tile in the caches, and writes an array or
 * the blocks of the next pipe. Nothing else packs, unpacks or reorders. In a direction:
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
 * because an epoch is read before the next one is received, unless some pass sends slices while it still reads
 * those of the pipe before. Then there are two, used in turn as well.
 *
 * Slices let messages travel while a pass computes. How a pass treats them, for pipes of three slices:
 *
 *      NONE       start 0 1 2   transform all                  post 0 1 2
 *      IN         start 0   transform 0   start 1   transform 1   start 2   transform 2   post 0 1 2
 *      OUT        start 0 1 2   transform 0   post 0   transform 1   post 1   transform 2   post 2
 *      THROUGH    start 0   transform 0   post 0   start 1   transform 1   post 1   start 2   transform 2   post 2
 *
 * THROUGH needs equal slices on both sides: the same axis, the same number, and so the same boundaries.
 *
 * Where no messages travel, some pipes are rings, whose slices stay in the caches (rings.c). */
#ifndef SX_FUSED_H
#define SX_FUSED_H

#include "pass/pass.h"
#include "plan/plan.h"
#include "operation/operation.h"

/* A tile holds at least this many pencils side by side, except of the last axis. */
enum { SX_LEAST_PENCILS = 4 };

enum { SX_SLICES_NONE, SX_SLICES_IN, SX_SLICES_OUT, SX_SLICES_THROUGH };

/* Arrays of two are by direction. */
typedef struct sx_fused_pass {
    int npasses[2]; /* 0 where this rank has no data; at an edge, one per box */
    sx_pass *pass[2];
    int slices[2]; /* SX_SLICES_* */
} sx_fused_pass;

typedef struct sx_fused_pipe {
    subx_pipe pipe[2];
    int is_ring; /* the passes on both sides take turns */
    int nslices, slice_axis[2];
    int send_area[2], recv_area[2];
} sx_fused_pipe;

typedef struct sx_fused {
    int nstages;
    sx_fused_pass *pass; /* by the index of a serial stage */
    sx_fused_pipe *pipe; /* by the index of an exchange stage */
    int has_messages;    /* some rank gets messages in some pipe; agreed */
    int first, turn;     /* the first and the last stage that transform: there the data is spectral */
    sx_fused_pass
        round; /* index 0: at `turn` forward, an operation, backward; only if the problem has operations */

    void *twiddles; /* of a factored axis (twiddle.c) */

    /* Areas. Both send areas are one piece of memory that the ranks of a node share. */
    void *memory;
    char *send[2];
    void *recv[2];

    /* Where data lies between two passes without an exchange; NULL if it lies in an array of the caller: in the
     * one that is written, or, if is_in_spectral, in that of the spectral side. */
    void *local;
    int is_in_spectral;
    ptrdiff_t send_bytes[2], recv_bytes[2], local_bytes;
    const void **block[2]; /* the blocks that a pipe gives to read, and those that a ring does meanwhile */
    subx_pipe busy[2];     /* the pipe whose epoch used a send area last, until it is waited for */
} sx_fused;

/* ---- create and free (create.c) */
int sx_fused_create(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free(subx_fft_plan plan);

/* ---- stages (axes.c): add a pass for as many axes as a tile has room for, and further ones for the rest. */
void sx_fused_add_passes(sx_stages *list, const sx_box *from, const char axes[]);

/* Query whether tiles have all fields of the batch. */
int sx_fused_is_batch_whole(const sx_array *a);

/* Get the axis along which the physical side is contiguous, in units: elements, or all their components. */
int sx_fused_get_innermost(const sx_array *a);
ptrdiff_t sx_fused_get_unit(const sx_array *a); /* bytes */

/* ---- blocks (blocks.c) */

/* What this rank sends in an exchange, or gets: the regions of the array, and the bytes of each place, which is
 * slice * ranks + peer. The block of a place is empty, one region, or at an edge several ones after each other. */
typedef struct sx_fused_blocks {
    int nplaces, nregions;
    ptrdiff_t *bytes;  /* [place] */
    sx_region *region; /* `offset` counts from the beginning of the block */
    int *box;          /* [region]: of the edge, in whose coordinates the region is */
} sx_fused_blocks;

int sx_fused_blocks_create(subx_fft_plan plan, int i, int d, int side, sx_fused_blocks *b);
void sx_fused_blocks_free(sx_fused_blocks *b);

/* ---- pipes (pipes.c) */

/* Create all pipes, in slices where messages are worth them. Collective; the outcome is agreed on. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free_pipes(sx_fused *a);

/* ---- slices (slices.c) */

/* Choose the number of slices of each pipe, and what each pass does with them. */
void sx_fused_choose_slices(subx_fft_plan plan);

/* Query whether some pass sends slices while it may still read those of the pipe before. */
int sx_fused_sends_slices(const sx_fused *a);

/* Get the axis that an exchange leaves alone and that the passes on both sides loop over; -1 if there is none. */
int sx_fused_get_common_axis(const sx_array *array, const sx_stage *e);

/* Get a slice as a range of the local array on a side of pipe i. */
sx_range sx_fused_get_slice(subx_fft_plan plan, int i, int d, int side, int slice);

/* A slice of an array at an edge has a part for each block of the slices' axis that the grid has; otherwise it has one. Get
 * their number, and one as a range, which may be empty. */
int sx_fused_count_parts(subx_fft_plan plan, int i, int d, int side);
sx_range sx_fused_get_part(subx_fft_plan plan, int i, int d, int side, int slice, int part);

/* ---- rings (rings.c) */

enum { SX_RING_DEPTH = 2 };

/* Choose the exchanges that are rings, where no rank gets messages. Returns their number, which all ranks have. */
int sx_fused_choose_rings(subx_fft_plan plan);

/* ---- passes (passes.c) */

/* Create all passes. Their pipes must be there. Local. */
int sx_fused_create_passes(subx_fft_plan plan);
void sx_fused_free_passes(sx_fused *a);

/* Get the bytes of all buffers for tiles. */
ptrdiff_t sx_fused_get_tile_bytes(const sx_fused *a);

/* Query whether an axis is among those that a stage transforms. */
int sx_fused_is_transformed(const sx_stage *s, int axis);

/* ---- twiddle factors (twiddle.c) */

/* Create those of a factored axis. Collective. SUBX_ERR_UNAVAILABLE for quads. */
int sx_fused_create_twiddles(subx_fft_plan plan);

/* What an operation of a pass needs to know. */
typedef struct sx_fused_call {
    subx_fft_plan plan;
    int i, d;
    subx_fft_operation op; /* the caller's */
} sx_fused_call;

/* Multiply by twiddle factors: the `call` of an sx_operation, whose context is an sx_fused_call. */
void sx_fused_multiply_twiddles(void *context, int thread, int ndims, const ptrdiff_t lo[],
                                const ptrdiff_t n[], const ptrdiff_t stride[], void *data);

/* ---- execution (execute.c) */
int sx_fused_execute(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op);

#endif
