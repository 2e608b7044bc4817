/* mpi.c - FFTW's own MPI transforms, on slabs. */
#include "fft/fft.h"

#include <fftw3-mpi.h>

void sx_perf_fft_mpi_start(void)
{
    fftw_mpi_init();
}

void sx_perf_fft_mpi_finish(void)
{
    fftw_mpi_cleanup();
}

const char *sx_perf_fft_mpi_query(void)
{
    return "yes";
}

/* This rank's blocks. n0, start0: the block of axis 0, which is divided before the transform. n1, start1: the block
 * of axis 1, which is divided after the transform if the output is transposed. `alloc`: how many complex numbers
 * must fit into an array. FFTW expects the lengths of the spectral side, also for real problems. */
struct slab {
    ptrdiff_t alloc, n0, start0, n1, start1;
};

static struct slab get_slab(const struct sx_perf_fft_cell *cell)
{
    struct slab s;
    s.alloc = fftw_mpi_local_size_transposed(cell->problem->ndims, cell->spectral, MPI_COMM_WORLD, &s.n0,
                                             &s.start0, &s.n1, &s.start1);
    return s;
}

ptrdiff_t sx_perf_fft_mpi_get_bytes(const struct sx_perf_fft_cell *cell)
{
    return get_slab(cell).alloc * (ptrdiff_t)sizeof(fftw_complex);
}

static void set_box(const struct sx_perf_fft_cell *cell, const ptrdiff_t sizes[], int width, int divided,
                    struct sx_perf_fft_box *box)
{
    struct slab s = get_slab(cell);
    *box = (struct sx_perf_fft_box){.ndims = cell->problem->ndims, .width = width};
    for (int a = 0; a < box->ndims; a++)
        box->len[a] = sizes[a];
    box->len[divided] = divided ? s.n1 : s.n0;
    box->start[divided] = divided ? s.start1 : s.start0;
}

/* Set this rank's box of the input. FFTW requires that a row of reals has room for its transform, also if the
 * transform is out of place. */
static void set_from(const struct sx_perf_fft_cell *cell, struct sx_perf_fft_box *from)
{
    struct sx_perf_fft_box to;
    int last = cell->problem->ndims - 1, width = cell->problem->kind == SUBX_FFT_C2C ? 2 : 1;
    set_box(cell, cell->problem->sizes, width, 0, from);
    set_box(cell, cell->spectral, 2, 0, &to);
    sx_perf_fft_cell_set_strides(&to, NULL);
    for (int a = 0; a <= last; a++)
        from->stride[a] = to.stride[a] * (a == last ? 1 : 2 / width);
}

/* Set this rank's box of the output. If the output is transposed, its first two axes are swapped in memory. */
static void set_to(const struct sx_perf_fft_cell *cell, int transposed, struct sx_perf_fft_box *to)
{
    int order[SX_PERF_FFT_NDIMS_MAX], ndims = cell->problem->ndims;
    for (int i = 0; i < ndims; i++)
        order[i] = ndims - 1 - i;
    if (transposed) {
        order[ndims - 1] = 1;
        order[ndims - 2] = 0;
    }
    set_box(cell, cell->spectral, 2, transposed, to);
    sx_perf_fft_cell_set_strides(to, order);
}

static fftw_plan create_plan(const struct sx_perf_fft_cell *cell, int transposed, void *to)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    unsigned flag = sx_perf_efforts_get_flag(cell->job->settings.common.effort) | FFTW_DESTROY_INPUT;
    if (transposed)
        flag |= FFTW_MPI_TRANSPOSED_OUT;
    if (p->kind == SUBX_FFT_C2C)
        return fftw_mpi_plan_dft(p->ndims, p->sizes, cell->in, to, MPI_COMM_WORLD, FFTW_FORWARD, flag);
    return fftw_mpi_plan_dft_r2c(p->ndims, p->sizes, cell->in, to, MPI_COMM_WORLD, flag);
}

static void add(struct sx_perf_fft_cell *cell, int transposed, int in_place)
{
    void *to = in_place ? cell->in : cell->out;
    struct sx_perf_fft_transform t = {.library = "fftw-mpi",
                                      .run = sx_perf_fft_serial_execute,
                                      .release = sx_perf_fft_serial_release,
                                      .result = to};
    snprintf(t.variant, sizeof t.variant, "%s/%s", transposed ? "transposed" : "natural",
             in_place ? "in-place" : "out-of-place");
    set_from(cell, &t.from);
    set_to(cell, transposed, &t.to);
    sx_perf_fft_peak_start(&cell->peak);
    t.context = create_plan(cell, transposed, to);
    if (!t.context)
        sx_perf_program_exit(MPI_SUCCESS, "FFTW makes no MPI plan for %s", cell->problem_name);
    sx_perf_fft_cell_add(cell, &t);
}

void sx_perf_fft_mpi_add(struct sx_perf_fft_cell *cell)
{
    for (int i = 0; i < 4 && cell->grid.g == 1; i++)
        add(cell, i % 2, i / 2);
}
