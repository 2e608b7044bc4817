/* kern.h - copies that read an array in C order and write it in another order, for the files of subx-perf-kern. */
#ifndef SX_PERF_KERN_H
#define SX_PERF_KERN_H

#include "common/perf.h"

enum { SX_PERF_KERN_NDIMS_MAX = 6, SX_PERF_KERN_NSIZES = 4 };

struct sx_perf_kern_settings {
    struct sx_perf_settings common; /* must come first */
    struct sx_perf_shapes shapes;
    struct sx_perf_names orders;    /* empty: all orders */
    int bytes[SX_PERF_KERN_NSIZES]; /* whether elements of 4, 8, 16, 32 bytes are measured */
};

/* One copy: `in` holds an array of `shape` in C order, and `out` gets its elements with axis order[0]
 * fastest. */
struct sx_perf_kern_copy {
    struct sx_perf_shape shape;
    int order[SX_PERF_KERN_NDIMS_MAX];
    ptrdiff_t element_bytes, bytes;
    char *in, *out;
};

/* A library that can copy, as a constant struct. `create` may overwrite both arrays, and returns NULL if the library
 * cannot make the copy. */
struct sx_perf_kern_library {
    const char *name;
    void *(*create)(const struct sx_perf_kern_copy *copy);
    int (*execute)(void *plan);
    void (*free)(void *plan);
};

/* Our library (subx.c); FFTW (fftw3.c), or, without FFTW, a library that can make no copy (nofftw3.c). */
extern const struct sx_perf_kern_library sx_perf_kern_subx, sx_perf_kern_fftw3;

enum { SX_PERF_KERN_SUBX, SX_PERF_KERN_FFTW3, SX_PERF_KERN_NLIBRARIES };

/* The smallest and the largest one of `count` values, and the copies that gave them. */
struct sx_perf_kern_extremes {
    int count;
    double least, most;
    char at_least[SX_PERF_TEXT_MAX], at_most[SX_PERF_TEXT_MAX];
};

struct sx_perf_kern_job {
    struct sx_perf_kern_settings settings;
    char *in, *out;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    /* Rate of a copy / rate of memcpy, by size of element and library. */
    struct sx_perf_kern_extremes share[SX_PERF_KERN_NSIZES][SX_PERF_KERN_NLIBRARIES];
    struct sx_perf_kern_extremes faster[SX_PERF_KERN_NSIZES]; /* FFTW's time / ours */
    int nwrong;                                               /* wrong copies; the same on all ranks */
};

/* settings.c */
extern const struct sx_perf_program sx_perf_kern_program;
void sx_perf_kern_settings_import(const struct sx_perf_kern_settings *settings);

/* Query whether the command line asks for this order of ndims axes. */
int sx_perf_kern_settings_query_order(const struct sx_perf_kern_settings *settings, int ndims,
                                      const int order[]);

/* Get the bytes of an element; i is the index of the size. */
ptrdiff_t sx_perf_kern_settings_get_bytes(int i);

/* measure.c: verify and time one copy by all libraries, and add their rows. Collective. */
void sx_perf_kern_measure_execute(struct sx_perf_kern_job *job, int size, struct sx_perf_kern_copy *copy);

/* summary.c: add a value to the extremes; add the notes to the table. */
void sx_perf_kern_summary_add(struct sx_perf_kern_extremes *extremes, double value, const char *where);
void sx_perf_kern_summary_export(struct sx_perf_kern_job *job);

#endif /* SX_PERF_KERN_H */
