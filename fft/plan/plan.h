/* plan.h - a plan: its choice, the stages that lead from its physical to its spectral side, the state of the strategy that executes
 * them, and a report of how it was chosen. */
#ifndef SX_PLAN_H
#define SX_PLAN_H

#include "stages/stages.h"
#include "tune/tune.h"

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

/* ---- plans (plan.c) */

/* What a plan may have to do without (lost.c). */
enum { SX_LOST_SHARING = 1, SX_LOST_HUGE = 2, SX_LOST_THREADS = 4 };

struct subx_fft_plan_s {
    sx_choice choice;
    subx_grid grid;
    int is_idle;       /* this rank has no grid, no data and no state: it takes part in creation only */
    MPI_Comm all;      /* the grid's, of all ranks that work; MPI_COMM_NULL on an idle rank */
    MPI_Comm everyone; /* the line's: ranks agree on it, idle ones, too */
    int nstages;
    sx_stage *stage; /* and behind them one that scales, which comes last in either direction */
    double volume;   /* every scaled direction divides by its root, this many times: 0, 1 or 2 */
    int roots[2];
    int lost;         /* SX_LOST_* */
    sx_report report; /* how it was chosen; it owns its list */

    /* Set by the strategy: its state, the threads that it uses, and the engine that serves the exchanges. Without
     * exchanges this is the engine that was asked for. */
    void *state;
    int threads;
    char engine[SX_HINT_LEN];
};

/* Create a plan whose strategy is chosen and agreed on. Collective on all ranks of the line, also on idle ones; the
 * outcome is the same on all. */
int sx_plan_create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan);

/* Free a plan, but not its grid and not its choice, with which other plans may be tried. Collective. */
void sx_plan_free(subx_fft_plan *plan);

/* ---- stages in the order of a direction (order.c) */

/* Get the index of a direction, or -1. */
int sx_plan_get_index(int direction);

/* Get the stage that comes i-th in a direction; NULL if there are fewer. */
sx_stage *sx_plan_get_stage(subx_fft_plan plan, int d, int i);

/* Get the index of the stage that comes before (SX_FROM) or after (SX_TO) stage i in a direction; -1 for none. */
int sx_plan_get_adjacent(subx_fft_plan plan, int i, int d, int side);

/* Call a function for each stage of a kind, first forward and then backward. It gets the first error so far, and is
 * called also after an error: where it is collective on the rows of the grid, ranks of other rows wait for this
 * one. Returns the first error. */
typedef int sx_stage_call(subx_fft_plan plan, int i, int d, int rc, void *context);
int sx_plan_for_each(subx_fft_plan plan, int kind, sx_stage_call *call, void *context);

/* Get the bytes of this rank's array on a side. */
ptrdiff_t sx_plan_get_bytes(subx_fft_plan plan, int side);

/* Get the number of ranks that take part in an exchange. */
int sx_plan_get_ranks(subx_fft_plan plan, const sx_stage *e);

/* ---- memory (memory.c) */

/* Find out whether the nodes have the memory for `bytes` on each rank that works, before any of it is touched: NO_MEM
 * if not. Collective on them; rc is this rank's outcome so far, and all return the same kind of error. */
int sx_plan_check_memory(subx_fft_plan plan, int rc, ptrdiff_t bytes);

/* Get the bytes of this rank's work space, and what any strategy needs at least: memory to send from. */
ptrdiff_t sx_plan_get_work(subx_fft_plan plan);
ptrdiff_t sx_plan_get_least_work(subx_fft_plan plan);

/* ---- what a plan tells of itself */

/* Find out what a plan has to do without, and agree on the outcome of its creation (lost.c). Collective. */
int sx_plan_find_lost(subx_fft_plan plan, int rc);
void sx_plan_print_lost(subx_fft_plan plan, sx_text *t);

/* Print the hints that the caller says and that have no effect on this plan, and variables that it ignores; nothing on an idle rank.
 * Get what is known against an engine in use, from place *i of the list of engines on; NULL if there is nothing more (effect.c). */
void sx_plan_print_unused(subx_fft_plan plan, sx_text *t);
const char *sx_plan_get_warning(subx_fft_plan plan, int *i);

/* Get the choice as it took effect (print.c). */
sx_choice sx_plan_get_effective(subx_fft_plan plan);

/* Write a plan's text to stderr on rank 0 (verbose.c). Local. */
void sx_plan_print_verbose(subx_fft_plan plan);

/* Write how far planning is: candidate i of n. Local; for rank 0 with hint subx_verbose = progress, a terminal, and more than a
 * second. i = n ends it. */
void sx_plan_print_progress(const sx_hints *h, MPI_Comm all, int i, int n, const char *name, double began);

#endif
