/* summary.c - the notes at the end: our best variant compared with each other library, per cell and as geometric mean;
 * the stages of our transforms. */
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

/* Query whether a result is of a library; NULL stands for all libraries except ours. */
static int is_of(const struct sx_perf_fft_result *r, const char *library)
{
    return library ? strcmp(r->library, library) == 0 : !is_ours(r);
}

/* Get the fastest result of a library in the cell of `in`; NULL if there is none. */
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

/* Flags of is_first. IN_CELL: query whether result i is the first one in its cell. OF_LIBRARY: query whether it is
 * the first one of its library. Both: query whether it is the first one of its library in its cell. */
enum { IN_CELL = 1, OF_LIBRARY = 2 };

static int is_first(const struct sx_perf_fft_job *job, int i, int of)
{
    const struct sx_perf_fft_result *r = job->results;
    for (int k = 0; k < i; k++)
        if ((!(of & IN_CELL) || is_same_cell(&r[k], &r[i])) &&
            (!(of & OF_LIBRARY) || is_of(&r[k], r[i].library)))
            return 0;
    return 1;
}

/* Write a note about the cell whose first result is `i`: our best variant, and how much longer the best variant of each
 * other library takes. */
static void note_cell(struct sx_perf_fft_job *job, int i)
{
    const struct sx_perf_fft_result *cell = &job->results[i], *ours = get_best(job, cell, "subx");
    char text[2 * SX_PERF_TEXT_MAX] = "";
    size_t used = 0;
    for (int k = i; k < job->nresults && ours && used < sizeof text; k++) {
        const struct sx_perf_fft_result *r = &job->results[k], *other = get_best(job, cell, r->library);
        if (is_same_cell(r, cell) && !is_ours(r) && is_first(job, k, IN_CELL | OF_LIBRARY))
            used += (size_t)snprintf(text + used, sizeof text - used, "; %s %s takes %.2f times as long",
                                     other->library, other->variant, other->median / ours->median);
    }
    if (ours)
        sx_perf_table_add_note(&job->table, "%s on grid %s: subx %s takes %.2f times the limit%s",
                               cell->problem, cell->grid, ours->variant, ours->median / ours->limit, text);
}

/* Write a note about the ratio of a library's time to our time: its geometric mean and its least value over the
 * cells in which both have results. If `library` is NULL, take the fastest other library of each cell. */
static void note_mean(struct sx_perf_fft_job *job, const char *library)
{
    double sum = 0, least = HUGE_VAL;
    int count = 0;
    for (int i = 0; i < job->nresults; i++) {
        const struct sx_perf_fft_result *ours = get_best(job, &job->results[i], "subx");
        const struct sx_perf_fft_result *other = get_best(job, &job->results[i], library);
        if (!ours || !other || !is_first(job, i, IN_CELL))
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

/* Query whether the variant of `r` is the variant of `of`, but without overlap. */
static int is_without_overlap(const struct sx_perf_fft_result *r, const struct sx_perf_fft_result *of)
{
    const char *slash = strrchr(of->variant, '/');
    size_t n = slash ? (size_t)(slash - of->variant) : 0;
    return n > 0 && is_ours(r) && is_same_cell(r, of) && strncmp(r->variant, of->variant, n) == 0 &&
           strcmp(r->variant + n, "/none") == 0;
}

/* Write a note: how much less a variant with overlap waits than the same variant without overlap, as a fraction. */
static void note_hidden(struct sx_perf_fft_job *job, const struct sx_perf_fft_result *r)
{
    for (int i = 0; i < job->nresults; i++) {
        const struct sx_perf_fft_result *none = &job->results[i];
        if (none != r && is_without_overlap(none, r) && none->waited > 0)
            sx_perf_table_add_note(&job->table,
                                   "%s on grid %s: %s waits %.6f s, %s %.6f s: %.0f %% are hidden",
                                   r->problem, r->grid, none->variant, none->waited, r->variant, r->waited,
                                   100 * (1 - r->waited / none->waited));
    }
}

void sx_perf_fft_summary_export(struct sx_perf_fft_job *job)
{
    for (int i = 0; i < job->nresults; i++)
        if (*job->results[i].stages)
            sx_perf_table_add_note(&job->table, "%s on grid %s, %s: %s", job->results[i].problem,
                                   job->results[i].grid, job->results[i].variant, job->results[i].stages);
    for (int i = 0; i < job->nresults; i++)
        if (*job->results[i].stages)
            note_hidden(job, &job->results[i]);
    for (int i = 0; i < job->nresults; i++)
        if (is_first(job, i, IN_CELL))
            note_cell(job, i);
    for (int i = 0; i < job->nresults; i++)
        if (is_first(job, i, OF_LIBRARY) && !is_ours(&job->results[i]))
            note_mean(job, job->results[i].library);
    note_mean(job, NULL);
    sx_perf_fft_neighbours_export(job);
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d transforms, left out", job->nwrong);
}
