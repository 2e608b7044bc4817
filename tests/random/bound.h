/* bound.h - the largest error that a plan allows if its messages carry floats (hint subx_wire). */
#ifndef TEST_RANDOM_BOUND_H
#define TEST_RANDOM_BOUND_H

#include "random/definition.h"

/* How many exchanges send floats, and a bound for each action: the 2-norm of the error is at most `relative`
 * times the 2-norm of the data, plus `least`. */
typedef struct random_bound {
    int exchanges;
    long double relative[RANDOM_ACTIONS], least[RANDOM_ACTIONS];
} random_bound;

/* Get the bound of a plan. It is 0 if no floats are sent. The bound of a convolution follows from the bounds
 * of both directions. Collective on the plan's ranks. */
random_bound random_bound_get(subx_fft_plan plan, MPI_Comm comm);

/* Get the largest 2-norm that the error of an action may have. The input is the data times `factor`.
 * operates: 1 if the operation is applied. */
long double random_bound_get_error(const random_bound *b, const random_field *f, int action, int operates,
                                   long double factor);

#endif
