/* definition.h - random data for both sides of a problem, and the results of transforms by the definition,
 * axis after axis. */
#ifndef TEST_RANDOM_DEFINITION_H
#define TEST_RANDOM_DEFINITION_H

#include "random/problem.h"

typedef struct random_pair {
    long double re, im;
} random_pair;

/* The data and results of a problem: one field after the other, each in C order. All ranks have the same
 * data. */
typedef struct random_field {
    const random_problem *p;
    MPI_Comm comm;
    ptrdiff_t count[2];   /* elements of each side, per field */
    random_pair *data[2]; /* the data of each side */
    random_pair
        *result[RANDOM_ACTIONS][2]; /* [action][1 if the operation is applied, else 0]; NULL until needed */
    long double largest[RANDOM_ACTIONS][2]; /* errors are divided by this; indexed as `result` */
} random_field;

random_field random_field_create(const random_problem *p, MPI_Comm comm);
void random_field_free(random_field *f);

/* Get the result of an action on the data. The random_field owns the result. Collective. */
const random_pair *random_field_get(random_field *f, int action, int operates);

/* Get the side where an action begins (is_end 0) or ends (1). */
int random_action_get_side(int action, int is_end);

/* Get the factor by which the operation multiplies an element of the spectral side. All precisions represent
 * it exactly. */
random_pair random_operation_get(const random_problem *p, ptrdiff_t global, ptrdiff_t field);

/* Get the factor by which forward and then backward multiply the data if nothing is scaled. */
long double random_problem_get_volume(const random_problem *p);

/* Get the factor by which the plan scales the results of an action. */
long double random_problem_get_scale(const random_problem *p, int action);

#endif
