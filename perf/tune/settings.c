/* settings.c - the options of subx-perf-tune. */
#include "tune/tune.h"

#include <string.h>

static const char *const efforts[SX_PERF_TUNE_WISDOM + 1] = {"estimate", "measure", "patient"};
static const char *const directions[SX_PERF_TUNE_NDIRECTIONS + 1] = {"forward", "backward", "both"};

const char *sx_perf_tune_settings_query_plan(int which)
{
    return which == SX_PERF_TUNE_WISDOM ? "wisdom" : efforts[which];
}

/* --------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct sx_perf_tune_settings, member)

static const struct sx_perf_option options[] = {
    {"--problems", "P,..",
     "c2c:256x256;r2c:1000x300;c2c:64x64x64;r2c:128x128x128;c2c:61x67x71;dct2:64x48x40;c2c:16x16x16x16;"
     "r2c:24x20x28x18;c2c:32x40x48;c2c:192x200x210;4*r2c:48x48x48;c2c:1024x1024",
     "texts of problems, also separated by ; (default: twelve of 2 to 4 axes)", sx_perf_values_parse_problems,
     NULL, AT(problems)},
    {"--efforts", "E,..", "all", "", NULL, efforts, AT(plans)},
    {"--direction", "D", "both", "both in turn", NULL, directions, AT(direction)},
    {"--wisdom", "FILE", NULL, "also create a plan of effort measure, and the same plan again from this file",
     sx_perf_values_parse_text, NULL, AT(wisdom)},
    {.name = NULL}};

static const char purpose[] =
    "Compare plans of all efforts for the same problems: how long it takes to create them, and to execute them.\n";

static const char rest[] =
    "For each problem one plan per effort is created, without wisdom. FFTW's wisdom is forgotten before each creation. Each\n"
    "plan is verified: backward after forward gives the data back. Then all are timed alternately. A timing begins with a\n"
    "barrier, is of several executions, and ends with the slowest rank.\n"
    "\n"
    "With --wisdom FILE, a plan of effort measure is created with subx_wisdom=FILE and freed, FFTW's wisdom is forgotten, and\n"
    "the plan is created again. The second one has the row wisdom.\n"
    "\n"
    "Columns:\n"
    "  mpi, problem, ranks\n"
    "  effort           estimate, measure, patient; wisdom is a plan of effort measure from a file\n"
    "  choice           strategy, process grid and engine of the plan\n"
    "  planning_ms      milliseconds of the plan's creation on the slowest rank\n"
    "  transforms       the same in executions of the fastest plan for the problem\n"
    "  min_s, median_s  seconds per transform, over the rounds; with --direction both the mean of forward and backward\n"
    "  ratio            median_s / median_s of the fastest plan for the problem\n"
    "  predicted_s      seconds of forward by the cost model; empty if there is no price\n"
    "  ratio_model      predicted_s / median_s\n"
    "The notes tell the geometric mean and the largest ratio of each effort, the longest planning, and the range of\n"
    "ratio_model.\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 subx-perf-tune --csv tune.csv\n"
    "  mpirun -n 4 subx-perf-tune --problems c2c:64x64x64,dct2:64x48x40 --wisdom ./wisdom --hint subx_node_ranks=2\n";

const struct sx_perf_program sx_perf_tune_program = {"subx-perf-tune", purpose, rest, "7", NULL, options};

/* Replace a problem by its canonical text. Stop if its plans cannot be checked. This is the case if the problem
 * leaves out modes or points, because backward after forward then does not give the data back. It is also the case
 * if the problem has options: some bytes of an array may then be no data. */
static void set_problem(char name[SX_PERF_TEXT_MAX])
{
    subx_fft_problem parsed;
    size_t needed = 0;
    int precision = 0, code = subx_fft_problem_parse(name, &parsed);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "--problems %.60s", name);
    subx_fft_problem_get_precision(parsed, &precision);
    subx_fft_problem_print(parsed, SX_PERF_TEXT_MAX, name, &needed);
    subx_fft_problem_free(&parsed);
    if (precision != SUBX_FFT_DOUBLE || needed >= SX_PERF_TEXT_MAX || strpbrk(name, "/>"))
        sx_perf_program_exit(
            MPI_SUCCESS, "--problems %.60s: only problems in double precision without options are measured",
            name);
}

void sx_perf_tune_settings_import(struct sx_perf_tune_settings *settings)
{
    for (int i = 0; i < settings->problems.n; i++)
        set_problem(settings->problems.name[i]);
    settings->plans[SX_PERF_TUNE_WISDOM] = settings->wisdom[0] != '\0';
}
