/* main.c - the program subx-fft: from the command line to the exit status, step by step. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static int is_first_for_people(const struct sx_cli_job *job)
{
    return job->rank == 0 && job->opt.format == SX_CLI_PEOPLE;
}

/* ------------------------------------------------------------------------------ the problem */

static int parse_problem(struct sx_cli_job *job)
{
    const char *text = job->opt.problem;
    int code = subx_fft_problem_parse(text, &job->kind, &job->ndims, job->n);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "problem %.200s", text);
    return SX_CLI_OK;
}

static int deduce_problem(struct sx_cli_job *job)
{
    const struct sx_cli_npy *in = &job->input;
    if (in->reals == 1 && job->opt.direction == SUBX_FFT_BACKWARD)
        return sx_cli_fail_set("%s holds real numbers: --backward needs a problem, such as c2c:4x4",
                               job->opt.input);
    job->kind = in->reals == 1 ? SUBX_FFT_R2C : SUBX_FFT_C2C;
    job->ndims = in->ndims;
    memcpy(job->n, in->shape, sizeof job->n);
    return SX_CLI_OK;
}

/* Print lengths joined by x. */
static void print_shape(int ndims, const ptrdiff_t n[], size_t len, char *text)
{
    size_t used = 0;
    for (int a = 0; a < ndims && used < len; a++)
        used += (size_t)snprintf(text + used, len - used, "%s%td", a ? "x" : "", n[a]);
}

/* Check that the input file has the shape of the side where the transform starts. */
static int check_input(const struct sx_cli_job *job)
{
    const struct sx_cli_npy *in = &job->input;
    int spectral = sx_cli_job_get_from(job) == SUBX_FFT_SPECTRAL;
    ptrdiff_t n[SUBX_NDIMS_MAX];
    char wanted[700], found[700];
    memcpy(n, job->n, sizeof n);
    if (spectral && job->kind != SUBX_FFT_C2C)
        n[job->ndims - 1] = n[job->ndims - 1] / 2 + 1;
    print_shape(job->ndims, n, sizeof wanted, wanted);
    print_shape(in->ndims, in->shape, sizeof found, found);
    if (strcmp(wanted, found) != 0)
        return sx_cli_fail_set("%s: its shape is %s; the %s side of the problem is %s", job->opt.input, found,
                               spectral ? "spectral" : "physical", wanted);
    if (in->reals == 2 && job->kind != SUBX_FFT_C2C && !spectral)
        return sx_cli_fail_set("%s: holds complex numbers; the physical side of the problem is real",
                               job->opt.input);
    return SX_CLI_OK;
}

static int set_problem(struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    if (job->opt.input)
        rc = sx_cli_file_import_header(job->comm, job->rank, job->opt.input, &job->input);
    if (rc == SX_CLI_OK)
        rc = job->opt.problem ? parse_problem(job) : deduce_problem(job);
    job->direction = job->opt.direction;
    if (!job->direction)
        job->direction = job->kind == SUBX_FFT_C2R ? SUBX_FFT_BACKWARD : SUBX_FFT_FORWARD;
    if (rc == SX_CLI_OK && job->opt.input)
        rc = check_input(job);
    return rc;
}

/* ----------------------------------------------------------------------- plan and its arrays */

static int create_plan(struct sx_cli_job *job)
{
    MPI_Info hints = MPI_INFO_NULL;
    char problem[400] = "", options[400];
    int code, rc = sx_cli_fail_agree(job->comm, sx_cli_hints_export(&job->opt, &hints));
    if (rc != SX_CLI_OK)
        return rc;
    code = subx_fft_plan_create(job->comm, job->kind, job->ndims, job->n, hints, &job->plan);
    MPI_Info_free(&hints);
    if (code == MPI_SUCCESS)
        return sx_cli_hints_import(job->plan, &job->effect);
    subx_fft_problem_print(job->kind, job->ndims, job->n, sizeof problem, problem, NULL);
    sx_cli_hints_print(&job->opt, sizeof options, options);
    return sx_cli_fail_set_code(code, "no plan for %s on %d rank%s%s%s", problem, job->nranks,
                                job->nranks == 1 ? "" : "s", options[0] ? " with" : "", options);
}

static int create_arrays(struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL && rc == SX_CLI_OK; side++) {
        rc = sx_cli_box_get(job->plan, side, &job->box[side]);
        if (rc == SX_CLI_OK)
            job->array[side] = sx_cli_memory_create(job->box[side].alloc_bytes, 1);
        if (!job->array[side])
            rc = SX_CLI_ERROR;
        else /* touch the pages, so that the first execution does not count that */
            memset(job->array[side], 0, (size_t)job->box[side].alloc_bytes);
    }
    return sx_cli_fail_agree(job->comm, rc);
}

static int fill_input(struct sx_cli_job *job)
{
    int from = sx_cli_job_get_from(job);
    struct sx_cli_signal signal;
    if (job->opt.input)
        return sx_cli_file_import(job, from);
    sx_cli_signal_set(&signal, job, 0);
    if (from == SUBX_FFT_SPECTRAL && job->kind != SUBX_FFT_C2C) {
        signal.hermitian = 1;
        signal.reals = 2;
    }
    sx_cli_signal_export(&signal, &job->box[from], job->array[from]);
    return SX_CLI_OK;
}

/* --------------------------------------------------------------------------------- the work */

static int transform(struct sx_cli_job *job)
{
    double begin, seconds;
    int rc;
    MPI_Barrier(job->comm);
    begin = MPI_Wtime();
    rc = sx_cli_job_execute(job, job->direction, job->array[sx_cli_job_get_from(job)],
                            job->array[sx_cli_job_get_to(job)]);
    seconds = MPI_Wtime() - begin;
    rc = sx_cli_fail_agree(job->comm, rc);
    if (rc != SX_CLI_OK)
        return rc;
    MPI_Allreduce(&seconds, &job->median_seconds, 1, MPI_DOUBLE, MPI_MAX, job->comm);
    job->min_seconds = job->median_seconds;
    return sx_cli_times_get(job->comm, job->plan, job->direction, 1,
                            &job->times[job->direction == SUBX_FFT_BACKWARD]);
}

/* The reference comes first: the other checks and the repetitions use the arrays as scratch. */
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
    int rc = job->opt.output ? sx_cli_file_query_writable(job) : SX_CLI_OK;
    if (rc == SX_CLI_OK)
        rc = create_arrays(job);
    if (rc == SX_CLI_OK)
        rc = fill_input(job);
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

static void report(const struct sx_cli_job *job)
{
    if (job->rank != 0)
        return;
    if (job->opt.format == SX_CLI_CSV)
        sx_cli_machine_print_csv(job);
    else if (job->opt.format == SX_CLI_JSON)
        sx_cli_machine_print_json(job);
    else
        sx_cli_report_print(job);
}

static int run(struct sx_cli_job *job)
{
    int rc = set_problem(job);
    if (rc == SX_CLI_OK)
        rc = create_plan(job);
    if (rc != SX_CLI_OK)
        return rc;
    if (is_first_for_people(job))
        sx_cli_report_print_plan(job);
    rc = work(job);
    if (rc != SX_CLI_OK)
        return rc;
    report(job);
    return sx_cli_job_query_passed(job) ? SX_CLI_OK : SX_CLI_UNVERIFIED;
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
    if (!job->opt.help && !job->opt.version)
        return run(job);
    if (job->rank == 0)
        job->opt.help ? sx_cli_help_print() : print_version();
    return SX_CLI_OK;
}

static void free_job(struct sx_cli_job *job)
{
    for (int i = 0; i < 2; i++) {
        sx_cli_times_free(&job->times[i]);
        free(job->array[i]);
    }
    subx_fft_plan_free(&job->plan);
    MPI_Comm_free(&job->comm);
}

/* Only rank 0 prints, so that only it can fail to; the others learn the result. */
static int finish(const struct sx_cli_job *job, int rc)
{
    int lost = SX_CLI_OK;
    if (fflush(stdout) || ferror(stdout))
        lost = sx_cli_fail_set("cannot write to standard output");
    lost = sx_cli_fail_agree(job->comm, lost);
    if (lost != SX_CLI_OK)
        rc = lost;
    if (rc == SX_CLI_ERROR && job->rank == 0)
        sx_cli_fail_print();
    return rc;
}

int main(int argc, char *argv[])
{
    struct sx_cli_job job = {.rank = 0};
    struct sx_cli_args args;
    int rc, level;
    /* --threads needs this level. If MPI does not have it, the plan says so. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    /* Calls on datatypes, hints and files return their errors, and we print them. Messages use a
     * communicator of our own, on which an error can only stop the program. */
    MPI_Comm_dup(MPI_COMM_WORLD, &job.comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(job.comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(job.comm, &job.rank);
    MPI_Comm_size(job.comm, &job.nranks);
    rc = sx_cli_args_create(job.comm, job.rank, argc, argv, &args);
    if (rc == SX_CLI_OK)
        rc = run_command(&job, args.argc, args.argv);
    rc = finish(&job, rc);
    free_job(&job);
    sx_cli_args_free(&args);
    MPI_Finalize();
    return rc;
}
