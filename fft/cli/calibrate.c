/* calibrate.c - measure the parameters of the cost model, instead of transforming an array. */
#include "cli/cli.h"

#include <string.h>

/* Print which file of wisdom a value of the hint names. */
static void print_place(const char *wisdom)
{
    if (!wisdom || strcmp(wisdom, "auto") == 0)
        printf("stored in the user's wisdom: $XDG_CACHE_HOME/subarray_x/wisdom or "
               "$HOME/.cache/subarray_x/wisdom\n");
    else if (strcmp(wisdom, "none") == 0)
        printf("not stored, because there is no wisdom\n");
    else
        printf("stored in %s\n", wisdom);
}

int sx_cli_calibrate_execute(const struct sx_cli_job *job)
{
    const char *wisdom = sx_cli_hint_get(&job->opt, "--wisdom");
    char text[1024] = "";
    MPI_Info hints = MPI_INFO_NULL;
    int is_shown, code,
        rc = sx_cli_fail_agree(job->comm, sx_cli_hints_export(&job->opt, 0, &hints, &is_shown));
    if (rc != SX_CLI_OK)
        return rc;
    sx_cli_progress_set("calibrating", 0, 0);
    code = subx_fft_machine_calibrate(job->comm, hints, job->opt.calibrate, sizeof text, text);
    MPI_Info_free(&hints);
    sx_cli_progress_finish();
    if (job->rank == 0 && *text)
        printf("%s\n", text);
    if (code != MPI_SUCCESS)
        return sx_cli_fail_set_code(code, "the calibration on %d rank%s%s%s", job->nranks,
                                    job->nranks == 1 ? "" : "s", wisdom ? " with --wisdom " : "",
                                    wisdom ? wisdom : "");
    if (job->rank == 0)
        print_place(wisdom);
    return SX_CLI_OK;
}
