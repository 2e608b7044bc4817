/* rows.c - call a function for each row of a box. */
#include "operation/operation.h"
#include <string.h>

typedef struct visitor {
    const sx_operation_box *box;
    ptrdiff_t element;
    const sx_operation_factors *factors;
    void (*visit)(const void *context, const sx_operation_row *row);
    const void *context;
    int nloops, loop[SUBX_NDIMS_MAX]; /* the axes longer than 1, without the axis of the rows; loop[0] is the
                                         outermost loop */
} visitor;

/* Find the axis with the smallest stride. Axes of length 1 do not count: their strides have no meaning. */
static int find_row(const sx_operation_box *box, const ptrdiff_t stride[])
{
    int row = 0;
    for (int a = 1; a < box->ndims; a++)
        if (box->n[a] > 1 && (box->n[row] == 1 || stride[a] < stride[row]))
            row = a;
    return row;
}

static void set_row(visitor *v, sx_operation_row *row)
{
    const sx_operation_box *box = v->box;
    const ptrdiff_t *stride = v->factors ? v->factors->stride : NULL;
    *row = (sx_operation_row){.ndims = box->ndims, .axis = find_row(box, stride ? stride : box->stride)};
    row->n = box->n[row->axis];
    row->stride = box->stride[row->axis];
    for (int a = 0; a < box->ndims; a++) {
        row->at[a] = box->start[a];
        if (box->n[a] > 1 && a != row->axis)
            v->loop[v->nloops++] = a;
    }
    row->factor_stride = stride ? stride[row->axis] : 0;
}

static void visit_row(const visitor *v, sx_operation_row *row, char *x, const char *factor)
{
    row->data = x;
    row->factor = factor;
    v->visit(v->context, row);
}

/* Visit the rows at all indices of an axis. The factors of several rows are first copied: a processor can
 * wait for many cache lines at the same time only if there are few other instructions between the loads. */
static void visit_copied(const visitor *v, int axis, sx_operation_row *row, char *x, const char *factor)
{
    char copy[SX_OPERATION_COPIED] __attribute__((aligned(SX_ALIGNMENT)));
    const ptrdiff_t bytes = row->n * v->element, most = SX_OPERATION_COPIED / bytes;
    const ptrdiff_t step = v->box->stride[axis] * v->element,
                    factor_step = v->factors->stride[axis] * v->element;
    for (ptrdiff_t i = 0; i < v->box->n[axis]; i += most) {
        const ptrdiff_t n = v->box->n[axis] - i < most ? v->box->n[axis] - i : most;
        for (ptrdiff_t k = 0; k < n; k++)
            memcpy(copy + k * bytes, factor + (i + k) * factor_step, (size_t)bytes);
        for (ptrdiff_t k = 0; k < n; k++) {
            row->at[axis] = v->box->start[axis] + i + k;
            visit_row(v, row, x + (i + k) * step, copy + k * bytes);
        }
    }
}

static void visit_rows(const visitor *v, int depth, sx_operation_row *row, char *x, const char *factor)
{
    if (depth == v->nloops) {
        visit_row(v, row, x, factor);
        return;
    }
    const int axis = v->loop[depth];
    const ptrdiff_t step = v->box->stride[axis] * v->element;
    const ptrdiff_t factor_step = v->factors ? v->factors->stride[axis] * v->element : 0;
    if (depth == v->nloops - 1 && row->factor_stride == 1 && 2 * row->n * v->element <= SX_OPERATION_COPIED) {
        visit_copied(v, axis, row, x, factor);
        return;
    }
    for (ptrdiff_t i = 0; i < v->box->n[axis]; i++) {
        row->at[axis] = v->box->start[axis] + i;
        visit_rows(v, depth + 1, row, x + i * step, factor + i * factor_step);
    }
}

void sx_operation_visit(const sx_operation_box *box, ptrdiff_t element, const sx_operation_factors *factors,
                        void (*visit)(const void *context, const sx_operation_row *row), const void *context)
{
    static const char none = 0;
    visitor v = {.box = box, .element = element, .factors = factors, .visit = visit, .context = context};
    sx_operation_row row;
    for (int a = 0; a < box->ndims; a++)
        if (box->n[a] == 0)
            return;
    set_row(&v, &row);
    visit_rows(&v, 0, &row, box->data, factors ? factors->data : &none);
}
