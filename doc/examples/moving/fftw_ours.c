/* fftw_ours.c - the counterpart of fftw_theirs.c, which prints the same numbers.
 *
 * mpicc fftw_ours.c $(pkg-config --cflags --libs subx_fft) -lm -o fftw_ours
 * mpirun -n 4 ./fftw_ours | sort
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    const ptrdiff_t sizes[3] = {16, 12, 10};
    ptrdiff_t n[3], start[3], bytes, spectral_bytes;
    subx_fft_plan plan;
    subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, sizes, MPI_INFO_NULL, &plan);
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &spectral_bytes);
    subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes);
    double *u = malloc((size_t)bytes), (*spectrum)[2] = malloc((size_t)spectral_bytes);

    for (ptrdiff_t i = 0; i < n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++)
            for (ptrdiff_t k = 0; k < n[2]; k++)
                u[(i * n[1] + j) * n[2] + k] = sin((double)((start[0] + i) * (j + 1) + k * k));
    subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum);
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, start, NULL, NULL);
    for (ptrdiff_t i = 0; i < n[0]; i++) /* this rank has some of the modes of axis 1, and all of axis 0 */
        if (start[1] <= 1 && 1 < start[1] + n[1])
            printf("%2td %.9f %.9f\n", i, spectrum[(i * n[1] + 1 - start[1]) * n[2] + 2][0],
                   spectrum[(i * n[1] + 1 - start[1]) * n[2] + 2][1]);

    subx_fft_plan_free(&plan);
    free(u);
    free(spectrum);
    /* [end] */
    MPI_Finalize();
    return 0;
}
