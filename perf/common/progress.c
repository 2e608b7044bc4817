/* progress.c - the progress of a long run: percent, the current measurement, the remaining time. */
#include "common/perf.h"

#include <stdarg.h>
#include <unistd.h>

/* Seconds between two lines: `calm` in a file; `lively` on a terminal, where a line overwrites the
 * previous one. */
static const double calm = 10, lively = 0.2;

void sx_perf_progress_start(struct sx_perf_progress *progress, const struct sx_perf_settings *settings,
                            ptrdiff_t rounds)
{
    *progress = (struct sx_perf_progress){.total = rounds, .begin = MPI_Wtime()};
    progress->terminal = isatty(2);
    progress->shown = sx_perf_program_get_rank() == 0 && (progress->terminal || settings->progress);
    progress->last = progress->begin - calm;
}

static void print(struct sx_perf_progress *progress)
{
    double now = MPI_Wtime(), share = (double)progress->done / (double)progress->total;
    if (!progress->shown || now - progress->last < (progress->terminal ? lively : calm))
        return;
    progress->last = now;
    fprintf(stderr, "%s%3.0f %%  %s", progress->terminal ? "\r" : "", 100 * share, progress->what);
    if (progress->done > 0)
        fprintf(stderr, "  left %.0f s", (now - progress->begin) * (1 - share) / share);
    fputs(progress->terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
}

void sx_perf_progress_set(struct sx_perf_progress *progress, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(progress->what, sizeof progress->what, format, args);
    va_end(args);
    print(progress);
}

void sx_perf_progress_add(struct sx_perf_progress *progress)
{
    progress->done++;
    print(progress);
}

void sx_perf_progress_finish(struct sx_perf_progress *progress)
{
    if (progress->shown && progress->terminal)
        fputs("\r\033[K", stderr);
}
