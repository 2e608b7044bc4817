/* operation.h - operations on spectral data, which a pass applies to a tile while it is in the caches. */
#ifndef SX_OPERATION_H
#define SX_OPERATION_H

#include "plan/plan.h"

/* A box of the spectral side, in the axes of the plan's array. */
typedef struct sx_operation_box {
    int ndims;
    const ptrdiff_t *start, *n; /* global indices */
    const ptrdiff_t *stride;    /* elements */
    char *data;                 /* its first element */
} sx_operation_box;

/* `call` gets boxes, on several threads at once. */
struct subx_fft_operation_s {
    void (*call)(const void *context, const sx_operation_box *box);
    void *context; /* one piece of memory, which the operation owns */
};

/* Create an operation. It takes the context over, and frees it also on failure. NULL stands for a context that
 * could not be allocated. */
int sx_operation_create(void (*call)(const void *context, const sx_operation_box *box), void *context,
                        subx_fft_operation *operation);

/* ---- rows (rows.c) */

/* Factors of all elements of a box, which lie elsewhere in memory. */
typedef struct sx_operation_factors {
    const char *data;        /* of the first element */
    const ptrdiff_t *stride; /* elements */
} sx_operation_factors;

/* The elements of a box along an axis. */
typedef struct sx_operation_row {
    int ndims, axis;
    ptrdiff_t at[SUBX_NDIMS_MAX]; /* global index of the first element */
    ptrdiff_t n, stride;          /* elements */
    void *data;

    /* Where there are factors. */
    const char *factor;
    ptrdiff_t factor_stride; /* elements */
} sx_operation_row;

/* Call a function for each row of a box. Rows lie along the axis with the smallest stride: that of the factors,
 * where there are some. `element` is in bytes; `factors` may be NULL. */
void sx_operation_visit(const sx_operation_box *box, ptrdiff_t element, const sx_operation_factors *factors,
                        void (*visit)(const void *context, const sx_operation_row *row), const void *context);

/* ---- arithmetic (real.c) */

/* What a derivative or a Laplacian has. For each axis there is a table by global index: of the powers of the
 * wavenumber by which a derivative multiplies, or of its squares, whose sum a Laplacian takes. */
typedef struct sx_waves {
    int ndims, width;  /* width: reals per element */
    ptrdiff_t element; /* bytes */
    int is_turned;     /* a derivative also multiplies by i */
    int power;         /* of a Laplacian */
    const struct sx_operation_real *real;
    ptrdiff_t first[SUBX_NDIMS_MAX]; /* where the table of an axis begins, reals */
    void *table;
} sx_waves;

/* The tables of one precision, and what is done to a row. */
typedef struct sx_operation_real {
    /* Set n entries to sign * (unit * frequency)^order, where the unit is `pis` * pi / length; 1 for length 0. */
    void (*fill)(sx_waves *w, int axis, ptrdiff_t n, const ptrdiff_t frequency[], int pis, double length,
                 int order, int sign);
    void (*derive)(const sx_waves *w, const sx_operation_row *row);
    void (*laplace)(const sx_waves *w, const sx_operation_row *row);

    /* Multiply a row by its factors; by their conjugates if is_conjugate. */
    void (*multiply)(const sx_operation_row *row, int width, int is_conjugate);
} sx_operation_real;

const sx_operation_real *sx_operation_real_get(int precision);

#endif
