/* gauge.c - the error of results, relative to the largest expected value. */
#include "cli/cli.h"

#include <math.h>

void sx_cli_gauge_set(struct sx_cli_gauge *gauge, const double got[], const double want[], int reals)
{
    double re = got[0] - want[0], size = fabs(want[0]);
    double im = reals == 2 ? got[1] - want[1] : 0;
    double error = hypot(re, im);
    if (reals == 2)
        size = hypot(want[0], want[1]);
    /* A NaN is the largest error: comparisons with it would hide it. */
    if (!(error <= gauge->error))
        gauge->error = isnan(error) ? INFINITY : error;
    if (size > gauge->size)
        gauge->size = size;
}

double sx_cli_gauge_get(const struct sx_cli_gauge *gauge)
{
    return gauge->size > 0 ? gauge->error / gauge->size : gauge->error;
}

double sx_cli_gauge_get_all(MPI_Comm comm, const struct sx_cli_gauge *gauge)
{
    struct sx_cli_gauge all;
    double mine[2] = {gauge->error, gauge->size}, most[2];
    MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, comm);
    all.error = most[0];
    all.size = most[1];
    return sx_cli_gauge_get(&all);
}
