/* p3dfft_ours.c - the counterpart of p3dfft_theirs.c, which prints the same numbers.
 *
 * mpicc p3dfft_ours.c $(pkg-config --cflags --libs subx_fft) -lm -o p3dfft_ours
 * mpirun -n 4 ./p3dfft_ours | sort
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    const ptrdiff_t sizes[3] = {15, 12, 10}; /* the axes that P3DFFT calls z, y, x */
    const int kinds[3] = {SUBX_FFT_C2C, SUBX_FFT_C2C, SUBX_FFT_R2C}, out_order[3] = {0, 2, 1};
    int ranks, dims[2] = {0, 0};
    ptrdiff_t n[3], start[3], no[3], so[3], bytes, spectral_bytes;
    char text[32];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    snprintf(text, sizeof text, "%dx%d", dims[1], dims[0]); /* the number of ranks along z, then along y */
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_grid", text);
    subx_fft_problem problem;
    subx_fft_problem_create(3, kinds, sizes, &problem);
    subx_fft_problem_set_order(problem, SUBX_FFT_SPECTRAL, out_order);
    subx_fft_plan plan;
    subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan);
    subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes);
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, no, so, NULL, &spectral_bytes);
    double *u = malloc((size_t)bytes), (*spectrum)[2] = malloc((size_t)spectral_bytes);

    for (ptrdiff_t z = 0; z < n[0]; z++)
        for (ptrdiff_t y = 0; y < n[1]; y++)
            for (ptrdiff_t x = 0; x < n[2]; x++)
                u[(z * n[1] + y) * n[2] + x] = sin((double)((start[0] + z) * (start[1] + y + 1) + x * x));
    subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum);
    for (ptrdiff_t z = 0; z < no[0]; z++)
        if (so[1] <= 1 && 1 < so[1] + no[1] && so[2] <= 2 && 2 < so[2] + no[2]) {
            const double *value = spectrum[((1 - so[1]) * no[2] + 2 - so[2]) * no[0] + z];
            printf("%2td %.9f %.9f\n", so[0] + z, value[0], value[1]);
        }

    subx_fft_plan_free(&plan);
    subx_fft_problem_free(&problem);
    MPI_Info_free(&hints);
    free(u);
    free(spectrum);
    /* [end] */
    MPI_Finalize();
    return 0;
}
