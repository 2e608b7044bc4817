/* time.c - time several actions in turn, so that a machine that drifts drifts for all of them alike. */
#include "common/perf.h"

#include <stdlib.h>
#include <string.h>

int sx_perf_time_copy(void *copy)
{
    const struct sx_perf_copy *c = copy;
    memcpy(c->to, c->from, c->bytes);
    return MPI_SUCCESS;
}

static double time_one(const struct sx_perf_case *c)
{
    double begin;
    int code = MPI_SUCCESS;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (int i = 0; i < c->inner && code == MPI_SUCCESS; i++)
        code = c->run(c->context);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "an execution failed");
    /* Where there are more ranks than processors, ranks that need no others take turns: all must be done. */
    if (c->run == sx_perf_time_copy)
        MPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / c->inner;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void evaluate(struct sx_perf_case *c, double seconds[], int rounds)
{
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    c->min = seconds[0];
    c->median = 0.5 * (seconds[(rounds - 1) / 2] + seconds[rounds / 2]);
}

void sx_perf_time_execute(int n, struct sx_perf_case cases[], int rounds, struct sx_perf_progress *progress)
{
    double *seconds = sx_perf_memory_create_small((ptrdiff_t)n * rounds, sizeof *seconds);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++) {
            int which = (round + i) % n;
            seconds[(ptrdiff_t)which * rounds + round] = time_one(&cases[which]);
        }
        sx_perf_progress_add(progress);
    }
    for (int i = 0; i < n; i++) {
        MPI_Allreduce(MPI_IN_PLACE, seconds + (ptrdiff_t)i * rounds, rounds, MPI_DOUBLE, MPI_MAX,
                      MPI_COMM_WORLD);
        evaluate(&cases[i], seconds + (ptrdiff_t)i * rounds, rounds);
    }
    free(seconds);
}
