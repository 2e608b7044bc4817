/* main.c - the program subx-perf-fft: transforms by our library and others, compared with the machine's
 * limit. */
#include "fft/fft.h"

static const struct sx_perf_column columns[] = {{"mpi", 0, SX_PERF_TABLE_TEXT},
                                                {"library", 8, SX_PERF_TABLE_TEXT},
                                                {"variant", 29, SX_PERF_TABLE_TEXT},
                                                {"problem", 16, SX_PERF_TABLE_TEXT},
                                                {"direction", 0, SX_PERF_TABLE_TEXT},
                                                {"place", 0, SX_PERF_TABLE_TEXT},
                                                {"ranks", 0, 0},
                                                {"grid", 5, SX_PERF_TABLE_TEXT},
                                                {"min_s", 12, 8},
                                                {"median_s", 12, 8},
                                                {"limit_s", 12, 8},
                                                {"ratio_limit", 11, 2},
                                                {"max_error", 0, 0},
                                                {"memory_bytes", 12, 0},
                                                {"effort", 8, SX_PERF_TABLE_TEXT},
                                                {"choice", 24, SX_PERF_TABLE_TEXT},
                                                {"planning_ms", 11, 2}};

/* The last columns are for --efforts only. */
enum { NMORE = 3 };

static ptrdiff_t count_cells(const struct sx_perf_fft_settings *s)
{
    struct sx_perf_fft_grid grids[SX_PERF_NNAMES + 1];
    ptrdiff_t count = 0;
    for (int i = 0; i < s->problems.n; i++)
        count += sx_perf_fft_settings_get_grids(s, &s->problem[i], grids);
    if (count == 0)
        sx_perf_program_exit(MPI_SUCCESS, "--grids: none suits any of the problems");
    return count;
}

static void start_table(struct sx_perf_fft_job *job)
{
    const struct sx_perf_fft_settings *s = &job->settings;
    char names[SX_PERF_TEXT_MAX];
    sx_perf_fft_neighbours_print(sizeof names, names);
    sx_perf_table_create(&s->common, columns,
                         (int)(sizeof columns / sizeof *columns) - (s->has_efforts ? 0 : NMORE), &job->table);
    sx_perf_table_set_head(&job->table, "fftw", "%s", fftw_version);
    sx_perf_table_set_head(&job->table, "fftw_mpi", "%s", sx_perf_fft_neighbours_query_mpi());
    sx_perf_table_set_head(&job->table, "neighbours", "%s", names);
    sx_perf_table_set_head(&job->table, "direction", "%s", sx_perf_fft_settings_directions[s->direction]);
    sx_perf_table_set_head(&job->table, "place", "%s", sx_perf_fft_settings_places[s->place]);
    sx_perf_table_set_head(&job->table, "effort", "%s", sx_perf_options_efforts[s->common.effort]);
    sx_perf_table_start(&job->table);
}

static void run(struct sx_perf_fft_job *job)
{
    const struct sx_perf_fft_settings *s = &job->settings;
    struct sx_perf_fft_grid grids[SX_PERF_NNAMES + 1];
    sx_perf_progress_start(&job->progress, &s->common, count_cells(s) * s->common.repeat);
    for (int i = 0; i < s->problems.n; i++) {
        int n = sx_perf_fft_settings_get_grids(s, &s->problem[i], grids);
        for (int k = 0; k < n; k++)
            sx_perf_fft_measure_execute(job, &s->problem[i], &grids[k]);
    }
    sx_perf_progress_finish(&job->progress);
}

int main(int argc, char *argv[])
{
    struct sx_perf_fft_job job = {.nwrong = 0};
    sx_perf_program_start(&sx_perf_fft_program, argc, argv, &job.settings.common, sizeof job.settings);
    sx_perf_fft_settings_import(&job.settings);
    count_cells(&job.settings);
    sx_perf_fft_neighbours_start();
    start_table(&job);
    run(&job);
    sx_perf_fft_summary_export(&job);
    sx_perf_table_finish(&job.table);
    sx_perf_fft_neighbours_finish();
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
