/* job.c - values that follow from the description of a run: sides, scale factors, the name of MPI. */
#include "cli/cli.h"

#include <math.h>
#include <string.h>

int sx_cli_job_get_from(const struct sx_cli_job *job)
{
    return job->direction == SUBX_FFT_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL;
}

int sx_cli_job_get_to(const struct sx_cli_job *job)
{
    return job->direction == SUBX_FFT_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL;
}

int sx_cli_job_query_hint(const struct sx_cli_job *job, const char *key, const char *value)
{
    char found[SX_CLI_VALUE];
    return sx_cli_hint_get(job->effect, key, found) && strcmp(found, value) == 0;
}

long double sx_cli_job_get_scale(const struct sx_cli_job *job, int direction)
{
    const char *name = direction == SUBX_FFT_FORWARD ? "forward" : "backward";
    const long double factor = sx_definition_get_factor(job->axes.ndims, job->axes.axis);
    if (sx_cli_job_query_hint(job, "subx_scaling", "symmetric") ||
        sx_cli_job_query_hint(job, "subx_scaling", "orthonormal"))
        return 1 / sqrtl(factor);
    return sx_cli_job_query_hint(job, "subx_scaling", name) ? 1 / factor : 1;
}

int sx_cli_job_import_input(struct sx_cli_job *job)
{
    int from = sx_cli_job_get_from(job);
    struct sx_cli_signal signal;
    if (job->opt.input)
        return sx_cli_file_import(job, from);
    sx_cli_signal_set(&signal, job, from, 0);
    sx_cli_signal_export(&signal, &job->box[from], job->array[from]);
    return SX_CLI_OK;
}

int sx_cli_job_run(const struct sx_cli_job *job, int direction, const void *from, void *to)
{
    int code = subx_fft_execute(job->plan, direction, from, to);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "the transform failed");
}

/* After a copy that failed, the plan is executed all the same, because the other ranks execute it. */
int sx_cli_job_execute(const struct sx_cli_job *job, int direction, const void *from, void *to)
{
    const int side = direction == SUBX_FFT_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL;
    if (!job->is_on_device)
        return sx_cli_job_run(job, direction, from, to);
    const int put = sx_cli_place_put(job, side, from),
              run = sx_cli_job_run(job, direction, job->place[side], job->place[!side]),
              got = sx_cli_place_get(job, !side, to);
    return put != SX_CLI_OK ? put : run != SX_CLI_OK ? run : got;
}

const struct sx_cli_check *sx_cli_job_get_failed(const struct sx_cli_job *job)
{
    for (int i = 0; i < job->nchecks; i++)
        if (!job->check[i].passed)
            return &job->check[i];
    return NULL;
}

/* Print the first line of MPI's description, up to a comma, with single blanks and without "Version:". "Open
 * MPI
 * v4.1.4, package: .." and "MPICH Version:    4.0.2" both become a name and a number. */
void sx_cli_job_print_mpi(size_t len, char *text)
{
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    size_t used = 0;
    int n = 0;
    MPI_Get_library_version(all, &n);
    all[strcspn(all, ",\r\n")] = '\0';
    text[0] = '\0';
    for (char *word = strtok(all, " \t"); word && used < len; word = strtok(NULL, " \t"))
        if (strcmp(word, "Version:") != 0)
            used += (size_t)snprintf(text + used, len - used, "%s%s", used ? " " : "", word);
}
