/* serial.h - transforms on one rank: what a serial backend is, and the problems that it solves. */
#ifndef SX_SERIAL_H
#define SX_SERIAL_H

#include "base/base.h"
#include "limits/limits.h"
#include <subx_fft.h>

/* Precisions: SUBX_FFT_FLOAT, _DOUBLE, _LONG_DOUBLE, _QUAD. A real is a number of the precision, a complex is
 * two reals. */

/* A problem for a serial backend: transforms of arrays in memory, without scaling. Strides of axes and loops
 * are in elements of their side, which are real or complex. If an axis is halved, n is its length on the real
 * side. */
typedef struct sx_serial_problem {
    int precision;
    int kind;      /* SUBX_FFT_C2C; SUBX_FFT_R2C, always forward; SUBX_FFT_C2R, always backward; or the
                      real-to-real kind that is executed: for backward the inverse kind
                      (sx_serial_get_kind) */
    int direction; /* for C2C: SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD */
    int naxes;     /* number of transformed axes: 1 for real-to-real kinds; R2C and C2R halve the last axis */
    sx_dim axis[SUBX_NDIMS_MAX];
    int nloops; /* number of loops */
    sx_dim loop[SUBX_NDIMS_MAX];
    int keep_input;    /* 1 if the transform must leave its input unchanged; never set for SUBX_FFT_C2R */
    int any_alignment; /* 1 if arrays of executions may be aligned differently from those at creation */
    struct sx_serial_notes *notes; /* results of measurements, which auto reads and extends; NULL for none */
} sx_serial_problem;

/* How long a backend may search for a fast way: the rigors of FFTW's planner. */
enum { SX_EFFORT_ESTIMATE = 0, SX_EFFORT_MEASURE, SX_EFFORT_PATIENT, SX_EFFORT_EXHAUSTIVE };

/* A backend. All its functions are local. */
typedef struct sx_serial {
    const char *name;
    /* Query whether the backend has a precision. */
    int (*serves)(int precision);
    /* Query whether the backend is a better choice for a problem than all makers (below) that come after this
     * backend. */
    int (*suits)(const sx_serial_problem *p);
    /* Plan a transform. `in` and `out` have the size of the arrays of an execution, and planning may
     * overwrite them. For a transform in place they are equal. */
    int (*create)(const sx_serial_problem *p, int effort, void *in, void *out, void **state);
    /* Get the bytes of work space that an execution needs. */
    ptrdiff_t (*get_bytes)(const void *state);
    /* Execute a transform. Several threads may do this at the same time. The transform is in place if it was
     * created with in == out, else out of place. Allocates nothing. `work` is aligned to SX_ALIGNMENT; each
     * thread gives work space of its own. */
    void (*execute)(const void *state, void *in, void *out, void *work);
    void (*free)(void *state);
} sx_serial;

/* The backends that callers can choose, NULL-terminated (table.c): auto and simd, then the others, the
 * preferred ones first. A backend that the library was built without serves no precision. The last one,
 * naive, serves all. */
extern const sx_serial *const sx_serial_table[];
enum { SX_SERIAL_MOST = 8 }; /* largest number of backends in the table */

/* Find the backend with a name if it has the precision; NULL if there is none. */
const sx_serial *sx_serial_find(const char *name, int precision);

/* Get the name of the i-th backend after auto; NULL if there is none. Texts about hints list these names
 * (sx_words). */
int sx_serial_query_name(int i, const char **name);

/* The backends auto and simd leave each transform to another backend, the maker of the transform (auto.c).
 * The makers, in their order of preference, are sx_serial_kernels, then the backends of the table after simd.
 * sx_serial_kernels is not in the table, because users cannot choose it by name. */
extern const sx_serial sx_serial_auto, sx_serial_simd, sx_serial_kernels, sx_serial_naive;
int sx_serial_is_maker(const sx_serial *serial);

/* Query whether a backend transforms pencils that are side by side faster than contiguous pencils
 * (auto.c). */
int sx_serial_likes_rows(const sx_serial *serial, int precision, int kind, ptrdiff_t n);

/* ---- results of measurements (notes.c) */

/* Notes: for each problem that auto has measured, a hash of the problem and the faster backend. Only one
 * thread at a time may use them. */
typedef struct sx_serial_notes sx_serial_notes;

/* Create notes from a text such as "9e107d9d372bb682:kernels 1f..:fftw3", which may be empty or NULL. If
 * notes are closed, nothing is measured: for a problem without a note the makers judge by themselves (suits),
 * and FFTW plans by estimate if it has no wisdom. Words of another form are ignored. Errors: NO_MEM. */
int sx_serial_notes_create(const char *text, int is_closed, sx_serial_notes **notes);
void sx_serial_notes_free(sx_serial_notes **notes);
void sx_serial_notes_print(const sx_serial_notes *notes, sx_text *t);

/* For backends. get: the name of the backend that is noted for problem p; NULL if there is none. set: note a
 * backend for p; does nothing if p->notes is NULL. Errors: NO_MEM. */
const char *sx_serial_notes_get(const sx_serial_problem *p, int is_in_place);
int sx_serial_notes_set(const sx_serial_problem *p, int is_in_place, const char *name);
int sx_serial_notes_are_closed(const sx_serial_notes *notes); /* 0 if notes is NULL */

/* Set or get the limit of the seconds that FFTW may take to plan each transform; 0 for no limit, also if
 * notes is NULL. If the program has set a limit of its own (fftw_set_timelimit), planning with our limit
 * removes it: FFTW has no function that returns the program's limit, so it cannot be restored. */
void sx_serial_notes_set_limit(sx_serial_notes *notes, double seconds);
double sx_serial_notes_get_limit(const sx_serial_notes *notes);

/* Export FFTW's wisdom of a precision as one line without TABs. Returns the line, which the caller frees with
 * sx_base_free; NULL if there is no wisdom, no FFTW, or no memory. Import such a line in addition to the
 * wisdom that FFTW has: SUBX_ERR_SERIAL if FFTW refuses the line, because it is damaged or of another version
 * of FFTW; without FFTW there is no error. Both functions lock FFTW's planner. */
char *sx_serial_export_wisdom(int precision);
int sx_serial_import_wisdom(int precision, const char *line);

/* Print ", " and the version of the loaded FFTW, such as ", fftw-3.3.10-sse2-avx". Its last words are the
 * instruction sets that FFTW was built for. Prints nothing if the library was built without FFTW for this
 * precision. */
void sx_serial_print_fftw(int precision, sx_text *t);

/* ---- a part of several axes (axis.c) */

/* Where such a part reads and writes: from the input to the output, in place on the input, or in place on the
 * output. */
enum { SX_SERIAL_ACROSS, SX_SERIAL_ON_INPUT, SX_SERIAL_ON_OUTPUT };

/* Get a problem with the strides for such a place. */
sx_serial_problem sx_serial_get_placed(const sx_serial_problem *p, int place);

/* Divide a problem p of several axes into p->naxes problems of one axis, and get the i-th of them. Returns
 * where it reads and writes. The halved axis is transformed first if the input is real, and last if the
 * output is real, so that all other axes are complex. A complex-to-real transform of several axes overwrites
 * its input. */
int sx_serial_get_axis(const sx_serial_problem *p, int i, sx_serial_problem *one);

/* The same for n adjacent axes from `first` on; all other axes become loops. The parts of a problem must be
 * transformed in the order of their axes if the output is real, and else in the reverse order. */
int sx_serial_get_axes(const sx_serial_problem *p, int first, int n, sx_serial_problem *part);

/* Let a real-to-real transform of complex elements transform the real and the imaginary parts separately: the
 * strides of the problem, until then in complex elements, become strides in reals, and there is one more
 * loop. */
void sx_serial_loop_over_parts(sx_serial_problem *p);

/* Get the number of reals in an element, 1 or 2, on a side of a transform of one axis. */
int sx_serial_get_width(int kind, int side);

/* ---- modes that are kept (modes.c) */

/* Which elements exist along an axis with n indices: elements at the first `low` indices and at the last
 * `high` indices. The indices between them are the gap. `edge` is the entry that is the sum of the
 * frequencies modes/2 and -modes/2, and `other` the entry of -modes/2 in a spectrum without a gap; -1 if
 * there is no such entry. */
typedef struct sx_extent {
    ptrdiff_t n, low, high, edge, other;
} sx_extent;

/* Get the extent of an axis on a side (SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL) of a transform of length n. */
sx_extent sx_serial_get_extent(int kind, ptrdiff_t n, ptrdiff_t points, ptrdiff_t modes, int side);

/* ---- kinds (inverse.c) */

/* Get the bytes of a real. */
ptrdiff_t sx_serial_get_real_bytes(int precision);

/* Query whether a kind is real-to-real: DCT, DST, DHT, R2HC or HC2R. */
int sx_serial_is_r2r(int kind);

/* Get the kind that is executed in a direction d, 0 for forward and 1 for backward. Backward has the inverse
 * kind: DCT-III if the kind is DCT-II, C2R if it is R2C, and so on. */
int sx_serial_get_kind(int kind, int d);

/* Get the factor by which a forward and a backward transform of length n together multiply the data: n, 2n,
 * 2(n-1) or 2(n+1); 1 for SUBX_FFT_NONE. */
double sx_serial_get_factor(int kind, ptrdiff_t n);

/* Get the squares of two weights, by which the first and the last element of a line are multiplied before
 * (SX_FROM) or after (SX_TO) a transform; 1 where there is no weight. With these weights and a common factor,
 * DCTs and DSTs are orthogonal. The other kinds need none. */
typedef struct sx_weights {
    double first, last;
} sx_weights;

sx_weights sx_serial_get_weights(int kind, int side);

/* Get the number of complex elements of the halved axis of a real transform of length n. */
static inline ptrdiff_t sx_serial_get_half(ptrdiff_t n)
{
    return n / 2 + 1;
}

#endif
