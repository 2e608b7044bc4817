/* serial.h - the transforms of one rank's data, and what a backend for them must provide. */
#ifndef SX_SERIAL_H
#define SX_SERIAL_H

#include "base/base.h"
#include <subx_fft.h>

/* One axis, or one loop over transforms: n places, strides in elements of the side they belong to (double or
 * double complex). Of a real transform's halved axis, n is the length of the real side. */
typedef struct sx_serial_dim {
    ptrdiff_t n, is, os;
} sx_serial_dim;

typedef struct sx_serial_problem {
    int kind;      /* SUBX_FFT_C2C; SUBX_FFT_R2C, always forward; SUBX_FFT_C2R, always backward */
    int direction; /* SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD, unscaled */
    int naxes;     /* the axes to transform; in real transforms the last one is halved */
    sx_serial_dim axis[SUBX_NDIMS_MAX];
    int nloops; /* the axes to loop over */
    sx_serial_dim loop[SUBX_NDIMS_MAX];
    int keep_input;    /* the input must survive; never asked of c2r */
    int any_alignment; /* execution may meet arrays that are not aligned as those at creation */
} sx_serial_problem;

enum { SX_EFFORT_ESTIMATE = 0, SX_EFFORT_MEASURE = 1, SX_EFFORT_PATIENT = 2 };

/* A backend. All its functions are local. */
typedef struct sx_serial {
    const char *name;
    int is_reentrant; /* one state may be executed by several threads at a time */
    /* in and out are scratch of full size, and equal if the transform is to be in place. */
    int (*create)(const sx_serial_problem *p, int effort, void *in, void *out, void **state);
    /* As often as wanted, in place exactly if created so. Allocates nothing. */
    void (*execute)(void *state, void *in, void *out);
    void (*free)(void *state);
} sx_serial;

/* All backends, the preferred first; NULL-terminated (table.c). */
extern const sx_serial *const sx_serial_table[];
extern const sx_serial sx_serial_fftw3, sx_serial_naive;

/* Get the entries along the halved axis of a real transform of length n. */
static inline ptrdiff_t sx_serial_get_half(ptrdiff_t n)
{
    return n / 2 + 1;
}

#endif
