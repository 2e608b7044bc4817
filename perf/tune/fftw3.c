/* fftw3.c - FFTW's wisdom of this process, which would make the planning of later plans quicker. */
#include "tune/tune.h"

#include <fftw3.h>

void sx_perf_tune_fftw3_forget(void)
{
    fftw_forget_wisdom();
}
