/* real.c - the arithmetic of all precisions. */
#include "operation/operation.h"

enum { PIECE = 64 };

#define REAL float
#define NAME(verb) verb##_float
#include "operation/real_body.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(verb) verb##_double
#include "operation/real_body.h"
#undef REAL
#undef NAME

#define REAL long double
#define NAME(verb) verb##_long_double
#include "operation/real_body.h"
#undef REAL
#undef NAME

#ifdef HAVE_FLOAT128
__extension__ typedef __float128 quad;
#define REAL quad
#define NAME(verb) verb##_quad
#include "operation/real_body.h"
#undef REAL
#undef NAME
#endif

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
