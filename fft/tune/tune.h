/* tune.h - find the fastest of many candidates by measurement. Knows nothing of what they are: the caller numbers them.
 *
 * All candidates are executed in turns with one of them, the reference. A burst is several executions in a
 * row of the candidate, or of the reference. */
#ifndef SX_TUNE_H
#define SX_TUNE_H

#include "base/base.h"

/* ---- comparing candidates (compare.c) */

/* What became of a candidate. */
enum {
    SX_TUNE_UNTRIED,  /* no time was left, or nobody asked for it */
    SX_TUNE_MEASURED, /* in one turn at least */
    SX_TUNE_STOPPED,  /* it was clearly slower after its first executions */
    SX_TUNE_FAILED    /* it could not be created or executed */
};

typedef struct sx_tune_trial {
    int outcome;
    double seconds; /* ratio times the seconds of the reference when that was measured first */
    double ratio; /* its time divided by that of the reference in the same turns; INFINITY if there is none */
    int executions; /* of this candidate */
} sx_tune_trial;

/* A session of comparisons. The first candidate that is created becomes the reference. It stays alive, and each other candidate
 * is executed in turns with it: the speed of the machine may change in the meantime. At most one other candidate exists at
 * a time. Every candidate is executed by all ranks together; the time of the slowest one counts. */
typedef struct sx_tune {
    /* Set by the caller: */
    MPI_Comm all;
    int (*create)(void *context, int i, void **made); /* collective; the outcome is agreed on */
    int (*execute)(void *made);                       /* collective */
    void (*free)(void *made);                         /* collective; called only for what was created */
    void *context;
    double (*get_seconds)(void); /* MPI_Wtime, but in tests */
    double executions;   /* the most that all executions may take, in executions of the reference; INFINITY */
    double free_seconds; /* that they may take in any case: very short executions are repeated more often */
    double seconds;      /* the most seconds from sx_tune_start on; INFINITY */
    int rounds;          /* turns per comparison, >= 1 */

    /* Set by the functions; all but `reference` and `began` are the same on all ranks: */
    int first;       /* the reference */
    void *reference; /* NULL if there is none */
    double began;
    double reference_seconds; /* when it was measured first */
    double cold;              /* how many times as long its first execution took; >= 1 */
    double latest;            /* seconds of the reference in the last turn */
    double elapsed;           /* seconds since `began` when the ranks last agreed on them */
    double spent;             /* executions so far, each counted as what the reference took at that time */
    double spent_seconds;
    double least; /* ratio so far */
    int nexecutions;
} sx_tune;

/* Create candidate i, measure it, and make it the reference. Collective; the outcome is agreed on: that of its creation
 * and of its first executions. After an error there is no reference, and another candidate may be tried as such. */
int sx_tune_start(sx_tune *t, int i, sx_tune_trial *trial);

/* Compare candidate i with the reference. A candidate that fails has ratio INFINITY, which is no error. Collective; all ranks get the
 * same trial. Does nothing but set outcome UNTRIED if executions or seconds are used up. Otherwise the limits may be
 * exceeded by the creation of one candidate, its first execution, and the variation of times from one execution to the next. */
void sx_tune_measure(sx_tune *t, int i, sx_tune_trial *trial);

/* Query whether executions or seconds are used up: less is left than a comparison takes. The same on all ranks. Local. */
int sx_tune_is_over(const sx_tune *t);

/* Free the reference, if there is one. Collective. */
void sx_tune_complete(sx_tune *t);

/* ---- a search among parameters (simplex.c) */

/* Get the cost of a point, x[i] in 0 .. n[i]-1; INFINITY if it is not feasible. */
typedef double sx_tune_function(void *context, const int x[]);

enum { SX_TUNE_NDIMS_MAX = 8, SX_TUNE_POINTS_MAX = 1024 };

/* Search for the point of the least cost by the method of Nelder and Mead (1965) on a grid of whole numbers, as Song and
 * Hollingsworth (2014, section 3) tune transforms: the axes are logarithms of parameters. No point is asked for twice,
 * and points outside of the grid count as infeasible without being asked for. If calls are left in the end, the result
 * is a local minimum: no point is better that differs by 1 along one axis.
 *   most   [in]      calls of `cost` at most; not more than SX_TUNE_POINTS_MAX are made
 *   best   [in,out]  a point of the grid where the search starts; the point of the least cost. Unchanged if none is feasible
 *   least  [out]     its cost; INFINITY if no point is feasible
 * Local, and allocates nothing; if costs are the same on all ranks, all ranks ask for the same points in the same order. */
void sx_tune_simplex(int ndims, const int n[], int most, sx_tune_function *cost, void *context, int best[],
                     double *least);

#endif
