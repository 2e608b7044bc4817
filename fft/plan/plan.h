/* plan.h - what a plan is made of: its choices, the stages that lead from its physical to its spectral side, and
 * the strategy that executes them. */
#ifndef SX_PLAN_H
#define SX_PLAN_H

#include "array/array.h"
#include "machine/machine.h"
#include "tune/tune.h"

typedef struct sx_strategy sx_strategy;

enum { SX_FORWARD = 0, SX_BACKWARD = 1 }; /* indices of what exists for both directions */

/* ---- choices (hints.c, choice.c): the problem, and everything that hints decide */

enum { SX_OUTPUT_NATURAL, SX_OUTPUT_TRANSPOSED };
enum { SX_INPUT_PRESERVE, SX_INPUT_DESTROY };
enum { SX_SCALE_NONE, SX_SCALE_FORWARD, SX_SCALE_BACKWARD, SX_SCALE_SYMMETRIC, SX_SCALE_ORTHONORMAL };
enum { SX_OVERLAP_AUTO, SX_OVERLAP_NONE, SX_OVERLAP_SEND, SX_OVERLAP_RECEIVE, SX_OVERLAP_BOTH };
enum { SX_VERBOSE_NO, SX_VERBOSE_YES, SX_VERBOSE_PROGRESS };
enum { SX_PENCILS_AUTO, SX_PENCILS_CONTIGUOUS, SX_PENCILS_INTERLEAVED };

typedef struct sx_choice {
    subx_fft_problem problem; /* the plan's copy */
    sx_array array;
    int is_reused[2];                    /* by side: the grid has the boxes of the problem */
    sx_edge *edge[2];                    /* by side: a distribution that no grid gives; NULL for none */
    int g, dims[SUBX_NDIMS_MAX];         /* of the process grid */
    int is_auto_grid;                    /* the caller asks for no grid */
    int is_brick, brick[SUBX_NDIMS_MAX]; /* the caller's grid divides every axis, on both sides */
    int nranks_used;                     /* how many ranks the plan works on; the others are idle */
    const sx_strategy *strategy;
    const sx_serial *serial;

    /* What all candidates for a plan share; freed with the problem. */
    sx_machine *machine;
    sx_placement *placement;
    sx_serial_notes *notes;
    subx_grid line; /* one dimension: all ranks of the caller's communicator */

    /* The values of the hints, as the table in hints.c lists them. */
    char grid[SX_HINT_LEN], strategy_name[SX_HINT_LEN], serial_name[SX_HINT_LEN];
    char sequence[SX_HINT_LEN];
    char ranks[SX_HINT_LEN], wisdom[SX_HINT_LEN];
    int output, scaling, effort, rigor, threads, verbose, input, reorder;
    int time_limit;   /* seconds of planning; 0 for no limit */
    ptrdiff_t memory; /* bytes of work space that a rank may have; 0 for no limit */
    int overlap, slices, progress, pencils;
    ptrdiff_t width, cache_bytes;
    int permuting;
    /* Exchanges and pipes read these themselves. Empty where the caller gave none. */
    char engine[SX_HINT_LEN], between[SX_HINT_LEN], window[SX_HINT_LEN], node_ranks[SX_HINT_LEN];
    char radix[SX_HINT_LEN], check[SX_HINT_LEN];

    /* Bits of hints, by their places in the table: which somebody says; which of them give a value, and do not leave it to the
     * library; and variables that are for other objects than this plan. */
    unsigned said, given, ignored;
    char request
        [SX_PROBLEM_TEXT]; /* the given hints that decide what is solved and how: "engine shm, slices 8" */
} sx_choice;

/* Hints that only some strategies read. */
enum { SX_HINTS_COMMON, SX_HINTS_TILES, SX_HINTS_EXCHANGES };

/* Get hint i of the table and its group, SX_HINTS_*; NULL if there are fewer. */
const sx_hint *sx_choice_get_hint(int i, int *group);

/* Read the hints, but for variables that are ignored. Then set the bits of what is said and given; forget a variable, if it is one
 * that says a hint, and tell so; and set the text of the request. Local. */
int sx_choice_parse(sx_choice *c, MPI_Info hints);
void sx_choice_find_given(sx_choice *c, MPI_Info hints);
int sx_choice_ignore(sx_choice *c, const char *name, MPI_Info hints);
int sx_choice_set_request(sx_choice *c);

/* Read the hints for a problem, and decide what follows from them (choice.c). Local. */
int sx_choice_set(sx_choice *c, const subx_fft_problem problem, int nranks, MPI_Info hints);

/* Get the word of an effort. */
const char *sx_choice_get_effort(int effort);

/* Get the effort of the serial backends. */
int sx_choice_get_rigor(const sx_choice *c);

/* Leave out that exchanges check their engines, unless the caller asks for it: the hint is set in `info`. Local. */
int sx_choice_trust(const sx_choice *c, MPI_Info info);

/* Query whether the caller gives a hint, by its name without subx_. */
int sx_choice_is_given(const sx_choice *c, const char *name);

/* Make the same choice but for the hints of a text such as "grid 2x2, slices 8", which are set in `info`, a copy of the caller's
 * hints. Local. Errors: those of sx_choice_set. */
int sx_choice_vary(const sx_choice *base, const char *text, MPI_Info info, sx_choice *c);

/* Get the strategy of a choice. While it is NULL: the first one of the table that the hints ask for and that can serve
 * them; NULL if there is none. */
const sx_strategy *sx_choice_get_strategy(const sx_choice *c);

/* Engines are lists such as "node/kway": a word per dimension of the grid; the last word is for all dimensions that follow
 * (engines.c). Get the word of dimension k; the first one for k = -1. `word` has room for SX_HINT_LEN. */
void sx_choice_get_word(const char *list, int k, char word[]);

/* Query whether all words are "auto" or among those that `query` lists. */
int sx_choice_is_engine(const char *list, int (*query)(int i, const char **name));

/* Query whether the engine of a dimension reads the memory of local partners. */
int sx_choice_is_direct(const char *list, int k);

/* Get the number of ranks, and the bytes of the spectral side per rank. The latter is an average, and so the same
 * on all ranks. */
int sx_choice_get_nranks(const sx_choice *c);
double sx_choice_get_share(const sx_choice *c);

/* Print it for people, with the hints that its strategy reads; and everything that ranks must have in common. */
enum { SX_CHOICE_KEY = 2 * SX_PROBLEM_TEXT + 16 * SX_HINT_LEN }; /* room for all hints */
void sx_choice_print(const sx_choice *c, sx_text *t);
void sx_choice_print_key(const sx_choice *c, sx_text *t);
int sx_choice_export(const sx_choice *c, MPI_Info info);

/* Set nranks_used: what the hint says of nranks ranks. HINT, or UNAVAILABLE if the caller's boxes need all ranks
 * (ranks.c). Local. */
int sx_choice_set_ranks(sx_choice *c, int nranks);

/* Reduce nranks_used if the hint is auto and the cost model predicts a clear gain (ranks.c). Local; the same on all ranks. */
int sx_choice_reduce_ranks(sx_choice *c);

/* Query whether a choice may be tried with other numbers of ranks; and set nranks_used of `c`, which differs from `base` by hints,
 * for its hint: HINT if it would have to be that of `base` (ranks.c). Local; the same on all ranks. */
int sx_choice_may_vary_ranks(const sx_choice *c);
int sx_choice_vary_ranks(const sx_choice *base, sx_choice *c);

/* Create what a choice with a line needs before a plan: edges, and the process grid, which is SUBX_GRID_NULL on an idle
 * rank (ranks.c). Collective on the line; the outcome is the same on all its ranks. */
int sx_choice_create_grid(sx_choice *c, MPI_Info hints, subx_grid *grid);

/* Create the grid of a choice that differs by hints from `like`, whose grid is known; SUBX_GRID_NULL on a rank that the choice
 * leaves idle (ranks.c). As collective as sx_choice_create_grid. Grids of the same shape and members are one object. */
int sx_choice_create_other_grid(const sx_choice *c, const sx_choice *like, subx_grid known, MPI_Info hints,
                                subx_grid *grid);

/* Choose the process grid, or read it from the text of the hint (grid.c). The text then tells the grid. */
int sx_choice_set_grid(sx_choice *c, int nranks);
void sx_choice_name_grid(sx_choice *c);

/* Get the most dimensions that a grid may have, and the shortest length that an axis has while it is divided (grid.c). */
int sx_choice_get_most_dims(const sx_choice *c);
ptrdiff_t sx_choice_get_shortest(const sx_choice *c, int axis);

/* Check that the blocks which the caller asks for suit the grid (grid.c). SIZE, UNAVAILABLE. */
int sx_choice_check_grid(const sx_choice *c);

/* Get the length of the blocks that an axis has on a side of the plan's own grid; 0 for balanced ones (grid.c). */
ptrdiff_t sx_choice_get_block(const sx_choice *c, int side, int axis);

/* Query whether the plan stores the spectral side as its exchanges leave it (grid.c). */
int sx_choice_is_transposed(const sx_choice *c);

/* Query whether a plan needs anything that exchanges between serial transforms of whole arrays do not have
 * (grid.c). */
int sx_choice_is_plain(const sx_choice *c);

/* ---- prices (price.c): what a choice costs, before any plan exists */

/* What a stage is expected to cost. */
typedef struct sx_price {
    double seconds;
    double flops, memory_bytes; /* of a pass: the busiest rank's */
    sx_load load;               /* of an exchange */
} sx_price;

/* Get the price of each stage of forward, in order, and their sum. A stage that scales comes last. The choice has a placement
 * of all its ranks and a machine; its strategy is that of sx_choice_get_strategy. Local; the same on all ranks. `price` has
 * room for SX_NSTAGES_MAX; it and nstages may be NULL. INFINITY if the choice cannot serve, or if memory is lacking. */
double sx_choice_get_price(const sx_choice *c, sx_price price[], int *nstages);

/* ---- the calibration of the prices (calibrate.c) */

/* Print the key of the machine's parameters in wisdom: processor, MPI, version of this library, and the mean number of ranks per
 * node. Local; wisdom has that of rank 0. */
void sx_choice_print_machine_key(const sx_placement *p, sx_text *t);

/* ---- grids and numbers of ranks by their prices (grids.c) */

typedef struct sx_grid_price {
    int nranks, g, dims[SUBX_NDIMS_MAX];
    double seconds;
    double
        bytes; /* that the busiest rank reads and writes in all passes: the same for grids of the same balance */
} sx_grid_price;

/* List the `most` cheapest grids for a number of ranks, the cheapest one first. The choice has a placement of this number of
 * ranks or more, of which the first ones count, and a machine; its own grid does not matter. Local; the same on all ranks.
 *   list   [out]  room for `most`
 *   count  [out]  how many there are; 0 if the choice cannot serve with any grid */
int sx_choice_list_grids(const sx_choice *c, int nranks, int most, sx_grid_price list[], int *count);

/* Replace the grid by one that is clearly cheaper. Local; the same on all ranks. */
int sx_choice_set_cheaper_grid(sx_choice *c, int nranks);

/* List the numbers of ranks that may be faster than nranks ranks, and nranks, each by its cheapest grid; the cheapest one first.
 * As for sx_choice_list_grids; there is room for SX_RANKS_MAX. */
enum { SX_RANKS_MAX = 64 };
int sx_choice_list_ranks(const sx_choice *c, int nranks, sx_grid_price list[], int *count);

/* Get the number of ranks, 1 .. nranks, whose cheapest grid is the cheapest; nranks unless another number is clearly
 * cheaper. As for sx_choice_list_grids. */
int sx_choice_get_best_ranks(const sx_choice *c, int nranks, int *best);

/* ---- how a plan was chosen */

/* A candidate: a choice, as the difference to the one that the caller's hints give. */
typedef struct sx_candidate {
    char name[160]; /* such as "grid 2x2, strategy fused, engine shm" */
    double price;   /* seconds, by the cost model */
    sx_tune_trial trial;
} sx_candidate;

enum { SX_SOURCE_HINTS, SX_SOURCE_MODEL, SX_SOURCE_MEASURED, SX_SOURCE_WISDOM };

typedef struct sx_report {
    int source;    /* who chose: SX_SOURCE_* */
    int n, chosen; /* candidates, those that were dropped, too; -1 if there are none */
    sx_candidate *list;
    double seconds;      /* of planning: from the first candidate to the last one */
    int nexecutions;     /* of all candidates */
    int warnings;        /* SX_WARN_* */
    char wisdom[2][256]; /* what became of wisdom: reading, writing; empty if it is not used */
} sx_report;

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
    int is_idle;       /* this rank has no grid, no data and no state: it takes part in creation only */
    MPI_Comm all;      /* the grid's, of all ranks that work; MPI_COMM_NULL on an idle rank */
    MPI_Comm everyone; /* the line's: ranks agree on it, idle ones, too */
    int nstages;
    sx_stage stage[SX_NSTAGES_MAX];
    sx_stage scale; /* comes last in either direction, if the strategy has such a stage */
    double volume;  /* every scaled direction divides by its root, this many times: 0, 1 or 2 */
    int roots[2];
    int lost;         /* SX_LOST_* */
    sx_report report; /* how it was chosen; it owns its list */

    /* Set by the strategy: its state, the threads that it uses, and the engine that serves the exchanges. Without
     * exchanges this is the engine that was asked for. */
    void *state;
    int threads;
    char engine[SX_HINT_LEN];
};

/* List the stages, with boxes that lack each rank's own block. The plan needs nothing but a choice with a strategy, and
 * is 0 otherwise. Local. */
void sx_plan_list_stages(subx_fft_plan plan);

/* List the stages, and set this rank's blocks. Local. */
int sx_plan_set_stages(subx_fft_plan plan);

/* As sx_choice_get_price, of the choice of a sketch: a plan that is 0 but for its choice. The sketch can be used again with
 * another grid. */
double sx_plan_get_price(subx_fft_plan sketch, sx_price price[], int *nstages);

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

/* Get the bytes of this rank's array on a side, and of its work space. */
ptrdiff_t sx_plan_get_bytes(subx_fft_plan plan, int side);
ptrdiff_t sx_plan_get_work(subx_fft_plan plan);

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

/* Set the hints subx_engine and subx_between for the exchange that is stage i (engines.c). Local. */
int sx_plan_set_engine(subx_fft_plan plan, int i, MPI_Info hints);

/* ---- strategies (strategies.c): how the stages of a plan are executed */

/* What a rank moves in an exchange. */
typedef struct sx_traffic {
    const char *engine;
    int nslices;
    ptrdiff_t sent, received; /* bytes; blocks that are read where they lie need not count as received */
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

/* Create a plan whose strategy is chosen and agreed on. Collective on all ranks of the line, also on idle ones; the
 * outcome is the same on all. */
int sx_plan_create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan);

/* Free a plan, but not its grid, on which other plans may be tried. Collective. */
void sx_plan_free(subx_fft_plan *plan);

/* Create the plan that is the fastest one here (try.c). Its grid may be another one, which then replaces *grid. Collective. */
int sx_plan_try(const sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan);

/* ---- what earlier plans have learnt (recall.c). Rank 0 of `all` reads and writes the file. */

/* Set the machine and the placement of a choice; the hints need not be valid. Collective. */
int sx_choice_recall_machine(sx_choice *c, MPI_Comm all, MPI_Info hints);

/* Create the plan that wisdom has for a choice, if it was made with at least the same effort; else *plan is SUBX_FFT_PLAN_NULL, and
 * on rank 0 `why` may tell the reason. Its grid may be another one, which then replaces *grid, and so may be the notes of the
 * choice. Collective. */
int sx_plan_recall(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan, sx_text *why);

/* Put what a plan has learnt into wisdom (remember.c). Collective; what fails is told by the plan's report only. */
void sx_plan_remember(subx_fft_plan plan);

/* Print the keys of a plan's entries: that of the plan, and that of FFTW's wisdom. */
enum { SX_WISDOM_KEY = 3 * SX_PROBLEM_TEXT }; /* room for a key, bytes: problem, request, machine */
void sx_choice_print_plan_key(const sx_choice *c, sx_text *t);
void sx_choice_print_key_of_fftw(const sx_choice *c, sx_text *t);

/* Find out whether the nodes have the memory for `bytes` on each rank that works, before any of it is touched (memory.c): NO_MEM
 * if not. Collective on them; rc is this rank's outcome so far, and all return the same kind of error. */
int sx_plan_check_memory(subx_fft_plan plan, int rc, ptrdiff_t bytes);

/* Get what any strategy needs at least on this rank: memory to send from. */
ptrdiff_t sx_plan_get_least_work(subx_fft_plan plan);

/* Find out what a plan has to do without, and agree on the outcome of its creation (lost.c). Collective. */
int sx_plan_find_lost(subx_fft_plan plan, int rc);
void sx_plan_print_lost(subx_fft_plan plan, sx_text *t);

/* Print the hints that the caller says and that have no effect on this plan, and variables that it ignores; nothing on an idle rank.
 * Get what is known against an engine in use, from place *i of the list of engines on; NULL if there is nothing more (effect.c). */
void sx_plan_print_unused(subx_fft_plan plan, sx_text *t);
const char *sx_plan_get_warning(subx_fft_plan plan, int *i);

/* Get the choices as they took effect (print.c). */
sx_choice sx_plan_get_effective(subx_fft_plan plan);

/* Write a plan's text to stderr on rank 0 (verbose.c). Local. */
void sx_plan_print_verbose(subx_fft_plan plan);

/* Write how far planning is: candidate i of n. Local; for rank 0 with hint subx_verbose = progress, a terminal, and more than a
 * second. i = n ends it. */
void sx_plan_print_progress(const sx_choice *c, MPI_Comm all, int i, int n, const char *name, double began);

#endif
