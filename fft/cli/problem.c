/* problem.c - set the problem of a run: from its text, or from the array in an input file. */
#include "cli/cli.h"

#include <string.h>

static int deduce(struct sx_cli_job *job)
{
    const struct sx_cli_input *in = &job->input;
    int kinds[SUBX_NDIMS_MAX];
    if (in->is_raw)
        return sx_cli_fail_set("%s: a raw file needs a problem, such as c2c:4x4", job->opt.input);
    if (in->reals == 1 && job->opt.direction == SUBX_FFT_BACKWARD)
        return sx_cli_fail_set("%s holds real numbers: --backward needs a problem, such as c2c:4x4",
                               job->opt.input);
    for (int a = 0; a < in->ndims; a++)
        kinds[a] = in->reals == 1 && a == in->ndims - 1 ? SUBX_FFT_R2C : SUBX_FFT_C2C;
    int code = subx_fft_problem_create(in->ndims, kinds, in->shape, &job->problem);
    if (code == MPI_SUCCESS && in->bytes / in->reals == sizeof(float))
        code = subx_fft_problem_set_precision(job->problem, SUBX_FFT_FLOAT);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", job->opt.input);
}

static int parse(struct sx_cli_job *job)
{
    int code = subx_fft_problem_parse(job->opt.problem, &job->problem);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "\"%.200s\"", job->opt.problem);
}

/* Set the members of the job that follow from the problem. */
static int describe(struct sx_cli_job *job)
{
    int code = subx_fft_problem_print(job->problem, sizeof job->text, job->text, NULL);
    job->direction = job->opt.direction;
    if (code == MPI_SUCCESS && !job->direction)
        code = subx_fft_problem_get_direction(job->problem, &job->direction);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "cannot ask the problem for its text");
    return sx_cli_axes_get(job->problem, &job->axes);
}

/* ---------------------------------------------------------------------- agreement with a file */

static int check_shape(const struct sx_cli_job *job, const char *side, const ptrdiff_t n[])
{
    const struct sx_cli_input *in = &job->input;
    char wanted[800], found[800];
    if (in->ndims == job->axes.ndims && memcmp(n, in->shape, (size_t)in->ndims * sizeof *n) == 0)
        return SX_CLI_OK;
    sx_base_print_sizes(&(sx_text){wanted, sizeof wanted, 0}, job->axes.ndims, n);
    sx_base_print_sizes(&(sx_text){found, sizeof found, 0}, in->ndims, in->shape);
    return sx_cli_fail_set("%s: its shape is %s; the %s side of the problem is %s", job->opt.input, found,
                           side, wanted);
}

static int check_bytes(const struct sx_cli_job *job, const char *side, ptrdiff_t volume, int reals)
{
    const ptrdiff_t wanted = volume * reals * sx_cli_file_query_bytes(job->axes.precision);
    if (job->input.shape[0] == wanted)
        return SX_CLI_OK;
    return sx_cli_fail_set("%s: it has %td bytes; the %s side of the problem has %td", job->opt.input,
                           job->input.shape[0], side, wanted);
}

/* Check that the input file has the array of the side where the transform starts. */
static int check_input(const struct sx_cli_job *job)
{
    const struct sx_cli_axes *axes = &job->axes;
    const int from = sx_cli_job_get_from(job);
    const char *side = from == SUBX_FFT_SPECTRAL ? "spectral" : "physical";
    ptrdiff_t n[SUBX_NDIMS_MAX];
    for (int a = 0; a < axes->ndims; a++)
        n[a] = sx_definition_get_length(&axes->axis[a], from);
    if (job->input.is_raw)
        return check_bytes(job, side, sx_definition_get_volume(axes->ndims, n), axes->reals[from]);
    if (check_shape(job, side, n) != SX_CLI_OK)
        return SX_CLI_ERROR;
    if (job->input.reals > axes->reals[from])
        return sx_cli_fail_set("%s: holds complex numbers; the %s side of the problem is real",
                               job->opt.input, side);
    return SX_CLI_OK;
}

int sx_cli_problem_set(struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    if (job->opt.input)
        rc = sx_cli_file_get(job->comm, job->opt.input, &job->input);
    if (rc == SX_CLI_OK)
        rc = job->opt.problem ? parse(job) : deduce(job);
    if (rc == SX_CLI_OK)
        rc = describe(job);
    if (rc == SX_CLI_OK && job->opt.input)
        rc = check_input(job);
    return rc;
}
