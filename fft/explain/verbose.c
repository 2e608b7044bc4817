/* verbose.c - the only file of libsubx and libsubx_fft that writes to the caller's terminal, and only if the
 * hint subx_verbose asks for it. The drop-ins write by their report.c. */
#include "explain/explain.h"
#include <stdio.h>
#include <unistd.h>

/* Warn of environment variables that are misspelt. */
static void warn(void)
{
    char text[SX_ERROR_LEN];
    for (int i = 0; sx_base_print_unknown_variable(i, &(sx_text){text, sizeof text, 0}); i++)
        fprintf(stderr, "subx: warning: %s\n", text);
}

/* Errors are ignored: the plan is usable without its text. */
void sx_explain_print_verbose(subx_fft_plan plan)
{
    int rank = -1;
    size_t needed = 0;
    if (MPI_Comm_rank(plan->everyone, &rank) || rank != 0)
        return;
    if (subx_fft_plan_print(plan, 0, NULL, &needed))
        return;
    char *text = sx_base_alloc((ptrdiff_t)needed + 1, 1);
    if (text && !subx_fft_plan_print(plan, needed + 1, text, NULL))
        fputs(text, stderr);
    sx_base_free(text);
    warn();
}

/* Candidates are added during the search, so nobody knows their number: the last one of the list has no "of
 * n". The line is overwritten by the next call, and is erased by the last call (i = n). */
void sx_explain_print_progress(const sx_hints *h, MPI_Comm all, int i, int n, const char *name, double began)
{
    const double least_seconds = 1, seconds = MPI_Wtime() - began;
    int rank = -1;
    if (h->verbose != SX_VERBOSE_PROGRESS || seconds < least_seconds || MPI_Comm_rank(all, &rank) ||
        rank != 0 || !isatty(STDERR_FILENO))
        return;
    double left = seconds * (n - i - 1) / (i + 1);
    if (h->time_limit > 0 && left > h->time_limit - seconds)
        left = h->time_limit - seconds;
    if (i + 1 < n)
        fprintf(stderr, "\rplanning: candidate %d of %d or more, %.1f s, about %.0f s left: %-60.60s", i + 1,
                n, seconds, left > 0 ? left : 0, name);
    else if (i < n)
        fprintf(stderr, "\rplanning: candidate %d, %.1f s: %-90.90s", i + 1, seconds, name);
    else
        fprintf(stderr, "\r%130s\r", "");
}
