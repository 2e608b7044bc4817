/* main.c - the program subx-perf-stride: the cost of strides in transforms, and FFTW's planning efforts. Its sub-command serial is
 * in perf/serial. */
#include "serial/pencils.h"
#include "stride/stride.h"

#include <string.h>

static const struct sx_perf_column columns[] = {
    {"table", 6, SX_PERF_TABLE_TEXT},
    {"problem", 12, SX_PERF_TABLE_TEXT},
    {"stride", 8, 0},
    {"call", 4, SX_PERF_TABLE_TEXT},
    {"transforms", 10, 0},
    {"effort", 8, SX_PERF_TABLE_TEXT},
    {"setup_s", 10, 6},
    {"min_s", 13, 10},
    {"median_s", 13, 10},
    {"ratio", 7, 3},
};

void sx_perf_stride_add_row(struct sx_perf_stride_job *job, const struct sx_perf_stride_row *row)
{
    const struct sx_perf_value values[] = {
        {row->table, 0},    {row->problem, 0},        {NULL, row->stride},
        {row->call, 0},     {NULL, row->transforms},  {row->effort, 0},
        {NULL, row->setup}, {NULL, row->seconds.min}, {NULL, row->seconds.median},
        {NULL, row->ratio}};
    sx_perf_table_add(&job->table, values, "");
}

int main(int argc, char *argv[])
{
    struct sx_perf_stride_job job;
    struct sx_perf_stride_settings *s = &job.settings;
    ptrdiff_t rounds = 0;
    if (argc > 1 && strcmp(argv[1], "serial") == 0)
        return sx_perf_serial_run(argc - 1, argv + 1);
    sx_perf_program_start(&sx_perf_stride_program, argc, argv, &s->common, sizeof *s);
    sx_perf_stride_settings_import(s);
    sx_perf_table_create(&s->common, columns, sizeof columns / sizeof *columns, &job.table);
    sx_perf_table_set_head(&job.table, "fftw", "%s", fftw_version);
    sx_perf_table_set_head(&job.table, "bytes_of_a_timing", "%td", s->bytes);
    sx_perf_table_start(&job.table);
    if (s->table[SX_PERF_STRIDE_TABLE_STRIDE])
        rounds += sx_perf_stride_strided_get_rounds(s);
    if (s->table[SX_PERF_STRIDE_TABLE_EFFORT])
        rounds += sx_perf_stride_effort_get_rounds(s);
    sx_perf_progress_start(&job.progress, &s->common, rounds);
    if (s->table[SX_PERF_STRIDE_TABLE_STRIDE])
        sx_perf_stride_strided_execute(&job);
    if (s->table[SX_PERF_STRIDE_TABLE_EFFORT])
        sx_perf_stride_effort_execute(&job);
    sx_perf_progress_finish(&job.progress);
    sx_perf_table_finish(&job.table);
    return sx_perf_program_finish(SX_PERF_OK);
}
