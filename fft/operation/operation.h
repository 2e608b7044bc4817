/* operation.h - operations on spectral data; a pass applies them to a tile while the tile is in the caches. */
#ifndef SX_OPERATION_H
#define SX_OPERATION_H

#include "plan/plan.h"

/* A box of the spectral side, in the axes of the plan's array. */
typedef struct sx_operation_box {
    int ndims;
    const ptrdiff_t *start, *n; /* global indices of the first element; lengths */
    const ptrdiff_t *stride;    /* elements */
    char *data;                 /* the box's first element */
} sx_operation_box;

/* What an operation does, and so what its context is: a function of the caller, sx_operation_table, sx_waves. */
enum { SX_OPERATION_FUNCTION, SX_OPERATION_TABLE, SX_OPERATION_DERIVATIVE, SX_OPERATION_LAPLACIAN };

/* `call` gets one box per call. Several threads may call it at the same time. Devices have kernels instead of it, but for
 * functions of the caller. */
struct subx_fft_operation_s {
    int what;
    void (*call)(const void *context, const sx_operation_box *box);
    void *context; /* one piece of memory, which the operation owns */
};

/* Create an operation, which takes over `context` and frees it, also after a failure. If `context` is NULL, its
 * allocation has failed, and the function returns NO_MEM. */
int sx_operation_create(int what, void (*call)(const void *context, const sx_operation_box *box),
                        void *context, subx_fft_operation *operation);

/* ---- rows (rows.c) */

/* Factors of all elements of a box; they lie elsewhere in memory. */
typedef struct sx_operation_factors {
    const char *data;        /* factor of the box's first element */
    const ptrdiff_t *stride; /* elements */
} sx_operation_factors;

/* A row: the elements of a box along one axis. */
typedef struct sx_operation_row {
    int ndims, axis;
    ptrdiff_t at[SUBX_NDIMS_MAX]; /* global index of the row's first element */
    ptrdiff_t n, stride;          /* elements */
    void *data;

    /* If there are factors: the factor of the row's first element. */
    const char *factor;
    ptrdiff_t factor_stride; /* elements */
} sx_operation_row;

/* Call a function for each row of a box. Rows lie along the axis with the smallest stride in the factors, or, if there
 * are none, in the box. `element` is in bytes; `factors` may be NULL. */
void sx_operation_visit(const sx_operation_box *box, ptrdiff_t element, const sx_operation_factors *factors,
                        void (*visit)(const void *context, const sx_operation_row *row), const void *context);

/* ---- arithmetic (real.c) */

/* The data of a derivative or a Laplacian. Each axis has a table by global index. A derivative multiplies by the tables
 * of all axes, which have powers of the wavenumber. A Laplacian multiplies by the sum of the tables of all axes, raised
 * to `power`; these tables have the negative squares of the wavenumber. */
typedef struct sx_waves {
    int ndims, width;  /* width: reals per element */
    ptrdiff_t element; /* bytes */
    int is_turned;     /* 1 if a derivative also multiplies by i */
    int power;         /* of a Laplacian */
    const struct sx_operation_real *real;
    ptrdiff_t first[SUBX_NDIMS_MAX]; /* for each axis: where its table begins, reals */
    void *table;
} sx_waves;

/* Functions for one precision: they fill the tables and process a row. */
typedef struct sx_operation_real {
    /* Set n entries to sign * (unit * frequency)^order. The unit is `pis` * pi / length; it is 1 if the length is 0. */
    void (*fill)(sx_waves *w, int axis, ptrdiff_t n, const ptrdiff_t frequency[], int pis, double length,
                 int order, int sign);
    void (*derive)(const sx_waves *w, const sx_operation_row *row);
    void (*laplace)(const sx_waves *w, const sx_operation_row *row);

    /* Multiply a row by its factors, or by their conjugates if is_conjugate. */
    void (*multiply)(const sx_operation_row *row, int width, int is_conjugate);
} sx_operation_real;

const sx_operation_real *sx_operation_real_get(int precision);

/* ---- tables (table.c) */

typedef struct sx_operation_table {
    sx_box box; /* the box of the spectral array */
    const char *data;
    int is_conjugate;
    const sx_operation_real *real;
} sx_operation_table;

#endif
