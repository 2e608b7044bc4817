/* job.c - values that follow from the description of a run: sides, scale factors, the name of MPI. */
#include "cli/cli.h"

#include <ctype.h>
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

double sx_cli_job_get_scale(const struct sx_cli_job *job, int direction)
{
    const char *scaling = job->effect.value[SX_CLI_SCALING];
    double volume = (double)sx_cli_box_volume(job->ndims, job->n);
    if (strcmp(scaling, "symmetric") == 0)
        return 1 / sqrt(volume);
    if (strcmp(scaling, direction == SUBX_FFT_FORWARD ? "forward" : "backward") == 0)
        return 1 / volume;
    return 1;
}

int sx_cli_job_execute(const struct sx_cli_job *job, int direction, const double *from, double *to)
{
    int code = subx_fft_execute(job->plan, direction, from, to);
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "the transform failed");
}

int sx_cli_job_query_passed(const struct sx_cli_job *job)
{
    for (int i = 0; i < job->nchecks; i++)
        if (!job->check[i].passed)
            return 0;
    return 1;
}

/* MPI's name and version: the first line of its description, up to a comma, with single blanks and without
 * "Version:". "Open MPI v4.1.4, package: .." and "MPICH Version:    4.0.2" both become a name and a
 * number. */
void sx_cli_job_print_mpi(size_t len, char *text)
{
    static const char word[] = "Version:";
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    size_t used = 0;
    int nall = 0, blank = 0;
    MPI_Get_library_version(all, &nall);
    for (const char *c = all; *c && !strchr(",\r\n", *c) && used + 2 < len; c++) {
        if (strncmp(c, word, sizeof word - 1) == 0)
            c += sizeof word - 2;
        else if (isspace((unsigned char)*c))
            blank = used > 0;
        else {
            if (blank)
                text[used++] = ' ';
            text[used++] = *c;
            blank = 0;
        }
    }
    text[used] = '\0';
}
