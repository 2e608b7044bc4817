/* times.c - the times of stages on all ranks, as minimum, median and maximum. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
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

/* Each rank sends a row of times: first NSUMS sums (of all stages, then by kind), then the time of each
 * stage. */
enum { NSUMS = SUBX_FFT_STAGE_SCALE + 1 };

static int fill_row(subx_fft_plan plan, int direction, struct sx_cli_times *times, double row[])
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < times->nstages && code == MPI_SUCCESS; i++) {
        struct sx_cli_stage *stage = &times->stage[i];
        const char *name = "";
        double total = 0;
        code = subx_fft_plan_get_stage(plan, direction, i, &stage->kind, &name, NULL, &total);
        snprintf(stage->name, sizeof stage->name, "%s", name);
        total /= times->executions;
        row[NSUMS + i] = total;
        row[0] += total;
        row[stage->kind] += total;
    }
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "cannot ask the plan for its times");
}

/* Compute a spread from each column of the gathered rows. */
static void reduce(const double *rows, double *column, int nranks, struct sx_cli_times *times)
{
    int width = NSUMS + times->nstages;
    for (int i = 0; i < width; i++) {
        for (int q = 0; q < nranks; q++)
            column[q] = rows[q * width + i];
        *(i < NSUMS ? &times->kind[i] : &times->stage[i - NSUMS].seconds) = spread_of(column, nranks);
    }
}

int sx_cli_times_get(MPI_Comm comm, subx_fft_plan plan, int direction, int executions,
                     struct sx_cli_times *times)
{
    double *row = NULL, *rows = NULL;
    int rank, nranks, width, rc;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    memset(times, 0, sizeof *times);
    subx_fft_plan_get_nstages(plan, direction, &times->nstages);
    width = NSUMS + times->nstages;
    times->stage = calloc((size_t)times->nstages + 1, sizeof *times->stage);
    row = calloc((size_t)width, sizeof *row);
    rows = calloc(rank == 0 ? ((size_t)width + 1) * (size_t)nranks : 1, sizeof *rows);
    times->executions = executions;
    rc = times->stage && row && rows ? SX_CLI_OK : sx_cli_fail_set("no memory for the times");
    if (rc == SX_CLI_OK)
        rc = fill_row(plan, direction, times, row);
    rc = sx_cli_fail_agree(comm, rc);
    if (rc == SX_CLI_OK)
        MPI_Gather(row, width, MPI_DOUBLE, rows, width, MPI_DOUBLE, 0, comm);
    if (rc == SX_CLI_OK && rank == 0)
        reduce(rows, rows + (ptrdiff_t)width * nranks, nranks, times);
    free(rows);
    free(row);
    return rc;
}

void sx_cli_times_free(struct sx_cli_times *times)
{
    free(times->stage);
    memset(times, 0, sizeof *times);
}
