/* real.c - multiply rows by tables and wavenumbers: the arithmetic of all precisions. */
#include "operation/operation.h"

#define BODY "operation/real_body.h"
#include "serial/reals.h"

const sx_operation_real *sx_operation_real_get(int precision)
{
    static const sx_operation_real *const reals[] = {
        [SUBX_FFT_FLOAT] = &real_float,
        [SUBX_FFT_DOUBLE] = &real_double,
        [SUBX_FFT_LONG_DOUBLE] = &real_long_double,
#ifdef HAVE_FLOAT128
        [SUBX_FFT_QUAD] = &real_quad,
#endif
    };
    return reals[precision];
}
