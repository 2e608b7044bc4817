/* summary.c - the notes at the end: for each group of tiles, the ratios of the times of any two candidates. */
#include "serial/pencils.h"

#include <math.h>
#include <stdlib.h>

/* A number, and the length for which it was measured. */
struct entry {
    double value;
    ptrdiff_t n;
};

static int compare(const void *a, const void *b)
{
    const double x = ((const struct entry *)a)->value, y = ((const struct entry *)b)->value;
    return (x > y) - (x < y);
}

/* List the ratios of the times of candidates a and b in the group that begins with result `first`, in ascending
 * order. With --accuracy the caller passes b = a; then list the errors of a. Returns the number of entries. */
static int list_entries(const struct sx_perf_serial_job *job, int first, int a, int b, struct entry list[])
{
    int count = 0;
    for (int i = first; i < job->nresults && job->results[i].group == job->results[first].group; i++) {
        const struct sx_perf_serial_result *r = &job->results[i];
        const double value = a == b ? r->value[a] : r->value[a] / r->value[b];
        if (!isnan(value))
            list[count++] = (struct entry){value, r->n};
    }
    qsort(list, (size_t)count, sizeof *list, compare);
    return count;
}

static double get_median(int count, const struct entry list[])
{
    return 0.5 * (list[(count - 1) / 2].value + list[count / 2].value);
}

static void note_ratios(struct sx_perf_serial_job *job, int first, int a, int b, struct entry list[])
{
    const int count = list_entries(job, first, a, b, list);
    if (count)
        sx_perf_table_add_note(
            &job->table, "  %s / %s: median %.3f, worst %.3f (n = %td), best %.3f (n = %td), %d lengths",
            job->candidate[a].name, job->candidate[b].name, get_median(count, list), list[count - 1].value,
            list[count - 1].n, list[0].value, list[0].n, count);
}

static void note_errors(struct sx_perf_serial_job *job, int first, int a, struct entry list[])
{
    const int count = list_entries(job, first, a, a, list);
    if (count)
        sx_perf_table_add_note(&job->table, "  %s: median %.3f, worst %.3f (n = %td), %d lengths",
                               job->candidate[a].name, get_median(count, list), list[count - 1].value,
                               list[count - 1].n, count);
}

static void note_group(struct sx_perf_serial_job *job, int first, struct entry list[])
{
    const int accuracy = job->settings.accuracy;
    sx_perf_table_add_note(&job->table, "%s: %s", job->results[first].name,
                           accuracy ? "errors in epsilons" : "ratios of least times");
    for (int a = 0; a < job->ncandidates; a++)
        for (int b = 0; b < job->ncandidates && !accuracy; b++)
            if (a != b)
                note_ratios(job, first, a, b, list);
    for (int a = 0; a < job->ncandidates && accuracy; a++)
        note_errors(job, first, a, list);
}

void sx_perf_serial_summary_export(struct sx_perf_serial_job *job)
{
    struct entry *list = sx_perf_memory_create_small(job->nresults, sizeof *list);
    for (int i = 0; i < job->nresults; i++)
        if (i == 0 || job->results[i].group != job->results[i - 1].group)
            note_group(job, i, list);
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d transforms, left out", job->nwrong);
    free(list);
}
