/* fused.h - the strategy fused: passes, pipes between them, and areas of memory.
 *
 * A pass reads an array or the blocks of a pipe, transforms the data tile by tile in the caches, and writes
 * an array or the blocks of the next pipe. Nothing else packs, unpacks or reorders. In a direction:
 *
 *      from --> pass --> send area 0 ==> pipe ==> pass --> send area 1 ==> pipe ==> pass --> to
 *                                          |                                 |
 *      remote blocks arrive in             receive area                      receive area
 *
 *      A pass reads the block of a local partner in the send area of this partner, and the block of a remote
 *      partner in the receive area of its own rank.
 *
 * The pipes of a direction use send area 0 and send area 1 alternately: a pass writes into one area while
 * partners still read the other. A rank waits for the end of an epoch only when it needs the area of this
 * epoch again. One receive area is enough if a pass has read all blocks of one pipe before the next pipe
 * receives any. But if some pass sends slices while it still reads slices of the pipe before it, there are
 * two receive areas, which are used alternately.
 *
 * With slices, messages travel while a pass computes (list.c). A pass that reads one slice after the other
 * and sends one after the other needs equal slices on both sides: the same axis, the same number, and so the
 * same boundaries.
 *
 * If no rank sends messages, some pipes are rings, whose slices stay in the caches (rings.c).
 *
 * With subx_wire = float, a pipe in which some rank sends messages is narrow (pipes.c). All blocks of a
 * narrow pipe have floats, on all ranks, also the blocks for local partners and for the rank itself. The pass
 * before the pipe rounds the data, the pass after it widens the data, tile by tile in the caches
 * (fft/pass/floats.c). So each element is rounded once, and results do not depend on which ranks share
 * memory. A pipe without messages is not narrow. */
#ifndef SX_FUSED_H
#define SX_FUSED_H

#include "pass/pass.h"
#include "limits/limits.h"
#include "plan/plan.h"
#include "operation/operation.h"

/* How a pass handles slices (list.c). */
enum { SX_SLICES_NONE, SX_SLICES_IN, SX_SLICES_OUT, SX_SLICES_THROUGH };

/* The passes of a stage. Arrays [2] have an entry per direction. */
typedef struct sx_fused_pass {
    int npasses[2]; /* 0 if this rank has no data; at an edge one per box, else 1 */
    sx_pass *pass[2];
    int slices[2]; /* SX_SLICES_* */
} sx_fused_pass;

/* The pipes of an exchange. Arrays [2] have an entry per direction. */
typedef struct sx_fused_pipe {
    subx_pipe pipe[2];
    int is_ring;   /* 1 if the passes before and after the pipe alternate, slice by slice */
    int is_narrow; /* 1 if all blocks have floats (subx_wire) */
    int nslices, slice_axis[2];
    int send_area[2], recv_area[2];
} sx_fused_pipe;

/* ---- the steps of a direction (list.c) */

/* One side of a pass: a pipe; without a pipe, all members are 0. */
typedef struct sx_fused_end {
    subx_pipe pipe;
    int i, d;          /* the stage of the exchange, and the direction in which it runs */
    int slices, ranks; /* the number of slices; of ranks in the exchange */
    int area;          /* the send area of the epoch */
    int is_ring;
    const void **block; /* [slice * ranks + rank]: the addresses of received blocks */
} sx_fused_end;

/* The passes of a stage in a direction, with what they read and write. In a round trip, the exchanges
 * after stage `last` run backward, and the pass of stage `last` has direction forward. */
typedef struct sx_fused_step {
    int i, d;
    int npasses, slices; /* slices: SX_SLICES_* */
    const sx_pass *pass;
    sx_fused_end in, out;
    int from, to;                    /* SX_AT_*; `from` is not used if a pipe is read */
    int has_twiddles, has_operation; /* has_operation: 1 if the pass calls the caller's operation */
} sx_fused_step;

typedef struct sx_fused {
    int nstages;
    sx_fused_pass *pass; /* [stage of the plan]; only entries of serial stages are used */
    sx_fused_pipe *pipe; /* [stage of the plan]; only entries of exchanges are used */
    int has_messages;    /* 1 if some rank receives messages in some pipe; the same on all ranks */
    int first, last;     /* the stages that transform; after stage `last` all data is spectral */
    /* Only if the problem has operations: the pass of stage `last` in a round trip (forward, an operation,
     * backward). It belongs to both directions, so only npasses[0], pass[0] and slices[0] are used. */
    sx_fused_pass round_trip;
    void *twiddles; /* between the two transforms of a factored axis (factored_axis.c); else NULL */

    /* `memory` has both send areas in one piece, which the ranks of a node share. */
    void *memory;
    void *recv[2];

    /* Where data lies between two passes without an exchange, per direction: in the caller's spectral array
     * if is_in_spectral is 1, else in `local`, or in the caller's output array if `local` is NULL. */
    void *local;
    int is_in_spectral[2];
    ptrdiff_t send_bytes[2], recv_bytes[2], local_bytes;

    /* Addresses of received blocks: block[0] for a pipe; block[1] for a ring, which may be active at the same
     * time as the pipe. */
    const void **block[2];
    subx_pipe busy[2]; /* [send area]: the pipe whose epoch may still use the area; SUBX_PIPE_NULL for none */
    int is_unordered;  /* 1 if the epochs of all pipes are unordered */
    int nsteps[3];     /* by direction, or SX_ROUND */
    sx_fused_step *step[3];

    /* the present execution */
    int is_lost;                 /* 1 if some data did not arrive: from then on all results are wrong */
    const sx_fused_step *posted; /* the step that has posted slices last; NULL at first */
} sx_fused;

/* ---- create and free (create.c) */
int sx_fused_create(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free(subx_fft_plan plan);

/* ---- stages (axes.c): add a pass for as many axes as a tile has room for, and further passes for the other
 * axes */
void sx_fused_add_passes(sx_stages *list, const sx_box *from, const char axes[]);

/* Query whether the axis of the fields is whole in each tile: the fields are few, and interleaved. */
int sx_fused_are_fields_whole(const sx_array *a);

/* Get the axis along which units (sx_fused_get_unit) are contiguous on the physical side. */
int sx_fused_get_innermost(const sx_array *a);

/* Get the bytes of the unit of tiles: an element, or all fields at one index if tiles have all fields. */
ptrdiff_t sx_fused_get_unit(const sx_array *a);

/* ---- blocks (blocks.c) */

/* The blocks that this rank sends, or receives, in an exchange. There is one block for each slice and each
 * partner, with the index slice * ranks + partner, where `partner` is a rank in the exchange. A block has no
 * region of the array, one region, or, at an edge, several regions one after the other. nplaces: number of
 * blocks. */
typedef struct sx_fused_blocks {
    int nplaces, nregions;
    ptrdiff_t *bytes;  /* [index of a block] */
    sx_region *region; /* place: index of its block; offset: from the beginning of the block */
    int *box;          /* [region]: if this side is an edge, the index of this rank's box that has the
                          region; else 0 */
} sx_fused_blocks;

int sx_fused_blocks_create(subx_fft_plan plan, int i, int d, int side, sx_fused_blocks *b);
void sx_fused_blocks_free(sx_fused_blocks *b);

/* ---- pipes (pipes.c) */

/* Create all pipes. A pipe has several slices if its messages are long enough, or if it is a ring.
 * Collective: if some rank has an error, all ranks return one. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free_pipes(sx_fused *a);

/* ---- slices (slices.c) */

/* Choose the number of slices of each pipe, and how each pass handles them. */
void sx_fused_choose_slices(subx_fft_plan plan);

/* Query whether some pass sends slices while it may still read slices of the previous pipe. */
int sx_fused_sends_slices(const sx_fused *a);

/* Get an axis that both passes next to exchange e only loop over: the exchange neither divides the axis nor
 * makes it whole, and the passes do not transform it. -1 if there is none. */
int sx_fused_get_common_axis(const sx_array *array, const sx_stage *e);

/* Get the range of the local array that a slice covers, on a side (SX_FROM or SX_TO) of an exchange. The
 * exchange is stage i in direction d. */
sx_range sx_fused_get_slice(subx_fft_plan plan, int i, int d, int side, int slice);

/* count: get the number of parts that a slice has in the local array on a side. get: get a part, a range of
 * indices, which may be empty. Slices cut each block of the grid. An array at an edge has other blocks than
 * the grid: there a slice has one part for each block of the grid. In other arrays a slice has one part. */
int sx_fused_count_parts(subx_fft_plan plan, int i, int d, int side);
sx_range sx_fused_get_part(subx_fft_plan plan, int i, int d, int side, int slice, int part);

/* ---- rings (rings.c) */

enum { SX_RING_DEPTH = 2 };

/* Choose the exchanges that are rings. Must be called only if no rank receives messages. Returns the number
 * of rings, which is the same on all ranks. */
int sx_fused_choose_rings(subx_fft_plan plan);

/* ---- passes (passes.c) */

/* Create all passes. Their pipes must exist. Local. */
int sx_fused_create_passes(subx_fft_plan plan);
void sx_fused_free_passes(sx_fused *a);

/* Get the bytes of all buffers of tiles. */
ptrdiff_t sx_fused_get_tile_bytes(const sx_fused *a);

/* ---- the size of tiles (tile_size.c) */

/* Get the number of pencils side by side in a tile of a stage, which writes `box`: that of the hint, or a
 * good one; fewer if such a tile does not fit into the cache. */
ptrdiff_t sx_fused_get_tile_width(subx_fft_plan plan, const sx_stage *s, const sx_box *box);

/* Set the tiles of a pass without transformed axes, such as one that converts floats: as many whole axes as
 * fit into a tile of good size. A pass that only copies has no tiles, and ignores this. */
void sx_fused_set_copied_tile(subx_fft_plan plan, sx_pass_problem *p);

/* ---- twiddle factors (factored_axis.c) */

/* Create the factors of a factored axis. Collective. SUBX_ERR_UNAVAILABLE for quads. */
int sx_fused_create_twiddles(subx_fft_plan plan);

/* The context of a pass's operation. */
typedef struct sx_fused_call {
    subx_fft_plan plan;
    const sx_fused_step *step;
} sx_fused_call;

/* Multiply a box by twiddle factors. This is the `call` of an sx_operation; `context` is an sx_fused_call. */
void sx_fused_multiply_twiddles(void *context, int thread, int ndims, const ptrdiff_t lo[],
                                const ptrdiff_t n[], const ptrdiff_t stride[], void *data);

/* ---- lists (list.c): create the steps of a direction, or of SX_ROUND, after all passes; list its events */
int sx_fused_create_steps(subx_fft_plan plan, int direction);
void sx_fused_list(subx_fft_plan plan, int d, sx_list *list);

/* ---- events (execute.c): see sx_strategy */
int sx_fused_start(subx_fft_plan plan);
int sx_fused_is_ready(subx_fft_plan plan, const sx_event *e);
void sx_fused_execute(subx_fft_plan plan, const sx_event *e);
void sx_fused_progress(subx_fft_plan plan, const sx_event *next);

#endif
