/* nompi.c - replaces mpi.c if FFTW's MPI transforms were not found for this MPI. */
#include "fft/fft.h"

void sx_perf_fft_mpi_start(void) {}

void sx_perf_fft_mpi_finish(void) {}

const char *sx_perf_fft_mpi_query(void)
{
    return "no";
}

ptrdiff_t sx_perf_fft_mpi_get_bytes(const struct sx_perf_fft_cell *cell)
{
    (void)cell;
    return 0;
}

void sx_perf_fft_mpi_add(struct sx_perf_fft_cell *cell)
{
    (void)cell;
}
