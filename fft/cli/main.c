/* main.c - the program subx-fft, step by step: from the command line to the exit status. */
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_first_for_people(const struct sx_cli_job *job)
{
    return job->rank == 0 && job->opt.format == SUBX_FFT_TEXT;
}

/* ----------------------------------------------------------------------- plan and its arrays */

/* Query whether the library shows its progress on a terminal while it measures plans. */
static int query_shown(const struct sx_cli_job *job)
{
    char value[SX_CLI_VALUE];
    int has_terminal = job->rank == 0 && isatty(STDERR_FILENO);
    MPI_Bcast(&has_terminal, 1, MPI_INT, 0, job->comm);
    return has_terminal && !sx_cli_hint_get_given(&job->opt, "subx_verbose", value) &&
           sx_cli_hint_get_given(&job->opt, "subx_effort", value) && strcmp(value, "estimate") != 0;
}

static int create_plan(struct sx_cli_job *job)
{
    char options[400] = "";
    const int is_shown = query_shown(job);
    if (is_shown)
        MPI_Info_set(job->opt.hints, "subx_verbose", "progress");
    int code = subx_fft_plan_create_problem(job->comm, job->problem, job->opt.hints, &job->plan);
    if (is_shown)
        MPI_Info_delete(job->opt.hints, "subx_verbose");
    if (code == MPI_SUCCESS)
        code = subx_fft_plan_get_info(job->plan, &job->effect);
    if (code == MPI_SUCCESS)
        return SX_CLI_OK;
    sx_cli_hints_print(&job->opt, &(sx_text){options, sizeof options, 0});
    return sx_cli_fail_set_code(code, "no plan for %.700s on %d rank%s%s%s", job->text, job->nranks,
                                job->nranks == 1 ? "" : "s", options[0] ? " with" : "", options);
}

static int create_arrays(struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL && rc == SX_CLI_OK; side++) {
        rc = sx_cli_box_get(job, side, &job->box[side]);
        if (rc == SX_CLI_OK)
            job->array[side] = sx_cli_memory_create(job->box[side].alloc_bytes, 1);
        if (!job->array[side])
            rc = SX_CLI_ERROR;
        else
            /* Touch the pages, so that the first execution does not need time for this. */
            memset(job->array[side], 0, (size_t)job->box[side].alloc_bytes);
    }
    rc = sx_cli_fail_agree(job->comm, rc);
    return rc == SX_CLI_OK ? sx_cli_place_create(job) : rc;
}

/* --------------------------------------------------------------------------------- the work */

static int transform(struct sx_cli_job *job)
{
    const int from = sx_cli_job_get_from(job), to = sx_cli_job_get_to(job);
    double begin, seconds;
    int rc = sx_cli_fail_agree(job->comm, sx_cli_place_put(job, from, job->array[from]));
    if (rc != SX_CLI_OK)
        return rc;
    subx_fft_plan_set_times_zero(job->plan); /* forget the times of executions in a search */
    MPI_Barrier(job->comm);
    begin = MPI_Wtime();
    rc = sx_cli_job_run(job, job->direction, job->place[from], job->place[to]);
    seconds = MPI_Wtime() - begin;
    if (rc == SX_CLI_OK)
        rc = sx_cli_place_get(job, to, job->array[to]);
    rc = sx_cli_fail_agree(job->comm, rc);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Allreduce(&seconds, &job->median_seconds, 1, MPI_DOUBLE, MPI_MAX, job->comm);
    job->min_seconds = job->median_seconds;
    return sx_cli_times_get(job, job->direction, 1, &job->times[job->direction == SUBX_FFT_BACKWARD]);
}

/* Compare with the reference before all other checks, because the other checks and the repetitions overwrite
 * the arrays. */
static int check_result(struct sx_cli_job *job)
{
    int asked = job->opt.verify;
    int wanted = asked == SX_CLI_VERIFY_AUTO || (asked == SX_CLI_VERIFY_NOT && job->opt.input);
    if (asked == SX_CLI_VERIFY_REFERENCE || (wanted && sx_cli_verify_query_small(job)))
        return sx_cli_verify_reference(job);
    return SX_CLI_OK;
}

static int check_more(struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    if (job->opt.verify == SX_CLI_VERIFY_NOT)
        return SX_CLI_OK;
    if (job->nchecks == 0)
        rc = sx_cli_properties_execute(job);
    return rc == SX_CLI_OK ? sx_cli_verify_round_trip(job) : rc;
}

static int work(struct sx_cli_job *job)
{
    int rc = create_arrays(job);
    if (rc == SX_CLI_OK && job->opt.output)
        rc = sx_cli_file_query_writable(job);
    if (rc == SX_CLI_OK)
        rc = sx_cli_job_import_input(job);
    if (rc == SX_CLI_OK)
        rc = transform(job);
    if (rc == SX_CLI_OK)
        rc = check_result(job);
    if (rc == SX_CLI_OK && job->opt.output)
        rc = sx_cli_file_export(job, sx_cli_job_get_to(job));
    if (rc == SX_CLI_OK && job->opt.outer)
        rc = sx_cli_bench_execute(job);
    if (rc == SX_CLI_OK)
        rc = check_more(job);
    return rc;
}

/* The ranks may set different texts here, because nstrange is known on rank 0 only. This does no harm: only
 * rank 0 prints its text. */
static int judge(const struct sx_cli_job *job)
{
    const struct sx_cli_check *failed = sx_cli_job_get_failed(job);
    if (!failed)
        return SX_CLI_OK;
    if (job->opt.input && job->nstrange)
        sx_cli_fail_set("%s: no check can pass, because %td of its elements are NaN or infinite",
                        job->opt.input, job->nstrange);
    else
        sx_cli_fail_set("the check \"%s\" failed: error %.2e, tolerance %.2e", failed->name, failed->error,
                        failed->tolerance);
    return SX_CLI_UNVERIFIED;
}

static int run(struct sx_cli_job *job)
{
    int rc = sx_cli_problem_set(job);
    if (rc == SX_CLI_OK)
        rc = create_plan(job);
    if (rc != SX_CLI_OK)
        return rc;
    if (is_first_for_people(job) && !job->opt.explain)
        sx_cli_report_print_plan(job);
    rc = work(job);
    if (rc != SX_CLI_OK)
        return rc;
    if (job->rank == 0)
        sx_cli_report_print(job);
    return judge(job);
}

/* ------------------------------------------------------------------------- start and finish */

static void print_version(void)
{
    int major = 0, minor = 0, patch = 0;
    char mpi[256];
    subx_version_get(&major, &minor, &patch);
    sx_cli_job_print_mpi(sizeof mpi, mpi);
    printf("subx-fft %d.%d.%d on %s\n", major, minor, patch, mpi);
}

static int run_command(struct sx_cli_job *job, int argc, char *argv[])
{
    int rc = sx_cli_options_parse(argc, argv, &job->opt);
    if (rc != SX_CLI_OK)
        return rc;
    if (job->opt.help || job->opt.version) {
        if (job->rank == 0)
            job->opt.help ? sx_cli_help_print() : print_version();
        return SX_CLI_OK;
    }
    rc = sx_cli_fail_agree(job->comm, sx_cli_hints_check_variables());
    if (rc != SX_CLI_OK)
        return rc;
    if (job->opt.predict)
        return sx_cli_predict_execute(job);
    return job->opt.calibrate ? sx_cli_calibrate_execute(job) : run(job);
}

static void free_job(struct sx_cli_job *job)
{
    sx_cli_place_finish(job);
    for (int i = 0; i < 2; i++)
        free(job->array[i]);
    subx_fft_problem_free(&job->problem);
    subx_fft_plan_free(&job->plan);
    if (job->effect != MPI_INFO_NULL)
        MPI_Info_free(&job->effect);
    if (job->opt.hints != MPI_INFO_NULL)
        MPI_Info_free(&job->opt.hints);
    MPI_Comm_free(&job->comm);
}

/* Only rank 0 prints, so only rank 0 can fail to print; the other ranks get the result. */
static int finish(const struct sx_cli_job *job, int rc)
{
    int lost = SX_CLI_OK;
    if (fflush(stdout) || ferror(stdout))
        lost = sx_cli_fail_set("cannot write to standard output");
    lost = sx_cli_fail_agree(job->comm, lost);
    if (lost != SX_CLI_OK)
        rc = lost;
    if (rc != SX_CLI_OK && job->rank == 0)
        sx_cli_fail_print();
    return rc;
}

int main(int argc, char *argv[])
{
    struct sx_cli_job job = {.opt.hints = MPI_INFO_NULL, .effect = MPI_INFO_NULL};
    struct sx_cli_args args;
    int rc, level;
    /* --threads needs this level. If MPI does not provide it, the plan reports an error. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    /* MPI calls about datatypes, hints and files return their errors, and we print them. Messages use a
     * communicator of our own, on which an error stops the program. */
    MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(job.comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(job.comm, &job.rank);
    MPI_Comm_size(job.comm, &job.nranks);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is then an error like others, not a signal */
    rc = sx_cli_args_create(job.comm, job.rank, argc, argv, &args);
    if (rc == SX_CLI_OK)
        rc = run_command(&job, args.argc, args.argv);
    rc = finish(&job, rc);
    free_job(&job);
    sx_cli_args_free(&args);
    MPI_Finalize();
    return rc;
}
