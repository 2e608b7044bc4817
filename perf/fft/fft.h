/* fft.h - transforms of our library and of others, and the limit, for the files of subx-perf-fft.
 *
 * A cell is a problem on a process grid. Each library adds its transforms to the cell. Transforms with right results
 * are timed alternately, together with the two parts of the limit (limit.c). All transforms use the two arrays of the
 * cell.
 */
#ifndef SX_PERF_FFT_H
#define SX_PERF_FFT_H

#include "common/perf.h"

#include <complex.h>
#include <fftw3.h>
#include <subx_fft.h>

enum { SX_PERF_FFT_NDIMS_MAX = 8, SX_PERF_FFT_NOTHERS = 64, SX_PERF_FFT_NPARTS = 2 };

/* The least number of consecutive executions in one timing (Dalcin, Mortensen & Keyes 2019, section 4). */
enum { SX_PERF_FFT_INNER = 3 };
enum { SX_PERF_FFT_NTRANSFORMS = SX_PERF_NNAMES + SX_PERF_FFT_NOTHERS };

struct sx_perf_fft_problem {
    char name[SX_PERF_TEXT_MAX]; /* its canonical text */
    int kind, ndims;
    ptrdiff_t sizes[SX_PERF_FFT_NDIMS_MAX];
};

struct sx_perf_fft_settings {
    struct sx_perf_settings common; /* must come first */
    int stages;
    struct sx_perf_names problems, grids, variants, neighbours;
    struct sx_perf_fft_problem problem[SX_PERF_NNAMES]; /* set by import */
};

/* A process grid; the last dimension varies fastest with the rank. */
struct sx_perf_fft_grid {
    int g, dims[SX_PERF_FFT_NDIMS_MAX];
};

/* This rank's block of an array: lengths, starts and strides by axis. Strides are in elements of `width`
 * doubles. */
struct sx_perf_fft_box {
    int ndims, width;
    ptrdiff_t len[SX_PERF_FFT_NDIMS_MAX], start[SX_PERF_FFT_NDIMS_MAX], stride[SX_PERF_FFT_NDIMS_MAX];
};

/* A step of a transform whose arrays stay in C order (Dalcin, Mortensen & Keyes 2019, sections 3.5 and 3.6). First,
 * an exchange between the ranks along grid dimension `dim` makes axis `dim` whole and divides the next axis. If dim
 * is -1, there is no exchange. Then some axes are transformed. */
struct sx_perf_fft_step {
    int dim, naxes, axes[SX_PERF_FFT_NDIMS_MAX];
    struct sx_perf_fft_box from, to; /* this rank's block before and after the transform of the axes */
};

/* An array whose transform is known: each element is a product of one number per axis. */
struct sx_perf_fft_field {
    int ndims;
    double complex *value[2][SX_PERF_FFT_NDIMS_MAX]; /* [side][axis]: the numbers of an axis */
    double largest;                                  /* the largest magnitude in the transform */
};

/* A rank's memory at the start of an observation. */
struct sx_perf_fft_peak {
    double before;
};

/* A forward transform by a library, from the cell's array `in` to the array at `result`. It owns `context`, which
 * `release` frees. */
struct sx_perf_fft_transform {
    const char *library;
    char variant[SX_PERF_TEXT_MAX];
    int (*run)(void *context);
    void (*release)(void *context);
    void *context;
    const void *result;
    struct sx_perf_fft_box from, to;
    double error, memory; /* memory: bytes besides the two arrays; not finite if unknown */
};

struct sx_perf_fft_cell {
    struct sx_perf_fft_job *job;
    const struct sx_perf_fft_problem *problem;
    struct sx_perf_fft_grid grid;
    const char *problem_name;
    char grid_name[SX_PERF_TEXT_MAX];
    ptrdiff_t spectral[SX_PERF_FFT_NDIMS_MAX]; /* lengths of the transform */
    int nsteps;
    struct sx_perf_fft_step step[SX_PERF_FFT_NDIMS_MAX];
    struct sx_perf_fft_field field;
    ptrdiff_t bytes; /* of each array */
    void *in, *out;
    void *
        host; /* an array of the host for copies to and from the others, or `in` if that is in the host's memory */
    struct sx_perf_fft_peak peak;
    int n;
    struct sx_perf_fft_transform transform[SX_PERF_FFT_NTRANSFORMS];
};

/* The values of a row, which are kept for the summary. */
struct sx_perf_fft_result {
    char problem[SX_PERF_TEXT_MAX], grid[SX_PERF_TEXT_MAX], library[SX_PERF_TEXT_MAX],
        variant[SX_PERF_TEXT_MAX], stages[4 * SX_PERF_TEXT_MAX];
    double median, limit;
    double waited; /* with --stages: the seconds that a rank waits in one transform */
};

struct sx_perf_fft_job {
    struct sx_perf_fft_settings settings;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong, nresults, room;
    struct sx_perf_fft_result *results;
    int nnotes;
    char **notes;
};

/* settings.c */
extern const struct sx_perf_program sx_perf_fft_program;
void sx_perf_fft_settings_import(struct sx_perf_fft_settings *settings);

/* Set the grids for a problem. Returns their number, at most SX_PERF_NNAMES + 1. */
int sx_perf_fft_settings_get_grids(const struct sx_perf_fft_settings *settings,
                                   const struct sx_perf_fft_problem *problem,
                                   struct sx_perf_fft_grid grids[]);

/* cell.c: the steps and arrays of a problem on a grid, and its transforms. Collective. */
void sx_perf_fft_cell_create(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                             const struct sx_perf_fft_grid *grid, struct sx_perf_fft_cell *cell);
void sx_perf_fft_cell_free(struct sx_perf_fft_cell *cell);

/* 1 if the arrays of the cell are in a GPU's memory. */
int sx_perf_fft_cell_is_on_device(const struct sx_perf_fft_cell *cell);

/* Fill an array of the cell with a byte. */
void sx_perf_fft_cell_fill(const struct sx_perf_fft_cell *cell, void *array, int byte);
ptrdiff_t sx_perf_fft_cell_get_volume(const struct sx_perf_fft_box *box);

/* The lengths of a problem's transform. */
void sx_perf_fft_cell_get_spectral(const struct sx_perf_fft_problem *problem, ptrdiff_t sizes[]);

/* Set the strides of a box for an array without gaps. `order` is innermost first, or NULL for C order.
 */
void sx_perf_fft_cell_set_strides(struct sx_perf_fft_box *box, const int order[]);

/* Execute a transform once, and add it to the cell if its result is right. A wrong transform is reported, counted,
 * and released. The transform's memory is the growth of a rank's memory since the last call of
 * sx_perf_fft_peak_start for the cell's peak. So call that function before anything is created for the transform.
 * Collective. */
void sx_perf_fft_cell_add(struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *transform);

/* peak.c. start: observe this rank's memory from now on. query: get the largest growth of a rank's memory since then, in
 * bytes; not finite if unknown. Both are collective. */
void sx_perf_fft_peak_start(struct sx_perf_fft_peak *peak);
double sx_perf_fft_peak_query(const struct sx_perf_fft_peak *peak);

/* field.c */
void sx_perf_fft_field_create(const struct sx_perf_fft_problem *problem, struct sx_perf_fft_field *field);
void sx_perf_fft_field_free(struct sx_perf_fft_field *field);

/* export: fill a box of the physical side. query_error: get the largest error in a box of the spectral side, relative
 * to the largest magnitude; collective. */
void sx_perf_fft_field_export(const struct sx_perf_fft_field *field, const struct sx_perf_fft_box *box,
                              void *memory);
double sx_perf_fft_field_query_error(const struct sx_perf_fft_field *field, const struct sx_perf_fft_box *box,
                                     const void *memory);

/* The libraries' transforms. Collective. */
void sx_perf_fft_subx_add(struct sx_perf_fft_cell *cell);
void sx_perf_fft_dalcin_add(struct sx_perf_fft_cell *cell);
void sx_perf_fft_serial_add(struct sx_perf_fft_cell *cell);
void sx_perf_fft_mpi_add(struct sx_perf_fft_cell *cell);

/* serial.c: functions of a transform whose context is a plan of FFTW. */
int sx_perf_fft_serial_execute(void *plan);
void sx_perf_fft_serial_release(void *plan);

/* subx.c, for a transform of our library. print_stages: the seconds of each stage in one execution, on the slowest
 * rank. query_wait: the seconds of all exchanges in one execution. Both are collective. set_times_zero: begin these
 * measurements anew. is: query whether a transform is of our library. */
void sx_perf_fft_subx_print_stages(const struct sx_perf_fft_transform *transform, size_t len, char *text);
double sx_perf_fft_subx_query_wait(const struct sx_perf_fft_transform *transform); /* the mean over ranks */
void sx_perf_fft_subx_set_times_zero(const struct sx_perf_fft_transform *transform);
int sx_perf_fft_subx_is(const struct sx_perf_fft_transform *transform);

/* mpi.c, or nompi.c if FFTW has no MPI transforms. start: call before any plan is created; finish: call after all plans
 * are freed. get_bytes: get the bytes that an array must have. query: get the entry "fftw_mpi" of the table's head. */
void sx_perf_fft_mpi_start(void);
void sx_perf_fft_mpi_finish(void);
ptrdiff_t sx_perf_fft_mpi_get_bytes(const struct sx_perf_fft_cell *cell);
const char *sx_perf_fft_mpi_query(void);

/* Another library. It transforms `least` to `most` axes; if is_real is 1, it transforms real data only; if is_on_device is
 * 1, it transforms arrays in a GPU's memory only, else in the host's memory only.
 * query_obstacle returns the reason why it cannot be measured in a cell, or NULL. get_bytes returns the bytes that an
 * array must have. `add` adds its transforms to the cell. All functions except `add` may be NULL. */
struct sx_perf_fft_neighbour {
    const char *name;
    int least, most, is_real, is_on_device;
    void (*start)(void);
    void (*finish)(void);
    const char *(*query_obstacle)(const struct sx_perf_fft_cell *cell);
    ptrdiff_t (*get_bytes)(const struct sx_perf_fft_cell *cell);
    void (*add)(struct sx_perf_fft_cell *cell);
};

extern const struct sx_perf_fft_neighbour sx_perf_fft_heffte, sx_perf_fft_2decomp, sx_perf_fft_p3dfft3,
    sx_perf_fft_pfft, sx_perf_fft_accfft, sx_perf_fft_cufft;

/* neighbours.c. start, finish: call `start` or `finish` of every other library. print: print the names of all, or
 * "none". get_bytes, add: call `get_bytes` or `add` of each library that is asked for and has no obstacle. get_bytes
 * returns the largest value. add keeps a note about each library that is left out. Collective. */
void sx_perf_fft_neighbours_start(void);
void sx_perf_fft_neighbours_finish(void);
void sx_perf_fft_neighbours_print(size_t len, char *text);
ptrdiff_t sx_perf_fft_neighbours_get_bytes(const struct sx_perf_fft_cell *cell);
void sx_perf_fft_neighbours_add(struct sx_perf_fft_cell *cell);

/* note: keep a note for the end, such as the reason why a library was left out. export: add all notes to the table. */
void sx_perf_fft_neighbours_note(struct sx_perf_fft_cell *cell, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sx_perf_fft_neighbours_export(struct sx_perf_fft_job *job);

/* For libraries whose axis 0 is the fastest: reverse the lengths. If there are fewer than three lengths, the missing ones
 * are 1. */
void sx_perf_fft_neighbours_reverse(int ndims, const ptrdiff_t sizes[], int reversed[3]);

/* Set a box of an array without gaps from the lengths and starts that a library returns for each axis. `order` as in
 * sx_perf_fft_cell_set_strides. */
void sx_perf_fft_neighbours_set_box(struct sx_perf_fft_box *box, const struct sx_perf_fft_cell *cell,
                                    int side, const int len[], const int start[], const int order[]);

/* limit.c. create: set parts[0] to the case that transforms data in cache, and parts[1] to the case that copies through
 * memory. */
struct sx_perf_fft_limit;
struct sx_perf_fft_limit *sx_perf_fft_limit_create(const struct sx_perf_fft_cell *cell,
                                                   struct sx_perf_case parts[]);
void sx_perf_fft_limit_free(struct sx_perf_fft_limit *limit);

/* tile.c: the fastest known transform of a tile in cache, which has at most `most` pencils of n numbers; from real
 * to complex if is_real is 1. `create` measures all candidates. Local. */
enum { SX_PERF_FFT_NTILE_SIZES = 3 };
struct sx_perf_fft_tile;
struct sx_perf_fft_tile *sx_perf_fft_tile_create(int is_real, ptrdiff_t n, ptrdiff_t most, int effort);
ptrdiff_t sx_perf_fft_tile_get_npencils(const struct sx_perf_fft_tile *tile);
void sx_perf_fft_tile_execute(const struct sx_perf_fft_tile *tile);
void sx_perf_fft_tile_free(struct sx_perf_fft_tile *tile);

/* measure.c: measure one problem on one grid. Collective. */
void sx_perf_fft_measure_execute(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                                 const struct sx_perf_fft_grid *grid);

/* summary.c */
void sx_perf_fft_summary_export(struct sx_perf_fft_job *job);

#endif /* SX_PERF_FFT_H */
