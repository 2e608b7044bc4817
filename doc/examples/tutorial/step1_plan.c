/* step1_plan.c - a plan divides an array between the ranks, and tells each rank its part.
 *
 * mpicc step1_plan.c $(pkg-config --cflags --libs subx_fft) -o step1
 * mpirun -n 4 ./step1
 *
 * It runs on any number of ranks; make check takes these ranks: 3
 */
#include <stdio.h>
#include <subx_fft.h>

/* Every function of the library returns MPI_SUCCESS or an error code. */
#define CHECK(call) ((call) == MPI_SUCCESS ? 0 : MPI_Abort(MPI_COMM_WORLD, 1))

int main(int argc, char **argv)
{
    const ptrdiff_t sizes[3] = {16, 12, 10};
    ptrdiff_t n[3], start[3];
    subx_fft_plan plan;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, sizes, MPI_INFO_NULL, &plan));

    /* [local] */
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, NULL));
    printf("rank %d: %td x %td x %td points, the first is (%td, %td, %td)\n", rank, n[0], n[1], n[2],
           start[0], start[1], start[2]);
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, start, NULL, NULL));
    printf("rank %d: %td x %td x %td modes, the first is (%td, %td, %td)\n", rank, n[0], n[1], n[2], start[0],
           start[1], start[2]);
    /* [end] */

    CHECK(subx_fft_plan_free(&plan));
    MPI_Finalize();
    return 0;
}
