/* use_fft.c - use libsubx_fft: the transform of a unit impulse at the origin is 1 everywhere. */
#include <stdlib.h>
#include <subx_fft.h>

int main(int argc, char **argv)
{
    ptrdiff_t sizes[2] = {8, 6}, n[2], start[2], bytes[2], i;
    double *pulse, *spectrum;
    int wrong = 0;
    subx_fft_plan plan;
    MPI_Init(&argc, &argv);
    if (subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 2, sizes, MPI_INFO_NULL, &plan))
        return 1;
    subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes[0]);
    pulse = (double *)calloc((size_t)bytes[0] + 1, 1);
    if (n[0] > 0 && n[1] > 0 && start[0] == 0 && start[1] == 0)
        pulse[0] = 1;
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, NULL, NULL, &bytes[1]);
    spectrum = (double *)malloc((size_t)bytes[1] + 1);
    if (subx_fft_execute(plan, SUBX_FFT_FORWARD, pulse, spectrum))
        return 1;
    for (i = 0; i < n[0] * n[1]; i++)
        if (spectrum[2 * i] < 0.999999 || spectrum[2 * i] > 1.000001)
            wrong = 1;
    subx_fft_plan_free(&plan);
    free(pulse);
    free(spectrum);
    MPI_Finalize();
    return wrong;
}
