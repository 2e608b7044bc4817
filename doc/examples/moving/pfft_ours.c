/* pfft_ours.c - the counterpart of pfft_theirs.c, which prints the same numbers.
 *
 * mpicc pfft_ours.c $(pkg-config --cflags --libs subx_fft) -lm -o pfft_ours
 * mpirun -n 4 ./pfft_ours | sort
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    const ptrdiff_t sizes[3] = {15, 12, 10};
    int ranks, grid[2] = {0, 0}, order[3];
    ptrdiff_t n[3], start[3], no[3], so[3], place[3], bytes, spectral_bytes;
    char text[32];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, grid);
    snprintf(text, sizeof text, "%dx%d", grid[0], grid[1]);
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_grid", text);
    MPI_Info_set(hints, "subx_output_order", "transposed");
    subx_fft_plan plan;
    subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, 3, sizes, hints, &plan);
    subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, start, NULL, &bytes);
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, no, so, order, &spectral_bytes);
    double *u = malloc((size_t)bytes), (*spectrum)[2] = malloc((size_t)spectral_bytes);

    for (ptrdiff_t i = 0; i < n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++)
            for (ptrdiff_t k = 0; k < n[2]; k++)
                u[(i * n[1] + j) * n[2] + k] = sin((double)((start[0] + i) * (start[1] + j + 1) + k * k));
    subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum);
    place[order[0]] = 1; /* the innermost axis is order[0] */
    place[order[1]] = no[order[0]];
    place[order[2]] = no[order[0]] * no[order[1]];
    for (ptrdiff_t i = 0; i < no[0]; i++)
        if (so[1] <= 1 && 1 < so[1] + no[1] && so[2] <= 2 && 2 < so[2] + no[2]) {
            const double *value = spectrum[i * place[0] + (1 - so[1]) * place[1] + (2 - so[2]) * place[2]];
            printf("%2td %.9f %.9f\n", so[0] + i, value[0], value[1]);
        }

    subx_fft_plan_free(&plan);
    MPI_Info_free(&hints);
    free(u);
    free(spectrum);
    /* [end] */
    MPI_Finalize();
    return 0;
}
