/* fused.h - the strategy fused: passes, pipes between them, and areas of memory.
 *
 * A pass reads an array or the blocks of a pipe, transforms the data tile by tile in the caches, and writes an array or
 * the blocks of the next pipe. Nothing else packs, unpacks or reorders. In a direction:
 *
 *      from --> pass --> send area 0 ==> pipe ==> pass --> send area 1 ==> pipe ==> pass --> to
 *                                          |                                 |
 *      remote blocks arrive in             receive area                      receive area
 *
 *      A local partner's block is read in the send area of that partner, a remote partner's block in the receive
 *      area of this rank.
 *
 * The pipes of a direction use the send areas 0 and 1 in turn: a pass writes into one area while partners still read
 * the other. A rank waits for the end of an epoch only when it needs the epoch's area again. One receive area is enough
 * if each epoch is read before the next one is received. If some pass sends slices while it still reads slices of the
 * previous pipe, there are two receive areas, which are used in turn.
 *
 * With slices, messages travel while a pass computes. A pass handles slices in one of these ways (pipes of three
 * slices):
 *
 *      NONE       start 0 1 2   transform all                  post 0 1 2
 *      IN         start 0   transform 0   start 1   transform 1   start 2   transform 2   post 0 1 2
 *      OUT        start 0 1 2   transform 0   post 0   transform 1   post 1   transform 2   post 2
 *      THROUGH    start 0   transform 0   post 0   start 1   transform 1   post 1   start 2   transform 2   post 2
 *
 * THROUGH needs equal slices on both sides: the same axis, the same number, and so the same boundaries.
 *
 * If no messages are sent, some pipes are rings, whose slices stay in the caches (rings.c).
 *
 * With subx_wire = float a pipe that sends messages on some rank is narrow: all its blocks have floats, on all ranks, also
 * those for local partners and for the rank itself. The pass before it rounds, the pass after it widens, tile by tile in
 * the caches (fft/pass/floats.c). So each element is rounded once, whichever ranks share memory, and results do not
 * depend on this. A pipe without messages has no float (pipes.c). */
#ifndef SX_FUSED_H
#define SX_FUSED_H

#include "pass/pass.h"
#include "plan/plan.h"
#include "operation/operation.h"

/* A tile has at least this many pencils side by side, unless it transforms the innermost axis. */
enum { SX_LEAST_PENCILS = 4 };

enum { SX_SLICES_NONE, SX_SLICES_IN, SX_SLICES_OUT, SX_SLICES_THROUGH };

/* Arrays of two have an entry per direction. */
typedef struct sx_fused_pass {
    int npasses[2]; /* 0 if this rank has no data; at an edge, one per box */
    sx_pass *pass[2];
    int slices[2]; /* SX_SLICES_* */
} sx_fused_pass;

typedef struct sx_fused_pipe {
    subx_pipe pipe[2];
    int is_ring;   /* 1 if the passes before and after the pipe take turns */
    int is_narrow; /* 1 if all blocks have floats (subx_wire) */
    int nslices, slice_axis[2];
    int send_area[2], recv_area[2];
} sx_fused_pipe;

/* ---- an execution (execute.c) */

/* One side of a pass: a pipe, or an array, which has no slices. */
typedef struct sx_fused_end {
    const sx_fused_pipe *e;
    subx_pipe pipe;
    int i; /* the stage of the exchange */
    int d; /* the direction in which it is executed, which chooses area and times; `out` of a round pass: backward */
    int slices;
} sx_fused_end;

/* A pass with its input and output, and what has been done. */
typedef struct sx_fused_step {
    struct sx_fused_run *x;
    struct sx_fused *a;
    int i, d;                  /* the stage of the pass; the direction to whose times the pass is added */
    const sx_fused_pass *pass; /* its entries for direction d have index d */
    sx_fused_end in, out;
    int has_area, is_complete; /* 1 if this rank may write to the send area; if it has read all blocks */
    int started, done,
        posted;       /* numbers of slices: that have arrived, that are transformed, that are posted */
    const void *from; /* arrays, if there is no pipe */
    void *to;
} sx_fused_step;

/* An execution, between two calls that advance it, too. */
typedef struct sx_fused_run {
    subx_fft_plan plan;
    int is_round; /* forward, an operation, backward */
    int waits;    /* 1 if it may wait for other ranks now */
    int is_lost;  /* 1 if some data did not arrive: from then on results are wrong */
    const void *from;
    void *local;
    int i, d;              /* the stage and the direction of the next pass; i is -1 at the end */
    int is_open;           /* 1 if this pass has begun */
    sx_fused_step step[2]; /* this pass; if there is a ring behind it, the pass behind the ring */
    double clock;          /* the time until which all time has been added to the stages */
} sx_fused_run;

typedef struct sx_fused {
    int nstages;
    sx_fused_pass *pass; /* [stage of the plan]; only entries of serial stages are used */
    sx_fused_pipe *pipe; /* [stage of the plan]; only entries of exchanges are used */
    int has_messages;    /* 1 if some rank receives messages in some pipe; the same on all ranks */
    int first, turn;     /* the first and the last stage that transform; stage `turn` ends with spectral
                            data */
    sx_fused_pass round; /* only if the problem has operations: the pass of stage `turn` in a round execution
                            (forward, an operation, backward), with index 0 */

    void *twiddles; /* twiddle factors between the two transforms of a factored axis (twiddle.c) */

    /* Areas. Both send areas are one piece of memory, which the ranks of a node share. */
    void *memory;
    char *send[2];
    void *recv[2];

    /* The memory for data between two passes without an exchange. NULL if this data is in an array of the caller: in
     * the output array, or, if is_in_spectral, in the spectral array. */
    void *local;
    int is_in_spectral;
    ptrdiff_t send_bytes[2], recv_bytes[2], local_bytes;
    const void **block[2]; /* addresses of received blocks: [0] of a pipe, [1] of a ring that is active at the
                              same time */
    subx_pipe busy[2];     /* for each send area: the pipe that used it last, until the end of its epoch */
    int is_unordered;      /* 1 if the epochs of all pipes are unordered */
    sx_fused_run run;
} sx_fused;

/* ---- create and free (create.c) */
int sx_fused_create(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free(subx_fft_plan plan);

/* ---- stages (axes.c): add a pass for as many axes as a tile has room for, and further passes for the other axes */
void sx_fused_add_passes(sx_stages *list, const sx_box *from, const char axes[]);

/* Query whether each tile has all fields. */
int sx_fused_is_batch_whole(const sx_array *a);

/* Get the axis along which units (sx_fused_get_unit) are contiguous on the physical side. */
int sx_fused_get_innermost(const sx_array *a);
ptrdiff_t sx_fused_get_unit(const sx_array *a); /* bytes of an element, or of all components of an element */

/* ---- blocks (blocks.c) */

/* The data that this rank sends, or receives, in an exchange: the regions of the array, and the bytes of each place.
 * The index of a place is slice * ranks + the partner's rank in the exchange. The block of a place is empty, or one
 * region, or, at an edge, several regions after each other. */
typedef struct sx_fused_blocks {
    int nplaces, nregions;
    ptrdiff_t *bytes;  /* [place] */
    sx_region *region; /* `offset` is counted from the beginning of the block */
    int *box;          /* [region]: if this side is an edge, the index of this rank's box that contains
                          the region; else 0 */
} sx_fused_blocks;

int sx_fused_blocks_create(subx_fft_plan plan, int i, int d, int side, sx_fused_blocks *b);
void sx_fused_blocks_free(sx_fused_blocks *b);

/* ---- pipes (pipes.c) */

/* Create all pipes. Pipes have slices if messages are long enough, or if they are rings. Collective; the outcome is
 * agreed on. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints);
void sx_fused_free_pipes(sx_fused *a);

/* ---- slices (slices.c) */

/* Choose the number of slices of each pipe, and how each pass handles them. */
void sx_fused_choose_slices(subx_fft_plan plan);

/* Query whether some pass sends slices while it may still read slices of the previous pipe. */
int sx_fused_sends_slices(const sx_fused *a);

/* Get an axis that an exchange does not change and that the passes before and after it loop over; -1 if there is
 * none. */
int sx_fused_get_common_axis(const sx_array *array, const sx_stage *e);

/* Get a slice of the exchange that is stage i, executed in direction d, as a range of the local array on a side of the
 * exchange. */
sx_range sx_fused_get_slice(subx_fft_plan plan, int i, int d, int side, int slice);

/* At an edge, a slice has a part for each block into which the grid divides the slices' axis; otherwise it has one
 * part. Get the number of parts; get a part as a range, which may be empty. */
int sx_fused_count_parts(subx_fft_plan plan, int i, int d, int side);
sx_range sx_fused_get_part(subx_fft_plan plan, int i, int d, int side, int slice, int part);

/* ---- rings (rings.c) */

enum { SX_RING_DEPTH = 2 };

/* Choose the exchanges that are rings. Called only if no rank receives messages. Returns the number of rings, which is
 * the same on all ranks. */
int sx_fused_choose_rings(subx_fft_plan plan);

/* ---- passes (passes.c) */

/* Create all passes, after their pipes. Local. */
int sx_fused_create_passes(subx_fft_plan plan);
void sx_fused_free_passes(sx_fused *a);

/* Get the bytes of all buffers of tiles. */
ptrdiff_t sx_fused_get_tile_bytes(const sx_fused *a);

/* Query whether a stage transforms an axis. */
int sx_fused_is_transformed(const sx_stage *s, int axis);

/* ---- twiddle factors (twiddle.c) */

/* Create the factors of a factored axis. Collective. SUBX_ERR_UNAVAILABLE for quads. */
int sx_fused_create_twiddles(subx_fft_plan plan);

/* The context of a pass's operation. */
typedef struct sx_fused_call {
    subx_fft_plan plan;
    int i, d;
    subx_fft_operation op; /* the caller's operation */
} sx_fused_call;

/* Multiply by twiddle factors: the `call` of an sx_operation whose context is an sx_fused_call. */
void sx_fused_multiply_twiddles(void *context, int thread, int ndims, const ptrdiff_t lo[],
                                const ptrdiff_t n[], const ptrdiff_t stride[], void *data);

/* ---- execution (execute.c) */
int sx_fused_start(subx_fft_plan plan);
int sx_fused_execute(subx_fft_plan plan, int waits);
void sx_fused_progress(subx_fft_plan plan);

#endif
