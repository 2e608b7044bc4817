/* settings.c - the options of subx-perf-tune. */
#include "tune/tune.h"

#include <string.h>

const char *sx_perf_tune_settings_query_plan(int which)
{
    static const char *const names[SX_PERF_TUNE_NPLANS] = {"estimate", "measure", "patient", "exhaustive",
                                                           "wisdom"};
    return names[which];
}

static const char *query_direction(int i)
{
    static const char *const names[SX_PERF_TUNE_NDIRECTIONS] = {"forward", "backward", "both"};
    return names[i];
}

/* --------------------------------------------------------------------------------- parsers */

static int parse_efforts(const char *text, void *target)
{
    return sx_perf_values_parse_flags(text, SX_PERF_TUNE_WISDOM, sx_perf_tune_settings_query_plan, target);
}

static int parse_direction(const char *text, void *target)
{
    return sx_perf_values_parse_name(text, SX_PERF_TUNE_NDIRECTIONS, query_direction, target);
}

/* Only where no modes and no points are missing does backward after forward give the data back, and only without options
 * are all bytes of an array data. */
static int set_problem(const char *text, subx_fft_problem parsed, char *name)
{
    size_t needed = 0;
    int precision = 0;
    subx_fft_problem_get_precision(parsed, &precision);
    subx_fft_problem_print(parsed, SX_PERF_TEXT_MAX, name, &needed);
    if (precision != SUBX_FFT_DOUBLE || needed >= SX_PERF_TEXT_MAX || strpbrk(name, "/>"))
        return sx_perf_options_refuse("%.60s: only problems in double precision without options are measured",
                                      text);
    return 0;
}

static int parse_problem(const char *text, char *name)
{
    subx_fft_problem parsed;
    if (subx_fft_problem_parse(text, &parsed) != MPI_SUCCESS)
        return sx_perf_options_refuse("%.60s is no problem such as c2c:64x64x64 or 3*r2c:64x64", text);
    int rc = set_problem(text, parsed, name);
    subx_fft_problem_free(&parsed);
    return rc;
}

static int parse_problems(const char *text, void *target)
{
    struct sx_perf_tune_settings *settings = target;
    char one[SX_PERF_TEXT_MAX];
    for (int i = 0; i < SX_PERF_NNAMES; i++) {
        const size_t len = sx_perf_values_get_problem_length(text);
        snprintf(one, sizeof one, "%.*s", (int)len, text);
        if (parse_problem(one, settings->problem[i]))
            return 1;
        settings->nproblems = i + 1;
        if (!text[len])
            return 0;
        text += len + 1;
    }
    return sx_perf_options_refuse("more than %d problems", SX_PERF_NNAMES);
}

/* --------------------------------------------------------------------------------- options */

#define AT(member) offsetof(struct sx_perf_tune_settings, member)

static const struct sx_perf_option options[] = {
    {"--problems", "P,..", "texts of problems, also separated by ; (default: twelve of 2 to 4 axes)",
     parse_problems, 0},
    {"--efforts", "E,..", "among estimate, measure, patient, exhaustive (default: all)", parse_efforts,
     AT(plans)},
    {"--direction", "D", "forward, backward, or both in turn (default)", parse_direction, AT(direction)},
    {"--time-limit", "S", "whole seconds for the planning of exhaustive (default 120)",
     sx_perf_values_parse_count, AT(time_limit)},
    {"--wisdom", "FILE", "also create a plan of effort measure, and the same plan again from this file",
     sx_perf_values_parse_text, AT(wisdom)},
    {NULL, NULL, NULL, NULL, 0}};

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
    "  effort           estimate, measure, patient, exhaustive; wisdom is a plan of effort measure from a file\n"
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

const struct sx_perf_program sx_perf_tune_program = {"subx-perf-tune", purpose, rest, options};

void sx_perf_tune_settings_set_defaults(struct sx_perf_tune_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->common.repeat = 7;
    settings->direction = SX_PERF_TUNE_BOTH;
    settings->time_limit = 120;
    parse_efforts("estimate,measure,patient,exhaustive", settings->plans);
    parse_problems(
        "c2c:256x256;r2c:1000x300;c2c:64x64x64;r2c:128x128x128;c2c:61x67x71;dct2:64x48x40;c2c:16x16x16x16;"
        "r2c:24x20x28x18;c2c:32x40x48;c2c:192x200x210;4*r2c:48x48x48;c2c:1024x1024",
        settings);
}

void sx_perf_tune_settings_import(struct sx_perf_tune_settings *settings)
{
    settings->plans[SX_PERF_TUNE_WISDOM] = settings->wisdom[0] != '\0';
}
