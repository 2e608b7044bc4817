/* operation.h - operations on spectral data, such as derivatives. A pass calls an operation with each tile
 * while the tile is in the caches. */
#ifndef SX_OPERATION_H
#define SX_OPERATION_H

#include "plan/plan.h"
#include "limits/limits.h"

/* A box of the spectral side, in the axes of the plan's array. */
typedef struct sx_operation_box {
    int ndims;
    const ptrdiff_t *start, *n; /* global indices of the first element; lengths of the box */
    const ptrdiff_t *stride;    /* elements */
    char *data;                 /* the box's first element */
} sx_operation_box;

/* What an operation does. FUNCTION calls a function of the caller. The context of a TABLE is an
 * sx_operation_table. The context of a DERIVATIVE or a LAPLACIAN is an sx_waves. */
enum { SX_OPERATION_FUNCTION, SX_OPERATION_TABLE, SX_OPERATION_DERIVATIVE, SX_OPERATION_LAPLACIAN };

/* `call` works on one box. Several threads may call it at the same time. A device uses `call` for FUNCTION
 * only: it has kernels of its own for the other operations. */
struct subx_fft_operation_s {
    int what;
    void (*call)(const void *context, const sx_operation_box *box);
    void *context; /* allocated by sx_base_alloc in one piece; the operation frees it */
};

/* Create an operation, which then owns `context`. If creation fails, the function frees `context`. If the
 * caller could not allocate `context` and passes NULL, the function returns NO_MEM. */
int sx_operation_create(int what, void (*call)(const void *context, const sx_operation_box *box),
                        void *context, subx_fft_operation *operation);

/* ---- rows (rows.c) */

/* Factors, one for each element of a box; their memory has strides of its own. */
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

    /* If there are factors: the factor of the row's first element, and the stride of the factors. */
    const char *factor;
    ptrdiff_t factor_stride; /* elements */
} sx_operation_row;

/* Call `visit` for each row of a box. Rows lie along the axis that has the smallest stride in the memory of
 * the factors or, without factors, in the box. `element` is the size of an element in bytes; `factors` may be
 * NULL. */
void sx_operation_visit(const sx_operation_box *box, ptrdiff_t element, const sx_operation_factors *factors,
                        void (*visit)(const void *context, const sx_operation_row *row), const void *context);

/* ---- arithmetic (real.c) */

/* The data of a derivative or a power of the Laplacian. Each axis has a table with an entry per global index.
 * An element has one entry in the table of each axis.
 *   derivative   an entry is a power of the wavenumber; the element is multiplied by the product of its
 *                entries
 *   Laplacian    an entry is minus the square of the wavenumber; the element is multiplied by the sum of its
 *                entries, raised to `power` */
typedef struct sx_waves {
    int ndims, width;  /* width: reals per element */
    ptrdiff_t element; /* bytes */
    int is_turned;     /* derivative: 1 if it also multiplies by the imaginary unit */
    int power;         /* of the Laplacian */
    const struct sx_operation_real *real;
    ptrdiff_t first[SUBX_NDIMS_MAX]; /* for each axis: where its entries begin in `table`, in reals */
    void *table;
} sx_waves;

/* Functions for one precision: they fill the tables and process a row. */
typedef struct sx_operation_real {
    /* Set the n entries of an axis: sign * (unit * frequency)^order. The unit is `pis` * pi / length; if the
     * length is 0, the unit is 1. */
    void (*fill)(sx_waves *w, int axis, ptrdiff_t n, const ptrdiff_t frequency[], int pis, double length,
                 int order, int sign);
    void (*derive)(const sx_waves *w, const sx_operation_row *row);
    void (*laplace)(const sx_waves *w, const sx_operation_row *row);

    /* Multiply a row by its factors, or by their complex conjugates if is_conjugate is 1. */
    void (*multiply)(const sx_operation_row *row, int width, int is_conjugate);
} sx_operation_real;

const sx_operation_real *sx_operation_real_get(int precision);

/* ---- tables (table.c) */

typedef struct sx_operation_table {
    sx_box box; /* the box of the spectral array; the factors are stored in the same way */
    const char *data;
    int is_conjugate;
    const sx_operation_real *real;
} sx_operation_table;

#endif
