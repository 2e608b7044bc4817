/* fftw_random.h - random requests of FFTW's MPI interface, for fftw_random.c and its body in each
 * precision. */
#ifndef TEST_FFTW_RANDOM_H
#define TEST_FFTW_RANDOM_H

#include "compat/fftw.h"
#include "common/random.h"

enum { TRANSPOSE = FAMILIES };

/* The planners, in this order: of a family first the one whose arguments say most. */
typedef enum planner {
    GURU_DFT,
    MANY_DFT,
    PLAN_DFT,
    DFT_1D,
    DFT_2D,
    DFT_3D,
    GURU_R2R,
    MANY_R2R,
    PLAN_R2R,
    R2R_2D,
    R2R_3D,
    MANY_R2C,
    PLAN_R2C,
    R2C_2D,
    R2C_3D,
    MANY_C2R,
    PLAN_C2R,
    C2R_2D,
    C2R_3D,
    MANY_TRANSPOSE,
    PLAN_TRANSPOSE,
    PLANNERS
} planner;

/* The ranks of a request: all, or those of one half of them, or all in reversed order, or each alone. */
enum { WORLD, COPY, HALVES, REVERSED, SELF, GROUPS };

typedef struct dim {
    length n, ib, ob;
} dim;

typedef struct request {
    planner planner;
    int is_f03, family, d, sign, is_in_place, group;
    dim dim[NDIMS]; /* also for planners that only know `block` */
    length n[NDIMS], block[2], howmany;
    fftw_r2r_kind kind[NDIMS];
    unsigned flags;
    int is_strange; /* some size or kind does not exist or is immense, so that the plan is not executed */
    int executions;
    int shift,
        new_shift; /* reals between an aligned address and the arrays of the planner and of an execution */
} request;

/* What happened. A plan that is not executed, or that must not be compared, is MADE. */
typedef enum outcome { NONE, MADE, RIGHT, WRONG, OVERWRITTEN, OUTCOMES } outcome;

/* A function that is looked up by its name. */
typedef void (*test_function)(void);

/* Find a function of FFTW's MPI interface in our library; with `is_stock`, in FFTW's. */
test_function test_fftw_find(const char *name, const char *what, int is_stock);

/* Get the flags and the sign of the transform that undoes a scrambled one. */
request test_fftw_get_inverse(const request *q);

#endif
