/* serial.h - serial transforms: the problem, and the functions of a backend. */
#ifndef SX_SERIAL_H
#define SX_SERIAL_H

#include "base/base.h"
#include <subx_fft.h>

/* Precisions: SUBX_FFT_FLOAT, _DOUBLE, _LONG_DOUBLE, _QUAD. A real is a number of that precision, a complex is two
 * of them. */

/* One axis, or one loop over transforms: n places, `is` apart in the input and `os` apart in the output.
 * Strides are in elements of their side, real or complex. The n of a halved axis is its length on the real
 * side. */
typedef struct sx_serial_dim {
    ptrdiff_t n, is, os;
} sx_serial_dim;

/* All transforms are unscaled. */
typedef struct sx_serial_problem {
    int precision;
    int kind; /* SUBX_FFT_C2C; SUBX_FFT_R2C, always forward; SUBX_FFT_C2R, always backward; or a real-to-real kind,
                      which is what is executed, whatever the direction (sx_serial_get_kind) */
    int direction; /* of c2c: SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD */
    int naxes;     /* the axes to transform; one for real-to-real kinds; r2c and c2r halve the last one */
    sx_serial_dim axis[SUBX_NDIMS_MAX];
    int nloops; /* the axes to loop over */
    sx_serial_dim loop[SUBX_NDIMS_MAX];
    int keep_input;    /* the transform must not overwrite its input; never set for SUBX_FFT_C2R */
    int any_alignment; /* executions may have arrays that are aligned otherwise than those at creation */
    struct sx_serial_notes
        *notes; /* which backend was the fastest one before; NULL for none. auto reads and extends them */
} sx_serial_problem;

enum { SX_EFFORT_ESTIMATE = 0, SX_EFFORT_MEASURE, SX_EFFORT_PATIENT, SX_EFFORT_EXHAUSTIVE };

/* A backend. All its functions are local. */
typedef struct sx_serial {
    const char *name;
    /* Query whether it has a precision. */
    int (*serves)(int precision);
    /* Query whether it is a better choice for a problem than those that come after it (auto.c). */
    int (*suits)(const sx_serial_problem *p);
    /* Plan a transform. `in` and `out` are scratch memory of full size; they are equal for a transform in
     * place. */
    int (*create)(const sx_serial_problem *p, int effort, void *in, void *out, void **state);
    /* Get the bytes of work space that an execution needs. */
    ptrdiff_t (*get_bytes)(const void *state);
    /* Execute a state any number of times, in several threads at a time: in place if it was created so, out of place
     * otherwise. Allocates nothing. `work` is aligned to SX_ALIGNMENT; each thread has its own. */
    void (*execute)(const void *state, void *in, void *out, void *work);
    void (*free)(void *state);
} sx_serial;

/* All backends, the preferred ones first, NULL-terminated (table.c). */
extern const sx_serial *const sx_serial_table[];

/* Find the backend that has this name and serves the precision. NULL if there is none. */
const sx_serial *sx_serial_find(const char *name, int precision);

extern const sx_serial sx_serial_auto, sx_serial_simd, sx_serial_kernels, sx_serial_fftw3, sx_serial_naive;

/* Query whether a backend transforms pencils faster if they are side by side than if each is contiguous (auto.c). */
int sx_serial_likes_rows(const sx_serial *serial, int precision, int kind, ptrdiff_t n);

/* ---- what was measured before (notes.c) */

/* For each problem that auto measured: a hash of the problem, and the backend that was faster. Used by one thread at a time. */
typedef struct sx_serial_notes sx_serial_notes;

/* Create notes from a text such as "9e107d9d372bb682:kernels 1f..:fftw3"; empty or NULL for none. If they are closed, a problem that
 * is not noted is left to the judgement of the backends, and FFTW plans without measuring what it has no wisdom for. Errors:
 * NO_MEM; what is not of that form is ignored. */
int sx_serial_notes_create(const char *text, int is_closed, sx_serial_notes **notes);
void sx_serial_notes_free(sx_serial_notes **notes);
void sx_serial_notes_print(const sx_serial_notes *notes, sx_text *t);

/* For backends: get the name that the notes of a problem have for it, NULL if there is none; set it. Without notes, set does
 * nothing. Errors: NO_MEM. */
const char *sx_serial_notes_get(const sx_serial_problem *p, int is_in_place);
int sx_serial_notes_set(const sx_serial_problem *p, int is_in_place, const char *name);
int sx_serial_notes_are_closed(const sx_serial_notes *notes); /* 0 if notes is NULL */

/* Set the seconds that FFTW may plan each transform; 0 for no limit. FFTW cannot tell its own limit (fftw_set_timelimit): after a plan
 * with a limit it has none. Get them, 0 if notes is NULL. */
void sx_serial_notes_set_limit(sx_serial_notes *notes, double seconds);
double sx_serial_notes_get_limit(const sx_serial_notes *notes);

/* Export FFTW's wisdom of a precision as one line without TABs, freed by the caller with sx_base_free; NULL if there is none, no
 * FFTW, or no memory. Import it, in addition to what FFTW has: SUBX_ERR_SERIAL if FFTW does not take it, because it is
 * damaged or of another version of FFTW; no error without FFTW. Both take FFTW's planner for themselves. */
char *sx_serial_export_wisdom(int precision);
int sx_serial_import_wisdom(int precision, const char *line);

/* ---- one axis of several (axis.c) */

/* Where a transform of one axis reads and writes: from the input to the output, or in place on one of them. */
enum { SX_SERIAL_ACROSS, SX_SERIAL_ON_INPUT, SX_SERIAL_ON_OUTPUT };

/* Get the i-th of the p->naxes problems of one axis that together are p. Returns where it reads and writes. The halved axis
 * is transformed first if the input is real, and last if the output is real: all other axes are complex then. The input
 * of a complex-to-real transform of several axes is overwritten. */
int sx_serial_get_axis(const sx_serial_problem *p, int i, sx_serial_problem *one);

/* Get the reals per element of the input, or of the output, of a problem of one axis. */
int sx_serial_get_width(int kind, int side);

/* ---- kinds (kind.c) */

/* Get the bytes of a real. */
ptrdiff_t sx_serial_get_real_bytes(int precision);

/* Query whether a kind is real-to-real: DCT, DST, DHT, R2HC or HC2R. */
int sx_serial_is_r2r(int kind);

/* Get the kind that a direction executes: of DCT-II backward it is DCT-III, of R2C it is C2R, and so on. d is 0 for
 * forward, 1 for backward. */
int sx_serial_get_kind(int kind, int d);

/* Get by which factor backward after forward multiplies an axis of n elements: n, 2n, 2(n-1) or 2(n+1); 1 for
 * SUBX_FFT_NONE. */
double sx_serial_get_factor(int kind, ptrdiff_t n);

/* Get the complex length of the halved axis of a real transform of length n. */
static inline ptrdiff_t sx_serial_get_half(ptrdiff_t n)
{
    return n / 2 + 1;
}

#endif
