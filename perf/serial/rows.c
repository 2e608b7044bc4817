/* rows.c - the columns of the table, and its rows. */
#include "serial/pencils.h"

#include <math.h>

/* The columns of every table. With --accuracy there are no others. */
#define TILE_COLUMNS                                                                                         \
    {"kind", 4, SX_PERF_TABLE_TEXT}, {"precision", 9, SX_PERF_TABLE_TEXT}, {"n", 7, 0},                      \
        {"layout", 11, SX_PERF_TABLE_TEXT}, {"place", 5, SX_PERF_TABLE_TEXT}, {"tile_bytes", 10, 0},         \
        {"pencils", 7, 0}, {"candidate", 10, SX_PERF_TABLE_TEXT},                                            \
    {                                                                                                        \
        "error_eps", 9, 3                                                                                    \
    }

enum { NTILE_COLUMNS = 9, NCOLUMNS = 15 };

static const struct sx_perf_column columns[NCOLUMNS] = {
    TILE_COLUMNS,     {"min_s", 0, 12},    {"median_s", 0, 12},    {"ns_pencil", 11, 2},
    {"gflops", 8, 3}, {"ratio_min", 9, 3}, {"ratio_median", 12, 3}};

void sx_perf_serial_rows_start(struct sx_perf_serial_job *job)
{
    char text[2 * SX_PERF_TEXT_MAX];
    const int n = job->settings.accuracy ? NTILE_COLUMNS : NCOLUMNS;
    sx_perf_table_create(&job->settings.common, columns, n, &job->table);
    sx_perf_serial_fftw_print(job, sizeof text, text);
    sx_perf_table_set_head(&job->table, "fftw", "%s", text);
    sx_perf_table_set_head(&job->table, "effort", "%s", sx_perf_options_efforts[job->settings.common.effort]);
    sx_perf_table_set_head(&job->table, "reference", "%s",
                           job->reference < 0 ? "none" : job->candidate[job->reference].name);
    sx_perf_table_start(&job->table);
}

static double get_gflops(const struct sx_perf_serial_tile *tile, double seconds)
{
    const double n = (double)tile->n, flops = tile->problem.kind == SUBX_FFT_C2C ? 5 : 2.5;
    return flops * n * log2(n) * (double)tile->npencils / seconds / 1e9;
}

void sx_perf_serial_rows_add(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                             int candidate, double error, const struct sx_perf_case *mine,
                             const struct sx_perf_case *reference)
{
    struct sx_perf_value values[NCOLUMNS] = {{sx_perf_serial_kinds[tile->kind], 0},
                                             {sx_perf_serial_precisions[tile->precision], 0},
                                             {NULL, (double)tile->n},
                                             {sx_perf_serial_layouts[tile->layout], 0},
                                             {sx_perf_serial_places[tile->place], 0},
                                             {NULL, (double)tile->cache},
                                             {NULL, (double)tile->npencils},
                                             {job->candidate[candidate].name, 0},
                                             {NULL, error}};
    if (mine) {
        struct sx_perf_value *times = values + NTILE_COLUMNS;
        *times++ = (struct sx_perf_value){NULL, mine->min};
        *times++ = (struct sx_perf_value){NULL, mine->median};
        *times++ = (struct sx_perf_value){NULL, mine->min / (double)tile->npencils * 1e9};
        *times++ = (struct sx_perf_value){NULL, get_gflops(tile, mine->min)};
        *times++ = (struct sx_perf_value){NULL, reference ? mine->min / reference->min : NAN};
        *times++ = (struct sx_perf_value){NULL, reference ? mine->median / reference->median : NAN};
    }
    sx_perf_table_add(&job->table, values, "");
}
