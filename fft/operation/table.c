/* table.c - operations that multiply by a table of factors, which is stored like this rank's spectral
 * array. */
#include "operation/operation.h"

static void multiply(const void *context, const sx_operation_row *row)
{
    const sx_operation_table *t = context;
    t->real->multiply(row, t->box.width, t->is_conjugate);
}

static void call(const void *context, const sx_operation_box *box)
{
    const sx_operation_table *t = context;
    ptrdiff_t offset = 0;
    for (int a = 0; a < box->ndims; a++)
        offset += (box->start[a] - t->box.start[a]) * t->box.stride[a];
    const sx_operation_factors factors = {t->data + offset * t->box.element, t->box.stride};
    sx_operation_visit(box, t->box.element, &factors, multiply, t);
}

int subx_fft_operation_create_table(subx_fft_plan plan, const void *factors, int is_conjugate,
                                    subx_fft_operation *operation)
{
    if (operation)
        *operation = SUBX_FFT_OPERATION_NULL;
    const int rc = operation ? sx_plan_check_operation(plan) : subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    if (sx_plan_get_bytes(plan, SUBX_FFT_SPECTRAL) && !factors)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (plan->choice.edge[SUBX_FFT_SPECTRAL])
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    sx_operation_table *t = sx_base_alloc(1, sizeof *t);
    if (t)
        *t = (sx_operation_table){plan->stage[plan->nstages - 1].to, factors, is_conjugate,
                                  sx_operation_real_get(plan->choice.array.precision)};
    return sx_operation_create(SX_OPERATION_TABLE, call, t, operation);
}
