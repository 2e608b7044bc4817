/* double.c - FFTW's MPI transforms in double precision. */
#define R double
#define X(name) fftw_##name
#define F77(name) dfftw_##name
#define NAME "fftw"
#define NUMBER SUBX_FFT_DOUBLE
#include "fftw3mpi/precision.h"
