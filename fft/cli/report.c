/* report.c - print a run for people. */
#include "cli/cli.h"

#include <stdlib.h>
#include <subx_tune.h>

void sx_cli_report_print_plan(const struct sx_cli_job *job)
{
    size_t needed = 0;
    char *text = NULL;
    if (subx_fft_plan_print(job->plan, 0, NULL, &needed) == MPI_SUCCESS)
        text = malloc(needed + 1);
    if (text && subx_fft_plan_print(job->plan, needed + 1, text, NULL) == MPI_SUCCESS)
        printf("%s%s", text, needed && text[needed - 1] == '\n' ? "" : "\n");
    free(text);
    fflush(stdout);
}

char *sx_cli_report_get_explanation(const struct sx_cli_job *job, int format)
{
    size_t needed = 0;
    char *text = NULL;
    if (subx_fft_plan_explain(job->plan, format, 0, NULL, &needed) == MPI_SUCCESS)
        text = malloc(needed + 1);
    if (text && subx_fft_plan_explain(job->plan, format, needed + 1, text, NULL) == MPI_SUCCESS)
        return text;
    free(text);
    return NULL;
}

static void print_explanation(const struct sx_cli_job *job)
{
    char *text = sx_cli_report_get_explanation(job, SUBX_FFT_TEXT);
    fputs(text ? text : "no explanation: memory is short\n", stdout);
    putchar('\n');
    free(text);
}

static const char *query_type(const struct sx_cli_job *job, int side)
{
    return sx_cli_file_query_type(job->axes.precision, job->axes.reals[side]);
}

static void print_data(const struct sx_cli_job *job)
{
    const struct sx_cli_input *in = &job->input;
    if (job->opt.input && in->is_raw)
        printf("input   %s: %s, C order\n", job->opt.input, query_type(job, sx_cli_job_get_from(job)));
    else if (job->opt.input)
        printf("input   %s: %s%d, %s order\n", job->opt.input, in->reals == 1 ? "float" : "complex",
               8 * in->bytes, in->fortran ? "Fortran" : "C");
    else
        printf("input   random numbers, seed %llu\n", (unsigned long long)job->opt.seed);
    if (job->opt.output)
        printf("output  %s: %s, C order\n", job->opt.output, query_type(job, sx_cli_job_get_to(job)));
}

static void print_checks(const struct sx_cli_job *job)
{
    if (job->nchecks == 0)
        return;
    printf("\n%-36s %10s %10s\n", "checks (relative to the largest)", "error", "tolerance");
    for (int i = 0; i < job->nchecks; i++) {
        const struct sx_cli_check *check = &job->check[i];
        printf("  %-34s %10.2e %10.2e  %s\n", check->name, check->error, check->tolerance,
               check->passed ? "PASS" : "FAIL");
    }
}

static void print_spread(const char *name, const struct sx_cli_spread *spread)
{
    printf("  %-44s %11.6f %11.6f %11.6f\n", name, spread->min, spread->median, spread->max);
}

static void print_stages(const struct sx_cli_times *times)
{
    for (int i = 0; i < times->nstages; i++) {
        char name[64];
        snprintf(name, sizeof name, "%2d %.40s", i + 1, times->stage[i].name);
        print_spread(name, &times->stage[i].seconds);
    }
}

/* Print the table of a direction: the stages in order of execution, then their sums by kind. */
static void print_times(const char *direction, const struct sx_cli_times *times, int nranks)
{
    if (times->executions == 0)
        return;
    printf("\n%s: seconds for one of %d execution%s, over %d rank%s\n", direction, times->executions,
           times->executions == 1 ? "" : "s", nranks, nranks == 1 ? "" : "s");
    printf("  %-44s %11s %11s %11s\n", "stage", "min", "median", "max");
    print_stages(times);
    print_spread("serial FFT, all of it", &times->kind[SUBX_FFT_STAGE_SERIAL]);
    print_spread("exchange, all of it", &times->kind[SUBX_FFT_STAGE_EXCHANGE]);
    print_spread("scale, all of it", &times->kind[SUBX_FFT_STAGE_SCALE]);
    print_spread("everything", &times->kind[0]);
}

void sx_cli_report_print(const struct sx_cli_job *job)
{
    if (job->opt.explain)
        print_explanation(job);
    print_data(job);
    print_checks(job);
    print_times("forward", &job->times[0], job->nranks);
    print_times("backward", &job->times[1], job->nranks);
    if (job->opt.outer)
        printf("\n%dx%d forward and backward: fastest %.6f s, median %.6f s for a pair\n", job->opt.outer,
               job->opt.inner, job->min_seconds, job->median_seconds);
    else
        printf("\none execution: %.6f s on the slowest rank\n", job->median_seconds);
}
