/* summary.c - how good the plans of an effort are over all problems, and how long their creation takes. */
#include "tune/tune.h"

#include <math.h>

void sx_perf_tune_summary_add(struct sx_perf_tune_job *job, int which, const struct sx_perf_tune_row *row)
{
    struct sx_perf_tune_total *t = &job->total[which];
    const double model = row->predicted / row->median;
    t->count++;
    t->log_ratio += log(row->ratio);
    t->transforms = fmax(t->transforms, row->transforms);
    t->most_seconds = fmax(t->most_seconds, row->planning);
    if (row->ratio > t->worst) {
        t->worst = row->ratio;
        t->worst_problem = row->problem;
    }
    if (isfinite(model)) {
        t->least_model = t->most_model > 0 ? fmin(t->least_model, model) : model;
        t->most_model = fmax(t->most_model, model);
    }
}

static void add_notes(struct sx_perf_table *table, const char *name, const struct sx_perf_tune_total *t)
{
    sx_perf_table_add_note(
        table,
        "%s: %.3f times the fastest in the geometric mean, %.3f at most (%s); planning %.1f ms "
        "at most, %.0f transforms at most",
        name, exp(t->log_ratio / t->count), t->worst, t->worst_problem, 1000 * t->most_seconds,
        t->transforms);
    if (t->most_model > 0)
        sx_perf_table_add_note(table, "%s: the cost model predicts %.2f to %.2f times the measured time",
                               name, t->least_model, t->most_model);
}

void sx_perf_tune_summary_export(struct sx_perf_tune_job *job)
{
    for (int i = 0; i < SX_PERF_TUNE_NPLANS; i++)
        if (job->total[i].count)
            add_notes(&job->table, sx_perf_tune_settings_query_plan(i), &job->total[i]);
}
