/* trial.h - solve a drawn problem, and compare all that the library says with the definition. */
#ifndef TEST_RANDOM_TRIAL_H
#define TEST_RANDOM_TRIAL_H

#include "random/problem.h"

typedef struct random_outcome {
    int kind;     /* SUBX_ERR_* with which the library refused the problem, 0 if it did not */
    int refusal;  /* the reason for that, -1 for none                                      */
    int failures; /* on this rank                                                          */
} random_outcome;

/* Collective on the problem's ranks. */
random_outcome random_trial_run(const random_problem *p, MPI_Comm comm);

#endif
