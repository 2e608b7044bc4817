/* efforts.c - the flags of FFTW's planning efforts. Built only with FFTW. */
#include "common/perf.h"

#include <fftw3.h>

unsigned sx_perf_efforts_get_flag(int effort)
{
    static const unsigned flags[SX_PERF_NEFFORTS] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    return flags[effort];
}
