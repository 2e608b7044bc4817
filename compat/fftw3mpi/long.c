/* long.c - FFTW's MPI transforms in long double precision. */
#define R long double
#define X(name) fftwl_##name
#define F77(name) lfftw_##name
#define NAME "fftwl"
#define NUMBER SUBX_FFT_LONG_DOUBLE
#include "fftw3mpi/precision.h"
