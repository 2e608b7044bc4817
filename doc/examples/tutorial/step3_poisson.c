/* step3_poisson.c - Poisson's equation, laplace u = f, on a periodic cube of length 2 pi, in one call.
 *
 * mpicc step3_poisson.c $(pkg-config --cflags --libs subx_fft) -lm -o step3
 * mpirun -n 4 ./step3
 *
 * It runs on any number of ranks; make check takes these ranks: 3
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

#define CHECK(call) ((call) == MPI_SUCCESS ? 0 : MPI_Abort(MPI_COMM_WORLD, 1))

int main(int argc, char **argv)
{
    ptrdiff_t n[3], start[3], bytes, i, j, k;
    double error = 0;
    int rank;
    MPI_Info hints;
    subx_fft_problem problem;
    subx_fft_plan plan;
    subx_fft_operation inverse;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "backward"); /* forward and then backward gives the same field */
    CHECK(subx_fft_problem_parse("r2c:16x12x10/operation", &problem));
    CHECK(subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan));
    CHECK(subx_fft_operation_create_laplacian(plan, NULL, -1, &inverse));

    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes));
    double *u = malloc((size_t)bytes), *exact = malloc((size_t)bytes), *p = exact;
    for (i = start[0]; i < start[0] + n[0]; i++)
        for (j = start[1]; j < start[1] + n[1]; j++)
            for (k = start[2]; k < start[2] + n[2]; k++)
                *p++ = cos(2 * acos(-1) * (3. * (double)i / 16 + 5. * (double)j / 12 + 2. * (double)k / 10));
    for (i = 0; i < p - exact; i++)
        u[i] = -(3 * 3 + 5 * 5 + 2 * 2) * exact[i]; /* f */

    CHECK(subx_fft_execute_convolution(plan, u, u, inverse)); /* f becomes u */

    for (i = 0; i < p - exact; i++)
        error = fmax(error, fabs(u[i] - exact[i]));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("the largest error is %.0e\n", error);

    free(u);
    free(exact);
    CHECK(subx_fft_operation_free(&inverse));
    CHECK(subx_fft_plan_free(&plan));
    CHECK(subx_fft_problem_free(&problem));
    MPI_Info_free(&hints);
    MPI_Finalize();
    return !(error < 1e-13);
}
