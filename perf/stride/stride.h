/* stride.h - what the files of subx-perf-stride share: FFTW's strided transforms, and its planning
 * efforts. */
#ifndef SX_PERF_STRIDE_H
#define SX_PERF_STRIDE_H

#include "common/perf.h"

#include <fftw3.h>

enum { SX_PERF_STRIDE_TABLE_STRIDE, SX_PERF_STRIDE_TABLE_EFFORT, SX_PERF_STRIDE_NTABLES };

struct sx_perf_stride_settings {
    struct sx_perf_settings common;    /* must come first */
    int table[SX_PERF_STRIDE_NTABLES]; /* whether it is measured */
    int length, effort;
    ptrdiff_t from, to, bytes;
    struct sx_perf_shapes shapes;
    int efforts[SX_PERF_NEFFORTS]; /* whether it is measured */
};

struct sx_perf_stride_job {
    struct sx_perf_stride_settings settings;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
};

/* A row of either table; NAN and NULL where a column does not apply. */
struct sx_perf_stride_row {
    const char *table, *problem, *call, *effort;
    double stride, transforms, setup, ratio;
    struct sx_perf_case seconds; /* of one transform */
};

/* main.c */
void sx_perf_stride_add_row(struct sx_perf_stride_job *job, const struct sx_perf_stride_row *row);

/* settings.c */
extern const struct sx_perf_program sx_perf_stride_program;
void sx_perf_stride_settings_set_defaults(struct sx_perf_stride_settings *settings);
void sx_perf_stride_settings_import(const struct sx_perf_stride_settings *settings);

/* strided.c, effort.c: the number of rounds of a table; measure the table and add its rows. Collective. */
ptrdiff_t sx_perf_stride_strided_get_rounds(const struct sx_perf_stride_settings *settings);
void sx_perf_stride_strided_execute(struct sx_perf_stride_job *job);
ptrdiff_t sx_perf_stride_effort_get_rounds(const struct sx_perf_stride_settings *settings);
void sx_perf_stride_effort_execute(struct sx_perf_stride_job *job);

#endif /* SX_PERF_STRIDE_H */
