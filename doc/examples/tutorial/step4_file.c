/* step4_file.c - all ranks write one .npy file; then rank 0 reads it alone.
 *
 * mpicc step4_file.c $(pkg-config --cflags --libs subx_fft subx_io) -o step4
 * mpirun -n 4 ./step4
 *
 * It runs on any number of ranks; make check takes these ranks: 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>
#include <subx_io.h>

#define CHECK(call) ((call) == MPI_SUCCESS ? 0 : MPI_Abort(MPI_COMM_WORLD, 1))

int main(int argc, char **argv)
{
    const ptrdiff_t N[3] = {16, 12, 10}, zero[3] = {0, 0, 0};
    ptrdiff_t n[3], start[3], bytes, i, j, k;
    int rank, wrong = 0;
    subx_fft_plan plan;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, N, MPI_INFO_NULL, &plan));
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes));
    double *u = malloc((size_t)bytes), *p = u;
    for (i = start[0]; i < start[0] + n[0]; i++)
        for (j = start[1]; j < start[1] + n[1]; j++)
            for (k = start[2]; k < start[2] + n[2]; k++)
                *p++ = (double)(10000 * i + 100 * j + k);

    CHECK(subx_file_write(MPI_COMM_WORLD, "step4.npy", 3, N, n, start, NULL, MPI_DOUBLE, u, MPI_INFO_NULL));

    if (rank == 0) {
        double *all = malloc(16 * 12 * 10 * sizeof *all);
        CHECK(
            subx_file_read(MPI_COMM_SELF, "step4.npy", 3, N, N, zero, NULL, MPI_DOUBLE, all, MPI_INFO_NULL));
        p = all;
        for (i = 0; i < 16; i++)
            for (j = 0; j < 12; j++)
                for (k = 0; k < 10; k++)
                    wrong += *p++ != (double)(10000 * i + 100 * j + k);
        printf("%d of %d numbers in the file are wrong\n", wrong, 16 * 12 * 10);
        free(all);
    }

    free(u);
    CHECK(subx_fft_plan_free(&plan));
    MPI_Finalize();
    return wrong != 0;
}
