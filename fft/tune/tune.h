/* tune.h - find the fastest of many candidates by measurement. Candidates are numbers here; the caller knows
 * their meaning.
 *
 * Each candidate is executed alternately with one of them, the reference. A burst is several consecutive
 * executions of the candidate, or of the reference. A round has a burst of each. */
#ifndef SX_TUNE_H
#define SX_TUNE_H

#include "base/base.h"
#include "limits/limits.h"

/* ---- comparing candidates (compare.c) */

/* The outcome of a candidate. */
enum {
    SX_TUNE_UNTRIED,    /* no time was left for it, or the caller did not ask for it */
    SX_TUNE_MEASURED,   /* it was measured in at least one round */
    SX_TUNE_STOPPED,    /* it was clearly slower than the fastest one, so its comparison ended early */
    SX_TUNE_FAILED,     /* it could not be created or executed */
    SX_TUNE_UNCONFIRMED /* it was the fastest one, and no time was left to compare it again */
};

typedef struct sx_tune_trial {
    int outcome;
    double seconds; /* ratio * reference_seconds (sx_tune) */
    double ratio; /* its time divided by the reference's time in the same rounds; INFINITY if not measured */
    int executions; /* number of executions of this candidate */
} sx_tune_trial;

/* A session of comparisons. The first candidate that is created becomes the reference, which exists until the
 * end. Each other candidate is executed alternately with the reference, because the speed of the machine may
 * change. At most one other candidate exists at a time. All ranks execute a candidate together; the time of
 * the slowest rank counts. */
typedef struct sx_tune {
    /* Set by the caller: */
    MPI_Comm all;
    int (*create)(void *context, int i, void **made); /* collective; the outcome is agreed on */
    int (*execute)(void *made);                       /* collective */
    void (*free)(void *made);                         /* collective; called only for candidates that were
                                                         created */
    void *context;
    double (*get_seconds)(void); /* MPI_Wtime, except in tests */
    double executions;   /* limit of the time of all executions together, as a number of executions of the
                            reference; INFINITY for no limit */
    double free_seconds; /* before so many seconds are spent, the limit `executions` is ignored, because
                            very short executions must be repeated often */
    double seconds;      /* limit in seconds, counted from sx_tune_start; or INFINITY */
    int rounds;          /* rounds per comparison, >= 1 */

    /* Set by the functions below. All but `reference` and `began` are the same on all ranks: */
    int first;       /* index of the reference */
    void *reference; /* NULL if there is none */
    double began;
    double reference_seconds; /* seconds of one execution of the reference, measured by sx_tune_start */
    double cold;              /* seconds of the reference's first execution / reference_seconds; >= 1 */
    double latest;            /* seconds of an execution of the reference, in its latest burst */
    double elapsed;           /* seconds since `began`, as the ranks last agreed on them */
    double spent;             /* time of all executions so far, divided by the time of one execution of the
                                 reference */
    double spent_seconds;
    double least; /* the least ratio so far */
    int nexecutions;
} sx_tune;

/* Create candidate i, measure it, and make it the reference. Collective; all ranks agree on the outcome of
 * its creation and its first executions. After an error there is no reference, and another candidate may be
 * tried. */
int sx_tune_start(sx_tune *t, int i, sx_tune_trial *trial);

/* Compare candidate i with the reference. If a candidate fails, its ratio is INFINITY; this is no error.
 * Collective; all ranks get the same trial. If executions or seconds are used up, only sets the outcome
 * UNTRIED. The limits may be exceeded by the creation of one candidate, by its first execution, and because
 * executions vary in time. */
void sx_tune_measure(sx_tune *t, int i, sx_tune_trial *trial);

/* Query whether executions or seconds are used up: less is left than a comparison needs. The same on all
 * ranks. Local. */
int sx_tune_is_over(const sx_tune *t);

/* Free the reference, if there is one. Collective. */
void sx_tune_complete(sx_tune *t);

/* ---- a search among parameters (simplex.c) */

/* Get the cost of a point with 0 <= x[i] < n[i]; INFINITY if the point is infeasible. */
typedef double sx_tune_function(void *context, const int x[]);

enum { SX_TUNE_NDIMS_MAX = 8, SX_TUNE_POINTS_MAX = 1024 };

/* Search for the point of the least cost by the method of Nelder and Mead (1965) on a grid of whole numbers,
 * as Song and Hollingsworth (2014, section 3) tune transforms: the axes are logarithms of parameters. The
 * cost of a point is computed only once. Points outside the grid count as infeasible. If calls are left at
 * the end, the result is a local minimum: no point that differs by 1 along one axis is better.
 *   most   [in]      largest number of calls of `cost`; at most SX_TUNE_POINTS_MAX calls are made
 *   best   [in,out]  a point of the grid where the search starts; becomes the point of the least cost, unless
 *                    no point is feasible
 *   least  [out]     its cost; INFINITY if no point is feasible
 * Local, and allocates nothing; if costs are the same on all ranks, all ranks ask for the same points in the
 * same order. */
void sx_tune_simplex(int ndims, const int n[], int most, sx_tune_function *cost, void *context, int best[],
                     double *least);

#endif
