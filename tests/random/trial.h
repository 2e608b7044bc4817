/* trial.h - solve a random problem, and compare results and texts of the library with the definition. */
#ifndef TEST_RANDOM_TRIAL_H
#define TEST_RANDOM_TRIAL_H

#include "random/problem.h"

typedef struct random_outcome {
    int kind;     /* the kind of the library's error (SUBX_ERR_*); 0: none */
    int refusal;  /* the index of the reason for the error; -1: none */
    int failures; /* on this rank                                                          */
} random_outcome;

/* Solve a problem. Collective on the problem's ranks. */
random_outcome random_trial_run(const random_problem *p, MPI_Comm comm);

#endif
