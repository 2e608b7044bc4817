/* main.c - the program subx-perf-exch: exchanges of blocks of many sizes, by all engines. */
#include "exch/exch.h"

static const struct sx_perf_column columns[] = {
    {"mpi", 0, SX_PERF_TABLE_TEXT},
    {"ranks", 0, 0},
    {"data", 12, SX_PERF_TABLE_TEXT},
    {"block_bytes", 11, 0},
    {"engine", 12, SX_PERF_TABLE_TEXT},
    {"min_s", 12, 9},
    {"median_s", 12, 9},
    {"gbps", 8, 3},
    {"ratio_alltoall", 14, 3},
    {"ratio_memcpy", 12, 3},
};

static ptrdiff_t count_cases(const struct sx_perf_exch_settings *s)
{
    ptrdiff_t sizes = 0, kinds = 0;
    for (ptrdiff_t bytes = s->least; bytes <= s->most; bytes *= s->factor)
        sizes++;
    for (int k = 0; k < SX_PERF_EXCH_NKINDS; k++)
        kinds += s->kind[k];
    return sizes * kinds;
}

static void run(struct sx_perf_exch_job *job)
{
    const struct sx_perf_exch_settings *s = &job->settings;
    struct sx_perf_exch_blocks blocks;
    sx_perf_table_create(&s->common, columns, sizeof columns / sizeof *columns, &job->table);
    sx_perf_table_start(&job->table);
    sx_perf_progress_start(&job->progress, &s->common, count_cases(s) * s->common.repeat);
    for (int k = 0; k < SX_PERF_EXCH_NKINDS; k++)
        for (ptrdiff_t bytes = s->least; s->kind[k] && bytes <= s->most; bytes *= s->factor) {
            sx_perf_exch_blocks_set(&blocks, k, bytes);
            sx_perf_exch_measure_execute(job, &blocks);
        }
    sx_perf_progress_finish(&job->progress);
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d exchanges", job->nwrong);
    sx_perf_table_finish(&job->table);
}

int main(int argc, char *argv[])
{
    struct sx_perf_exch_job job = {.nwrong = 0};
    ptrdiff_t bytes;
    sx_perf_program_start(&sx_perf_exch_program, argc, argv, &job.settings.common, sizeof job.settings);
    sx_perf_exch_settings_import(&job.settings);
    bytes = job.settings.most * sx_perf_program_get_nranks();
    job.in = sx_perf_memory_create(&job.settings.common, bytes);
    job.out = sx_perf_memory_create(&job.settings.common, bytes);
    run(&job);
    sx_perf_memory_free(&job.settings.common, job.in);
    sx_perf_memory_free(&job.settings.common, job.out);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
