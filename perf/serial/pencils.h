/* pencils.h - tiles of pencils in cache, and the candidates that transform them, for the files of subx-perf-serial. */
#ifndef SX_PERF_SERIAL_PENCILS_H
#define SX_PERF_SERIAL_PENCILS_H

#include "common/perf.h"
#include "serial/serial.h" /* of fft/serial */

enum {
    SX_PERF_SERIAL_NKINDS = 14,
    SX_PERF_SERIAL_NPRECISIONS = 2,
    SX_PERF_SERIAL_NLENGTHS = 1 << 14,
    SX_PERF_SERIAL_NCACHES = 8,
    SX_PERF_SERIAL_NFILES = 8,
    SX_PERF_SERIAL_NCANDIDATES = 16
};

/* The layout of a tile: pencils side by side, or one after the other. */
enum { SX_PERF_SERIAL_INTERLEAVED, SX_PERF_SERIAL_CONTIGUOUS, SX_PERF_SERIAL_NLAYOUTS };

enum { SX_PERF_SERIAL_IN_PLACE, SX_PERF_SERIAL_OUT_OF_PLACE, SX_PERF_SERIAL_NPLACES };

struct sx_perf_serial_lengths {
    int n, length[SX_PERF_SERIAL_NLENGTHS];
};

struct sx_perf_serial_caches {
    int n;
    ptrdiff_t bytes[SX_PERF_SERIAL_NCACHES];
};

/* Libraries with FFTW's interface. All files with one name, such as one per precision, are one candidate. */
struct sx_perf_serial_files {
    int n;
    char name[SX_PERF_SERIAL_NFILES][SX_PERF_TEXT_MAX], path[SX_PERF_SERIAL_NFILES][SX_PERF_TEXT_MAX];
};

struct sx_perf_serial_settings {
    struct sx_perf_settings common; /* must come first */
    struct sx_perf_serial_lengths lengths;
    struct sx_perf_serial_caches caches;
    struct sx_perf_serial_files files;
    struct sx_perf_names backends; /* an empty list: all but naive */
    int kinds[SX_PERF_SERIAL_NKINDS], precisions[SX_PERF_SERIAL_NPRECISIONS];
    int layouts[SX_PERF_SERIAL_NLAYOUTS], places[SX_PERF_SERIAL_NPLACES];
    int microseconds, accuracy;
    char reference[SX_PERF_TEXT_MAX];
};

/* A tile. Kind and precision are indices in the lists of words. In place, `in` and `out` are the same array. `cache`: the
 * most bytes that the pencils of a side may have. `bytes`: the bytes of each side, including gaps between its rows. */
struct sx_perf_serial_tile {
    int kind, precision, layout, place;
    ptrdiff_t n, cache, npencils, bytes[2];
    sx_serial_problem problem;
    char *in, *out;
};

/* Functions of a kind of candidate; `which` is the candidate. `create` returns NULL if the candidate has no plan for a
 * tile. */
struct sx_perf_serial_library {
    int (*serves)(const void *which, int precision);
    void *(*create)(const void *which, const struct sx_perf_serial_tile *tile, int effort);
    int (*execute)(void *plan); /* the action of an sx_perf_case */
    void (*free)(void *plan);
};

struct sx_perf_serial_candidate {
    const char *name;
    const struct sx_perf_serial_library *library;
    const void *which;
};

/* The measurements of a tile, by candidate: seconds or errors; NaN if there is none. Tiles of one group differ only in
 * their lengths. */
struct sx_perf_serial_result {
    int group;
    ptrdiff_t n;
    char name[SX_PERF_TEXT_MAX]; /* of the group */
    double value[SX_PERF_SERIAL_NCANDIDATES];
};

struct sx_perf_serial_job {
    struct sx_perf_serial_settings settings;
    int ncandidates, reference; /* reference -1: none */
    struct sx_perf_serial_candidate candidate[SX_PERF_SERIAL_NCANDIDATES];
    char *memory;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nresults, nwrong; /* nwrong: number of wrong transforms; both numbers are the same on all ranks */
    struct sx_perf_serial_result *results;
};

/* lengths.c: a parser of lists such as "64,2-512,32-512:7smooth,2-10007:prime". */
int sx_perf_serial_lengths_parse(const char *text, void *target);

/* settings.c */
extern const struct sx_perf_program sx_perf_serial_program;
extern const char *const sx_perf_serial_kinds[],
    *const sx_perf_serial_precisions[], *const sx_perf_serial_layouts[], *const sx_perf_serial_places[];

/* tile.c. set_kind: set kind and precision from the library's constants. set: set the members that follow from kind,
 * precision, layout, place, n and cache. get_bytes: get the bytes
 * of the arrays. set_memory: set the arrays, which begin at `memory`. */
void sx_perf_serial_tile_set_kind(struct sx_perf_serial_tile *tile, int kind, int precision);
void sx_perf_serial_tile_set(struct sx_perf_serial_tile *tile);
ptrdiff_t sx_perf_serial_tile_get_bytes(const struct sx_perf_serial_tile *tile);
void sx_perf_serial_tile_set_memory(struct sx_perf_serial_tile *tile, char *memory);

/* backend.c, fftw.c: the two kinds of candidates. `which` is an sx_serial, or the result of
 * sx_perf_serial_fftw_create. */
extern const struct sx_perf_serial_library sx_perf_serial_backend, sx_perf_serial_fftw;

/* fftw.c. create: load all files of a name; stops the program if a file has no FFTW. print: print the versions of all
 * FFTWs. */
const void *sx_perf_serial_fftw_create(const struct sx_perf_serial_files *files, const char *name);
void sx_perf_serial_fftw_print(const struct sx_perf_serial_job *job, size_t len, char *text);

/* candidates.c: list the candidates that the settings ask for. */
void sx_perf_serial_candidates_set(struct sx_perf_serial_job *job);

/* check.c: random data for a tile, and its transform in long double. */
struct sx_perf_serial_check {
    void *input;
    long double *expected;
};
void sx_perf_serial_check_create(const struct sx_perf_serial_tile *tile, struct sx_perf_serial_check *check);
void sx_perf_serial_check_free(struct sx_perf_serial_check *check);

/* export: write the data into a tile. query_error: get the error of the tile's output: the L2 norm of the difference
 * divided by the norm of the transform, in units of the precision's epsilon. */
void sx_perf_serial_check_export(const struct sx_perf_serial_check *check,
                                 const struct sx_perf_serial_tile *tile);
double sx_perf_serial_check_query_error(const struct sx_perf_serial_check *check,
                                        const struct sx_perf_serial_tile *tile);

/* measure.c: measure a tile with all candidates, and add its rows. Collective. */
void sx_perf_serial_measure_execute(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                                    int group);

/* rows.c. start: set the columns. add: add the row of a candidate. `mine` is its case, NULL with --accuracy;
 * `reference` is the case of the reference, NULL if the reference has no plan for the tile. */
void sx_perf_serial_rows_start(struct sx_perf_serial_job *job);
void sx_perf_serial_rows_add(struct sx_perf_serial_job *job, const struct sx_perf_serial_tile *tile,
                             int candidate, double error, const struct sx_perf_case *mine,
                             const struct sx_perf_case *reference);

/* summary.c */
void sx_perf_serial_summary_export(struct sx_perf_serial_job *job);

#endif /* SX_PERF_SERIAL_PENCILS_H */
