/* definition.h - random data on both sides, and the results of transforms by the definition, axis by axis. */
#ifndef TEST_RANDOM_DEFINITION_H
#define TEST_RANDOM_DEFINITION_H

#include "random/problem.h"

typedef struct random_pair {
    long double re, im;
} random_pair;

/* All fields, one after the other, each in C order. All ranks have the same data. */
typedef struct random_field {
    const random_problem *p;
    MPI_Comm comm;
    ptrdiff_t count[2];   /* elements of a side per field */
    random_pair *data[2]; /* data of each side */
    random_pair
        *result[RANDOM_ACTIONS][2]; /* by action, without (0) and with (1) the operation; NULL until needed */
    long double largest[RANDOM_ACTIONS][2]; /* the values that errors are compared with */
} random_field;

random_field random_field_create(const random_problem *p, MPI_Comm comm);
void random_field_free(random_field *f);

/* Get the result of an action on the data. The field owns it. Collective. */
const random_pair *random_field_get(random_field *f, int action, int operates);

/* The side where an action begins (is_end 0) or ends (1). */
int random_action_get_side(int action, int is_end);

/* The operation multiplies an element of the spectral side by this factor, which is exact in every precision. */
random_pair random_operation_get(const random_problem *p, ptrdiff_t global, ptrdiff_t field);

/* The factor by which forward and then backward, without scaling, multiply. */
long double random_problem_get_volume(const random_problem *p);

#endif
