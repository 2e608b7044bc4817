/* bench.c - time repeated pairs of a forward and a backward transform, by the protocol of Dalcin, Mortensen &
 * Keyes 2019 (section 5). Each iteration of an outer loop begins with a barrier, and contains an inner loop
 * without barriers. The time of an outer iteration is the time of its slowest rank. The results are the least
 * and the median time of the outer iterations. */
#include "cli/cli.h"

#include <stdlib.h>
#include <subx_tune.h>

/* All pairs transform the same input, which no pair overwrites. Without scaling, each pair multiplies the
 * data: a chain of many pairs would overflow. */
struct arrays {
    const void *field;
    void *spectrum, *back;
};

static int run_pairs(const struct sx_cli_job *job, const struct arrays *arrays, int count)
{
    int rc = SX_CLI_OK;
    for (int i = 0; i < count && rc == SX_CLI_OK; i++) {
        rc = sx_cli_job_run(job, SUBX_FFT_FORWARD, arrays->field, arrays->spectrum);
        if (rc == SX_CLI_OK)
            rc = sx_cli_job_run(job, SUBX_FFT_BACKWARD, arrays->spectrum, arrays->back);
    }
    return rc;
}

static int run_outer(const struct sx_cli_job *job, const struct arrays *arrays, double seconds[])
{
    int rc = SX_CLI_OK;
    for (int i = 0; i < job->opt.outer && rc == SX_CLI_OK; i++) {
        double begin;
        MPI_Barrier(job->comm);
        begin = MPI_Wtime();
        rc = run_pairs(job, arrays, job->opt.inner);
        seconds[i] = MPI_Wtime() - begin;
    }
    return rc;
}

/* For each outer iteration, get the time of its slowest rank. Then get the least and the median of these
 * times. */
static void evaluate(struct sx_cli_job *job, double seconds[])
{
    MPI_Allreduce(MPI_IN_PLACE, seconds, job->opt.outer, MPI_DOUBLE, MPI_MAX, job->comm);
    job->median_seconds = sx_cli_times_median(seconds, job->opt.outer) / job->opt.inner;
    job->min_seconds = seconds[0] / job->opt.inner;
}

static int get_times(struct sx_cli_job *job)
{
    int executions = job->opt.outer * job->opt.inner;
    int rc = SX_CLI_OK;
    for (int i = 0; i < 2 && rc == SX_CLI_OK; i++)
        rc = sx_cli_times_get(job, i ? SUBX_FFT_BACKWARD : SUBX_FFT_FORWARD, executions, &job->times[i]);
    return rc;
}

/* The first pair is not timed, because it touches memory and makes connections for the first time. */
static int measure(struct sx_cli_job *job, const struct arrays *arrays, double seconds[])
{
    int rc = sx_cli_fail_agree(job->comm, run_pairs(job, arrays, 1));
    if (rc != SX_CLI_OK)
        return rc;
    subx_fft_plan_set_times_zero(job->plan);
    rc = sx_cli_fail_agree(job->comm, run_outer(job, arrays, seconds));
    if (rc != SX_CLI_OK)
        return rc;
    evaluate(job, seconds);
    return get_times(job);
}

int sx_cli_bench_execute(struct sx_cli_job *job)
{
    struct arrays arrays = {job->place[SUBX_FFT_PHYSICAL], job->place[SUBX_FFT_SPECTRAL], NULL};
    double *seconds = sx_cli_memory_create(job->opt.outer, sizeof *seconds);
    int rc = sx_cli_place_alloc(job, job->box[SUBX_FFT_PHYSICAL].alloc_bytes, &arrays.back);
    rc = sx_cli_fail_agree(job->comm, seconds ? rc : SX_CLI_ERROR);
    if (rc == SX_CLI_OK)
        rc = measure(job, &arrays, seconds);
    free(seconds);
    sx_cli_place_free(job, arrays.back);
    return rc;
}
