/* times.c - the times of stages on all ranks, as minimum, median and maximum. */
#include "cli/cli.h"

#include <stdlib.h>
#include <subx_tune.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sx_cli_times_median(double value[], int n)
{
    qsort(value, (size_t)n, sizeof *value, compare);
    return n % 2 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}

static struct sx_cli_spread spread_of(double value[], int n)
{
    double median = sx_cli_times_median(value, n);
    return (struct sx_cli_spread){.min = value[0], .median = median, .max = value[n - 1]};
}

/* Get the spread of a number over all ranks; `column` has room for one number per rank on rank 0. */
static struct sx_cli_spread get_spread(MPI_Comm comm, double number, double column[])
{
    int rank, nranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    MPI_Gather(&number, 1, MPI_DOUBLE, column, 1, MPI_DOUBLE, 0, comm);
    return rank == 0 ? spread_of(column, nranks) : (struct sx_cli_spread){0, 0, 0};
}

int sx_cli_times_get(const struct sx_cli_job *job, int direction, int executions, struct sx_cli_times *times)
{
    double sum[SX_CLI_NKINDS] = {0}, *column = sx_cli_memory_create(job->nranks, sizeof *column);
    const int rc = sx_cli_fail_agree(job->comm, column ? SX_CLI_OK : SX_CLI_ERROR);
    *times = (struct sx_cli_times){.executions = executions};
    if (rc == SX_CLI_OK)
        subx_fft_plan_get_nstages(job->plan, direction, &times->nstages);
    for (int i = 0; i < times->nstages; i++) {
        struct sx_cli_stage *stage = &times->stage[i];
        const char *name = "";
        double total = 0;
        subx_fft_plan_get_stage(job->plan, direction, i, &stage->kind, &name, NULL, &total);
        snprintf(stage->name, sizeof stage->name, "%s", name);
        stage->seconds = get_spread(job->comm, total / executions, column);
        sum[0] += total / executions;
        sum[stage->kind] += total / executions;
    }
    for (int kind = 0; kind < SX_CLI_NKINDS && rc == SX_CLI_OK; kind++)
        times->kind[kind] = get_spread(job->comm, sum[kind], column);
    free(column);
    return rc;
}
