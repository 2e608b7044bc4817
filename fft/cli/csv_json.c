/* csv_json.c - print a run for programs: CSV (RFC 4180) and JSON (RFC 8259), from one list of values. */
#include "cli/cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

enum { VALUE_MAX = 512, NCOLUMNS = 32 };

/* A value: a text if `text` is set, else a number. A number that is NaN is unknown. */
struct column {
    const char *name, *text;
    double number;
    int whole;
};

/* The values of a run, and memory for composed texts. */
struct row {
    struct column column[NCOLUMNS];
    int ncolumns;
    char mpi[VALUE_MAX], repeat[VALUE_MAX], seed[VALUE_MAX];
};

static void add_text(struct row *row, const char *name, const char *text)
{
    row->column[row->ncolumns++] = (struct column){.name = name, .text = text ? text : ""};
}

static void add_number(struct row *row, const char *name, double number)
{
    row->column[row->ncolumns++] = (struct column){.name = name, .number = number};
}

static const char *direction_name(const struct sx_cli_job *job)
{
    if (job->opt.outer)
        return "pair";
    return job->direction == SUBX_FFT_FORWARD ? "forward" : "backward";
}

/* Get the seconds of all stages of a kind, in all timed directions. */
static double seconds_of(const struct sx_cli_job *job, int kind)
{
    return job->times[0].kind[kind].median + job->times[1].kind[kind].median;
}

static const struct sx_cli_check *worst_check(const struct sx_cli_job *job)
{
    const struct sx_cli_check *worst = NULL;
    for (int i = 0; i < job->nchecks; i++)
        if (!worst || job->check[i].error > worst->error)
            worst = &job->check[i];
    return worst;
}

static void add_description(struct row *row, const struct sx_cli_job *job)
{
    static const char *const names[][2] = {{"grid", "--grid"},       {"engine", "--engine"},
                                           {"effort", "--effort"},   {"output_order", "--output-order"},
                                           {"scaling", "--scaling"}, {"threads", "--threads"},
                                           {"tune", "--tuning"}};
    sx_cli_job_print_mpi(sizeof row->mpi, row->mpi);
    snprintf(row->repeat, sizeof row->repeat, "%dx%d", job->opt.outer, job->opt.inner);
    snprintf(row->seed, sizeof row->seed, "%llu", (unsigned long long)job->opt.seed);
    add_text(row, "mpi", row->mpi);
    add_number(row, "ranks", job->nranks);
    add_text(row, "problem", job->text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_text(row, names[i][0], sx_cli_hints_get(&job->effect, names[i][1]));
    add_text(row, "direction", direction_name(job));
    add_text(row, "repeat", job->opt.outer ? row->repeat : "");
    add_text(row, "seed", row->seed);
    add_text(row, "input", job->opt.input);
    add_text(row, "output", job->opt.output);
}

static void add_outcome(struct row *row, const struct sx_cli_job *job)
{
    const struct sx_cli_check *worst = worst_check(job);
    const char *verdict = sx_cli_job_get_failed(job) ? "no" : "yes";
    add_number(row, "min_s", job->min_seconds);
    add_number(row, "median_s", job->median_seconds);
    add_number(row, "serial_s", seconds_of(job, SUBX_FFT_STAGE_SERIAL));
    add_number(row, "exchange_s", seconds_of(job, SUBX_FFT_STAGE_EXCHANGE));
    add_number(row, "scale_s", seconds_of(job, SUBX_FFT_STAGE_SCALE));
    add_number(row, "error", worst ? worst->error : NAN);
    add_number(row, "tolerance", worst ? worst->tolerance : NAN);
    add_text(row, "verified", worst ? verdict : "");
}

/* ------------------------------------------------------------------------------------ CSV */

static void print_csv_text(const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

static void print_csv_value(const struct column *column)
{
    if (column->text)
        print_csv_text(column->text);
    else if (!isnan(column->number))
        printf("%.9g", column->number);
}

void sx_cli_machine_print_csv(const struct sx_cli_job *job)
{
    struct row row = {.ncolumns = 0};
    add_description(&row, job);
    add_outcome(&row, job);
    for (int i = 0; i < row.ncolumns; i++)
        printf("%s%s", i ? "," : "", row.column[i].name);
    putchar('\n');
    for (int i = 0; i < row.ncolumns; i++) {
        fputs(i ? "," : "", stdout);
        print_csv_value(&row.column[i]);
    }
    putchar('\n');
}

/* ----------------------------------------------------------------------------------- JSON */

static void print_json_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

/* JSON has no infinity and no NaN: print null. */
static void print_json_number(double number)
{
    if (isfinite(number))
        printf("%.9g", number);
    else
        fputs("null", stdout);
}

static void print_json_member(const char *before, const char *name, double number)
{
    printf("%s\"%s\": ", before, name);
    print_json_number(number);
}

static void print_json_spread(const char *name, const struct sx_cli_spread *spread)
{
    printf("\"%s\": ", name);
    print_json_member("{", "min", spread->min);
    print_json_member(", ", "median", spread->median);
    print_json_member(", ", "max", spread->max);
    putchar('}');
}

static void print_json_checks(const struct sx_cli_job *job)
{
    printf("  \"checks\": [");
    for (int i = 0; i < job->nchecks; i++) {
        const struct sx_cli_check *check = &job->check[i];
        printf("%s\n    {\"name\": ", i ? "," : "");
        print_json_text(check->name);
        print_json_member(", ", "error", check->error);
        print_json_member(", ", "tolerance", check->tolerance);
        printf(", \"passed\": %s}", check->passed ? "true" : "false");
    }
    printf("],\n");
}

static void print_json_stages(const struct sx_cli_times *times)
{
    static const char *const kinds[] = {"", "serial", "exchange", "scale"};
    for (int i = 0; i < times->nstages; i++) {
        printf("%s\n      {\"name\": ", i ? "," : "");
        print_json_text(times->stage[i].name);
        printf(", \"kind\": \"%s\", ", kinds[times->stage[i].kind]);
        print_json_spread("seconds", &times->stage[i].seconds);
        putchar('}');
    }
}

static void print_json_direction(const char *name, const struct sx_cli_times *times)
{
    static const char *const kinds[] = {"all_s", "serial_s", "exchange_s", "scale_s"};
    printf("\n    {\"direction\": \"%s\", \"executions\": %d,\n     ", name, times->executions);
    for (int i = 1; i <= 4; i++) {
        print_json_spread(kinds[i % 4], &times->kind[i % 4]);
        printf(",\n     ");
    }
    printf("\"stages\": [");
    print_json_stages(times);
    printf("]}");
}

static void print_json_times(const struct sx_cli_job *job)
{
    int count = 0;
    printf("  \"times\": [");
    for (int i = 0; i < 2; i++)
        if (job->times[i].executions) {
            fputs(count++ ? "," : "", stdout);
            print_json_direction(i ? "backward" : "forward", &job->times[i]);
        }
    printf("]");
}

static void print_json_explanation(const struct sx_cli_job *job)
{
    char *text = sx_cli_report_get_explanation(job, SUBX_FFT_JSON);
    printf(",\n  \"explanation\": %s", text ? text : "null\n");
    free(text);
}

void sx_cli_machine_print_json(const struct sx_cli_job *job)
{
    struct row row = {.ncolumns = 0};
    add_description(&row, job);
    add_outcome(&row, job);
    printf("{\n");
    for (int i = 0; i < row.ncolumns; i++) {
        printf("  \"%s\": ", row.column[i].name);
        if (row.column[i].text)
            print_json_text(row.column[i].text);
        else
            print_json_number(row.column[i].number);
        printf(",\n");
    }
    print_json_checks(job);
    print_json_times(job);
    if (job->opt.explain)
        print_json_explanation(job);
    printf(job->opt.explain ? "}\n" : "\n}\n");
}
