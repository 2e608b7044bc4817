/* fftw_theirs.c - a transform with FFTW's MPI library, for comparison with fftw_ours.c, which prints the same
 * numbers.
 *
 * mpicc fftw_theirs.c -lfftw3_mpi -lfftw3 -lm -o fftw_theirs
 * mpirun -n 4 ./fftw_theirs | sort
 */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    ptrdiff_t n, start;
    fftw_mpi_init();
    ptrdiff_t size = fftw_mpi_local_size_3d(16, 12, 10 / 2 + 1, MPI_COMM_WORLD, &n, &start);
    double *u = fftw_alloc_real(2 * (size_t)size);
    fftw_complex *spectrum = fftw_alloc_complex((size_t)size);
    fftw_plan plan = fftw_mpi_plan_dft_r2c_3d(16, 12, 10, u, spectrum, MPI_COMM_WORLD, FFTW_ESTIMATE);

    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t j = 0; j < 12; j++)
            for (ptrdiff_t k = 0; k < 10; k++) /* rows have 12 places: 10 numbers and 2 of padding */
                u[(i * 12 + j) * 12 + k] = sin((double)((start + i) * (j + 1) + k * k));
    fftw_execute(plan);
    for (ptrdiff_t i = 0; i < n; i++)
        printf("%2td %.9f %.9f\n", start + i, spectrum[(i * 12 + 1) * 6 + 2][0],
               spectrum[(i * 12 + 1) * 6 + 2][1]);

    fftw_destroy_plan(plan);
    fftw_free(u);
    fftw_free(spectrum);
    /* [end] */
    MPI_Finalize();
    return 0;
}
