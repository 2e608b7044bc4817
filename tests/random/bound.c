/* bound.c - the largest error that a plan allows if its messages carry floats. It is read from the plan's
 * explanation. */
#include "random/bound.h"
#include "common/verdict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* Read the member "wire" of a plan's explanation: the number of exchanges with floats, then `relative` and
 * `least` of each direction. */
static void read_member(subx_fft_plan plan, double value[5])
{
    size_t needed = 0;
    EXPECT_OK(subx_fft_plan_explain(plan, SUBX_FFT_JSON, 0, NULL, &needed));
    char *text = malloc(needed + 1);
    EXPECT_OK(subx_fft_plan_explain(plan, SUBX_FFT_JSON, needed + 1, text, NULL));
    const char *at = strstr(text, "\"wire\": {");
    EXPECT(
        at &&
        sscanf(at,
               "\"wire\": {\"exchanges\": %lf, \"forward\": %lf, \"forward_least\": %lf, \"backward\": %lf, "
               "\"backward_least\": %lf}",
               &value[0], &value[1], &value[2], &value[3], &value[4]) == 5);
    free(text);
}

/* The largest absolute value of the operation's factors (random_operation_get). */
static const long double operation = 2.5L;

/* Get the bound of a convolution. Its error has two terms: the error of forward, which the operation and
 * backward multiply by their norms, and the error of backward. Both terms have the same bound: exchanges *
 * 2^-24 * the norms of all passes, forward and backward, * operation. So the bound has a factor of 2.
 * `relative` of a direction is exchanges * 2^-24 * the norms of its passes; `back` is the norms of backward's
 * passes. Idle ranks have no bound, so they take that of the other ranks. */
random_bound random_bound_get(subx_fft_plan plan, MPI_Comm comm)
{
    double mine[5] = {0}, all[5];
    read_member(plan, mine);
    MPI_Allreduce(mine, all, 5, MPI_DOUBLE, MPI_MAX, comm);
    random_bound b = {.exchanges = (int)all[0]};
    for (int d = 0; d < 2; d++) {
        b.relative[d] = all[1 + 2 * d];
        b.least[d] = all[2 + 2 * d];
    }
    if (b.exchanges == 0)
        return b;
    const long double back = b.relative[RANDOM_BACKWARD] / ldexpl(b.exchanges, -24);
    b.relative[RANDOM_CONVOLVE] = 2 * operation * b.relative[RANDOM_FORWARD] * back;
    b.least[RANDOM_CONVOLVE] = operation * back * b.least[RANDOM_FORWARD] + b.least[RANDOM_BACKWARD];
    return b;
}

static long double get_norm(const random_field *f, int side)
{
    long double squares = 0;
    for (ptrdiff_t i = 0; i < f->count[side] * f->p->howmany; i++)
        squares += f->data[side][i].re * f->data[side][i].re + f->data[side][i].im * f->data[side][i].im;
    return sqrtl(squares);
}

long double random_bound_get_error(const random_bound *b, const random_field *f, int action, int operates,
                                   long double factor)
{
    const long double more = operates && action != RANDOM_CONVOLVE ? operation : 1;
    const long double norm = get_norm(f, random_action_get_side(action, 0));
    return more * (b->relative[action] * norm * fabsl(factor) + b->least[action]);
}
