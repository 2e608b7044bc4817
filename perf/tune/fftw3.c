/* fftw3.c - forget FFTW's wisdom of this process, which would make later planning faster. */
#include "tune/tune.h"

#include <fftw3.h>

void sx_perf_tune_fftw3_forget(void)
{
    fftw_forget_wisdom();
}
