/* perf.h - functions for all measuring programs: options, memory, alternating timing, tables.
 *
 * The programs include installed headers, and subx_lowlevel.h. Exceptions are subx-perf-stride serial and the
 * limit of subx-perf-fft, which measure parts that no such header declares. Only rank 0 reads the command
 * line and prints. All ranks get the settings as one plain struct. Exit statuses are SX_PERF_*.
 */
#ifndef SX_PERF_H
#define SX_PERF_H

#include "config.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <subx.h>
#include <subx_lowlevel.h>

enum { SX_PERF_OK = 0, SX_PERF_WRONG = 1, SX_PERF_ERROR = 2 };

/* --------------------------------------------------------------------------------- program.c */

enum { SX_PERF_TEXT_MAX = 256, SX_PERF_NHINTS = 8 };

/* The kinds of memory for arrays. */
enum { SX_PERF_PRIVATE, SX_PERF_SHARED, SX_PERF_HUGE, SX_PERF_DEVICE };

enum { SX_PERF_NNAMES = 24 };

struct sx_perf_names {
    int n;
    char name[SX_PERF_NNAMES][SX_PERF_TEXT_MAX];
};

/* The settings that all programs have. Each program's own settings begin with them. Settings contain no
 * pointers, because rank 0 broadcasts their bytes. */
struct sx_perf_settings {
    int repeat, progress, memory, effort;               /* memory, effort: indices in the lists of words */
    char csv[SX_PERF_TEXT_MAX], json[SX_PERF_TEXT_MAX]; /* names of files, or empty; "-" is standard output */
    int nhints;
    char key[SX_PERF_NHINTS][SX_PERF_TEXT_MAX], value[SX_PERF_NHINTS][SX_PERF_TEXT_MAX];
    struct sx_perf_names engines;
};

/* An option. The members that are set decide how its value is stored in the settings, at `offset`:
 *   parse                         the function converts and stores the text; it returns 0, or 1 after
 *                                 sx_perf_options_refuse
 *   words                         an int, the index of the word; the list of words ends with NULL
 *   words, `value` ends in ".."   an int per word: 1 if the given list has the word, or is "all"
 *   no `value`                    the int 1
 * The preset is the value if the option is not given; NULL means zeros. --help prints the words, and also
 * the preset if `help` does not speak of a default. */
struct sx_perf_option {
    const char *name, *value, *preset, *help;
    int (*parse)(const char *text, void *target);
    const char *const *words;
    size_t offset;
};

/* A program. `purpose` and `rest`: the texts of --help before and after the options. `repeat`: the preset
 * of --repeat. `takes`: the names of those options in options.c that this program has, but some programs
 * do not. `options`: its own options, followed by an option without a name; an option of its own replaces
 * the one in options.c with the same name. */
struct sx_perf_program {
    const char *name, *purpose, *rest, *repeat, *takes;
    const struct sx_perf_option *options;
};

/* Start MPI, parse the command line into settings of `bytes` bytes, and give them to all ranks. Exits
 * after --help, --version and errors. */
void sx_perf_program_start(const struct sx_perf_program *program, int argc, char *argv[],
                           struct sx_perf_settings *settings, size_t bytes);

/* Finish MPI; returns the exit status. Collective. */
int sx_perf_program_finish(int status);

/* Stop all ranks because of an error that perhaps only this rank knows. `code` is an error code of MPI or
 * of the library, or MPI_SUCCESS if there is none. */
void sx_perf_program_abort(int code, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Stop because of an error that all ranks know: rank 0 prints it, and all ranks exit with SX_PERF_ERROR.
 * Collective. */
void sx_perf_program_exit(int code, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* The rank and the number of ranks. */
int sx_perf_program_get_rank(void);
int sx_perf_program_get_nranks(void);
const char *sx_perf_program_get_name(void);

/* --------------------------------------------------------------------------------- options.c */

/* The words of --memory, those of programs that also measure on a GPU's memory, and the words of --effort;
 * the lists end with NULL. */
extern const char *const sx_perf_options_memory[], *const sx_perf_options_device_memory[],
                                                       *const sx_perf_options_efforts[];

enum { SX_PERF_OPTIONS_GO, SX_PERF_OPTIONS_DONE, SX_PERF_OPTIONS_REFUSED };

/* Parse a command line on this rank. Returns GO; DONE if it has printed help or the version; REFUSED if it
 * has printed an error. */
int sx_perf_options_parse(const struct sx_perf_program *program, int argc, char *argv[],
                          struct sx_perf_settings *settings);

/* Note the reason why a value is refused; returns 1. */
int sx_perf_options_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---------------------------------------------------------------------------------- values.c */

/* The lengths of an array, slowest axis first, such as 256x256x256. */
struct sx_perf_shape {
    int ndims;
    ptrdiff_t n[SUBX_NDIMS_MAX];
};

/* Parse the value of an option, and store it at `target`. count: a whole number >= 1, stored as an int.
 * bytes: a whole number >= 1, stored as a ptrdiff_t; K, M or G at its end stands for a power of 1024.
 * text: less than SX_PERF_TEXT_MAX characters. names: joined by commas. engines: names of engines, or
 * "all". problems: joined by blanks, semicolons or commas. */
int sx_perf_values_parse_count(const char *text, void *target);
int sx_perf_values_parse_bytes(const char *text, void *target);
int sx_perf_values_parse_text(const char *text, void *target);
int sx_perf_values_parse_shape(const char *text, void *target);
int sx_perf_values_parse_names(const char *text, void *target);
int sx_perf_values_parse_engines(const char *text, void *target);
int sx_perf_values_parse_problems(const char *text, void *target);

/* word: store the index of a word. flags: for each word store 1 if the text names it or is "all", else 0.
 * Both return 0, or 1 after sx_perf_options_refuse. print: join the words by commas in `text`. */
int sx_perf_values_parse_word(const char *text, const char *const words[], int *which);
int sx_perf_values_parse_flags(const char *text, const char *const words[], int flags[]);
void sx_perf_values_print_words(const char *const words[], size_t len, char *text);

void sx_perf_values_print_shape(const struct sx_perf_shape *shape, size_t len, char *text);
ptrdiff_t sx_perf_values_get_volume(const struct sx_perf_shape *shape);

/* Set `order` to the k-th permutation of the axes 0 .. ndims-1, in lexicographic order. Returns the number of
 * permutations. */
int sx_perf_orders_get(int ndims, int k, int order[]);

/* Print the axes of an order joined by minus signs, innermost first: 0-2-1. */
void sx_perf_orders_print(int ndims, const int order[], size_t len, char *text);

/* Parse the first ndims characters of a text such as 021. Returns ndims, or 0 if they are no permutation
 * of the axes. */
int sx_perf_orders_parse(const char *text, int ndims, int order[]);

/* -------------------------------------------------------------------------------- pattern.c */

/* A box of an array. `len` and `start` are indexed by the array's axes. `order` is the storage order of
 * the box, innermost axis first. */
struct sx_perf_box {
    struct sx_perf_shape whole;
    int order[SUBX_NDIMS_MAX];
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
};

ptrdiff_t sx_perf_pattern_get_volume(const struct sx_perf_box *box);

/* Set this rank's box of an array in C order of which one axis is divided among all ranks. */
void sx_perf_pattern_set_box(const struct sx_perf_shape *whole, int divided, struct sx_perf_box *box);

/* A row of elements in memory. Element i of the row has the number first + i * step in the whole array. */
struct sx_perf_row {
    char *memory;
    ptrdiff_t n, element_bytes; /* element_bytes is a multiple of 4 */
    uint64_t first, step;
};

/* Call `act` for all rows of a box; returns the sum of its results. */
ptrdiff_t sx_perf_pattern_execute(const struct sx_perf_box *box, ptrdiff_t element_bytes, char *memory,
                                  ptrdiff_t (*act)(const struct sx_perf_row *));

/* The action that writes the pattern into a row. count_wrong: the elements of all ranks' boxes that differ
 * from the pattern; collective. */
ptrdiff_t sx_perf_pattern_export(const struct sx_perf_row *row);
double sx_perf_pattern_count_wrong(const struct sx_perf_box *box, ptrdiff_t element_bytes, char *memory);

/* --------------------------------------------------------------------------------- memory.c */

/* Allocate an array in the memory that the settings name, and touch its pages. Collective. */
void *sx_perf_memory_create(const struct sx_perf_settings *settings, ptrdiff_t bytes);
void sx_perf_memory_free(const struct sx_perf_settings *settings, void *memory);

/* Print the name of the GPU whose memory the settings name, and the versions of its software. Collective. */
void sx_perf_memory_print_device(const struct sx_perf_settings *settings, size_t len, char *text);

/* Copy bytes of the host to an array, or back. The array may be in a GPU's memory. */
void sx_perf_memory_write(const struct sx_perf_settings *settings, void *memory, const void *from,
                          ptrdiff_t bytes);
void sx_perf_memory_read(const struct sx_perf_settings *settings, const void *memory, void *to,
                         ptrdiff_t bytes);

/* Allocate a small zeroed array on this rank. */
void *sx_perf_memory_create_small(ptrdiff_t n, size_t bytes_each);

/* Get the kind of memory that arrays are in, with --memory device: the value of the hint subx_memory_kind. */
const char *sx_perf_engines_get_kind(const struct sx_perf_settings *settings);

/* Create hints that ask for an engine (NULL for any), together with the hints of the command line. The
 * caller frees them. */
MPI_Info sx_perf_engines_create_hints(const struct sx_perf_settings *settings, const char *engine);

/* Add a word and its value to the hint subx_tune. */
void sx_perf_engines_add_word(MPI_Info hints, const char *word, const char *value);

/* Get FFTW's flag for an effort, which is an index of sx_perf_options_efforts. */
enum { SX_PERF_NEFFORTS = 3 };
unsigned sx_perf_efforts_get_flag(int effort);

/* ----------------------------------------------------------------------------------- types.c */

/* Create the subarray types, by MPI's own function, of the blocks into which a box in C order is divided
 * along an axis, one for each part. The type of an empty block is MPI_BYTE, and its count is 0, because
 * MPI's subarray types cannot be empty; other counts are 1. */
void sx_perf_types_create(int ndims, const ptrdiff_t len[], int axis, MPI_Datatype element, int nparts,
                          int counts[], MPI_Datatype types[]);
void sx_perf_types_free(int nparts, MPI_Datatype types[]);

/* ------------------------------------------------------------------------------------ time.c */

/* A case: one of several actions that are timed alternately. */
struct sx_perf_case {
    int (*run)(void *context); /* one execution; returns an error code of MPI */
    void *context;
    int inner;          /* consecutive executions in one timing */
    int alone;          /* 1 if an execution needs no other rank; a timing then ends with a barrier */
    double min, median; /* seconds of one execution on the slowest rank */
};

struct sx_perf_progress;

/* Increase `inner` of all cases until each timing takes at least 100 microseconds. Then the time of a
 * barrier hardly matters. Collective. */
void sx_perf_time_raise(int n, struct sx_perf_case cases[]);

/* Time the cases: each round times every case once, after a barrier. The order of the cases is
 * pseudo-random and differs between rounds, so that no case always follows the same other case and finds
 * its data in the caches. Every run of a program has the same orders. Collective. */
void sx_perf_time_execute(int n, struct sx_perf_case cases[], int rounds, struct sx_perf_progress *progress);

/* Get the next random number by splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
 * generators"). */
uint64_t sx_perf_time_get_random(uint64_t *state);

/* A copy as the action of a case: memcpy, or, if arrays are on a device, a copy there, which
 * subx_copy_free frees. */
struct sx_perf_copy {
    void *to;
    const void *from;
    size_t bytes;
    subx_copy on_device; /* SUBX_COPY_NULL on the host */
};
void sx_perf_time_create_copy(const struct sx_perf_settings *settings, void *to, const void *from,
                              ptrdiff_t bytes, struct sx_perf_copy *copy);
int sx_perf_time_copy(void *copy);

/* ------------------------------------------------------------------------------ candidates.c */

enum { SX_PERF_NREFERENCES = 4, SX_PERF_NCASES = SX_PERF_NNAMES + SX_PERF_NREFERENCES };

/* The candidates that are timed alternately: references, and exchanges by engines. The struct must not be
 * moved, because cases point into it. */
struct sx_perf_candidates {
    int n;
    struct sx_perf_case cases[SX_PERF_NCASES];
    const char *name[SX_PERF_NCASES];
    int engine[SX_PERF_NCASES]; /* index of the engine in the list of the settings; -1 for references */
    struct sx_perf_call {
        subx_exch ex;
        const void *in;
        void *out;
    } call[SX_PERF_NCASES];
};

/* Add a reference: an action without our library. `alone`: see sx_perf_case. */
void sx_perf_candidates_add(struct sx_perf_candidates *c, const char *name, int (*run)(void *), void *context,
                            int alone);

/* An exchange that is measured. side: this rank's boxes before and after it, of elements of element_bytes.
 * in, out: the arrays. host: room for one of them in the host's memory if they are on a device, else NULL.
 * create: create the exchange, with hints that name an engine; returns the error code. what: a description
 * of the exchange, for people. */
struct sx_perf_subject {
    const struct sx_perf_settings *settings;
    struct sx_perf_box side[2];
    ptrdiff_t element_bytes;
    char *in, *out, *host;
    int (*create)(const void *context, MPI_Info hints, subx_exch *ex);
    const void *context;
    char what[SX_PERF_TEXT_MAX];
};

/* Add the exchange by each engine of the settings that supports it; the candidates then own the exchanges.
 * Errors stop the program. Each exchange is executed once, and its result is checked element by element. A
 * wrong one is reported and left out. Returns how many are wrong. Collective. */
int sx_perf_candidates_add_engines(struct sx_perf_candidates *c, const struct sx_perf_subject *subject);

/* The index of the fastest exchange, or -1. */
int sx_perf_candidates_get_best(const struct sx_perf_candidates *c);

/* Print the mark at the end of a row for people. The mark tells whether candidate i is the best. For
 * "auto" it also tells which engine the library has chosen. */
void sx_perf_candidates_print_mark(const struct sx_perf_candidates *c, int i, size_t len, char *text);

void sx_perf_candidates_free(struct sx_perf_candidates *c);

/* -------------------------------------------------------------------------------- progress.c */

/* The progress of a program. It is shown on standard error of rank 0 if this is a terminal, or if
 * --progress was given. */
struct sx_perf_progress {
    int shown, terminal;
    ptrdiff_t done, total; /* numbers of rounds */
    double begin, last;
    char what[SX_PERF_TEXT_MAX];
};

void sx_perf_progress_start(struct sx_perf_progress *progress, const struct sx_perf_settings *settings,
                            ptrdiff_t rounds);
void sx_perf_progress_set(struct sx_perf_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sx_perf_progress_add(struct sx_perf_progress *progress);
void sx_perf_progress_finish(struct sx_perf_progress *progress);

/* ----------------------------------------------------------------------------------- table.c */

/* A column. width: characters in the table for people, or 0 if that table lacks the column. digits: number
 * of digits after the decimal point, or SX_PERF_TABLE_TEXT for texts. */
enum { SX_PERF_TABLE_TEXT = -1, SX_PERF_TABLE_NCOLUMNS = 16 };

struct sx_perf_column {
    const char *name;
    int width, digits;
};

/* A value is a text or, if the text is NULL, a number. NaN and infinity stand for an unknown number. */
struct sx_perf_value {
    const char *text;
    double number;
};

/* A table. Rows are written immediately, to files and for people. Only rank 0 writes: on other ranks all
 * functions but `create` do nothing. */
struct sx_perf_table {
    const struct sx_perf_column *columns;
    int ncolumns, nheads, nrows, nnotes;
    FILE *csv, *json, *people;
    char **notes;
};

/* Call these functions in this order: create, set_head, start, add, finish. create opens the files, and
 * adds the heads of machine.c; it is collective. finish stops the program if writing failed. A head is a
 * line "# key: value" in CSV. Notes are sentences, for people and JSON; add_note may be called at any
 * time, and finish writes all notes. `mark` is printed at the end of a row for people. */
void sx_perf_table_create(const struct sx_perf_settings *settings, const struct sx_perf_column columns[],
                          int ncolumns, struct sx_perf_table *table);
void sx_perf_table_set_head(struct sx_perf_table *table, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sx_perf_table_start(struct sx_perf_table *table);
void sx_perf_table_add(struct sx_perf_table *table, const struct sx_perf_value values[], const char *mark);
void sx_perf_table_add_note(struct sx_perf_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void sx_perf_table_finish(struct sx_perf_table *table);

/* --------------------------------------------------------------------------------- machine.c */

/* Add to the head of a table: program, MPI, ranks, CPU, date, kind of memory, the rate of memcpy, rounds,
 * hints. Collective. */
void sx_perf_machine_export(struct sx_perf_table *table, const struct sx_perf_settings *settings);

/* The name and version of MPI; the string remains valid. */
const char *sx_perf_machine_query_mpi(void);

#endif /* SX_PERF_H */
