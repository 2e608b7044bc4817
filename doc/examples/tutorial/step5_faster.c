/* step5_faster.c - the library searches the fastest plan by measurement, and explains its choice.
 *
 * mpicc step5_faster.c $(pkg-config --cflags --libs subx_fft) -o step5
 * mpirun -n 4 ./step5
 *
 * It runs on any number of ranks; make check takes these ranks: 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

#define CHECK(call) ((call) == MPI_SUCCESS ? 0 : MPI_Abort(MPI_COMM_WORLD, 1))

int main(int argc, char **argv)
{
    const ptrdiff_t N[3] = {64, 48, 40};
    int rank, good;
    size_t needed;
    MPI_Info hints;
    subx_fft_plan plan;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_effort", "measure");
    MPI_Info_set(hints, "subx_wisdom", "none"); /* else the next run takes the plan from a file */
    CHECK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, N, hints, &plan));

    CHECK(subx_fft_plan_explain(plan, SUBX_FFT_TEXT, 0, NULL, &needed));
    char *text = malloc(needed + 1);
    CHECK(subx_fft_plan_explain(plan, SUBX_FFT_TEXT, needed + 1, text, NULL));
    if (rank == 0)
        puts(text);
    good = strstr(text, "by measurement") != NULL;

    free(text);
    CHECK(subx_fft_plan_free(&plan));
    MPI_Info_free(&hints);
    MPI_Finalize();
    return !good;
}
