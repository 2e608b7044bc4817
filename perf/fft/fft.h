/* fft.h - transforms of our library and of others, and the limit, for the files of subx-perf-fft.
 *
 * A cell is a problem on a process grid. Each library adds its transforms to the cell. Transforms with
 * right results are timed alternately, together with the two parts of the limit (limit.c). All transforms
 * use the two arrays of the cell.
 *
 * A direction is named by the side `from` which it starts: forward starts from SUBX_FFT_PHYSICAL, backward
 * from SUBX_FFT_SPECTRAL. Its result is on the side !from. / */
#ifndef SX_PERF_FFT_H
#define SX_PERF_FFT_H

#include "common/perf.h"

#include <complex.h>
#include <fftw3.h>
#include <subx_fft.h>

enum {
    SX_PERF_FFT_NDIMS_MAX = 8,
    SX_PERF_FFT_NOTHERS = 64,
    SX_PERF_FFT_NPARTS = 2,
    SX_PERF_FFT_NLIBRARIES = 16
};

enum { SX_PERF_FFT_NTRANSFORMS = SX_PERF_NNAMES + SX_PERF_FFT_NOTHERS };

/* The values of --direction; the first two are also sides `from`. The values of --place. */
enum { SX_PERF_FFT_FORWARD, SX_PERF_FFT_BACKWARD, SX_PERF_FFT_PAIR };
enum { SX_PERF_FFT_OUT, SX_PERF_FFT_IN };

/* A problem: all axes are C2C; or the last one is R2C, and the others are C2C; or all are real-to-real. */
struct sx_perf_fft_problem {
    char name[SX_PERF_TEXT_MAX]; /* its canonical text */
    int precision, ndims, kinds[SX_PERF_FFT_NDIMS_MAX];
    ptrdiff_t sizes[SX_PERF_FFT_NDIMS_MAX];
};

struct sx_perf_fft_settings {
    struct sx_perf_settings common; /* must come first */
    int stages, direction, place, executions;
    int has_efforts,
        efforts[SX_PERF_NEFFORTS]; /* efforts: 1 if plans are made with the effort; set by import */
    struct sx_perf_names problems, grids, variants, neighbours;
    struct sx_perf_fft_problem problem[SX_PERF_NNAMES]; /* set by import */
};

/* A process grid; the last dimension varies fastest with the rank. is_free: each plan of ours chooses its
 * grid; the limit is that of slabs, and no other library is timed. */
struct sx_perf_fft_grid {
    int g, dims[SX_PERF_FFT_NDIMS_MAX], is_free;
};

/* This rank's block of an array: lengths, starts and strides by axis. Strides are in elements of `width`
 * reals. */
struct sx_perf_fft_box {
    int ndims, width;
    ptrdiff_t len[SX_PERF_FFT_NDIMS_MAX], start[SX_PERF_FFT_NDIMS_MAX], stride[SX_PERF_FFT_NDIMS_MAX];
};

/* A step of a forward transform whose arrays stay in C order (Dalcin, Mortensen & Keyes 2019, sections 3.5
 * and 3.6). First, an exchange between the ranks along grid dimension `dim` makes axis `dim` whole and
 * divides the next axis. If dim is -1, there is no exchange. Then some axes are transformed. A backward
 * transform undoes the steps in the reverse order. */
struct sx_perf_fft_step {
    int dim, naxes, axes[SX_PERF_FFT_NDIMS_MAX];
    struct sx_perf_fft_box box[2]; /* this rank's block on both sides of the transform of the axes */
};

/* An array whose transforms are known: each element is a product of one number per axis. The states of the
 * array are: the data of the physical side; its forward transform; and the backward transform of that.
 * value: the numbers of each axis. largest: the largest magnitude in a state. precision: of the arrays in
 * memory. */
enum { SX_PERF_FFT_NSTATES = 3 };
struct sx_perf_fft_field {
    int ndims, precision;
    double complex *value[SX_PERF_FFT_NSTATES][SX_PERF_FFT_NDIMS_MAX];
    double largest[SX_PERF_FFT_NSTATES];
};

/* A rank's memory at the start of an observation. */
struct sx_perf_fft_peak {
    double before;
};

/* A transform by a library, from the cell's array of the side `from` to its array of the other side. `run`
 * is only called for directions that the settings ask for. The transform owns `context`, which `release`
 * frees. */
struct sx_perf_fft_transform {
    const char *library;
    char variant[SX_PERF_TEXT_MAX];
    int (*run)(void *context, int from);
    void (*release)(void *context);
    void *context;
    struct sx_perf_fft_box box[2]; /* by side */
    int direction;                 /* what an execution does; set by sx_perf_fft_cell_add */
    int effort; /* of ours, as are `planning` (seconds) and `choice`: strategy, grid and engine */
    double planning;
    char choice[SX_PERF_TEXT_MAX];
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
    void *memory[2]; /* two arrays */
    void *array[2];  /* the array of each side; in place they are the same */
    void
        *host; /* an array of the host for copies to and from the others, if these are in a GPU's memory; else
                 NULL */
    struct sx_perf_fft_peak peak;
    int n;
    struct sx_perf_fft_transform transform[SX_PERF_FFT_NTRANSFORMS];
};

/* The ratios of a library's times to ours, over all cells, or of the plans of an effort to the fastest of
 * ours; `planning`: the most seconds of planning. */
struct sx_perf_fft_mean {
    const char *name;
    int count;
    double sum, least, most, planning; /* sum: of logarithms */
};

struct sx_perf_fft_job {
    struct sx_perf_fft_settings settings;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong;
    struct sx_perf_fft_mean means[SX_PERF_FFT_NLIBRARIES], efforts[SX_PERF_NEFFORTS];
};

/* settings.c */
extern const struct sx_perf_program sx_perf_fft_program;
extern const char *const sx_perf_fft_settings_directions[],
    *const sx_perf_fft_settings_places[]; /* the words, in the order of the values above */
void sx_perf_fft_settings_import(struct sx_perf_fft_settings *settings);

/* Set the grids for a problem. Returns their number, at most SX_PERF_NNAMES + 1. */
int sx_perf_fft_settings_get_grids(const struct sx_perf_fft_settings *settings,
                                   const struct sx_perf_fft_problem *problem,
                                   struct sx_perf_fft_grid grids[]);

/* Query whether the settings ask for the direction that starts at a side. */
static inline int sx_perf_fft_settings_query(const struct sx_perf_fft_settings *settings, int from)
{
    return settings->direction == SX_PERF_FFT_PAIR || settings->direction == from;
}

/* problem.c. parse: set a problem from its text; stops the program if it is not timed. get_spectral: get
 * the lengths of the spectral side. get_width: get the number of reals in an element of a side.
 * get_tolerance: get the largest error of a right result, relative to the largest magnitude. The kind of
 * the last axis tells the kind of the problem. */
void sx_perf_fft_problem_parse(const char *text, struct sx_perf_fft_problem *problem);
void sx_perf_fft_problem_get_spectral(const struct sx_perf_fft_problem *problem, ptrdiff_t sizes[]);
int sx_perf_fft_problem_get_kind(const struct sx_perf_fft_problem *problem);
int sx_perf_fft_problem_get_width(const struct sx_perf_fft_problem *problem, int side);
ptrdiff_t sx_perf_fft_problem_get_real_bytes(const struct sx_perf_fft_problem *problem);
double sx_perf_fft_problem_get_tolerance(const struct sx_perf_fft_problem *problem);

/* cell.c: the steps and arrays of a problem on a grid, and its transforms. Collective. */
void sx_perf_fft_cell_create(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                             const struct sx_perf_fft_grid *grid, struct sx_perf_fft_cell *cell);
void sx_perf_fft_cell_free(struct sx_perf_fft_cell *cell);

/* Make the arrays of the cell larger. Collective. */
void sx_perf_fft_cell_grow(struct sx_perf_fft_cell *cell, ptrdiff_t bytes);

/* 1 if the arrays of the cell are in a GPU's memory. */
int sx_perf_fft_cell_is_on_device(const struct sx_perf_fft_cell *cell);

/* Fill an array of the cell with a byte. */
void sx_perf_fft_cell_fill(const struct sx_perf_fft_cell *cell, void *array, int byte);
ptrdiff_t sx_perf_fft_cell_get_volume(const struct sx_perf_fft_box *box);

/* Set the strides of a box for an array without gaps. `order` is innermost first, or NULL for C order.
 */
void sx_perf_fft_cell_set_strides(struct sx_perf_fft_box *box, const int order[]);

/* Execute a transform once in each direction asked for, and add it to the cell if all results are right. A
 * wrong transform is reported, counted, and released. The transform's memory is the growth of a rank's
 * memory since the last call of sx_perf_fft_peak_start for the cell's peak. So call that function before
 * anything is created for the transform. Collective. */
void sx_perf_fft_cell_add(struct sx_perf_fft_cell *cell, const struct sx_perf_fft_transform *transform);

/* The action of a transform's sx_perf_case: what --direction asks for. */
int sx_perf_fft_cell_execute(void *transform);

/* peak.c. start: observe this rank's memory from now on. query: get the largest growth of a rank's memory
 * since then, in bytes; not finite if unknown. Both are collective. */
void sx_perf_fft_peak_start(struct sx_perf_fft_peak *peak);
double sx_perf_fft_peak_query(const struct sx_perf_fft_peak *peak);

/* field.c */
void sx_perf_fft_field_create(const struct sx_perf_fft_problem *problem, struct sx_perf_fft_field *field);
void sx_perf_fft_field_free(struct sx_perf_fft_field *field);

/* export: fill a box of the side `from`. query_error: get the largest error in the result of a transform,
 * a box of the other side, relative to the largest magnitude; collective. */
void sx_perf_fft_field_export(const struct sx_perf_fft_field *field, int from,
                              const struct sx_perf_fft_box *box, void *memory);
double sx_perf_fft_field_query_error(const struct sx_perf_fft_field *field, int from,
                                     const struct sx_perf_fft_box *box, const void *memory);

/* subx.c: our transforms. Collective. */
void sx_perf_fft_subx_add(struct sx_perf_fft_cell *cell);

/* fftw.c: FFTW's functions in one precision. A request asks for a plan; its lists are as in FFTW's guru
 * interface. A plan is NULL if FFTW makes none. get: get the functions of a precision; NULL if FFTW was
 * not found for it. */
struct sx_perf_fft_request {
    int from, width[2];                              /* width: reals per element, by side */
    int naxes, nloops, kinds[SX_PERF_FFT_NDIMS_MAX]; /* kinds: of the axes, read if both sides are real */
    fftw_iodim64 axes[SX_PERF_FFT_NDIMS_MAX], loops[SX_PERF_FFT_NDIMS_MAX];
    void *in, *out;
    unsigned flags;
};
struct sx_perf_fft_fftw {
    void *(*plan)(const struct sx_perf_fft_request *request);
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
    void (*forget)(void); /* the wisdom of this process */
};
const struct sx_perf_fft_fftw *sx_perf_fft_fftw_get(int precision);

/* FFTW's kind of a real-to-real axis in a direction, and FFTW's sign of a direction. */
fftw_r2r_kind sx_perf_fft_fftw_get_kind(int kind, int from);
int sx_perf_fft_fftw_get_sign(int from);

/* Create a plan for some axes of a block, which has the boxes before and after the transform of these
 * axes. The planner has the effort of the settings, and executions may overwrite their input. */
void *sx_perf_fft_fftw_create_plan(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_step *step,
                                   int from, void *in, void *out);

/* A plan for each direction asked for, and the functions of a transform whose context they are. */
struct sx_perf_fft_plans {
    const struct sx_perf_fft_fftw *fftw;
    void *plan[2]; /* by `from` */
};
int sx_perf_fft_fftw_execute(void *plans, int from, void *in, void *out);
void sx_perf_fft_fftw_free(void *plans);

/* Why FFTW cannot be measured in the precision of a cell, or NULL. */
const char *sx_perf_fft_fftw_query_obstacle(const struct sx_perf_fft_cell *cell);

/* subx.c, for a transform of our library. print_stages: the seconds of each stage in one execution, on the
 * slowest rank. query_wait: the seconds of all exchanges in one execution. Both are collective.
 * set_times_zero: begin these measurements anew. is: query whether a transform is of our library. */
void sx_perf_fft_subx_print_stages(const struct sx_perf_fft_transform *transform, size_t len, char *text);
double sx_perf_fft_subx_query_wait(const struct sx_perf_fft_transform *transform); /* the mean over ranks */
void sx_perf_fft_subx_set_times_zero(const struct sx_perf_fft_transform *transform);
int sx_perf_fft_subx_is(const struct sx_perf_fft_transform *transform);

/* Another library. It transforms `least` to `most` axes; if is_on_device is 1, it transforms arrays in a
 * GPU's memory only, else in the host's memory only. is_fftw: it needs FFTW only, is timed whatever
 * --neighbours says, and checks all by itself. no_float, no_r2r, no_place: the reason why it is not
 * measured in single precision, with real-to-real kinds, or in place; NULL if it is. query_obstacle
 * returns another reason why it cannot be measured in a cell, or NULL; query_variant the same of a
 * variant. If the reason is "", there is no note about it. get_bytes returns the bytes that an array must
 * have. variants: names, followed by NULL. create makes a plan between the cell's arrays, NULL if there is
 * none, and sets the boxes of both sides. execute is only called for directions that the settings ask for.
 * Functions may be NULL, except create, execute and free. */
struct sx_perf_fft_neighbour {
    const char *name;
    int least, most, is_on_device, is_fftw;
    const char *no_float, *no_r2r, *no_place;
    void (*start)(void);
    void (*finish)(void);
    const char *(*query_obstacle)(const struct sx_perf_fft_cell *cell);
    const char *(*query_variant)(const struct sx_perf_fft_cell *cell, int variant);
    ptrdiff_t (*get_bytes)(const struct sx_perf_fft_cell *cell);
    const char *const *variants;
    void *(*create)(const struct sx_perf_fft_cell *cell, int variant, struct sx_perf_fft_box box[2]);
    int (*execute)(void *plan, int from, void *in, void *out);
    void (*free)(void *plan);
};

extern const struct sx_perf_fft_neighbour sx_perf_fft_mpi, sx_perf_fft_dalcin, sx_perf_fft_serial,
    sx_perf_fft_heffte, sx_perf_fft_2decomp, sx_perf_fft_p3dfft3, sx_perf_fft_pfft, sx_perf_fft_accfft,
    sx_perf_fft_cufft;

/* neighbours.c. start, finish: call `start` or `finish` of every library. print: print the names of all
 * that configure was given, or "none". query_mpi: the entry "fftw_mpi" of the table's head. get_bytes: the
 * largest bytes of the libraries that are asked for and have no obstacle. add: add their transforms to the
 * cell, and note each library and variant that is left out. Collective. */
void sx_perf_fft_neighbours_start(void);
void sx_perf_fft_neighbours_finish(void);
void sx_perf_fft_neighbours_print(size_t len, char *text);
const char *sx_perf_fft_neighbours_query_mpi(void);
ptrdiff_t sx_perf_fft_neighbours_get_bytes(const struct sx_perf_fft_cell *cell);
void sx_perf_fft_neighbours_add(struct sx_perf_fft_cell *cell);

/* For libraries whose axis 0 is the fastest: reverse the lengths. If there are fewer than three lengths,
 * the missing ones are 1. */
void sx_perf_fft_neighbours_reverse(int ndims, const ptrdiff_t sizes[], int reversed[3]);

/* Set a box from the lengths and starts that a library returns for each axis. `order` as in
 * sx_perf_fft_cell_set_strides. If the length along the last axis is larger than the physical side, the
 * rest of each row is a gap. */
void sx_perf_fft_neighbours_set_box(struct sx_perf_fft_box *box, const struct sx_perf_fft_cell *cell,
                                    int side, const int len[], const int start[], const int order[]);

/* limit.c. create: set parts[0] to the case that transforms data in cache, and parts[1] to the case that
 * copies through memory. */
struct sx_perf_fft_limit;
struct sx_perf_fft_limit *sx_perf_fft_limit_create(const struct sx_perf_fft_cell *cell,
                                                   struct sx_perf_case parts[]);
void sx_perf_fft_limit_free(struct sx_perf_fft_limit *limit);

/* tile.c: the fastest known transform of a tile in cache, which has at most `most` pencils along an axis
 * of a problem. `create` measures all candidates. Local. */
enum { SX_PERF_FFT_NTILE_SIZES = 3 };
struct sx_perf_fft_tile;
struct sx_perf_fft_tile *sx_perf_fft_tile_create(const struct sx_perf_fft_problem *problem, int axis,
                                                 int from, ptrdiff_t most, int effort);
ptrdiff_t sx_perf_fft_tile_get_npencils(const struct sx_perf_fft_tile *tile);
void sx_perf_fft_tile_execute(const struct sx_perf_fft_tile *tile);
void sx_perf_fft_tile_free(struct sx_perf_fft_tile *tile);

/* measure.c: measure one problem on one grid. Collective. */
void sx_perf_fft_measure_execute(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                                 const struct sx_perf_fft_grid *grid);

/* summary.c: add the notes of a cell, whose transforms have these cases; add the notes of all cells.
 * Collective. */
void sx_perf_fft_summary_add(const struct sx_perf_fft_cell *cell, const struct sx_perf_case cases[],
                             double limit);
void sx_perf_fft_summary_export(struct sx_perf_fft_job *job);

#endif /* SX_PERF_FFT_H */
