/* main.c - the program subx-perf-tune: how good the plans of each effort are, and how long planning takes. */
#include "tune/tune.h"

static const struct sx_perf_column columns[] = {{"mpi", 0, SX_PERF_TABLE_TEXT},
                                                {"problem", 16, SX_PERF_TABLE_TEXT},
                                                {"ranks", 0, 0},
                                                {"effort", 10, SX_PERF_TABLE_TEXT},
                                                {"choice", 24, SX_PERF_TABLE_TEXT},
                                                {"planning_ms", 11, 2},
                                                {"transforms", 10, 1},
                                                {"min_s", 11, 7},
                                                {"median_s", 11, 7},
                                                {"ratio", 7, 3},
                                                {"predicted_s", 11, 7},
                                                {"ratio_model", 11, 2}};

int main(int argc, char *argv[])
{
    struct sx_perf_tune_job job = {.nwrong = 0};
    struct sx_perf_tune_settings *s = &job.settings;
    sx_perf_program_start(&sx_perf_tune_program, argc, argv, &s->common, sizeof *s);
    sx_perf_tune_settings_import(s);
    sx_perf_table_create(&s->common, columns, sizeof columns / sizeof *columns, &job.table);
    sx_perf_table_start(&job.table);
    sx_perf_progress_start(&job.progress, &s->common, (ptrdiff_t)s->problems.n * s->common.repeat);
    for (int i = 0; i < s->problems.n; i++)
        sx_perf_tune_measure_execute(&job, s->problems.name[i]);
    sx_perf_progress_finish(&job.progress);
    sx_perf_tune_summary_export(&job);
    sx_perf_table_finish(&job.table);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
