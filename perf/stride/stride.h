/* stride.h - FFTW's strided transforms and planning efforts, for the files of subx-perf-stride. */
#ifndef SX_PERF_STRIDE_H
#define SX_PERF_STRIDE_H

#include "common/perf.h"

#include <fftw3.h>

enum { SX_PERF_STRIDE_TABLE_STRIDE, SX_PERF_STRIDE_TABLE_EFFORT, SX_PERF_STRIDE_NTABLES };

struct sx_perf_stride_settings {
    struct sx_perf_settings common;    /* must come first */
    int table[SX_PERF_STRIDE_NTABLES]; /* 1 if the table is measured */
    int length;
    ptrdiff_t from, to, bytes;
    struct sx_perf_shapes shapes;
    int efforts[SX_PERF_NEFFORTS]; /* 1 if the effort is measured */
};

struct sx_perf_stride_job {
    struct sx_perf_stride_settings settings;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
};

/* A row of one of the two tables. Columns that this table does not use are NAN or "". */
struct sx_perf_stride_row {
    const char *table, *problem, *call, *effort;
    double stride, transforms, setup, ratio;
    struct sx_perf_case seconds; /* seconds of one transform */
};

/* main.c */
void sx_perf_stride_add_row(struct sx_perf_stride_job *job, const struct sx_perf_stride_row *row);

/* settings.c */
extern const struct sx_perf_program sx_perf_stride_program;
void sx_perf_stride_settings_import(const struct sx_perf_stride_settings *settings);

/* strided.c, effort.c: get the number of rounds of a table; measure the table and add its rows. Collective. */
ptrdiff_t sx_perf_stride_strided_get_rounds(const struct sx_perf_stride_settings *settings);
void sx_perf_stride_strided_execute(struct sx_perf_stride_job *job);
ptrdiff_t sx_perf_stride_effort_get_rounds(const struct sx_perf_stride_settings *settings);
void sx_perf_stride_effort_execute(struct sx_perf_stride_job *job);

#endif /* SX_PERF_STRIDE_H */
