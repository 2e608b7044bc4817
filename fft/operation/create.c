/* create.c - create and free operations; operations that call a function of the caller. */
#include "operation/operation.h"

int sx_operation_create(int what, void (*call)(const void *context, const sx_operation_box *box),
                        void *context, subx_fft_operation *operation)
{
    subx_fft_operation made = context ? sx_base_alloc(1, sizeof *made) : NULL;
    if (!made) {
        sx_base_free(context);
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    made->what = what;
    made->call = call;
    made->context = context;
    *operation = made;
    return MPI_SUCCESS;
}

int subx_fft_operation_free(subx_fft_operation *operation)
{
    if (!operation || !*operation)
        return MPI_SUCCESS;
    sx_base_free((*operation)->context);
    sx_base_free(*operation);
    *operation = SUBX_FFT_OPERATION_NULL;
    return MPI_SUCCESS;
}

/* ---- functions of the caller */

typedef struct callback {
    subx_fft_operation_function function;
    void *context;
} callback;

static void call(const void *context, const sx_operation_box *box)
{
    const callback *c = context;
    c->function(c->context, box->ndims, box->start, box->n, box->stride, box->data);
}

int subx_fft_operation_create_function(subx_fft_operation_function function, void *context,
                                       subx_fft_operation *operation)
{
    if (operation)
        *operation = SUBX_FFT_OPERATION_NULL;
    if (!function || !operation)
        return subx_error_get_code(SUBX_ERR_ARG);
    callback *c = sx_base_alloc(1, sizeof *c);
    if (c)
        *c = (callback){function, context};
    return sx_operation_create(SX_OPERATION_FUNCTION, call, c, operation);
}
