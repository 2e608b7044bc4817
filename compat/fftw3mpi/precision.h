/* precision.h - the interface of FFTW's MPI transforms in one precision. The includer defines the macros
 *   R         the type of real numbers
 *   X(name)   fftw_<name>, fftwf_<name> or fftwl_<name>
 *   NAME      "fftw", "fftwf" or "fftwl"
 *   F77(name) dfftw_<name>, sfftw_<name> or lfftw_<name>
 *   NUMBER    SUBX_FFT_DOUBLE and so on
 * It includes three files in this order; each uses static functions of the files before. */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define C X(complex)
#define XM(name) X(mpi_##name)
#define DEFAULT_BLOCK 0

static sx_fftw_state state = {.limit = FFTW_NO_TIMELIMIT};

#include "fftw3mpi/serial_body.h"
#include "fftw3mpi/stock_body.h"
#include "fftw3mpi/mpi_body.h"
