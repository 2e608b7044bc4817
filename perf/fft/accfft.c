/* accfft.c - the transforms of AccFFT, in C order on both sides. AccFFT chooses its exchange by an
 * estimate, or by trying all its exchanges. */
#include "fft/fft.h"

#include "fft/accfft.h"

static const char *const variants[] = {"estimate", "measure", NULL};
static const unsigned efforts[] = {1, 2};

static struct sx_perf_accfft_problem get_problem(const struct sx_perf_fft_cell *cell)
{
    struct sx_perf_accfft_problem p = {
        .is_real = sx_perf_fft_problem_get_kind(cell->problem) != SUBX_FFT_C2C,
        .is_float = cell->problem->precision == SUBX_FFT_FLOAT,
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

static int execute(void *plan, int from, void *in, void *out)
{
    (void)in, (void)out; /* the plan knows them */
    sx_perf_accfft_execute(plan, from);
    return MPI_SUCCESS;
}

static void release(void *plan)
{
    sx_perf_accfft_free(plan);
}

static void *create(const struct sx_perf_fft_cell *cell, int i, struct sx_perf_fft_box box[2])
{
    struct sx_perf_accfft_problem p = get_problem(cell);
    sx_perf_accfft_get_local(&p, MPI_COMM_WORLD);
    if (p.is_real && cell->job->settings.place == SX_PERF_FFT_IN)
        p.in_len[2] = 2 * (p.sizes[2] / 2 + 1); /* a row of reals has room for its complex transform */
    sx_perf_fft_neighbours_set_box(&box[0], cell, SUBX_FFT_PHYSICAL, p.in_len, p.in_start, NULL);
    sx_perf_fft_neighbours_set_box(&box[1], cell, SUBX_FFT_SPECTRAL, p.out_len, p.out_start, NULL);
    return sx_perf_accfft_create(&p, efforts[i], cell->array, MPI_COMM_WORLD);
}

const struct sx_perf_fft_neighbour sx_perf_fft_accfft = {.name = "accfft",
                                                         .least = 3,
                                                         .most = 3,
                                                         .no_r2r = "it has no real-to-real kinds",
                                                         .start = sx_perf_accfft_start,
                                                         .finish = sx_perf_accfft_finish,
                                                         .get_bytes = get_bytes,
                                                         .variants = variants,
                                                         .create = create,
                                                         .execute = execute,
                                                         .free = release};
