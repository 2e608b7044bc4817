/* exch.h - exchanges whose blocks all have the same size and one of three kinds, for the files of subx-perf-exch. */
#ifndef SX_PERF_EXCH_H
#define SX_PERF_EXCH_H

#include "common/perf.h"

/* The kinds: contiguous blocks; blocks of a realignment that keeps the order of the axes; blocks of a realignment that
 * reverses this order. */
enum { SX_PERF_EXCH_CONTIGUOUS, SX_PERF_EXCH_PLAIN, SX_PERF_EXCH_TRANSPOSING, SX_PERF_EXCH_NKINDS };

struct sx_perf_exch_settings {
    struct sx_perf_settings common; /* must come first */
    int kind[SX_PERF_EXCH_NKINDS];  /* 1 if the kind is measured */
    int factor;
    ptrdiff_t least, most; /* bytes of the smallest and the largest block */
};

/* A kind and a size of blocks; for realignments a block is a[0] x a[1] x a[2] elements of ELEMENT bytes. */
enum { SX_PERF_EXCH_ELEMENT = 16 };

struct sx_perf_exch_blocks {
    int kind;
    ptrdiff_t bytes, a[3];
};

struct sx_perf_exch_job {
    struct sx_perf_exch_settings settings;
    char *in, *out;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong;
};

/* settings.c */
extern const struct sx_perf_program sx_perf_exch_program;
void sx_perf_exch_settings_import(const struct sx_perf_exch_settings *settings);
extern const char *const sx_perf_exch_kinds[]; /* their names */

/* blocks.c. set: set the blocks. create: create their exchange; returns the library's error code. export: fill the send
 * array with a number per element. is_right: query whether the numbers have arrived in the right places on all ranks.
 * create and is_right are collective. */
void sx_perf_exch_blocks_set(struct sx_perf_exch_blocks *blocks, int kind, ptrdiff_t bytes);
int sx_perf_exch_blocks_create(const struct sx_perf_exch_blocks *blocks, MPI_Info hints, subx_exch *ex);
void sx_perf_exch_blocks_export(const struct sx_perf_exch_blocks *blocks, char *in);
int sx_perf_exch_blocks_is_right(const struct sx_perf_exch_blocks *blocks, const char *out);

/* measure.c: time all engines on blocks, and add their rows. Collective. */
void sx_perf_exch_measure_execute(struct sx_perf_exch_job *job, const struct sx_perf_exch_blocks *blocks);

#endif /* SX_PERF_EXCH_H */
