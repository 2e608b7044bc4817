/* report.c - report which library executes each plan that the program has requested, and why, if
 * SUBX_FFTW3MPI_REPORT is set. With the value "0" there is no report; "1" writes to stderr; any other value
 * names a file. */
#include "fftw3mpi/fftw3mpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sx_fftw_line *lines;
static int is_first_rank, is_started;

static const char *get_target(void)
{
    const char *target = getenv("SUBX_FFTW3MPI_REPORT");
    return target && *target && strcmp(target, "0") != 0 ? target : NULL;
}

void sx_fftw_print_request(const sx_fftw_request *q, sx_text *t)
{
    static const char *const family[] = {"dft", "dft_r2c", "dft_c2r", "r2r", "transpose"};
    sx_base_print(t, "%s %s%s ", q->precision->name, family[q->family],
                  q->family != SX_FFTW_DFT      ? ""
                  : q->sign == SUBX_FFT_FORWARD ? " forward"
                                                : " backward");
    for (int i = 0; i < q->ndims; i++)
        sx_base_print(t, "%s%td", i ? "x" : "", q->dim[i].n);
    if (q->howmany != 1)
        sx_base_print(t, "*%td", q->howmany);
    sx_base_print(t, "%s%s%s%s%s on %d ranks", q->in == q->out ? " in place" : "",
                  q->flags & SX_FFTW_TRANSPOSED_IN ? " transposed_in" : "",
                  q->flags & SX_FFTW_TRANSPOSED_OUT ? " transposed_out" : "",
                  q->flags & SX_FFTW_SCRAMBLED_IN ? " scrambled_in" : "",
                  q->flags & SX_FFTW_SCRAMBLED_OUT ? " scrambled_out" : "", q->nranks);
}

/* Does nothing if MPI is not initialised, or if the user asks for no report. The rank is found now, because
 * MPI may be finalised when the report is written. */
void sx_fftw_start_report(void)
{
    int rank = 0, has_mpi = 0;
    if (is_started || !get_target() || MPI_Initialized(&has_mpi) || !has_mpi)
        return;
    is_started = 1;
    is_first_rank = !MPI_Comm_rank(MPI_COMM_WORLD, &rank) && rank == 0;
    (void)atexit(sx_fftw_write_report);
}

static sx_fftw_line *add(const char *text)
{
    sx_fftw_line *line = sx_base_alloc(1, sizeof *line), **end = &lines;
    if (!line)
        return NULL;
    strcpy(line->text, text);
    while (*end)
        end = &(*end)->next;
    return *end = line;
}

sx_fftw_line *sx_fftw_count_plan(const sx_fftw_request *q, const char *fate, const sx_fftw_times *times)
{
    char text[sizeof lines->text] = "";
    sx_text t = {text, sizeof text, 0};
    if (!get_target())
        return NULL;
    sx_fftw_start_report();
    sx_fftw_print_request(q, &t);
    sx_base_print(&t, ": %s", fate);
    sx_fftw_line *line = lines;
    while (line && strcmp(line->text, text) != 0)
        line = line->next;
    if (!line)
        line = add(text);
    if (!line)
        return NULL;
    line->plans++;
    for (int i = 0; i < 2; i++) {
        line->times.planning[i] += times->planning[i];
        if (times->execution[0] > 0)
            line->times.execution[i] = times->execution[i];
    }
    return line;
}

static void write_line(FILE *file, const sx_fftw_line *line)
{
    const sx_fftw_times *t = &line->times;
    fprintf(file,
            "subx_fftw3mpi: %s: %ld plans, planned in %.3g s by ours and %.3g s by FFTW; %ld executions in "
            "%.3g s",
            line->text, line->plans, t->planning[0], t->planning[1], line->executions,
            1e-9 * (double)line->nanoseconds);
    if (t->execution[0] > 0)
        fprintf(file, "; when compared, one took %.3g s with ours and %.3g s with FFTW", t->execution[0],
                t->execution[1]);
    fputs("\n", file);
}

/* Write all lines with counts that have not been written yet, and set these counts to 0. Lines are never
 * freed, because plans point to them. */
void sx_fftw_write_report(void)
{
    static int is_written;
    const char *target = get_target();
    if (!target || !is_first_rank)
        return;
    FILE *file = strcmp(target, "1") == 0 ? stderr : fopen(target, "a");
    if (file && !lines && !is_written)
        fputs("subx_fftw3mpi: no plans\n", file);
    is_written = 1;
    for (sx_fftw_line *line = lines; line && file; line = line->next)
        if (line->plans || line->executions) {
            write_line(file, line);
            line->plans = line->executions = line->nanoseconds = 0;
            line->times = (sx_fftw_times){{0, 0}, {0, 0}};
        }
    if (file && file != stderr)
        (void)fclose(file);
}
