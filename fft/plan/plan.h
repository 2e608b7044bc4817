/* plan.h - a plan: its choice, the stages from its physical to its spectral side, the state of the strategy
 * that executes them, and a report of how it was chosen. */
#ifndef SX_PLAN_H
#define SX_PLAN_H

#include "plan/list.h"
#include "stages/stages.h"
#include "tune/tune.h"

/* ---- how a plan was chosen */

/* A candidate: its name has the hints in which it differs from the choice that is made without measuring. */
typedef struct sx_candidate {
    char name[160]; /* such as "grid 2x2, strategy fused, engine shm" */
    double price;   /* seconds, by the cost model */
    sx_tune_trial trial;
    sx_ways ways; /* of the data of all ranks, once a plan has been created */
} sx_candidate;

enum { SX_SOURCE_HINTS, SX_SOURCE_MODEL, SX_SOURCE_MEASURED, SX_SOURCE_WISDOM };

typedef struct sx_report {
    int source;    /* who chose: SX_SOURCE_* */
    int n, chosen; /* n: length of `list`; 1 if wisdom chose, 0 if hints or model chose. chosen: index of
                      the chosen candidate; -1 if n is 0 */
    sx_candidate *list;
    double seconds;      /* seconds that the search took; 0 without a search */
    int nexecutions;     /* sum over all candidates; forward and backward count as two */
    int warnings;        /* SX_WARN_* */
    char wisdom[2][256]; /* why wisdom was not read; why it was not written, or what was removed; may be "" */
} sx_report;

/* ---- plans (plan.c) */

/* Features that a plan may lack although the caller asked for them (lost_features.c). */
enum { SX_LOST_SHARING = 1, SX_LOST_HUGE = 2, SX_LOST_THREADS = 4 };

/* An execution of a plan. */
typedef struct sx_execution {
    int d; /* SX_FORWARD, SX_BACKWARD, or SX_ROUND (only if the problem has operations) */
    const void *from;
    void *to;
    subx_fft_operation op;
    int is_started;  /* 1 if subx_fft_start began it, so that subx_fft_wait ends it */
    int is_complete; /* 1 if only the call of subx_fft_wait is left */
    int error;       /* the first error */
    int next;        /* the next event of the list */
    double clock;    /* all time before this moment has been added to the times of stages */
} sx_execution;

struct subx_fft_plan_s {
    sx_choice choice;
    subx_grid grid;
    int is_idle;       /* this rank has no grid, no data and no state, and takes part in creation only */
    MPI_Comm all;      /* the grid's communicator, of all ranks that work; MPI_COMM_NULL on an idle rank */
    MPI_Comm everyone; /* the communicator of choice.shared.all_ranks, of all ranks, also idle ones */
    int nstages;
    sx_stage *stage; /* stages of forward, then scaling: it is the last stage of both directions */
    double volume;   /* N: forward and then backward multiply data by N, if nothing is scaled */
    int roots[2]; /* for each direction: how often results are divided by the square root of N: 0, 1 or 2 */
    int lost;     /* SX_LOST_* */
    sx_list list[3];          /* what an execution does: by direction, or SX_ROUND */
    void *at[SX_AT_N];        /* the memory of the present execution; the strategy sets it */
    sx_execution run;         /* the present execution, or the last one */
    int is_active, is_driven; /* is_active: 1 in flight; is_driven: 1 while a thread goes on with the plan */
    subx_fft_plan next;       /* in the list of plans in flight */
    sx_report report;         /* how the plan was chosen; the plan owns the list in it */
    struct sx_kept *kept;     /* how the plan is kept when it is freed (fft/keep); NULL: it is not kept */

    /* Set by the strategy. engine: the engine of the exchanges, or the hint if there are no exchanges. */
    void *state;
    int threads;
    char engine[SX_HINT_LEN];
};

/* Create a plan for a choice that has a strategy. Collective on choice->shared.all_ranks; all ranks get the
 * same outcome. */
int sx_plan_create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan);

/* Free a plan, but not its grid and its choice, which other plans may use. Collective. */
void sx_plan_free(subx_fft_plan *plan);

/* ---- plans in flight: those of this process that were started and not yet waited for (flight.c) */

/* add: put a plan into the list of plans in flight. drop: take it out. has_others: query whether others are
 * in flight. */
void sx_plan_add_flight(subx_fft_plan plan);
void sx_plan_drop_flight(subx_fft_plan plan);
int sx_plan_has_others(subx_fft_plan plan);

/* execute: go on with a plan in flight (sx_plan_execute_list); returns 1 if the execution is complete,
 * 0 if it is not or if another thread is going on with the plan. execute_others: go on with all other plans
 * in flight, as far as possible without waiting. progress_others: only let messages of the other plans make
 * progress. */
int sx_plan_execute(subx_fft_plan plan, int waits);
void sx_plan_execute_others(subx_fft_plan plan);
void sx_plan_progress_others(subx_fft_plan plan);

/* ---- executions (walk.c) */

/* start: begin an execution; after an error none has begun. execute_list: go through the list of events;
 * returns 1 at the end of the list, 0 if `waits` is 0 and the next event has to wait for other ranks.
 * progress: let messages make progress between two walks. keep_error: keep the first error of an execution.
 * Local. */
int sx_plan_start(subx_fft_plan plan, const sx_execution *run);
int sx_plan_execute_list(subx_fft_plan plan, int waits);
void sx_plan_progress(subx_fft_plan plan);
void sx_plan_keep_error(subx_fft_plan plan, int rc);

/* ---- stages in the order of a direction (order.c) */

/* get_index: get SX_FORWARD or SX_BACKWARD from a public direction; -1 if it is neither of the two.
 * get_stage: get the stage that direction d executes i-th, from 0; NULL if there is none. Scaling comes last
 * in both directions. */
int sx_plan_get_index(int direction);
sx_stage *sx_plan_get_stage(subx_fft_plan plan, int d, int i);

/* Get the index of the stage before (SX_FROM) or after (SX_TO) stage i in a direction; -1 for none. */
int sx_plan_get_adjacent(subx_fft_plan plan, int i, int d, int side);

/* A function for stage i in direction d. rc is the first error so far. The function is also called after an
 * error: it may be collective on a row of the grid, where the other ranks wait for this rank. */
typedef int sx_stage_call(subx_fft_plan plan, int i, int d, int rc, void *context);

/* For each stage of a kind, call a function twice: for forward, then for backward. Returns the first
 * error. */
int sx_plan_for_each(subx_fft_plan plan, int kind, sx_stage_call *call, void *context);

/* get_bytes: get the bytes of this rank's array on a side, SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL. get_ranks:
 * get the number of ranks that take part in an exchange. check_operation: SUBX_ERR_ARG if the plan is null or
 * has no operations. */
ptrdiff_t sx_plan_get_bytes(subx_fft_plan plan, int side);
int sx_plan_get_ranks(subx_fft_plan plan, const sx_stage *e);
int sx_plan_check_operation(subx_fft_plan plan);

/* ---- memory (free_memory.c) */

/* Check that the nodes have memory for `bytes` on each rank that works, before any memory is touched. NO_MEM
 * if not. Collective on the ranks that work; rc is this rank's outcome so far, and all return the same kind
 * of error. */
int sx_plan_check_memory(subx_fft_plan plan, int rc, ptrdiff_t bytes);

/* get_work: get the bytes of this rank's work space. get_least_work: get the bytes that every strategy needs
 * to send blocks. */
ptrdiff_t sx_plan_get_work(subx_fft_plan plan);
ptrdiff_t sx_plan_get_least_work(subx_fft_plan plan);

/* ---- texts about a plan */

/* Find out which features a plan lacks, and agree on the outcome of its creation (lost_features.c).
 * Collective. */
int sx_plan_find_lost(subx_fft_plan plan, int rc);
void sx_plan_print_lost(subx_fft_plan plan, sx_text *t);

/* get_wire: get the bound of the error that floats in messages cause; all members are 0 if no messages carry
 * floats, or if the rank is idle. print_wire: print this bound if messages carry floats (wire.c). */
sx_wire sx_plan_get_wire(subx_fft_plan plan);
void sx_plan_print_wire(subx_fft_plan plan, sx_text *t);

/* print_unused: print the caller's hints without effect on this plan, and the environment variables that the
 * plan ignores; nothing on an idle rank. get_warning: get the next known weakness of an engine that the plan
 * uses; NULL if there are no more. *i is 0 before the first call, and counts the engines that have been
 * looked at (effect.c). */
void sx_plan_print_unused(subx_fft_plan plan, sx_text *t);
const char *sx_plan_get_warning(subx_fft_plan plan, int *i);

/* Get the plan's choice with the values that took effect: engine, threads, ranks, order of transforms, floats
 * (info.c). */
sx_choice sx_plan_get_effective(subx_fft_plan plan);

#endif
