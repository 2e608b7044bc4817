/* pfft_theirs.c - a transform with PFFT on a grid of ranks, for comparison with pfft_ours.c, which prints the
 * same numbers.
 *
 * mpicc pfft_theirs.c -lpfft -lfftw3_mpi -lfftw3 -lm -o pfft_theirs
 * mpirun -n 4 ./pfft_theirs | sort
 */
#include <math.h>
#include <pfft.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    const ptrdiff_t sizes[3] = {15, 12, 10};
    int ranks, grid[2] = {0, 0};
    ptrdiff_t n[3], start[3], no[3], so[3];
    MPI_Comm comm;
    pfft_init();
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, grid);
    pfft_create_procmesh_2d(MPI_COMM_WORLD, grid[0], grid[1], &comm);
    ptrdiff_t size = pfft_local_size_dft_r2c_3d(sizes, comm, PFFT_TRANSPOSED_OUT, n, start, no, so);
    double *u = pfft_alloc_real(2 * (size_t)size);
    pfft_complex *spectrum = pfft_alloc_complex((size_t)size);
    pfft_plan plan =
        pfft_plan_dft_r2c_3d(sizes, u, spectrum, comm, PFFT_FORWARD, PFFT_TRANSPOSED_OUT | PFFT_ESTIMATE);

    for (ptrdiff_t i = 0; i < n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++)
            for (ptrdiff_t k = 0; k < n[2]; k++)
                u[(i * n[1] + j) * n[2] + k] = sin((double)((start[0] + i) * (start[1] + j + 1) + k * k));
    pfft_execute(plan);
    for (ptrdiff_t i = 0; i < no[0]; i++) /* the spectrum is stored in the order j, k, i */
        if (so[1] <= 1 && 1 < so[1] + no[1] && so[2] <= 2 && 2 < so[2] + no[2]) {
            const double *value = spectrum[((1 - so[1]) * no[2] + 2 - so[2]) * no[0] + i];
            printf("%2td %.9f %.9f\n", so[0] + i, value[0], value[1]);
        }

    pfft_destroy_plan(plan);
    pfft_free(u);
    pfft_free(spectrum);
    MPI_Comm_free(&comm);
    pfft_cleanup();
    /* [end] */
    MPI_Finalize();
    return 0;
}
