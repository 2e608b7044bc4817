/* nofftw3.c - without FFTW there is no wisdom to forget. */
#include "tune/tune.h"

void sx_perf_tune_fftw3_forget(void) {}
