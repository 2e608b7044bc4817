/* use_fftw3mpi.c - a program for FFTW's MPI library. It declares the functions itself, because FFTW's header
 * may be missing. */
#include <stddef.h>
#include <mpi.h>

void fftw_mpi_init(void);
ptrdiff_t fftw_mpi_local_size_2d(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t *length,
                                 ptrdiff_t *start);

int main(int argc, char **argv)
{
    ptrdiff_t length = 0, start = 0, needed, sum = 0;
    int p, result;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    needed = fftw_mpi_local_size_2d(8, 6, MPI_COMM_WORLD, &length, &start);
    MPI_Allreduce(&length, &sum, 1, MPI_AINT, MPI_SUM, MPI_COMM_WORLD);
    result = sum != 8 || needed < length * 6;
    MPI_Finalize();
    return result;
}
