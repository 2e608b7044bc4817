/* fftw3mpi.h - requests, layouts, plans and reports, for the files of the drop-in for FFTW's MPI transforms.
 *
 *   fftw_mpi_plan_*  request --layout.c, problem.c--> problem --> subx_fft_plan; equal requests share it
 *                    (keep.c, turn.c)
 *                    above FFTW_ESTIMATE compared with FFTW's plan (compare_planning.c) and remembered
 *                    (remember.c); FFTW then plans only if its wisdom is asked for (late.c)
 *   fftw_execute     executes plans that begin with our mark, gives all others to FFTW (find.c); may
 *                    share first executions with FFTW's plan, to see which is faster (compare_running.c) */
#ifndef SX_FFTW3MPI_H
#define SX_FFTW3MPI_H

#include "base/base.h"
#include "fftw3mpi/limits.h"
#include <stdint.h>
#include <subx_tune.h>

/* The flags that only FFTW's MPI planners have; fftw3.h defines all other flags. */
#define SX_FFTW_SCRAMBLED_IN (1U << 27)
#define SX_FFTW_SCRAMBLED_OUT (1U << 28)
#define SX_FFTW_TRANSPOSED_IN (1U << 29)
#define SX_FFTW_TRANSPOSED_OUT (1U << 30)
#define SX_FFTW_MPI_FLAGS                                                                                    \
    (SX_FFTW_SCRAMBLED_IN | SX_FFTW_SCRAMBLED_OUT | SX_FFTW_TRANSPOSED_IN | SX_FFTW_TRANSPOSED_OUT)

#define SX_FFTW_NDIMS_MAX (SUBX_NDIMS_MAX - 2) /* the limit of subx_fft_problem_create */

/* An axis as the caller describes it: FFTW's type fftw_mpi_ddim. n: its length; ib, ob: lengths of the blocks
 * that divide it in the input and in the output. If a block length is 0, the library chooses it. */
typedef struct sx_fftw_dim {
    ptrdiff_t n, ib, ob;
} sx_fftw_dim;

/* ---- requests. Their sides are SX_FROM (FFTW's input) and SX_TO (its output) */

/* Families of requests. */
enum { SX_FFTW_DFT, SX_FFTW_R2C, SX_FFTW_C2R, SX_FFTW_R2R, SX_FFTW_TRANSPOSE };

typedef struct sx_fftw_precision sx_fftw_precision;

/* The arguments of one of FFTW's planners. */
typedef struct sx_fftw_request {
    const sx_fftw_precision *precision;
    int family, ndims;
    sx_fftw_dim dim[SX_FFTW_NDIMS_MAX];
    int kind[SX_FFTW_NDIMS_MAX]; /* for R2R, with FFTW's numbers */
    ptrdiff_t howmany;
    void *in, *out;
    MPI_Comm comm;
    int sign;
    unsigned flags;
    /* What follows is set by the functions sx_fftw_plan_guru and sx_fftw_plan_many. */
    int rank, nranks; /* nranks: the same on all ranks; 0 if it is not known */
    int is_world;     /* 1 on all ranks if the ranks are those of MPI_COMM_WORLD, else 0 on all */
    double limit;     /* seconds that our planner may take; negative for no limit */
} sx_fftw_request;

static inline int sx_fftw_is_halved(const sx_fftw_request *q)
{
    return q->family == SX_FFTW_R2C || q->family == SX_FFTW_C2R;
}

/* A precision, for the files that are compiled once for all precisions: its number and name, and FFTW's
 * functions. */
struct sx_fftw_precision {
    int number;       /* SUBX_FFT_FLOAT .. SUBX_FFT_LONG_DOUBLE */
    size_t real;      /* bytes of a real number */
    const char *name; /* "fftw", "fftwf", "fftwl" */
    struct sx_fftw_state *state;
    int (*has_stock)(void);                           /* 1 if FFTW's own MPI library can be found */
    void *(*plan_stock)(const sx_fftw_request *);     /* create a plan of FFTW's MPI library; NULL if it has
                                                         none */
    void (*execute)(void *plan, void *in, void *out); /* execute a plan of ours, or of FFTW's MPI library */
    void (*destroy)(void *plan);
    void (*set_threads)(int n);        /* for the serial planner; does nothing if it has no threads */
    void (*set_limit)(double seconds); /* for the serial planner, which FFTW's MPI library also uses */
    char *(*export_wisdom)(void);
    int (*import_wisdom)(const char *);
    const char *version; /* of FFTW, and which instructions it uses */
};

typedef struct sx_fftw_state {
    int threads;         /* as set by fftw_plan_with_nthreads; 0 if it was not called */
    double limit;        /* as set by fftw_set_timelimit; negative for none */
    int nplans;          /* number of our plans that exist */
    int has_stock_begun; /* 1 if FFTW's MPI library was initialised since the last fftw_mpi_cleanup */
} sx_fftw_state;

/* ---- layouts (layout.c) */

/* How FFTW distributes an array over nranks ranks. On each side, the array is divided into blocks;
 * block[side] has the lengths of a block along the axes. Rank r has block r; blocks are numbered in C order,
 * fastest along the last axis. */
typedef struct sx_fftw_layout {
    int ndims, nranks;
    ptrdiff_t n[SX_FFTW_NDIMS_MAX], block[2][SX_FFTW_NDIMS_MAX];
} sx_fftw_layout;

/* count_blocks: get the number of blocks along an axis. count_all: get the number of blocks of a side. */
ptrdiff_t sx_fftw_count_blocks(const sx_fftw_layout *l, int side, int axis);
ptrdiff_t sx_fftw_count_all(const sx_fftw_layout *l, int side);

/* Query whether a single axis of n elements is distributed as two factors of n. */
int sx_fftw_is_factored(ptrdiff_t n, int nranks, ptrdiff_t howmany, int sign, unsigned flags);

/* Set the layout of a request; for r2c and c2r: of the complex data. */
void sx_fftw_set_request_layout(sx_fftw_layout *l, const sx_fftw_request *q);

/* Get the number of elements that a rank must allocate. */
ptrdiff_t sx_fftw_get_alloc(const sx_fftw_layout *l, ptrdiff_t howmany, int rank, int sign, unsigned flags);

/* Get a rank's block on a side: its lengths and starts along all axes. All are 0 if the rank has no data. */
void sx_fftw_get_part(const sx_fftw_layout *l, int side, int rank, ptrdiff_t len[], ptrdiff_t start[]);

/* get_local: FFTW's public function local_size_guru. get_local_many: local_size_many_transposed. Both return
 * the number of elements that this rank must allocate. block1 = SX_FFTW_NATURAL means that the output is not
 * transposed. */
#define SX_FFTW_NATURAL (-1)
ptrdiff_t sx_fftw_get_local(int ndims, const sx_fftw_dim dim[], ptrdiff_t howmany, MPI_Comm comm,
                            ptrdiff_t len_in[], ptrdiff_t start_in[], ptrdiff_t len_out[],
                            ptrdiff_t start_out[], int sign, unsigned flags);
ptrdiff_t sx_fftw_get_local_many(int ndims, const ptrdiff_t n[], ptrdiff_t howmany, ptrdiff_t block0,
                                 ptrdiff_t block1, MPI_Comm comm, ptrdiff_t *n0, ptrdiff_t *start0,
                                 ptrdiff_t *n1, ptrdiff_t *start1);

/* ---- problems (problem.c) */

/* Create the plan of libsubx_fft for a request, and get its direction. rc: an error of this rank, with which
 * it cannot have a plan. Collective; either all ranks get a plan, or all get an error. Exception: if the
 * array has a single axis, and one rank has all of it, the other ranks get SUBX_FFT_PLAN_NULL and success. */
int sx_fftw_create(const sx_fftw_request *q, int rc, subx_fft_plan *plan, int *direction);

/* ---- plans that are shared (keep.c) */

/* Create a plan of libsubx_fft, or find an existing plan with the same ranks, problem and hints; key is a
 * short text of the hints. rc: an error of this rank; then all ranks get an error. Collective. */
int sx_fftw_share_create(const sx_fftw_request *q, int rc, subx_fft_problem problem, MPI_Info hints,
                         const char *key, subx_fft_plan *plan);

/* Release a plan, created by sx_fftw_share_create or otherwise. The last release of a plan frees it, or keeps
 * it for the next equal request. Collective. *plan becomes SUBX_FFT_PLAN_NULL. */
void sx_fftw_share_free(subx_fft_plan *plan);

/* A lock of a plan that is shared, for turn.c. */
#define SX_FFTW_NOBODY INT64_MAX
typedef struct sx_fftw_lock {
    int is_held;
    int64_t first; /* which execution goes first of those that wait, or SX_FFTW_NOBODY */
} sx_fftw_lock;

/* Get the lock of a plan; NULL if no later request shares the plan. Local. */
sx_fftw_lock *sx_fftw_share_get_lock(subx_fft_plan plan);

/* ---- turns of plans that share a plan of ours, with MPI_THREAD_MULTIPLE (turn.c) */

typedef struct sx_fftw_turn sx_fftw_turn;

/* Create what a plan of FFTW needs to take turns; NULL if it needs none. Collective. is_late: MPI is
 * finalized. */
int sx_fftw_turn_create(MPI_Comm comm, subx_fft_plan plan, sx_fftw_turn **turn);
void sx_fftw_turn_free(sx_fftw_turn *turn, int is_late);

/* Take the turn before an execution, and give it to others afterwards. take: collective. */
int sx_fftw_turn_take(sx_fftw_turn *turn);
void sx_fftw_turn_give(sx_fftw_turn *turn);

/* ---- plans (plan.c) */

/* The plan that the functions of this library return to the program. The first word of a plan tells which
 * library made the plan: in our plans it is `mark`, in FFTW's own plans it is another pointer. */
typedef struct sx_fftw_plan {
    const void *mark;
    const sx_fftw_precision *precision;
    void *stock;        /* FFTW's own plan, if FFTW executes; else NULL */
    subx_fft_plan plan; /* SUBX_FFT_PLAN_NULL: this rank has nothing to do, or FFTW executes */
    sx_fftw_turn *turn; /* NULL if no other plan shares `plan`, or if there is one thread */
    int direction, references;
    void *in, *out;
    double flops; /* operations of this rank per execution, by the usual estimate 5 N log2 N */
    struct sx_fftw_line *line;
    struct sx_fftw_trial *trial; /* NULL if it is decided which library executes */
} sx_fftw_plan;

extern const char sx_fftw_mark;

static inline int sx_fftw_is_ours(const void *plan)
{
    return plan && *(const void *const *)plan == &sx_fftw_mark;
}

/* Create a plan, ours or FFTW's own; NULL on all ranks if there is none. Collective. */
void *sx_fftw_plan_guru(sx_fftw_request *q, int ndims, const sx_fftw_dim dim[], const int kind[]);
void *sx_fftw_plan_many(sx_fftw_request *q, int ndims, const ptrdiff_t n[], ptrdiff_t block_in,
                        ptrdiff_t block_out, const int kind[]);

void sx_fftw_execute(const void *plan, void *in, void *out);
void sx_fftw_execute_own(const void *plan); /* on the arrays that the planner was given */
void sx_fftw_free(void *plan);
void *sx_fftw_copy(void *plan);
void sx_fftw_print(const void *plan, sx_text *t);

/* ---- FFTW's own plan (stock.c) */

/* Create a handle without a plan; NULL if there is no memory. */
sx_fftw_plan *sx_fftw_alloc_plan(const sx_fftw_request *q);

double sx_fftw_count_points(const sx_fftw_request *q);

/* create: create FFTW's own plan, and set times->planning[1]; NULL if FFTW has no plan, if its plan might be
 * wrong, or if some rank does not have FFTW's MPI library. Collective. free: free a plan that no program
 * has. */
struct sx_fftw_times;
sx_fftw_plan *sx_fftw_create_stock(const sx_fftw_request *q, struct sx_fftw_times *times);
void sx_fftw_free_stock(sx_fftw_plan *stock);

/* ---- which plan is faster, ours or FFTW's (compare_planning.c) */

/* Query whether our plan is slower than FFTW's own plan. seconds[0] becomes the time of one execution of our
 * plan, seconds[1] the time of FFTW's. Collective. Overwrites the arrays of the request. */
int sx_fftw_is_slower(const sx_fftw_request *q, sx_fftw_plan *ours, sx_fftw_plan *stock, double seconds[2]);

/* ---- which plan was faster in an earlier job, or earlier in this one (remember.c) */

/* Who has the faster plan, if this is known. */
enum { SX_FFTW_UNKNOWN, SX_FFTW_OURS, SX_FFTW_STOCK };

/* Recall from wisdom which plan was faster, and the times of both; `ours` is our plan for the request.
 * Collective; all ranks get the same result. */
int sx_fftw_recall(const sx_fftw_request *q, const sx_fftw_plan *ours, double seconds[2]);

/* Remember the result of a comparison. Local; only rank 0 writes. An error of writing is ignored. */
void sx_fftw_remember(const sx_fftw_request *q, const sx_fftw_plan *ours, int winner,
                      const double seconds[2]);

/* ---- plans that FFTW has not created, because ours are known to be faster (late.c) */

/* add: remember a request for which FFTW has not planned. Returns 1 on all ranks, or 0 on all ranks: then
 * FFTW must plan now. plan: let FFTW plan for all these requests, so that its wisdom is as if it had planned
 * at once; only if is_world. Collective. */
int sx_fftw_late_add(const sx_fftw_request *q);
void sx_fftw_late_plan(const sx_fftw_precision *p, int is_world);

/* Query whether the ranks are those of MPI_COMM_WORLD. Local; 0 after an error of MPI. */
int sx_fftw_is_world(MPI_Comm comm);

/* Forget the requests of a precision. Local. */
void sx_fftw_late_forget(const sx_fftw_precision *p);

/* ---- wisdom (wisdom.c) of the serial library. Collective */
void sx_fftw_gather_wisdom(const sx_fftw_precision *p, MPI_Comm comm);
void sx_fftw_broadcast_wisdom(const sx_fftw_precision *p, MPI_Comm comm);

/* ---- functions of FFTW (find.c) */
typedef void (*sx_fftw_function)(void);

/* Find the function <name>_<what> in FFTW's library, which is loaded after this one; NULL if there is
 * none. */
sx_fftw_function sx_fftw_find(const char *name, const char *what);

/* The same for a function of FFTW's libraries of threads (omp or threads), if the process has loaded one of
 * them. */
sx_fftw_function sx_fftw_find_threads(const char *name, const char *what);

/* Find the function <name>_<what> of FFTW's MPI library if the process has loaded that library; else NULL.
 * The environment variable SUBX_FFTW3MPI_STOCK changes this: with "load", a library that is not loaded yet is
 * loaded by its name, provided that configure has found one for this MPI; with "never", the result is
 * NULL. */
sx_fftw_function sx_fftw_find_stock(const char *name, const char *what);

/* ---- report (report.c), for the environment variable SUBX_FFTW3MPI_REPORT */

/* Seconds of planning, and of one execution if both plans were timed: [0] ours, [1] FFTW's. */
typedef struct sx_fftw_times {
    double planning[2], execution[2];
} sx_fftw_times;

/* A line of the report: all requests with the same text and the same outcome. */
typedef struct sx_fftw_line {
    struct sx_fftw_line *next;
    long plans, executions, nanoseconds; /* nanoseconds of all executions */
    sx_fftw_times times; /* planning: of all plans; execution: of the last plan that was timed, or 0 */
    char text[200];
} sx_fftw_line;

void sx_fftw_print_request(const sx_fftw_request *q, sx_text *t);

/* If the user asks for a report, register a function that writes it at the end of the program, even if there
 * are no plans. */
void sx_fftw_start_report(void);

/* Count a plan in its line of the report, and get this line. `fate` tells which library executes the plan,
 * and why. Returns NULL if the user asks for no report, or if there is no memory. */
sx_fftw_line *sx_fftw_count_plan(const sx_fftw_request *q, const char *fate, const sx_fftw_times *times);
void sx_fftw_write_report(void);

/* ---- which plan is faster, if the request has FFTW_ESTIMATE (compare_running.c) */

typedef struct sx_fftw_trial sx_fftw_trial;

/* Create the trial of a plan of ours; NULL if there is none. Collective; all ranks or no rank get a trial. */
sx_fftw_trial *sx_fftw_trial_create(const sx_fftw_request *q);

/* Free a trial, or NULL. is_late: MPI is finalized. */
void sx_fftw_trial_free(sx_fftw_trial *trial, int is_late);

/* Begin the next execution of the plan. *stock becomes FFTW's plan if that executes now, else NULL. The
 * result tells whether it is known which plan is faster. If FFTW's plan is faster, the caller owns *stock
 * from now on. Collective. */
int sx_fftw_trial_next(sx_fftw_trial *trial, sx_fftw_plan **stock);

/* Give the trial the seconds of the execution. */
void sx_fftw_trial_add(sx_fftw_trial *trial, int is_stock, double seconds);

/* Add the times to the plan's line of the report. If FFTW's plan is faster, the plan gets another line. */
void sx_fftw_trial_report(const sx_fftw_trial *trial, int result, sx_fftw_line **line);

#endif
