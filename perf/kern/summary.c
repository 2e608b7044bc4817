/* summary.c - the notes at the end: for each size of element, the smallest and the largest ratio of rates over all
 * copies. */
#include "kern/kern.h"

void sx_perf_kern_summary_add(struct sx_perf_kern_extremes *extremes, double value, const char *where)
{
    if (extremes->count == 0 || value < extremes->least) {
        extremes->least = value;
        snprintf(extremes->at_least, sizeof extremes->at_least, "%s", where);
    }
    if (extremes->count == 0 || value > extremes->most) {
        extremes->most = value;
        snprintf(extremes->at_most, sizeof extremes->at_most, "%s", where);
    }
    extremes->count++;
}

void sx_perf_kern_summary_export(struct sx_perf_kern_job *job)
{
    static const char *const names[SX_PERF_KERN_NLIBRARIES] = {"subx", "fftw3"};
    for (int i = 0; i < SX_PERF_KERN_NSIZES; i++) {
        const struct sx_perf_kern_extremes *f = &job->faster[i];
        for (int l = 0; l < SX_PERF_KERN_NLIBRARIES; l++) {
            const struct sx_perf_kern_extremes *e = &job->share[i][l];
            if (e->count)
                sx_perf_table_add_note(
                    &job->table,
                    "%s, %td bytes: %.0f %% (%s) to %.0f %% (%s) of memcpy's rate over %d copies", names[l],
                    sx_perf_kern_settings_get_bytes(i), 100 * e->least, e->at_least, 100 * e->most,
                    e->at_most, e->count);
        }
        if (f->count)
            sx_perf_table_add_note(
                &job->table, "subx, %td bytes: %.2f (%s) to %.2f (%s) times as fast as fftw3",
                sx_perf_kern_settings_get_bytes(i), f->least, f->at_least, f->most, f->at_most);
    }
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d copies, left out", job->nwrong);
}
