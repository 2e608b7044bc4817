/* pencils.h - tiles of pencils in cache, for "subx-perf-stride serial" and for the limit of subx-perf-fft. */
#ifndef SX_PERF_SERIAL_PENCILS_H
#define SX_PERF_SERIAL_PENCILS_H

#include "common/perf.h"
#include "serial/serial.h" /* of fft/serial */

enum {
    SX_PERF_SERIAL_NKINDS = 14,
    SX_PERF_SERIAL_NPRECISIONS = 2,
    SX_PERF_SERIAL_NLENGTHS = 1 << 14,
    SX_PERF_SERIAL_NCACHES = 8
};

/* The layout of a tile: pencils side by side, or one after the other. */
enum { SX_PERF_SERIAL_INTERLEAVED, SX_PERF_SERIAL_CONTIGUOUS, SX_PERF_SERIAL_NLAYOUTS };

enum { SX_PERF_SERIAL_IN_PLACE, SX_PERF_SERIAL_OUT_OF_PLACE, SX_PERF_SERIAL_NPLACES };

struct sx_perf_serial_settings {
    struct sx_perf_settings common; /* must come first */
    int nlengths, lengths[SX_PERF_SERIAL_NLENGTHS], ncaches;
    ptrdiff_t caches[SX_PERF_SERIAL_NCACHES];
    struct sx_perf_names backends; /* an empty list: all but naive */
    int kinds[SX_PERF_SERIAL_NKINDS], precisions[SX_PERF_SERIAL_NPRECISIONS];
    int layouts[SX_PERF_SERIAL_NLAYOUTS], places[SX_PERF_SERIAL_NPLACES];
    int microseconds, accuracy;
};

/* settings.c */
extern const struct sx_perf_program sx_perf_serial_program;
extern const char *const sx_perf_serial_kinds[],
    *const sx_perf_serial_precisions[], *const sx_perf_serial_layouts[], *const sx_perf_serial_places[];

/* A tile. Kind and precision are indices in the lists of words. In place, `in` and `out` are the same
 * array. `cache`: the most bytes that the pencils of a side may have. `bytes`: the bytes of each side,
 * including gaps between its rows. */
struct sx_perf_serial_tile {
    int kind, precision, layout, place;
    ptrdiff_t n, cache, npencils, bytes[2];
    sx_serial_problem problem;
    char *in, *out;
};

/* tile.c. set_kind: set kind and precision from the library's constants. set: set the members that follow
 * from kind, precision, layout, place, n and cache. get_bytes: get the bytes of the arrays. set_memory:
 * set the arrays, which begin at `memory`. */
void sx_perf_serial_tile_set_kind(struct sx_perf_serial_tile *tile, int kind, int precision);
void sx_perf_serial_tile_set(struct sx_perf_serial_tile *tile);
ptrdiff_t sx_perf_serial_tile_get_bytes(const struct sx_perf_serial_tile *tile);
void sx_perf_serial_tile_set_memory(struct sx_perf_serial_tile *tile, char *memory);

/* A plan of a tile by a backend. create returns NULL if the backend has none. execute is the action of an
 * sx_perf_case. */
void *sx_perf_serial_plan_create(const sx_serial *backend, const struct sx_perf_serial_tile *tile,
                                 int effort);
int sx_perf_serial_plan_execute(void *plan);
void sx_perf_serial_plan_free(void *plan);

/* check.c: random data for a tile, and its transform in long double. export: write the data into a tile.
 * query_error: get the error of the tile's output: the L2 norm of the difference / the norm of the
 * transform, in the precision's epsilons. */
struct sx_perf_serial_check {
    void *input;
    long double *expected;
};
void sx_perf_serial_check_create(const struct sx_perf_serial_tile *tile, struct sx_perf_serial_check *check);
void sx_perf_serial_check_free(struct sx_perf_serial_check *check);
void sx_perf_serial_check_export(const struct sx_perf_serial_check *check,
                                 const struct sx_perf_serial_tile *tile);
double sx_perf_serial_check_query_error(const struct sx_perf_serial_check *check,
                                        const struct sx_perf_serial_tile *tile);

/* run.c: the whole sub-command; returns the exit status. */
int sx_perf_serial_run(int argc, char *argv[]);

#endif /* SX_PERF_SERIAL_PENCILS_H */
