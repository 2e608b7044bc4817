/* serial.h - serial transforms: the problem, and the functions of a backend. */
#ifndef SX_SERIAL_H
#define SX_SERIAL_H

#include "base/base.h"
#include <subx_fft.h>

/* One axis, or one loop over transforms: n places, `is` apart in the input and `os` apart in the output.
 * Strides are in elements of their side, double or double complex. The n of a halved axis is its length on
 * the real side. */
typedef struct sx_serial_dim {
    ptrdiff_t n, is, os;
} sx_serial_dim;

typedef struct sx_serial_problem {
    int kind;      /* SUBX_FFT_C2C; SUBX_FFT_R2C, always forward; SUBX_FFT_C2R, always backward */
    int direction; /* SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD, unscaled */
    int naxes;     /* the axes to transform; a real transform halves the last one */
    sx_serial_dim axis[SUBX_NDIMS_MAX];
    int nloops; /* the axes to loop over */
    sx_serial_dim loop[SUBX_NDIMS_MAX];
    int keep_input;    /* the transform must not overwrite its input; never set for SUBX_FFT_C2R */
    int any_alignment; /* executions may have arrays that are aligned otherwise than those at creation */
} sx_serial_problem;

enum { SX_EFFORT_ESTIMATE = 0, SX_EFFORT_MEASURE = 1, SX_EFFORT_PATIENT = 2 };

/* A backend. All its functions are local. */
typedef struct sx_serial {
    const char *name;
    int is_reentrant; /* several threads may execute one state at a time */
    /* Plan a transform. `in` and `out` are scratch memory of full size; they are equal for a transform in
     * place. */
    int (*create)(const sx_serial_problem *p, int effort, void *in, void *out, void **state);
    /* Execute a state any number of times: in place if it was created so, out of place otherwise. Allocates
     * nothing. */
    void (*execute)(void *state, void *in, void *out);
    void (*free)(void *state);
} sx_serial;

/* All backends, the preferred ones first, NULL-terminated (table.c). */
extern const sx_serial *const sx_serial_table[];
extern const sx_serial sx_serial_fftw3, sx_serial_naive;

/* Get the complex length of the halved axis of a real transform of length n. */
static inline ptrdiff_t sx_serial_get_half(ptrdiff_t n)
{
    return n / 2 + 1;
}

#endif
