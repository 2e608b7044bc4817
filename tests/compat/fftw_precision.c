/* fftw_precision.c - FFTW's MPI interface in all precisions of the installed FFTW, in one program.
 * ranks: 1 2 3 4 7 */
#include "config.h"
#include "common/verdict.h"
#include "common/worst.h"
#include <fftw3.h>
#include <math.h>
#include <stddef.h>

#define REAL double
#define CALL(name) fftw_##name
#define BODY(name) name##_double
#include "compat/fftw_precision_body.h"
#undef REAL
#undef CALL
#undef BODY

#ifdef HAVE_FFTW3F
#define REAL float
#define CALL(name) fftwf_##name
#define BODY(name) name##_single
#include "compat/fftw_precision_body.h"
#undef REAL
#undef CALL
#undef BODY
#endif

#ifdef HAVE_FFTW3L
#define REAL long double
#define CALL(name) fftwl_##name
#define BODY(name) name##_long
#include "compat/fftw_precision_body.h"
#endif

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    test_context("double");
    test_double(1e-14);
#ifdef HAVE_FFTW3F
    test_context("single");
    test_single(1e-6);
#endif
#ifdef HAVE_FFTW3L
    test_context("long double");
    test_long(1e-14);
#endif
    return test_end();
}
