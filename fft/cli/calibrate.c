/* calibrate.c - measure the parameters of the cost model, instead of transforming an array. */
#include "cli/cli.h"

#include <string.h>

/* Print which file of wisdom a value of the hint names. */
static void print_place(const char *wisdom)
{
    if (!*wisdom || strcmp(wisdom, "auto") == 0)
        printf("stored in the user's wisdom: $XDG_CACHE_HOME/subarray_x/wisdom or "
               "$HOME/.cache/subarray_x/wisdom\n");
    else if (strcmp(wisdom, "none") == 0)
        printf("not stored, because there is no wisdom\n");
    else
        printf("stored in %s\n", wisdom);
}

int sx_cli_calibrate_execute(const struct sx_cli_job *job)
{
    char text[1024] = "", wisdom[SX_CLI_VALUE];
    const int is_given = sx_cli_hint_get_given(&job->opt, "subx_wisdom", wisdom);
    const int code =
        subx_fft_machine_calibrate(job->comm, job->opt.hints, job->opt.calibrate, sizeof text, text);
    if (job->rank == 0 && *text)
        printf("%s\n", text);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "the calibration on %d rank%s%s%s", job->nranks,
                                    job->nranks == 1 ? "" : "s", is_given ? " with --wisdom " : "", wisdom);
    if (job->rank == 0)
        print_place(wisdom);
    return SX_CLI_OK;
}
