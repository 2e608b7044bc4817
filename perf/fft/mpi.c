/* mpi.c - FFTW's own MPI transforms, on slabs, in double and, if configure found them, in single
 * precision. */
#include "fft/fft.h"

#include <fftw3-mpi.h>

struct calls {
    void (*init)(void);
    void (*cleanup)(void);
    ptrdiff_t (*get_local)(int ndims, const ptrdiff_t sizes[], MPI_Comm comm, ptrdiff_t *n0,
                           ptrdiff_t *start0, ptrdiff_t *n1, ptrdiff_t *start1);
    void *(*plan)(const struct sx_perf_fft_problem *problem, int from, void *in, void *out, unsigned flags);
};

#ifdef HAVE_FFTW3F_MPI
#define X(name) fftwf_mpi_##name
#define OF(name) name##_float
#include "fft/mpi_body.h"
#endif

#define X(name) fftw_mpi_##name
#define OF(name) name##_double
#include "fft/mpi_body.h"

static const struct calls *const precisions[SUBX_FFT_DOUBLE + 1] = {
#ifdef HAVE_FFTW3F_MPI
    [SUBX_FFT_FLOAT] = &calls_float,
#endif
    [SUBX_FFT_DOUBLE] = &calls_double};

static void start(void)
{
    for (int i = 0; i <= SUBX_FFT_DOUBLE; i++)
        if (precisions[i])
            precisions[i]->init();
}

static void finish(void)
{
    for (int i = 0; i <= SUBX_FFT_DOUBLE; i++)
        if (precisions[i])
            precisions[i]->cleanup();
}

/* ------------------------------------------------------------------------------------ boxes */

/* This rank's blocks. n0, start0: the block of axis 0, which is divided on the physical side. n1, start1:
 * the block of axis 1, which is divided on the spectral side if that is transposed. `alloc`: how many
 * elements of the spectral side must fit into an array. FFTW expects the lengths of the spectral side,
 * also for real problems. */
struct slab {
    ptrdiff_t alloc, n0, start0, n1, start1;
};

static struct slab get_slab(const struct sx_perf_fft_cell *cell)
{
    struct slab s;
    s.alloc = precisions[cell->problem->precision]->get_local(
        cell->problem->ndims, cell->spectral, MPI_COMM_WORLD, &s.n0, &s.start0, &s.n1, &s.start1);
    return s;
}

static ptrdiff_t get_bytes(const struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    return get_slab(cell).alloc * sx_perf_fft_problem_get_width(p, SUBX_FFT_SPECTRAL) *
           sx_perf_fft_problem_get_real_bytes(p);
}

static void set_box(const struct sx_perf_fft_cell *cell, int side, int divided, struct sx_perf_fft_box *box)
{
    const ptrdiff_t *sizes = side == SUBX_FFT_PHYSICAL ? cell->problem->sizes : cell->spectral;
    struct slab s = get_slab(cell);
    *box = (struct sx_perf_fft_box){.ndims = cell->problem->ndims,
                                    .width = sx_perf_fft_problem_get_width(cell->problem, side)};
    for (int a = 0; a < box->ndims; a++)
        box->len[a] = sizes[a];
    box->len[divided] = divided ? s.n1 : s.n0;
    box->start[divided] = divided ? s.start1 : s.start0;
}

/* Set this rank's box of the physical side. FFTW requires that a row of reals has room for its transform,
 * also if the transform is out of place. */
static void set_physical(const struct sx_perf_fft_cell *cell, struct sx_perf_fft_box *box)
{
    struct sx_perf_fft_box to;
    const int last = cell->problem->ndims - 1;
    set_box(cell, SUBX_FFT_PHYSICAL, 0, box);
    set_box(cell, SUBX_FFT_SPECTRAL, 0, &to);
    sx_perf_fft_cell_set_strides(&to, NULL);
    for (int a = 0; a <= last; a++)
        box->stride[a] = to.stride[a] * (a == last ? 1 : to.width / box->width);
}

/* Set this rank's box of the spectral side. If that is transposed, its first two axes are swapped in
 * memory. */
static void set_spectral(const struct sx_perf_fft_cell *cell, int transposed, struct sx_perf_fft_box *box)
{
    int order[SX_PERF_FFT_NDIMS_MAX], ndims = cell->problem->ndims;
    for (int i = 0; i < ndims; i++)
        order[i] = ndims - 1 - i;
    if (transposed) {
        order[ndims - 1] = 1;
        order[ndims - 2] = 0;
    }
    set_box(cell, SUBX_FFT_SPECTRAL, transposed, box);
    sx_perf_fft_cell_set_strides(box, order);
}

/* ------------------------------------------------------------------------------- transforms */

static void *create_plan(const struct sx_perf_fft_cell *cell, int from, int transposed)
{
    unsigned flags = sx_perf_efforts_get_flag(cell->job->settings.common.effort) | FFTW_DESTROY_INPUT;
    if (transposed)
        flags |= from == SX_PERF_FFT_FORWARD ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN;
    return precisions[cell->problem->precision]->plan(cell->problem, from, cell->array[from],
                                                      cell->array[!from], flags);
}

static void *create(const struct sx_perf_fft_cell *cell, int transposed, struct sx_perf_fft_box box[2])
{
    struct sx_perf_fft_plans *plans = sx_perf_memory_create_small(1, sizeof *plans);
    plans->fftw = sx_perf_fft_fftw_get(cell->problem->precision);
    set_physical(cell, &box[SUBX_FFT_PHYSICAL]);
    set_spectral(cell, transposed, &box[SUBX_FFT_SPECTRAL]);
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from) ||
            (plans->plan[from] = create_plan(cell, from, transposed)))
            continue;
        sx_perf_fft_fftw_free(plans);
        return NULL;
    }
    return plans;
}

static const char *query_obstacle(const struct sx_perf_fft_cell *cell)
{
    if (cell->grid.g > 1)
        return "";
    return precisions[cell->problem->precision] ? NULL : "configure found it in double precision only";
}

/* FFTW 3.3.10 takes axes of one element out of complex problems, and then swaps other axes than 0 and 1. */
static const char *query_variant(const struct sx_perf_fft_cell *cell, int transposed)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    return transposed && sx_perf_fft_problem_get_kind(p) == SUBX_FFT_C2C &&
                   (p->sizes[0] == 1 || p->sizes[1] == 1)
               ? "it swaps other axes if one of the first two has one element"
               : NULL;
}

static const char *const variants[] = {"natural", "transposed", NULL};

const struct sx_perf_fft_neighbour sx_perf_fft_mpi = {.name = "fftw-mpi",
                                                      .is_fftw = 1,
                                                      .start = start,
                                                      .finish = finish,
                                                      .query_obstacle = query_obstacle,
                                                      .query_variant = query_variant,
                                                      .get_bytes = get_bytes,
                                                      .variants = variants,
                                                      .create = create,
                                                      .execute = sx_perf_fft_fftw_execute,
                                                      .free = sx_perf_fft_fftw_free};
