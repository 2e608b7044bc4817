/* summary.c - what the rows amount to: our best variant against each other library, by problem and grid and in the
 * geometric mean; the stages of ours. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>

static int is_same_cell(const struct sx_perf_fft_result *a, const struct sx_perf_fft_result *b)
{
    return strcmp(a->problem, b->problem) == 0 && strcmp(a->grid, b->grid) == 0;
}

static int is_ours(const struct sx_perf_fft_result *r)
{
    return strcmp(r->library, "subx") == 0;
}

/* Which results compete: those of a library, or with NULL all that are not ours. */
static int is_of(const struct sx_perf_fft_result *r, const char *library)
{
    return library ? strcmp(r->library, library) == 0 : !is_ours(r);
}

/* The fastest in the cell of `in`, or NULL. */
static const struct sx_perf_fft_result *get_best(const struct sx_perf_fft_job *job,
                                                 const struct sx_perf_fft_result *in, const char *library)
{
    const struct sx_perf_fft_result *best = NULL;
    for (int i = 0; i < job->nresults; i++) {
        const struct sx_perf_fft_result *r = &job->results[i];
        if (is_same_cell(r, in) && is_of(r, library) && (!best || r->median < best->median))
            best = r;
    }
    return best;
}

/* Whether a result is the first of its cell, and of its library if that is given. */
static int is_first(const struct sx_perf_fft_job *job, int i, int by_library)
{
    const struct sx_perf_fft_result *r = job->results;
    for (int k = 0; k < i; k++)
        if (by_library ? strcmp(r[k].library, r[i].library) == 0 : is_same_cell(&r[k], &r[i]))
            return 0;
    return 1;
}

static void note_cell(struct sx_perf_fft_job *job, const struct sx_perf_fft_result *cell)
{
    const struct sx_perf_fft_result *ours = get_best(job, cell, "subx"), *other = get_best(job, cell, NULL);
    if (!ours || !other)
        return;
    sx_perf_table_add_note(
        &job->table, "%s on grid %s: subx %s is %.2f times as fast as %s %s, and takes %.2f times the limit",
        cell->problem, cell->grid, ours->variant, other->median / ours->median, other->library,
        other->variant, ours->median / ours->limit);
}

/* The geometric mean over the cells where both are; library NULL: the fastest of the others in each cell. */
static void note_mean(struct sx_perf_fft_job *job, const char *library)
{
    double sum = 0, least = HUGE_VAL;
    int count = 0;
    for (int i = 0; i < job->nresults; i++) {
        const struct sx_perf_fft_result *ours = get_best(job, &job->results[i], "subx");
        const struct sx_perf_fft_result *other = get_best(job, &job->results[i], library);
        if (!ours || !other || !is_first(job, i, 0))
            continue;
        sum += log(other->median / ours->median);
        least = fmin(least, other->median / ours->median);
        count++;
    }
    if (count)
        sx_perf_table_add_note(
            &job->table,
            "subx against %s: %.2f times as fast in the geometric mean, %.2f at least (%d cells)",
            library ? library : "the fastest other", exp(sum / count), least, count);
}

void sx_perf_fft_summary_export(struct sx_perf_fft_job *job)
{
    for (int i = 0; i < job->nresults; i++)
        if (*job->results[i].stages)
            sx_perf_table_add_note(&job->table, "%s on grid %s, %s: %s", job->results[i].problem,
                                   job->results[i].grid, job->results[i].variant, job->results[i].stages);
    for (int i = 0; i < job->nresults; i++)
        if (is_first(job, i, 0))
            note_cell(job, &job->results[i]);
    for (int i = 0; i < job->nresults; i++)
        if (is_first(job, i, 1) && !is_ours(&job->results[i]))
            note_mean(job, job->results[i].library);
    note_mean(job, NULL);
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d transforms, left out", job->nwrong);
}
