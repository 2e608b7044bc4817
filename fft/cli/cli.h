/* cli.h - what the files of the program subx-fft share.
 *
 * The program is a customer of the libraries: it uses the installed headers only. Functions that return an
 * int return SX_CLI_OK, SX_CLI_UNVERIFIED or SX_CLI_ERROR, which are also the exit statuses. An error has
 * been noted by sx_cli_fail_set; rank 0 prints it when all ranks have agreed that it happened.
 */
#ifndef SX_CLI_H
#define SX_CLI_H

#include "config.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <subx_tune.h>

enum { SX_CLI_OK = 0, SX_CLI_UNVERIFIED = 1, SX_CLI_ERROR = 2 };

/* ---------------------------------------------------------------------------------- fail.c */

/* Note this rank's error, in one line; the first note stays. Both return SX_CLI_ERROR. */
int sx_cli_fail_set(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sx_cli_fail_set_code(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Agree whether any rank failed. If so, all ranks then have the note of the lowest rank that failed.
 * Collective. */
int sx_cli_fail_agree(MPI_Comm comm, int rc);

void sx_cli_fail_print(void);

/* Allocate whole cache lines, at least one. Returns NULL, and makes a note, if there is no memory. */
void *sx_cli_memory_create(ptrdiff_t n, ptrdiff_t bytes_each);

/* ---------------------------------------------------------------------------------- args.c */

/* The command line of rank 0. */
struct sx_cli_args {
    int argc;
    char **argv, *text;
};

int sx_cli_args_create(MPI_Comm comm, int rank, int argc, char *argv[], struct sx_cli_args *args);
void sx_cli_args_free(struct sx_cli_args *args);

/* ------------------------------------------------------------------------------- options.c */

/* Each hint of the library is an option: subx_time_limit is --time-limit. */
enum { SX_CLI_HINTS_MAX = 64 };

enum { SX_CLI_VERIFY_NOT, SX_CLI_VERIFY_AUTO, SX_CLI_VERIFY_REFERENCE, SX_CLI_VERIFY_PROPERTIES };
enum { SX_CLI_PEOPLE, SX_CLI_CSV, SX_CLI_JSON };

/* The values of the command line, to which the strings belong. */
struct sx_cli_options {
    const char *problem, *input, *output;
    const char *hint[SX_CLI_HINTS_MAX]; /* in the library's order; NULL where not given */
    int direction;                      /* 0 where not given                            */
    int outer, inner;                   /* 0 where no repetition is asked               */
    int verify, format;
    int help, version, explain;
    int calibrate; /* seconds; 0 where not asked for */
    uint64_t seed;
};

int sx_cli_options_parse(int argc, char *argv[], struct sx_cli_options *opt);

/* --------------------------------------------------------------------------------- hints.c */

/* Get the name of the option for hint i, such as "--grid"; NULL if there are no more. `name` has room for SX_CLI_NAME. */
enum { SX_CLI_NAME = 64 };
const char *sx_cli_hint_query(int i, char name[]);

/* Find the hint of an option; -1 if there is none. */
int sx_cli_hint_find(const char *option, size_t len);

/* The values of the hints that a plan has chosen. */
struct sx_cli_hints {
    char value[SX_CLI_HINTS_MAX][128];
};

int sx_cli_hints_import(subx_fft_plan plan, struct sx_cli_hints *effect);

/* Get the value that a plan has chosen, by the option's name. */
const char *sx_cli_hints_get(const struct sx_cli_hints *effect, const char *option);

/* Make an MPI_Info of the options. The library shows its progress where it measures plans and has_terminal is set, which
 * must be the same on all ranks. *is_shown tells. */
int sx_cli_hints_export(const struct sx_cli_options *opt, int has_terminal, MPI_Info *info, int *is_shown);

/* Get the value of an option or of its environment variable; NULL if there is none. */
const char *sx_cli_hint_get(const struct sx_cli_options *opt, const char *option);

/* Print the hints that were given, as on a command line, each after a space. */
void sx_cli_hints_print(const struct sx_cli_options *opt, size_t len, char *text);

/* ---------------------------------------------------------------------------------- help.c */

void sx_cli_help_print(void);

/* ---------------------------------------------------------------------------------- file.c */

/* The array in an input file. */
struct sx_cli_input {
    int is_raw;  /* nothing but the number of bytes is known, which is shape[0] */
    int bytes;   /* of an element                                               */
    int reals;   /* real numbers in an element, 1 or 2                          */
    int fortran; /* axis 0 is fastest in the file                               */
    int ndims;
    ptrdiff_t shape[SUBX_NDIMS_MAX];
};

struct sx_cli_job;

/* The name of the elements of a side in files, such as "complex64". */
const char *sx_cli_file_query_type(int precision, int reals);

/* The bytes of a real in files. */
int sx_cli_file_query_bytes(int precision);

/* All are collective. Look at an input file; test whether the output can be written, before much time is spent on it;
 * read and write a side of the plan. */
int sx_cli_file_get(MPI_Comm comm, const char *path, struct sx_cli_input *in);
int sx_cli_file_query_writable(const struct sx_cli_job *job);
int sx_cli_file_import(const struct sx_cli_job *job, int side);
int sx_cli_file_export(const struct sx_cli_job *job, int side);

/* --------------------------------------------------------------------------------- axes.c */

/* An axis: lengths of the transform, of the spectral side before halving, and of the physical side. */
struct sx_cli_axis {
    int kind;
    ptrdiff_t size, modes, points;
};

/* The axes of the global arrays. Several fields are one more axis, of kind SUBX_FFT_NONE. */
struct sx_cli_axes {
    int ndims, precision;
    int batch;    /* the axis of the fields, -1 if there is one field */
    int reals[2]; /* reals in an element, by side                     */
    struct sx_cli_axis axis[SUBX_NDIMS_MAX];
};

int sx_cli_axes_get(subx_fft_problem problem, struct sx_cli_axes *axes);

/* The length of an axis on a side. */
ptrdiff_t sx_cli_axis_get_length(const struct sx_cli_axis *axis, int side);

/* Whether all modes and points exist. */
int sx_cli_axis_query_whole(const struct sx_cli_axis *axis);

/* The factor by which backward after forward multiplies without scaling. */
long double sx_cli_axes_get_factor(const struct sx_cli_axes *axes);

/* --------------------------------------------------------------------------------- real.c */

/* Number i of an array in the problem's precision. */
long double sx_cli_real_get(int precision, const void *array, ptrdiff_t i);
void sx_cli_real_set(int precision, void *array, ptrdiff_t i, long double value);

/* The relative rounding error of a number. */
double sx_cli_real_get_epsilon(int precision);

/* --------------------------------------------------------------------------------- term.c */

/* The matrix that transforms the lines of an axis in a direction. */
struct sx_cli_term {
    int kind, direction, orthonormal;
    ptrdiff_t n, modes, period;
    long double *wave; /* pairs exp(2 pi i m / period) */
};

int sx_cli_term_create(const struct sx_cli_axis *axis, int direction, int orthonormal,
                       struct sx_cli_term *term);
void sx_cli_term_free(struct sx_cli_term *term);

/* Get the factor by which entry `in` adds to entry `out` of the transform, a complex number. Of backward R2C only the real
 * part of the sum counts. */
void sx_cli_term_get(const struct sx_cli_term *term, ptrdiff_t in, ptrdiff_t out, long double value[2]);

/* ----------------------------------------------------------------------------------- box.c */

/* One side of a plan on this rank: a box of a global array. */
struct sx_cli_box {
    int ndims, precision;
    int reals;                   /* in an element, 1 or 2             */
    int order[SUBX_NDIMS_MAX];   /* axes, innermost first             */
    ptrdiff_t n[SUBX_NDIMS_MAX]; /* global lengths of this side       */
    ptrdiff_t shape[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements                     */
    int has_gaps;                     /* the array is padded          */
    int scrambled;                    /* an axis in scrambled order, -1 for none */
    ptrdiff_t factor[2];              /* of its length                */
    ptrdiff_t count;                  /* elements on this rank        */
    ptrdiff_t alloc_bytes;
};

/* An element of a box: its place in the box, its global index, and its distance from the first one in memory. */
struct sx_cli_cursor {
    ptrdiff_t local[SUBX_NDIMS_MAX], index[SUBX_NDIMS_MAX], at;
};

int sx_cli_box_get(const struct sx_cli_job *job, int side, struct sx_cli_box *box);

/* Walk the box in storage order. Both return 0 when no element is left. */
int sx_cli_box_start(const struct sx_cli_box *box, struct sx_cli_cursor *cursor);
int sx_cli_box_next(const struct sx_cli_box *box, struct sx_cli_cursor *cursor);

/* The value of an element, real and imaginary part. */
void sx_cli_box_get_value(const struct sx_cli_box *box, const void *array, ptrdiff_t at,
                          long double value[2]);
void sx_cli_box_set_value(const struct sx_cli_box *box, void *array, ptrdiff_t at,
                          const long double value[2]);

/* The place of a global index in an array of lengths n in C order. */
ptrdiff_t sx_cli_box_linear(int ndims, const ptrdiff_t n[], const ptrdiff_t index[]);

/* The number of elements of an array. */
ptrdiff_t sx_cli_box_volume(int ndims, const ptrdiff_t n[]);

/* ---------------------------------------------------------------------------------- fill.c */

/* A test signal, a function of the global index alone:
 *     weight[0] h0(index - shift) + weight[1] h1(index) + amplitude [index == impulse]
 * where h0 and h1 are two streams of numbers that look random, uniform in [-0.5, 0.5). */
struct sx_cli_signal {
    int ndims;
    int reals;     /* 1 for a real signal                                                   */
    int hermitian; /* the signal is the spectrum of a real one (weight[0] only)              */
    uint64_t seed, stream[2];
    long double weight[2][2];
    long double amplitude;
    ptrdiff_t n[SUBX_NDIMS_MAX]; /* lengths, before halving                                  */
    int sign[SUBX_NDIMS_MAX];    /* -1 where the spectrum of a real signal is symmetric      */
    ptrdiff_t shift[SUBX_NDIMS_MAX], impulse[SUBX_NDIMS_MAX];
};

/* Set a signal on a side to the first of two streams of the job's random numbers. Each purpose has streams of its own;
 * purpose 0 is the test data. */
void sx_cli_signal_set(struct sx_cli_signal *signal, const struct sx_cli_job *job, int side, int purpose);

/* The value at a global index, real and imaginary part. */
void sx_cli_signal_get(const struct sx_cli_signal *signal, const ptrdiff_t index[], long double value[2]);

/* Set a local array to a signal. */
void sx_cli_signal_export(const struct sx_cli_signal *signal, const struct sx_cli_box *box, void *array);

/* --------------------------------------------------------------------------------- times.c */

struct sx_cli_spread {
    double min, median, max;
};

struct sx_cli_stage {
    char name[96];
    int kind;
    struct sx_cli_spread seconds;
};

/* Seconds of one execution in one direction, over the ranks; complete on rank 0 only. */
struct sx_cli_times {
    int executions, nstages; /* 0 executions: this direction was not timed */
    struct sx_cli_stage *stage;
    struct sx_cli_spread kind[SUBX_FFT_STAGE_SCALE + 1]; /* by SUBX_FFT_STAGE_*; entry 0 is the sum of all */
};

int sx_cli_times_get(MPI_Comm comm, subx_fft_plan plan, int direction, int executions,
                     struct sx_cli_times *times);
void sx_cli_times_free(struct sx_cli_times *times);

/* Sort n values in place and get the middle one, or the mean of the two in the middle. */
double sx_cli_times_median(double value[], int n);

/* ----------------------------------------------------------------------------------- job.c */

/* The result of one check. */
struct sx_cli_check {
    char name[96];
    double error, tolerance; /* relative to the largest expected value */
    int passed;
};

enum { SX_CLI_NCHECKS = 8, SX_CLI_TEXT = 4096 };

/* Everything about one run. */
struct sx_cli_job {
    struct sx_cli_options opt;
    MPI_Comm comm;
    int rank, nranks;
    int direction;
    subx_fft_problem problem;
    char text[SX_CLI_TEXT]; /* of the problem, canonical */
    struct sx_cli_axes axes;
    struct sx_cli_input input;
    subx_fft_plan plan;
    struct sx_cli_hints effect;
    struct sx_cli_box box[2]; /* by SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL */
    void *array[2];
    ptrdiff_t nstrange; /* elements of a checked input file that are NaN or infinite; on rank 0 */
    int nchecks;
    struct sx_cli_check check[SX_CLI_NCHECKS];
    struct sx_cli_times times[2]; /* forward, backward */
    double min_seconds, median_seconds;
};

/* The sides where the transform starts and ends. */
int sx_cli_job_get_from(const struct sx_cli_job *job);
int sx_cli_job_get_to(const struct sx_cli_job *job);

/* The factor that the plan's scaling applies in a direction. */
long double sx_cli_job_get_scale(const struct sx_cli_job *job, int direction);

/* Execute the plan; note an error. */
int sx_cli_job_execute(const struct sx_cli_job *job, int direction, const void *from, void *to);

/* Whether the plan's hint has this value. */
int sx_cli_job_query_hint(const struct sx_cli_job *job, const char *option, const char *value);

/* Set the input array: from the file, or to the test data. Collective. */
int sx_cli_job_import_input(struct sx_cli_job *job);

/* The first check that failed; NULL if none did. */
const struct sx_cli_check *sx_cli_job_get_failed(const struct sx_cli_job *job);

/* The name and version of the MPI below. */
void sx_cli_job_print_mpi(size_t len, char *text);

/* --------------------------------------------------------------------------------- gauge.c */

/* The largest error and the largest expected value so far. */
struct sx_cli_gauge {
    double error, size;
};

/* Add one element, real and imaginary part. */
void sx_cli_gauge_set(struct sx_cli_gauge *gauge, const long double got[2], const long double want[2]);

/* The relative error, of this rank or (collective) of all. */
double sx_cli_gauge_get(const struct sx_cli_gauge *gauge);
double sx_cli_gauge_get_all(MPI_Comm comm, const struct sx_cli_gauge *gauge);

/* --------------------------------------------------------------------------------- others */

/* problem.c: set the job's problem and direction from the command line and the input file. Collective. */
int sx_cli_problem_set(struct sx_cli_job *job);

/* gather.c: gather a side on rank 0 as a C-ordered array of pairs; places that nobody owns become NaN. */
int sx_cli_gather_execute(const struct sx_cli_job *job, int side, long double *global);

/* reference.c: transform a C-ordered array of pairs by the definition, from `in` to `out`. Both have the room that
 * get_room tells, pairs, and both are overwritten. *result is the one that holds the result. */
int sx_cli_reference_execute(const struct sx_cli_job *job, long double *in, long double *out,
                             long double **result);
ptrdiff_t sx_cli_reference_get_room(const struct sx_cli_axes *axes);

/* The number of complex multiplications of the definition, roughly. */
double sx_cli_reference_get_cost(const struct sx_cli_axes *axes);

/* progress.c: tell on a terminal what rank 0 does, and which share of it is done unless total is 0, if the program takes
 * long. */
void sx_cli_progress_start(int rank);
void sx_cli_progress_set(const char *what, double done, double total);

/* Show nothing until something else is done. */
void sx_cli_progress_set_quiet(void);

/* Whether this is rank 0 and standard error is a terminal. */
int sx_cli_progress_query_terminal(void);
void sx_cli_progress_finish(void);

/* properties.c, verify.c: check the transform, adding to job->check. Collective. All but the check against
 * the reference use job->array as scratch. */
int sx_cli_verify_query_small(const struct sx_cli_job *job);
int sx_cli_properties_execute(struct sx_cli_job *job);
int sx_cli_verify_reference(struct sx_cli_job *job);
int sx_cli_verify_round_trip(struct sx_cli_job *job);
void sx_cli_verify_set(struct sx_cli_job *job, const char *name, double error);

/* bench.c: the repeated forward and backward pairs. Collective. */
int sx_cli_bench_execute(struct sx_cli_job *job);

/* calibrate.c: measure the parameters of the cost model, and print them. Collective. */
int sx_cli_calibrate_execute(const struct sx_cli_job *job);

/* report.c: get the plan's explanation in a format of subx_tune.h. The caller frees it; NULL if there is no memory. */
char *sx_cli_report_get_explanation(const struct sx_cli_job *job, int format);

/* report.c, csv_json.c: print the results, on rank 0. */
void sx_cli_report_print_plan(const struct sx_cli_job *job);
void sx_cli_report_print(const struct sx_cli_job *job);
void sx_cli_machine_print_csv(const struct sx_cli_job *job);
void sx_cli_machine_print_json(const struct sx_cli_job *job);

#endif /* SX_CLI_H */
