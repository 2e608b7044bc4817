/* summary.c - the notes: of each cell, how long our best variant takes beside each other library's, and
 * where its time goes; of all cells, the geometric means, and how good the plans of each effort are. */
#include "fft/fft.h"

#include <math.h>
#include <string.h>

/* Get the fastest transform of a library in a cell, or -1. NULL stands for all libraries except ours. */
static int get_best(const struct sx_perf_fft_cell *cell, const struct sx_perf_case cases[],
                    const char *library)
{
    int best = -1;
    for (int i = 0; i < cell->n; i++) {
        const struct sx_perf_fft_transform *t = &cell->transform[i];
        if ((library ? strcmp(t->library, library) == 0 : !sx_perf_fft_subx_is(t)) &&
            (best < 0 || cases[i].median < cases[best].median))
            best = i;
    }
    return best;
}

static void add_ratio(struct sx_perf_fft_mean *m, const char *name, double ratio)
{
    m->least = m->count ? fmin(m->least, ratio) : ratio;
    m->most = m->count++ ? fmax(m->most, ratio) : ratio;
    m->sum += log(ratio);
    m->name = name;
}

/* Note how much longer the best variant of each other library takes than ours. */
static void note_cell(const struct sx_perf_fft_cell *cell, const struct sx_perf_case cases[], double limit)
{
    struct sx_perf_fft_job *job = cell->job;
    const int ours = get_best(cell, cases, "subx"), other = get_best(cell, cases, NULL);
    char text[2 * SX_PERF_TEXT_MAX] = "";
    size_t used = 0;
    for (int i = 0; i < cell->n && ours >= 0; i++) {
        const struct sx_perf_fft_transform *t = &cell->transform[i];
        const double ratio = cases[i].median / cases[ours].median;
        int k = 1;
        if (sx_perf_fft_subx_is(t) || get_best(cell, cases, t->library) != i)
            continue;
        while (job->means[k].count && strcmp(job->means[k].name, t->library) != 0)
            k++;
        add_ratio(&job->means[k], t->library, ratio);
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "; %s %s takes %.2f times as long",
                                     t->library, t->variant, ratio);
    }
    if (ours >= 0 && other >= 0)
        add_ratio(&job->means[0], "the fastest other", cases[other].median / cases[ours].median);
    if (ours >= 0)
        sx_perf_table_add_note(&job->table, "%s on grid %s: subx %s takes %.2f times the limit%s",
                               cell->problem_name, cell->grid_name, cell->transform[ours].variant,
                               cases[ours].median / limit, text);
}

/* Note how much less variant i with overlap waits than the same variant without overlap. */
static void note_hidden(const struct sx_perf_fft_cell *cell, const double waited[], int i)
{
    const char *variant = cell->transform[i].variant, *slash = strrchr(variant, '/');
    const size_t n = slash ? (size_t)(slash - variant) : 0;
    for (int k = 0; k < cell->n && n > 0; k++) {
        const char *none = cell->transform[k].variant;
        if (k != i && waited[k] > 0 && strncmp(none, variant, n) == 0 && strcmp(none + n, "/none") == 0)
            sx_perf_table_add_note(&cell->job->table,
                                   "%s on grid %s: %s waits %.6f s, %s %.6f s: %.0f %% are hidden",
                                   cell->problem_name, cell->grid_name, none, waited[k], variant, waited[i],
                                   100 * (1 - waited[i] / waited[k]));
    }
}

static void note_stages(const struct sx_perf_fft_cell *cell)
{
    double waited[SX_PERF_FFT_NTRANSFORMS] = {0};
    char text[4 * SX_PERF_TEXT_MAX];
    for (int i = 0; i < cell->n; i++) {
        if (!sx_perf_fft_subx_is(&cell->transform[i]))
            continue;
        sx_perf_fft_subx_print_stages(&cell->transform[i], sizeof text, text);
        waited[i] = sx_perf_fft_subx_query_wait(&cell->transform[i]);
        sx_perf_table_add_note(&cell->job->table, "%s on grid %s, %s: %s", cell->problem_name,
                               cell->grid_name, cell->transform[i].variant, text);
    }
    for (int i = 0; i < cell->n; i++)
        if (sx_perf_fft_subx_is(&cell->transform[i]))
            note_hidden(cell, waited, i);
}

void sx_perf_fft_summary_add(const struct sx_perf_fft_cell *cell, const struct sx_perf_case cases[],
                             double limit)
{
    const int ours = get_best(cell, cases, "subx");
    if (cell->job->settings.stages)
        note_stages(cell);
    note_cell(cell, cases, limit);
    for (int i = 0; i < cell->n && cell->job->settings.has_efforts; i++) {
        const struct sx_perf_fft_transform *t = &cell->transform[i];
        struct sx_perf_fft_mean *m = &cell->job->efforts[t->effort];
        if (!sx_perf_fft_subx_is(t))
            continue;
        add_ratio(m, sx_perf_options_efforts[t->effort], cases[i].median / cases[ours].median);
        m->planning = fmax(m->planning, t->planning);
    }
}

void sx_perf_fft_summary_export(struct sx_perf_fft_job *job)
{
    for (int i = 0; i < SX_PERF_NEFFORTS; i++) {
        const struct sx_perf_fft_mean *m = &job->efforts[i];
        if (m->count)
            sx_perf_table_add_note(
                &job->table,
                "%s: %.3f times the fastest of ours in the geometric mean, %.3f at most; planning "
                "%.1f ms at most",
                m->name, exp(m->sum / m->count), m->most, 1000 * m->planning);
    }
    for (int i = 1; i <= SX_PERF_FFT_NLIBRARIES; i++) {
        const struct sx_perf_fft_mean *m =
            &job->means[i % SX_PERF_FFT_NLIBRARIES]; /* the fastest other comes last */
        if (m->count)
            sx_perf_table_add_note(
                &job->table,
                "subx against %s: %.2f times as fast in the geometric mean, %.2f at least (%d cells)",
                m->name, exp(m->sum / m->count), m->least, m->count);
    }
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d transforms, left out", job->nwrong);
}
