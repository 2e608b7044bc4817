/* cli.h - what the files of the program subx-fft share.
 *
 * The program includes only installed headers, and subx_lowlevel.h. Functions that return an int return
 * SX_CLI_OK, SX_CLI_UNVERIFIED or SX_CLI_ERROR, which are also the exit statuses. A function that returns an
 * error has noted its text by sx_cli_fail_set; rank 0 prints the text after all ranks have agreed on the
 * error.
 */
#ifndef SX_CLI_H
#define SX_CLI_H

#include "base/base.h"
#include "definition/definition.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <subx_tune.h>

enum { SX_CLI_OK = 0, SX_CLI_UNVERIFIED = 1, SX_CLI_ERROR = 2 };

/* ---------------------------------------------------------------------------------- fail.c */

/* Note this rank's error in one line; only the first error is kept. sx_cli_fail_set_code appends the text of
 * an MPI error code. Both functions return SX_CLI_ERROR. */
int sx_cli_fail_set(const char *format, ...) __attribute__((format(printf, 1, 2)));
int sx_cli_fail_set_code(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Agree whether any rank has failed. If one has, all ranks get the note of the lowest rank that failed.
 * Collective. */
int sx_cli_fail_agree(MPI_Comm comm, int rc);

void sx_cli_fail_print(void);

/* Allocate n elements, aligned to a cache line; one cache line if n is 0. If there is no memory, notes an
 * error and returns NULL. */
void *sx_cli_memory_create(ptrdiff_t n, ptrdiff_t bytes_each);

/* ---------------------------------------------------------------------------------- share.c */

/* The command line of rank 0. */
struct sx_cli_args {
    int argc;
    char **argv, *text;
};

int sx_cli_args_create(MPI_Comm comm, int rank, int argc, char *argv[], struct sx_cli_args *args);
void sx_cli_args_free(struct sx_cli_args *args);

/* ------------------------------------------------------------------------------- options.c */

enum { SX_CLI_VERIFY_NOT, SX_CLI_VERIFY_AUTO, SX_CLI_VERIFY_REFERENCE, SX_CLI_VERIFY_PROPERTIES };

/* The values of the options. The strings belong to the command line. */
struct sx_cli_options {
    const char *problem, *input, *output;
    const char *predict,
        *machine; /* predict: numbers of ranks; machine: a file that describes a machine; NULL: not given */
    MPI_Info hints;
    int direction;      /* 0 if not given */
    int outer, inner;   /* numbers of iterations (bench.c); 0: no bench */
    int verify, format; /* format: SUBX_FFT_TEXT, SUBX_FFT_JSON or SUBX_FFT_CSV */
    int help, version, explain;
    int calibrate; /* how many seconds calibration may take; 0: no calibration */
    uint64_t seed;
};

int sx_cli_options_parse(int argc, char *argv[], struct sx_cli_options *opt);

/* --------------------------------------------------------------------------------- hints.c */

/* Room for the name of an option or of an environment variable, and for the value of a hint. */
enum { SX_CLI_NAME = 64, SX_CLI_VALUE = MPI_MAX_INFO_VAL + 1 };

/* query: get the key of hint i, and the name of its option: subx_time_limit is --time-limit; NULL if there is
 * no such hint. find: get the key of the hint of an option; NULL if there is none. */
const char *sx_cli_hint_query(int i, char option[]);
const char *sx_cli_hint_find(const char *word, size_t len);

/* get: get the value of a hint; returns 0 if there is none. get_given: get it from the options, or from its
 * environment variable. */
int sx_cli_hint_get(MPI_Info hints, const char *key, char value[]);
int sx_cli_hint_get_given(const struct sx_cli_options *opt, const char *key, char value[]);

/* Refuse an environment variable that begins with SUBX_ and that nothing reads. */
int sx_cli_hints_check_variables(void);

/* Print the given hints as on a command line, with a space before each. */
void sx_cli_hints_print(const struct sx_cli_options *opt, sx_text *t);

/* ---------------------------------------------------------------------------------- help.c */

void sx_cli_help_print(void);

/* ---------------------------------------------------------------------------------- file.c */

/* The array in an input file. */
struct sx_cli_input {
    int is_raw;  /* 1 if only the number of bytes is known; shape[0] is this number */
    int bytes;   /* bytes of an element */
    int reals;   /* real numbers in an element, 1 or 2 */
    int fortran; /* 1 if the index of axis 0 varies fastest in the file */
    int ndims;
    ptrdiff_t shape[SUBX_NDIMS_MAX];
};

struct sx_cli_job;

/* Get the name of a side's elements in files, such as "complex64". */
const char *sx_cli_file_query_type(int precision, int reals);

/* Get the bytes of a real in files. */
int sx_cli_file_query_bytes(int precision);

/* get: find out what an input file has. query_writable: check, before much time is spent, that the output can
 * be written. import: read the array of a side. export: write it. All are collective. */
int sx_cli_file_get(MPI_Comm comm, const char *path, struct sx_cli_input *in);
int sx_cli_file_query_writable(const struct sx_cli_job *job);
int sx_cli_file_import(const struct sx_cli_job *job, int side);
int sx_cli_file_export(const struct sx_cli_job *job, int side);

/* --------------------------------------------------------------------------------- axes.c */

/* The axes of the global arrays. Several fields are one further axis, of kind SUBX_FFT_NONE. */
struct sx_cli_axes {
    int ndims, precision;
    int fields;   /* the axis of the fields; -1 if there is one field */
    int reals[2]; /* reals in an element, for each side */
    sx_definition_axis axis[SUBX_NDIMS_MAX];
};

int sx_cli_axes_get(subx_fft_problem problem, struct sx_cli_axes *axes);

/* 1 if all modes and all points of an axis exist. */
int sx_cli_axis_query_whole(const sx_definition_axis *axis);

/* ----------------------------------------------------------------------------------- box.c */

/* The array of a side on this rank: a box of a global array. */
struct sx_cli_box {
    int ndims, precision;
    int reals;                   /* the number of reals in an element, 1 or 2 */
    int order[SUBX_NDIMS_MAX];   /* axes, innermost first */
    ptrdiff_t n[SUBX_NDIMS_MAX]; /* global lengths of this side */
    ptrdiff_t shape[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    ptrdiff_t stride[SUBX_NDIMS_MAX]; /* elements */
    int has_gaps;                     /* the array is padded */
    int scrambled;                    /* the axis in scrambled order (box.c), -1 for none */
    ptrdiff_t factor[2];              /* the factors N0 and N1 of the scrambled axis */
    ptrdiff_t count;                  /* elements on this rank */
    ptrdiff_t alloc_bytes;
};

/* An element of a box: its index in the box, its global index, and its distance from the first element, in
 * elements. */
struct sx_cli_cursor {
    ptrdiff_t local[SUBX_NDIMS_MAX], index[SUBX_NDIMS_MAX], at;
};

int sx_cli_box_get(const struct sx_cli_job *job, int side, struct sx_cli_box *box);

/* Walk through the box in storage order. Both functions return 0 when no element is left. */
int sx_cli_box_start(const struct sx_cli_box *box, struct sx_cli_cursor *cursor);
int sx_cli_box_next(const struct sx_cli_box *box, struct sx_cli_cursor *cursor);

/* Get or set the value (real and imaginary part) of the element that is `at` elements behind the first
 * one. */
void sx_cli_box_get_value(const struct sx_cli_box *box, const void *array, ptrdiff_t at,
                          long double value[2]);
void sx_cli_box_set_value(const struct sx_cli_box *box, void *array, ptrdiff_t at,
                          const long double value[2]);

/* Get the position of a global index in an array of lengths n in C order: the number of elements before
 * it. */
ptrdiff_t sx_cli_box_linear(int ndims, const ptrdiff_t n[], const ptrdiff_t index[]);

/* ---------------------------------------------------------------------------------- fill.c */

/* A test signal. Its value depends only on the global index:
 *     sign * h(index - shift) + amplitude [index == impulse]
 * where h is a stream of numbers that look random, uniform in [-0.5, 0.5). */
struct sx_cli_signal {
    int ndims;
    int reals;     /* 1 if the signal is real */
    int hermitian; /* 1 if the signal is the spectrum of a real signal */
    int sign;
    uint64_t seed, stream;
    long double amplitude[2];
    ptrdiff_t n[SUBX_NDIMS_MAX];  /* lengths before halving */
    int opposite[SUBX_NDIMS_MAX]; /* -1 on Fourier axes, where entry -k is the conjugate of entry k; else 1 */
    ptrdiff_t shift[SUBX_NDIMS_MAX], impulse[SUBX_NDIMS_MAX];
};

/* Set a signal on a side to h, which depends on the job's seed and on `purpose`: 0 for the test data. */
void sx_cli_signal_set(struct sx_cli_signal *signal, const struct sx_cli_job *job, int side, int purpose);

/* Get the value of a signal at a global index, real and imaginary part. */
void sx_cli_signal_get(const struct sx_cli_signal *signal, const ptrdiff_t index[], long double value[2]);

/* Fill a local array with a signal. */
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

/* A plan has at most SX_CLI_NSTAGES stages. NKINDS: the kinds SUBX_FFT_STAGE_*, and 0 for all of them. */
enum { SX_CLI_NSTAGES = 2 * SUBX_NDIMS_MAX + 5, SX_CLI_NKINDS = SUBX_FFT_STAGE_SCALE + 1 };

/* Seconds of one execution in one direction: minimum, median and maximum over all ranks. Only rank 0 has
 * them. */
struct sx_cli_times {
    int executions, nstages; /* 0 executions: the direction was not timed */
    struct sx_cli_stage stage[SX_CLI_NSTAGES];
    struct sx_cli_spread kind[SX_CLI_NKINDS]; /* the sums over the stages of a kind */
};

struct sx_cli_job;
int sx_cli_times_get(const struct sx_cli_job *job, int direction, int executions, struct sx_cli_times *times);

/* Sort n values in place, and get the median. */
double sx_cli_times_median(double value[], int n);

/* ----------------------------------------------------------------------------------- job.c */

/* The result of one check. */
struct sx_cli_check {
    char name[96];
    double error, tolerance; /* relative to the largest expected value */
    int passed;
};

enum { SX_CLI_NCHECKS = 8, SX_CLI_TEXT = 4096 };

/* All data of a run. */
struct sx_cli_job {
    struct sx_cli_options opt;
    MPI_Comm comm;
    int rank, nranks;
    int direction;
    subx_fft_problem problem;
    char text[SX_CLI_TEXT]; /* canonical text of the problem */
    struct sx_cli_axes axes;
    struct sx_cli_input input;
    subx_fft_plan plan;
    MPI_Info effect;          /* the hints in effect for the plan */
    struct sx_cli_box box[2]; /* indexed by SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL */
    void *array[2];           /* memory of the host */
    int is_on_device;         /* 1 if the plan works on memory of a device */
    void *place[2];           /* the arrays that the plan works on (place.c) */
    ptrdiff_t nstrange;       /* on rank 0: how many elements of the input are NaN or infinite */
    int nchecks;
    struct sx_cli_check check[SX_CLI_NCHECKS];
    struct sx_cli_times times[2]; /* forward, backward */
    double min_seconds, median_seconds;
};

/* Get the side where the transform starts; get the side where it ends. */
int sx_cli_job_get_from(const struct sx_cli_job *job);
int sx_cli_job_get_to(const struct sx_cli_job *job);

/* Get the factor by which the plan scales in a direction. */
long double sx_cli_job_get_scale(const struct sx_cli_job *job, int direction);

/* run: execute the plan on arrays where it works. execute: transform arrays of the host, wherever the plan
 * works. Both note an error. */
int sx_cli_job_run(const struct sx_cli_job *job, int direction, const void *from, void *to);
int sx_cli_job_execute(const struct sx_cli_job *job, int direction, const void *from, void *to);

/* Query whether a hint has this value in the plan. */
int sx_cli_job_query_hint(const struct sx_cli_job *job, const char *key, const char *value);

/* Fill the input array: from the file, or with the test data. Collective. */
int sx_cli_job_import_input(struct sx_cli_job *job);

/* Get the first check that has failed; NULL if none has. */
const struct sx_cli_check *sx_cli_job_get_failed(const struct sx_cli_job *job);

/* Print the name and version of MPI. */
void sx_cli_job_print_mpi(size_t len, char *text);

/* --------------------------------------------------------------------------------- place.c */

/* create: create the arrays that the plan works on; collective. finish: free them. */
int sx_cli_place_create(struct sx_cli_job *job);
void sx_cli_place_finish(struct sx_cli_job *job);

/* Allocate and free memory on which the plan works. alloc is collective, and notes an error. */
int sx_cli_place_alloc(const struct sx_cli_job *job, ptrdiff_t bytes, void **mem);
void sx_cli_place_free(const struct sx_cli_job *job, void *mem);

/* put: copy an array of the host to the array of a side that the plan works on. get: the reverse. Nothing is
 * copied if the plan works on memory of the host. Both note an error. */
int sx_cli_place_put(const struct sx_cli_job *job, int side, const void *array);
int sx_cli_place_get(const struct sx_cli_job *job, int side, void *array);

/* --------------------------------------------------------------------------------- gauge.c */

/* The largest error and the largest expected value so far. */
struct sx_cli_gauge {
    double error, size;
};

/* Compare an element, real and imaginary part, with the value that is expected. */
void sx_cli_gauge_set(struct sx_cli_gauge *gauge, const long double got[2], const long double want[2]);

/* Get the relative error of this rank; get the relative error of all ranks (collective). */
double sx_cli_gauge_get(const struct sx_cli_gauge *gauge);
double sx_cli_gauge_get_all(MPI_Comm comm, const struct sx_cli_gauge *gauge);

/* --------------------------------------------------------------------------------- others */

/* problem.c: set the job's problem and direction from the command line and the input file. Collective. */
int sx_cli_problem_set(struct sx_cli_job *job);

/* gather.c: gather a side on rank 0 as an array of complex numbers in C order. The caller frees the array,
 * also after an error. Places that no rank owns become NaN. Collective. */
int sx_cli_gather_execute(const struct sx_cli_job *job, int side, long double **global);

/* verify.c: query whether the reference (fft/definition) takes only seconds for this problem. Local. */
int sx_cli_verify_query_small(const struct sx_cli_job *job);

/* properties.c, verify.c: check the transform; add the results to job->check. Collective. All checks except
 * verify_reference overwrite job->array. verify_set adds one result, and is local. */
int sx_cli_properties_execute(struct sx_cli_job *job);
int sx_cli_verify_reference(struct sx_cli_job *job);
int sx_cli_verify_round_trip(struct sx_cli_job *job);
void sx_cli_verify_set(struct sx_cli_job *job, const char *name, double error);

/* verify.c: compare array `got` of a side with `factor` times array `want`; get the relative error.
 * Collective. */
double sx_cli_verify_compare(const struct sx_cli_job *job, int side, const void *got, const void *want,
                             long double factor);

/* bench.c: time repeated forward and backward transforms. Collective. */
int sx_cli_bench_execute(struct sx_cli_job *job);

/* calibrate.c: measure the parameters of the cost model, and print them. Collective. */
int sx_cli_calibrate_execute(const struct sx_cli_job *job);

/* predict.c: print the expected times on another machine, without a plan. Collective; rank 0 alone computes
 * and prints. */
int sx_cli_predict_execute(struct sx_cli_job *job);

/* report.c: print the plan, or its explanation; print the results. On rank 0. */
void sx_cli_report_print_plan(const struct sx_cli_job *job);
void sx_cli_report_print(const struct sx_cli_job *job);

#endif /* SX_CLI_H */
