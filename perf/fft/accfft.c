/* accfft.c - the transforms of AccFFT, in C order on both sides. AccFFT chooses its exchange by an estimate, or by
 * trying all its exchanges. */
#include "fft/fft.h"

#include "fft/accfft.h"

#include <stdlib.h>

static const struct {
    const char *name;
    unsigned effort;
} variants[] = {{"estimate", 1}, {"measure", 2}};

static struct sx_perf_accfft_problem get_problem(const struct sx_perf_fft_cell *cell)
{
    struct sx_perf_accfft_problem p = {
        .is_real = cell->problem->kind != SUBX_FFT_C2C,
        .grid = {cell->grid.dims[0], cell->grid.g == 2 ? cell->grid.dims[1] : 1}};
    for (int a = 0; a < 3; a++)
        p.sizes[a] = (int)cell->problem->sizes[a];
    return p;
}

static ptrdiff_t get_bytes(const struct sx_perf_fft_cell *cell)
{
    struct sx_perf_accfft_problem p = get_problem(cell);
    return sx_perf_accfft_get_local(&p, MPI_COMM_WORLD);
}

static int execute(void *plan)
{
    sx_perf_accfft_execute(plan);
    return MPI_SUCCESS;
}

static void release(void *plan)
{
    sx_perf_accfft_free(plan);
}

static void add(struct sx_perf_fft_cell *cell)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct sx_perf_accfft_problem p = get_problem(cell);
        struct sx_perf_fft_transform t = {
            .library = "accfft", .run = execute, .release = release, .result = cell->out};
        snprintf(t.variant, sizeof t.variant, "%s", variants[i].name);
        sx_perf_accfft_get_local(&p, MPI_COMM_WORLD);
        sx_perf_fft_neighbours_set_box(&t.from, cell, SUBX_FFT_PHYSICAL, p.in_len, p.in_start, NULL);
        sx_perf_fft_neighbours_set_box(&t.to, cell, SUBX_FFT_SPECTRAL, p.out_len, p.out_start, NULL);
        sx_perf_fft_peak_start(&cell->peak);
        t.context = sx_perf_accfft_create(&p, variants[i].effort, cell->in, cell->out, MPI_COMM_WORLD);
        sx_perf_fft_cell_add(cell, &t);
    }
}

const struct sx_perf_fft_neighbour sx_perf_fft_accfft = {.name = "accfft",
                                                         .least = 3,
                                                         .most = 3,
                                                         .start = sx_perf_accfft_start,
                                                         .finish = sx_perf_accfft_finish,
                                                         .get_bytes = get_bytes,
                                                         .add = add};
