/* p3dfft_theirs.c - a transform with P3DFFT++, for comparison with p3dfft_ours.c, which prints the same
 * numbers.
 *
 * mpicc p3dfft_theirs.c -lp3dfft.3 -lfftw3 -lfftw3f -lstdc++ -lm -o p3dfft_theirs
 * mpirun -n 4 ./p3dfft_theirs | sort
 */
#include <math.h>
#include <mpi.h>
#include <p3dfft.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    int ranks, dims[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    int processes[3] = {1, dims[0], dims[1]}, sizes[3] = {10, 12, 15}, spectral_sizes[3] = {6, 12, 15};
    int x_whole[3] = {0, 1, 2}, z_whole[3] = {1, 2, 0}, in_order[3] = {0, 1, 2}, out_order[3] = {1, 2, 0};
    p3dfft_setup(); /* sets P3DFFT_R2CFFT_D and other constants */
    int types[3] = {P3DFFT_R2CFFT_D, P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D};
    int grid = p3dfft_init_proc_grid(processes, MPI_COMM_WORLD);
    Grid *from = p3dfft_init_data_grid(sizes, -1, grid, x_whole, in_order);
    Grid *to = p3dfft_init_data_grid(spectral_sizes, 0, grid, z_whole,
                                     out_order); /* z is the fastest axis, then x */
    Plan3D plan = p3dfft_plan_3Dtrans(from, to, p3dfft_init_3Dtype(types));
    const int *n = from->Ldims, *start = from->GlobStart, *no = to->Ldims, *so = to->GlobStart;
    double *u = malloc((size_t)(n[0] * n[1] * n[2]) * sizeof *u);
    double(*spectrum)[2] = malloc((size_t)(no[0] * no[1] * no[2]) * sizeof *spectrum);

    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++)
                u[(z * n[1] + y) * n[0] + x] = sin((double)((start[2] + z) * (start[1] + y + 1) + x * x));
    p3dfft_exec_3Dtrans_double(plan, u, (double *)spectrum, 0);
    for (int z = 0; z < no[2]; z++)
        if (so[1] <= 1 && 1 < so[1] + no[1] && so[0] <= 2 && 2 < so[0] + no[0]) {
            const double *value = spectrum[((1 - so[1]) * no[0] + 2 - so[0]) * no[2] + z];
            printf("%2d %.9f %.9f\n", so[2] + z, value[0], value[1]);
        }

    p3dfft_free_data_grid(from);
    p3dfft_free_data_grid(to);
    p3dfft_cleanup();
    free(u);
    free(spectrum);
    /* [end] */
    MPI_Finalize();
    return 0;
}
