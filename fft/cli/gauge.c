/* gauge.c - the error of results, relative to the largest expected value. */
#include "cli/cli.h"

#include <math.h>

void sx_cli_gauge_set(struct sx_cli_gauge *gauge, const long double got[2], const long double want[2])
{
    double error = (double)hypotl(got[0] - want[0], got[1] - want[1]);
    double size = (double)hypotl(want[0], want[1]);
    /* NaN counts as the largest error. The condition is negated, because comparisons with NaN are false. */
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
