/* plan.h - what a plan is made of: its choices, the stages that lead from its physical to its spectral side, and
 * the strategy that executes them. */
#ifndef SX_PLAN_H
#define SX_PLAN_H

#include "array/array.h"

typedef struct sx_strategy sx_strategy;

enum { SX_FORWARD = 0, SX_BACKWARD = 1 }; /* indices of what exists for both directions */

/* ---- choices (hints.c): the problem, and everything that hints decide */

enum { SX_OUTPUT_NATURAL, SX_OUTPUT_TRANSPOSED };
enum { SX_INPUT_PRESERVE, SX_INPUT_DESTROY };
enum { SX_SCALE_NONE, SX_SCALE_FORWARD, SX_SCALE_BACKWARD, SX_SCALE_SYMMETRIC, SX_SCALE_ORTHONORMAL };
enum { SX_OVERLAP_AUTO, SX_OVERLAP_NONE, SX_OVERLAP_SEND, SX_OVERLAP_RECEIVE, SX_OVERLAP_BOTH };
enum { SX_PENCILS_AUTO, SX_PENCILS_CONTIGUOUS, SX_PENCILS_INTERLEAVED };

typedef struct sx_choice {
    subx_fft_problem problem; /* the plan's copy */
    sx_array array;
    int is_reused[2];                    /* by side: the grid has the boxes of the problem */
    sx_edge *edge[2];                    /* by side: a distribution that no grid gives; NULL for none */
    int g, dims[SUBX_NDIMS_MAX];         /* of the process grid */
    int is_auto_grid;                    /* the caller asks for no grid */
    int is_brick, brick[SUBX_NDIMS_MAX]; /* the caller's grid divides every axis, on both sides */
    const sx_strategy *strategy;         /* NULL until the fastest one is found */
    const sx_serial *serial;

    /* The values of the hints, as the table in hints.c lists them. */
    char grid[SX_HINT_LEN], strategy_name[SX_HINT_LEN], serial_name[SX_HINT_LEN];
    char sequence[SX_HINT_LEN];
    int output, scaling, effort, threads, verbose, input;
    ptrdiff_t memory; /* bytes of work space that a rank may have; 0 for no limit */
    int overlap, slices, progress, pencils;
    ptrdiff_t width, cache_bytes;
    int permuting;
    /* Exchanges and pipes read these themselves. Empty where the caller gave none. */
    char engine[SX_HINT_LEN], between[SX_HINT_LEN], window[SX_HINT_LEN], node_ranks[SX_HINT_LEN];
    char radix[SX_HINT_LEN], check[SX_HINT_LEN];
} sx_choice;

/* Hints that only some strategies read. */
enum { SX_HINTS_COMMON, SX_HINTS_TILES, SX_HINTS_EXCHANGES };

/* Read the hints for a problem. Local. */
int sx_choice_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints);
void sx_choice_set_strategy(sx_choice *c, const sx_strategy *strategy);

/* Query whether a name is "auto" or one of those that `query` lists. */
int sx_choice_is_engine(const char *name, int (*query)(int i, const char **name));

/* Get the number of ranks, and the bytes of the spectral side per rank. The latter is an average, and so the same
 * on all ranks. */
int sx_choice_get_nranks(const sx_choice *c);
double sx_choice_get_share(const sx_choice *c);

/* Print it for people, with the hints that its strategy reads; and everything that ranks must have in common. */
void sx_choice_print(const sx_choice *c, sx_text *t);
void sx_choice_print_key(const sx_choice *c, sx_text *t);
int sx_choice_export(const sx_choice *c, MPI_Info info);

/* Choose the process grid, or read it from the text of the hint (grid.c). The text then tells the grid. */
int sx_choice_set_grid(sx_choice *c, int nranks);
void sx_choice_name_grid(sx_choice *c);

/* Get the length of the blocks that an axis has on a side of the plan's own grid; 0 for balanced ones (grid.c). */
ptrdiff_t sx_choice_get_block(const sx_choice *c, int side, int axis);

/* Query whether the plan stores the spectral side as its exchanges leave it (grid.c). */
int sx_choice_is_transposed(const sx_choice *c);

/* Query whether a plan needs anything that exchanges between serial transforms of whole arrays do not have
 * (grid.c). */
int sx_choice_is_plain(const sx_choice *c);

/* ---- stages (stages.c): what every strategy has in common. What only one of them needs per stage is in its own
 * state, by the index of the stage. */
typedef struct sx_stage {
    int kind; /* SUBX_FFT_STAGE_* */
    char name[96];
    sx_box from, to;                 /* as forward sees them */
    int naxes, axes[SUBX_NDIMS_MAX]; /* serial: the transformed axes in forward's order; none to copy */
    const sx_edge *edge[2]; /* what forward reads and writes where that is an edge; NULL for `from`, `to` */
    int dim;                /* exchange: over which grid dimension; -1 for all ranks, from or to an edge */
    int whole, divided;     /* exchange: the axes that are whole and divided before it, as forward sees it */
    double last[2], total[2]; /* seconds, by direction */
} sx_stage;

/* A plan begins and ends with a serial stage. Between two exchanges there is at least one. */
enum { SX_NSTAGES_MAX = 2 * SUBX_NDIMS_MAX + 4 };

/* What a plan may have to do without (lost.c). */
enum { SX_LOST_SHARING = 1, SX_LOST_HUGE = 2, SX_LOST_THREADS = 4 };

struct subx_fft_plan_s {
    sx_choice choice;
    subx_grid grid;
    MPI_Comm all; /* the grid's, of all ranks */
    int nstages;
    sx_stage stage[SX_NSTAGES_MAX];
    sx_stage scale; /* comes last in either direction, if the strategy has such a stage */
    double volume;  /* every scaled direction divides by its root, this many times: 0, 1 or 2 */
    int roots[2];
    int lost;           /* SX_LOST_* */
    char measured[256]; /* the candidates that were measured, for people */

    /* Set by the strategy: its state, the threads that it uses, and the engine that serves the exchanges. Without
     * exchanges this is the engine that was asked for. */
    void *state;
    int threads;
    char engine[SX_HINT_LEN];
};

/* Lay out boxes and stages, without any resources. Local. */
int sx_plan_set_stages(subx_fft_plan plan);

/* Add a serial stage that transforms the axes whose entry in `axes` is not 0. For strategies. */
void sx_plan_add_serial(subx_fft_plan plan, const sx_box *from, const char axes[]);

/* Get the index of a direction, or -1. */
int sx_plan_get_index(int direction);

/* Get the stage that comes i-th in a direction; NULL if there are fewer. */
sx_stage *sx_plan_get_stage(subx_fft_plan plan, int d, int i);

/* Get the index of the stage that comes before (SX_FROM) or after (SX_TO) stage i in a direction; -1 for none. */
int sx_plan_get_adjacent(subx_fft_plan plan, int i, int d, int side);

int sx_plan_is_exchange(subx_fft_plan plan, int i);

/* Call a function for each stage of a kind, first forward and then backward. It gets the first error so far, and is
 * called also after an error: where it is collective on the rows of the grid, ranks of other rows wait for this
 * one. Returns the first error. */
typedef int sx_stage_call(subx_fft_plan plan, int i, int d, int rc, void *context);
int sx_plan_for_each(subx_fft_plan plan, int kind, sx_stage_call *call, void *context);

/* Get the bytes of this rank's array on a side. */
ptrdiff_t sx_plan_get_bytes(subx_fft_plan plan, int side);

/* Get the number of ranks that take part in an exchange. */
int sx_plan_get_ranks(subx_fft_plan plan, const sx_stage *e);

/* Get what an array has on a side in a direction. */
const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side);

/* Get the edge that it is on a side in a direction, NULL if it is a box. */
const sx_edge *sx_stage_get_edge(const sx_stage *s, int d, int side);

/* Get the bytes that this rank has on a side in a direction. */
ptrdiff_t sx_stage_get_bytes(const sx_stage *s, int d, int side);

/* Get the axis that an exchange makes whole in a direction, and the one that it divides. */
int sx_stage_get_whole(const sx_stage *e, int d);
int sx_stage_get_divided(const sx_stage *e, int d);

/* ---- strategies (strategies.c): how the stages of a plan are executed */

/* What a rank moves in an exchange. */
typedef struct sx_traffic {
    const char *engine;
    int nslices;
    MPI_Count sent, received; /* bytes; blocks that are read where they lie need not count as received */
} sx_traffic;

struct sx_strategy {
    const char *name;
    int hints;                  /* SX_HINTS_*, what it reads besides the common ones */
    const char *transform;      /* what its serial stages are called */
    int reorders;               /* 1 if exchanges make the axis innermost that they make whole */
    int has_scale;              /* 1 if scaling is a stage of its own */
    int needs_exchanges;        /* 1 if without exchanges it is the same as another strategy */
    const char *const *engines; /* to be tried with it where the fastest is wanted; NULL-terminated */

    /* Query whether it can do what the hints say. Local. */
    int (*serves)(const sx_choice *c);

    /* Add the stages that transform some axes, by sx_plan_add_serial. */
    void (*add_transforms)(subx_fft_plan plan, const sx_box *from, const char axes[]);

    /* Change the choice so that a plan needs less work space. Returns 0 if there is no way. NULL if there never
     * is. */
    int (*reduce)(sx_choice *c);

    /* Set state, engine and threads of a plan whose stages are laid out. The hints are the plan's own copy, with
     * subx_work = caller for exchanges. Collective. The outcome may differ between ranks; `free` is called in
     * either case. */
    int (*create)(subx_fft_plan plan, MPI_Info hints);
    void (*free)(subx_fft_plan plan);

    /* Execute the stages and add up their times. Collective. Every rank takes part in all exchanges, also after an
     * error; the first error is returned on the rank that had it. */
    int (*execute)(subx_fft_plan plan, int d, const void *from, void *to, subx_fft_operation op);

    /* Execute forward, an operation, and backward. NULL if it has no operations. */
    int (*execute_round)(subx_fft_plan plan, const void *from, void *to, subx_fft_operation op);

    int (*get_traffic)(subx_fft_plan plan, int i, sx_traffic *traffic);
    ptrdiff_t (*get_work)(subx_fft_plan plan);
    const void *(*get_memory)(
        subx_fft_plan plan); /* of subx_mem_alloc, that peers read; NULL if there is none */
    void (*print_work)(subx_fft_plan plan, sx_text *t);
};

/* All strategies, in the order of preference; NULL-terminated. */
extern const sx_strategy *const sx_strategy_table[];
extern const sx_strategy sx_strategy_fused, sx_strategy_stride1, sx_strategy_natural;

/* ---- plans (plan.c) */

/* Create a plan whose strategy is chosen and agreed on. Collective. */
int sx_plan_create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan);

/* Free a plan, but not its grid, on which other plans may be tried. Collective. */
void sx_plan_free(subx_fft_plan *plan);

/* Create the plan that is the fastest one here (try.c). Collective. */
int sx_plan_try(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan);

/* Find out what a plan has to do without, and agree on the outcome of its creation (lost.c). Collective. */
int sx_plan_find_lost(subx_fft_plan plan, int rc);
void sx_plan_print_lost(subx_fft_plan plan, sx_text *t);

/* Write a plan's text to stderr on rank 0 (verbose.c). Local. */
void sx_plan_print_verbose(subx_fft_plan plan);

#endif
