/* report.c - describe a run by facts, for people and for programs. */
#include "cli/cli.h"
#include "facts/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* ---- the texts of the library: the plan (format -1), or its explanation */

static int print_text(const struct sx_cli_job *job, int format, size_t len, char *text, size_t *needed)
{
    return format < 0 ? subx_fft_plan_print(job->plan, len, text, needed)
                      : subx_fft_plan_explain(job->plan, format, len, text, needed);
}

/* The caller frees the text; NULL if there is no memory. */
static char *create_text(const struct sx_cli_job *job, int format)
{
    size_t needed = 0;
    char *text = NULL;
    if (print_text(job, format, 0, NULL, &needed) == MPI_SUCCESS)
        text = malloc(needed + 1);
    if (text && print_text(job, format, needed + 1, text, NULL) == MPI_SUCCESS)
        return text;
    free(text);
    return NULL;
}

void sx_cli_report_print_plan(const struct sx_cli_job *job)
{
    char *text = create_text(job, job->opt.explain ? SUBX_FFT_TEXT : -1);
    fputs(text ? text : "no text of the plan: memory is short\n", stdout);
    fflush(stdout);
    free(text);
}

/* ---- what is transformed */

static void add_settings(sx_facts *f, const struct sx_cli_job *job)
{
    static const char *const keys[] = {"subx_grid",    "subx_engine",  "subx_effort", "subx_output_order",
                                       "subx_scaling", "subx_threads", "subx_tune"};
    static const char *const directions[] = {"forward", "backward"};
    char mpi[256], value[SX_CLI_VALUE];
    sx_cli_job_print_mpi(sizeof mpi, mpi);
    sx_facts_add_text(f, "mpi", mpi);
    sx_facts_add_number(f, "ranks", job->nranks);
    sx_facts_add_text(f, "problem", job->text);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        (void)sx_cli_hint_get(job->effect, keys[i], value);
        sx_facts_add_text(f, keys[i] + strlen("subx_"), value);
    }
    sx_facts_add_text(f, "direction",
                      job->opt.outer ? "pair" : directions[job->direction != SUBX_FFT_FORWARD]);
    sx_text *t = sx_facts_write(f, SX_FACT_TEXT, "repeat");
    if (job->opt.outer)
        sx_base_print(t, "%dx%d", job->opt.outer, job->opt.inner);
    sx_base_print(sx_facts_write(f, SX_FACT_TEXT, "seed"), "%llu", (unsigned long long)job->opt.seed);
    sx_facts_add_text(f, "input", job->opt.input ? job->opt.input : "");
    sx_facts_add_text(f, "output", job->opt.output ? job->opt.output : "");
}

static const char *query_type(const struct sx_cli_job *job, int side)
{
    return sx_cli_file_query_type(job->axes.precision, job->axes.reals[side]);
}

static void add_data(sx_facts *f, const struct sx_cli_job *job)
{
    const struct sx_cli_input *in = &job->input;
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "input");
    if (job->opt.input && in->is_raw)
        sx_base_print(t, "%s: %s, C order", job->opt.input, query_type(job, sx_cli_job_get_from(job)));
    else if (job->opt.input)
        sx_base_print(t, "%s: %s%d, %s order", job->opt.input, in->reals == 1 ? "float" : "complex",
                      8 * in->bytes, in->fortran ? "Fortran" : "C");
    else
        sx_base_print(t, "random numbers, seed %llu", (unsigned long long)job->opt.seed);
    if (job->opt.output)
        sx_base_print(sx_facts_write(f, SX_FACT_SENTENCE, "output"), "%s: %s, C order", job->opt.output,
                      query_type(job, sx_cli_job_get_to(job)));
}

/* ---- results */

/* Get the seconds of all stages of a kind, in all timed directions. */
static double get_seconds(const struct sx_cli_job *job, int kind)
{
    return job->times[0].kind[kind].median + job->times[1].kind[kind].median;
}

static void add_outcome(sx_facts *f, const struct sx_cli_job *job)
{
    const struct sx_cli_check *worst = NULL;
    for (int i = 0; i < job->nchecks; i++)
        if (!worst || job->check[i].error > worst->error)
            worst = &job->check[i];
    sx_facts_add_number(f, "min_s", job->min_seconds);
    sx_facts_add_number(f, "median_s", job->median_seconds);
    sx_facts_add_number(f, "serial_s", get_seconds(job, SUBX_FFT_STAGE_SERIAL));
    sx_facts_add_number(f, "exchange_s", get_seconds(job, SUBX_FFT_STAGE_EXCHANGE));
    sx_facts_add_number(f, "scale_s", get_seconds(job, SUBX_FFT_STAGE_SCALE));
    sx_facts_add_number(f, "error", worst ? worst->error : NAN);
    sx_facts_add_number(f, "tolerance", worst ? worst->tolerance : NAN);
    sx_facts_add_text(f, "verified", !worst ? "" : sx_cli_job_get_failed(job) ? "no" : "yes");
}

static void add_checks(sx_facts *f, const struct sx_cli_job *job)
{
    static const sx_column table[] = {{"name", "checks (relative to the largest)", SX_UNIT_TEXT, 36},
                                      {"error", "error", SX_UNIT_NUMBER, 10},
                                      {"tolerance", "tolerance", SX_UNIT_NUMBER, 10},
                                      {"told", "", SX_UNIT_TEXT, 4},
                                      {NULL, NULL, 0, 0}};
    sx_facts_add_table(f, "checks", table);
    for (int i = 0; i < job->nchecks; i++) {
        const struct sx_cli_check *check = &job->check[i];
        sx_facts_add(f, SX_FACT_OBJECT, NULL);
        sx_facts_add_text(f, "name", check->name);
        sx_facts_add_number(f, "error", check->error);
        sx_facts_add_number(f, "tolerance", check->tolerance);
        sx_facts_add_flag(f, "passed", check->passed);
        sx_base_print(sx_facts_write(f, SX_FACT_SENTENCE, "told"), check->passed ? "PASS" : "FAIL");
        sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
    }
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
}

/* ---- times */

static void add_spread(sx_facts *f, const char *key, const struct sx_cli_spread *spread)
{
    sx_facts_add(f, SX_FACT_OBJECT, key);
    sx_facts_add_number(f, "min", spread->min);
    sx_facts_add_number(f, "median", spread->median);
    sx_facts_add_number(f, "max", spread->max);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

static void add_stages(sx_facts *f, const struct sx_cli_times *times)
{
    static const char *const kinds[] = {"", "serial", "exchange", "scale"};
    static const sx_column table[] = {
        {"chosen", "", SX_UNIT_ROW, 3},      {"name", "stage", SX_UNIT_TEXT, 40},
        {"min", "min", SX_UNIT_SECONDS, 11}, {"median", "median", SX_UNIT_SECONDS, 11},
        {"max", "max", SX_UNIT_SECONDS, 11}, {NULL, NULL, 0, 0}};
    sx_facts_add_table(f, "stages", table);
    for (int i = 0; i < times->nstages; i++) {
        sx_facts_add(f, SX_FACT_OBJECT, NULL);
        sx_facts_add_text(f, "name", times->stage[i].name);
        sx_facts_add_text(f, "kind", kinds[times->stage[i].kind]);
        add_spread(f, "seconds", &times->stage[i].seconds);
        sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
    }
    sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
}

static void add_sums(sx_facts *f, const struct sx_cli_times *times)
{
    static const char *const kinds[][2] = {{"all_s", "everything"},
                                           {"serial_s", "serial FFT"},
                                           {"exchange_s", "exchange"},
                                           {"scale_s", "scale"}};
    for (int i = 1; i <= 4; i++)
        add_spread(f, kinds[i % 4][0], &times->kind[i % 4]);
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "sum");
    for (int i = 1; i <= 4; i++) {
        sx_base_print(t, "%s%s ", i > 1 ? ", " : "median: ", kinds[i % 4][1]);
        sx_facts_print_seconds(times->kind[i % 4].median, t);
    }
}

static void add_direction(sx_facts *f, const char *name, const struct sx_cli_times *times, int nranks)
{
    if (times->executions == 0)
        return;
    sx_facts_add(f, SX_FACT_OBJECT, NULL);
    sx_facts_add_text(f, "direction", name);
    sx_facts_add_number(f, "executions", times->executions);
    sx_base_print(sx_facts_write(f, SX_FACT_SENTENCE, name), "one of %d execution%s, over %d rank%s",
                  times->executions, times->executions == 1 ? "" : "s", nranks, nranks == 1 ? "" : "s");
    add_stages(f, times);
    add_sums(f, times);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

static void add_time(sx_facts *f, const struct sx_cli_job *job)
{
    sx_text *t = sx_facts_write(f, SX_FACT_SENTENCE, "time");
    if (job->opt.outer) {
        sx_base_print(t, "%dx%d forward and backward: fastest ", job->opt.outer, job->opt.inner);
        sx_facts_print_seconds(job->min_seconds, t);
        sx_base_print(t, " for a pair, median ");
    } else
        sx_base_print(t, "one execution on the slowest rank: ");
    sx_facts_print_seconds(job->median_seconds, t);
}

/* ---- all of it */

static void describe(sx_facts *f, const struct sx_cli_job *job, const char *explanation)
{
    sx_facts_add(f, SX_FACT_OBJECT, NULL);
    add_settings(f, job);
    add_outcome(f, job);
    if (job->opt.format != SUBX_FFT_CSV) {
        add_data(f, job);
        add_checks(f, job);
        sx_facts_add(f, SX_FACT_ARRAY, "times");
        add_direction(f, "forward", &job->times[0], job->nranks);
        add_direction(f, "backward", &job->times[1], job->nranks);
        sx_facts_add(f, SX_FACT_ARRAY_END, NULL);
        add_time(f, job);
    }
    if (explanation)
        sx_facts_add_json(f, "explanation", explanation);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

static void print(const struct sx_cli_job *job, const char *explanation, sx_text *t)
{
    if (job->opt.format == SUBX_FFT_CSV)
        describe(&(sx_facts){.to = t, .format = SX_FACTS_TITLES}, job, NULL);
    describe(&(sx_facts){.to = t, .format = job->opt.format}, job, explanation);
}

void sx_cli_report_print(const struct sx_cli_job *job)
{
    char *explanation = NULL;
    sx_text t = {NULL, 0, 0};
    if (job->opt.explain && job->opt.format == SUBX_FFT_JSON)
        explanation = create_text(job, SUBX_FFT_JSON);
    else if (job->opt.explain)
        sx_cli_report_print_plan(job);
    print(job, explanation, &t);
    char *text = malloc(t.used + 1);
    if (text) {
        t = (sx_text){text, t.used + 1, 0};
        print(job, explanation, &t);
        fputs(text, stdout);
    }
    free(text);
    free(explanation);
}
