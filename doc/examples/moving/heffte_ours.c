/* heffte_ours.c - the counterpart of heffte_theirs.cc, which prints the same numbers.
 *
 * mpicc heffte_ours.c $(pkg-config --cflags --libs subx_fft) -lm -o heffte_ours
 * mpirun -n 3 ./heffte_ours | sort
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <subx_fft.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    /* [body] */
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const ptrdiff_t sizes[3] = {15, 12, 10}, spectral_sizes[3] = {15, 12, 6}; /* heFFTe: z, y, x */
    ptrdiff_t first = rank * 15 / ranks, n = (rank + 1) * 15 / ranks - first;
    ptrdiff_t row = rank * 12 / ranks, rows = (rank + 1) * 12 / ranks - row;
    subx_boxes in, out;
    subx_boxes_create(3, sizes, &in);
    subx_boxes_add(in, (ptrdiff_t[]){first, 0, 0}, (ptrdiff_t[]){n, 12, 10});
    subx_boxes_create(3, spectral_sizes, &out);
    subx_boxes_add_ordered(out, (ptrdiff_t[]){0, row, 0}, (ptrdiff_t[]){15, rows, 6}, (int[]){1, 2, 0});

    subx_fft_problem problem;
    subx_fft_problem_parse("2*r2c:15x12x10", &problem);
    subx_fft_problem_set_boxes(problem, SUBX_FFT_PHYSICAL, in, 0);
    subx_fft_problem_set_boxes(problem, SUBX_FFT_SPECTRAL, out, 0);
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_scaling", "forward");
    subx_fft_plan plan;
    subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan);
    ptrdiff_t bytes, spectral_bytes;
    subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, NULL, NULL, NULL, &bytes);
    subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, NULL, NULL, NULL, &spectral_bytes);
    double *u = malloc((size_t)bytes), (*spectrum)[2] = malloc((size_t)spectral_bytes);

    for (ptrdiff_t field = 0; field < 2; field++)
        for (ptrdiff_t z = 0; z < n; z++)
            for (ptrdiff_t y = 0; y < 12; y++)
                for (ptrdiff_t x = 0; x < 10; x++)
                    u[((field * n + z) * 12 + y) * 10 + x] =
                        sin((double)((first + z) * (y + 1) + x * x + field));
    subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum);
    for (ptrdiff_t field = 0; field < 2; field++)
        for (ptrdiff_t z = 0; z < 15; z++)
            if (row <= 1 && 1 < row + rows) {
                const double *value = spectrum[((field * 15 + z) * 6 + 2) * rows + 1 - row];
                printf("%2td %.12f %.12f\n", 15 * field + z, value[0], value[1]);
            }

    subx_fft_plan_free(&plan);
    subx_fft_problem_free(&problem);
    subx_boxes_free(&in);
    subx_boxes_free(&out);
    MPI_Info_free(&hints);
    free(u);
    free(spectrum);
    /* [end] */
    MPI_Finalize();
    return 0;
}
