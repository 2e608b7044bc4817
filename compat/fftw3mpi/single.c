/* single.c - FFTW's MPI transforms in single precision. */
#define R float
#define X(name) fftwf_##name
#define F77(name) sfftw_##name
#define NAME "fftwf"
#define NUMBER SUBX_FFT_FLOAT
#include "fftw3mpi/precision.h"
