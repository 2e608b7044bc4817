/* step2_transform.c - a wave becomes a peak, and the peak becomes the wave again.
 *
 * mpicc step2_transform.c $(pkg-config --cflags --libs subx_fft) -lm -o step2
 * mpirun -n 4 ./step2
 *
 * It runs on any number of ranks; make check takes these ranks: 3
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

#define CHECK(call) ((call) == MPI_SUCCESS ? 0 : MPI_Abort(MPI_COMM_WORLD, 1))

int main(int argc, char **argv)
{
    const ptrdiff_t N[3] = {16, 12, 10};
    ptrdiff_t n[3], start[3], bytes, spectral_bytes, i, j, k;
    double error = 0;
    subx_fft_plan plan;

    MPI_Init(&argc, &argv);
    CHECK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, N, MPI_INFO_NULL, &plan));
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &spectral_bytes));
    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes));
    double *u = malloc((size_t)bytes), *again = malloc((size_t)bytes), *p = u;
    double complex *spectrum = malloc((size_t)spectral_bytes), *q = spectrum;

    /* u = cos(3 x + 5 y + 2 z), on this rank's points in C order */
    for (i = start[0]; i < start[0] + n[0]; i++)
        for (j = start[1]; j < start[1] + n[1]; j++)
            for (k = start[2]; k < start[2] + n[2]; k++)
                *p++ = cos(2 * acos(-1) * (3. * (double)i / 16 + 5. * (double)j / 12 + 2. * (double)k / 10));

    CHECK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum));

    CHECK(subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, start, NULL, NULL));
    for (i = start[0]; i < start[0] + n[0]; i++)
        for (j = start[1]; j < start[1] + n[1]; j++)
            for (k = start[2]; k < start[2] + n[2]; k++, q++)
                if (cabs(*q) > 1e-9)
                    printf("a peak of %.1f at (%td, %td, %td)\n", creal(*q), i, j, k);

    CHECK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, again));
    for (i = 0; i < p - u; i++)
        error = fmax(error, fabs(again[i] / (16 * 12 * 10) - u[i]));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    free(u);
    free(again);
    free(spectrum);
    CHECK(subx_fft_plan_free(&plan));
    MPI_Finalize();
    return !(error < 1e-14);
}
