/* definition.h - random data on both sides, and what transforms make of it by the definition, axis by axis. */
#ifndef TEST_RANDOM_DEFINITION_H
#define TEST_RANDOM_DEFINITION_H

#include "random/problem.h"

typedef struct random_pair {
    long double re, im;
} random_pair;

/* All fields, one after the other, each in C order; the same on all ranks. */
typedef struct random_field {
    const random_problem *p;
    MPI_Comm comm;
    ptrdiff_t count[2];   /* elements of a side per field */
    random_pair *data[2]; /* what each side is filled with */
    random_pair
        *result[RANDOM_ACTIONS][2]; /* by action, and whether there is an operation; NULL until needed */
    long double largest[RANDOM_ACTIONS][2]; /* values that an error is compared with */
} random_field;

random_field random_field_create(const random_problem *p, MPI_Comm comm);
void random_field_free(random_field *f);

/* Get what an action makes of the data. Collective. */
const random_pair *random_field_get(random_field *f, int action, int operates);

/* The side that an action begins at, or ends at. */
int random_action_get_side(int action, int is_end);

/* The operation: the factor of an element of the spectral side, which is exact in every precision. */
random_pair random_operation_get(const random_problem *p, ptrdiff_t global, ptrdiff_t field);

/* By which factor backward after forward multiplies. */
long double random_problem_get_volume(const random_problem *p);

#endif
