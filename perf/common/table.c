/* table.c - rows for people, as CSV (RFC 4180, after comment lines), and as JSON (RFC 8259). Each row is
 * written immediately. */
#include "common/perf.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- values */

static void print_csv_text(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

static void print_json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void print_csv_value(FILE *file, const struct sx_perf_value *value)
{
    if (value->text)
        print_csv_text(file, value->text);
    else if (isfinite(value->number))
        fprintf(file, "%.9g", value->number);
}

static void print_json_value(FILE *file, const struct sx_perf_value *value)
{
    if (value->text)
        print_json_text(file, value->text);
    else if (isfinite(value->number))
        fprintf(file, "%.9g", value->number);
    else
        fputs("null", file);
}

static void print_people_value(FILE *file, const struct sx_perf_column *column,
                               const struct sx_perf_value *value)
{
    if (column->width == 0)
        return;
    if (value->text)
        fprintf(file, " %-*s", column->width, value->text);
    else if (isfinite(value->number))
        fprintf(file, " %*.*f", column->width, column->digits, value->number);
    else
        fprintf(file, " %*s", column->width, "-");
}

/* ------------------------------------------------------------------------------------ files */

static FILE *open_file(const char *path)
{
    FILE *file;
    if (!path[0])
        return NULL;
    file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!file)
        sx_perf_program_abort(MPI_SUCCESS, "cannot write %s: %s", path, strerror(errno));
    return file;
}

void sx_perf_table_create(const struct sx_perf_settings *settings, const struct sx_perf_column columns[],
                          int ncolumns, struct sx_perf_table *table)
{
    *table = (struct sx_perf_table){.columns = columns, .ncolumns = ncolumns};
    if (strcmp(settings->csv, "-") == 0 && strcmp(settings->json, "-") == 0)
        sx_perf_program_exit(MPI_SUCCESS, "--csv and --json cannot both go to standard output");
    if (sx_perf_program_get_rank() == 0) {
        table->csv = open_file(settings->csv);
        table->json = open_file(settings->json);
        if (table->csv != stdout && table->json != stdout)
            table->people = stdout;
    }
    if (table->json)
        fputs("{\n  \"head\": {", table->json);
    sx_perf_machine_export(table, settings);
}

static void close_file(FILE *file)
{
    if (file && (fflush(file) || ferror(file) || (file != stdout && fclose(file))))
        sx_perf_program_abort(MPI_SUCCESS, "cannot write the rows");
}

/* ------------------------------------------------------------------------------------- head */

static void print_head(FILE *file, const char *key, const char *text)
{
    if (file)
        fprintf(file, "# %s: %s\n", key, text);
}

void sx_perf_table_set_head(struct sx_perf_table *table, const char *key, const char *format, ...)
{
    char text[2 * SX_PERF_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print_head(table->csv, key, text);
    print_head(table->people, key, text);
    if (table->json) {
        fputs(table->nheads ? ",\n    " : "\n    ", table->json);
        print_json_text(table->json, key);
        fputs(": ", table->json);
        print_json_text(table->json, text);
    }
    table->nheads++;
}

static void print_names(const struct sx_perf_table *table)
{
    for (int i = 0; table->csv && i < table->ncolumns; i++)
        fprintf(table->csv, "%s%s", table->columns[i].name, i + 1 < table->ncolumns ? "," : "\n");
    for (int i = 0; table->people && i < table->ncolumns; i++) {
        const struct sx_perf_column *c = &table->columns[i];
        if (c->width)
            fprintf(table->people, c->digits == SX_PERF_TABLE_TEXT ? " %-*s" : " %*s", c->width, c->name);
    }
}

void sx_perf_table_start(struct sx_perf_table *table)
{
    if (table->people)
        fputc('\n', table->people);
    print_names(table);
    if (table->people)
        fputc('\n', table->people);
    if (table->json)
        fputs("\n  },\n  \"rows\": [", table->json);
}

/* ------------------------------------------------------------------------------------- rows */

static void add_csv(const struct sx_perf_table *table, const struct sx_perf_value values[])
{
    for (int i = 0; i < table->ncolumns; i++) {
        print_csv_value(table->csv, &values[i]);
        fputc(i + 1 < table->ncolumns ? ',' : '\n', table->csv);
    }
    fflush(table->csv);
}

static void add_json(const struct sx_perf_table *table, const struct sx_perf_value values[])
{
    fputs(table->nrows ? ",\n    {" : "\n    {", table->json);
    for (int i = 0; i < table->ncolumns; i++) {
        fprintf(table->json, "%s\"%s\": ", i ? ", " : "", table->columns[i].name);
        print_json_value(table->json, &values[i]);
    }
    fputc('}', table->json);
}

static void add_people(const struct sx_perf_table *table, const struct sx_perf_value values[],
                       const char *mark)
{
    for (int i = 0; i < table->ncolumns; i++)
        print_people_value(table->people, &table->columns[i], &values[i]);
    fprintf(table->people, "%s%s\n", *mark ? " " : "", mark);
    fflush(table->people);
}

void sx_perf_table_add(struct sx_perf_table *table, const struct sx_perf_value values[], const char *mark)
{
    if (table->csv)
        add_csv(table, values);
    if (table->json)
        add_json(table, values);
    if (table->people)
        add_people(table, values, mark);
    table->nrows++;
}

/* ------------------------------------------------------------------------------------ notes */

void sx_perf_table_add_note(struct sx_perf_table *table, const char *format, ...)
{
    char text[4 * SX_PERF_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    table->notes = realloc(table->notes, (size_t)(table->nnotes + 1) * sizeof *table->notes);
    if (!table->notes || !(table->notes[table->nnotes++] = strdup(text)))
        sx_perf_program_abort(MPI_SUCCESS, "no memory for notes");
}

static void print_notes(struct sx_perf_table *table)
{
    if (table->people)
        fputc('\n', table->people);
    if (table->json)
        fputs("\n  ],\n  \"notes\": [", table->json);
    for (int i = 0; i < table->nnotes; i++) {
        if (table->people)
            fprintf(table->people, "%s\n", table->notes[i]);
        if (table->json) {
            fprintf(table->json, "%s\n    ", i ? "," : "");
            print_json_text(table->json, table->notes[i]);
        }
        free(table->notes[i]);
    }
    free(table->notes);
}

void sx_perf_table_finish(struct sx_perf_table *table)
{
    print_notes(table);
    if (table->json)
        fputs("\n  ]\n}\n", table->json);
    close_file(table->csv);
    close_file(table->json);
    close_file(table->people);
}
