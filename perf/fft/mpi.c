/* mpi.c - FFTW's own MPI transforms, on slabs, in double and, if configure found them, in single precision. */
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

void sx_perf_fft_mpi_start(void)
{
    for (int i = 0; i <= SUBX_FFT_DOUBLE; i++)
        if (precisions[i])
            precisions[i]->init();
}

void sx_perf_fft_mpi_finish(void)
{
    for (int i = 0; i <= SUBX_FFT_DOUBLE; i++)
        if (precisions[i])
            precisions[i]->cleanup();
}

const char *sx_perf_fft_mpi_query(void)
{
    return precisions[SUBX_FFT_FLOAT] ? "yes" : "yes, in double precision";
}

/* ------------------------------------------------------------------------------------ boxes */

/* This rank's blocks. n0, start0: the block of axis 0, which is divided on the physical side. n1, start1: the block of axis
 * 1, which is divided on the spectral side if that is transposed. `alloc`: how many elements of the spectral side must fit
 * into an array. FFTW expects the lengths of the spectral side, also for real problems. */
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

static int is_served(const struct sx_perf_fft_cell *cell)
{
    return cell->grid.g == 1 && precisions[cell->problem->precision];
}

ptrdiff_t sx_perf_fft_mpi_get_bytes(const struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    return is_served(cell) ? get_slab(cell).alloc * sx_perf_fft_problem_get_width(p, SUBX_FFT_SPECTRAL) *
                                 sx_perf_fft_problem_get_real_bytes(p)
                           : 0;
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

/* Set this rank's box of the physical side. FFTW requires that a row of reals has room for its transform, also if the
 * transform is out of place. */
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

/* Set this rank's box of the spectral side. If that is transposed, its first two axes are swapped in memory. */
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

/* Create the plans of all directions asked for. Returns 0 if FFTW makes none. */
static int create_plans(const struct sx_perf_fft_cell *cell, int transposed, void *plan[])
{
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from))
            continue;
        plan[from] = create_plan(cell, from, transposed);
        if (!plan[from])
            return 0;
    }
    return 1;
}

static void leave_out(struct sx_perf_fft_cell *cell, const char *variant, const char *why)
{
    sx_perf_table_add_note(&cell->job->table, "fftw-mpi %s is left out of %s on grid %s, because %s", variant,
                           cell->problem_name, cell->grid_name, why);
}

static void add(struct sx_perf_fft_cell *cell, int transposed, const char *variant)
{
    struct sx_perf_fft_plans *plans = sx_perf_memory_create_small(1, sizeof *plans);
    struct sx_perf_fft_transform t = {.library = "fftw-mpi",
                                      .run = sx_perf_fft_fftw_execute,
                                      .release = sx_perf_fft_fftw_release,
                                      .context = plans};
    plans->fftw = sx_perf_fft_fftw_get(cell->problem->precision);
    snprintf(t.variant, sizeof t.variant, "%s", variant);
    set_physical(cell, &t.box[SUBX_FFT_PHYSICAL]);
    set_spectral(cell, transposed, &t.box[SUBX_FFT_SPECTRAL]);
    sx_perf_fft_peak_start(&cell->peak);
    if (create_plans(cell, transposed, plans->plan)) {
        sx_perf_fft_cell_add(cell, &t);
        return;
    }
    sx_perf_fft_fftw_release(plans);
    leave_out(cell, variant, "FFTW makes no plan");
}

/* FFTW 3.3.10 takes axes of one element out of complex problems, and then swaps other axes than 0 and 1. */
static int is_confused(const struct sx_perf_fft_problem *p)
{
    return sx_perf_fft_problem_get_kind(p) == SUBX_FFT_C2C && (p->sizes[0] == 1 || p->sizes[1] == 1);
}

void sx_perf_fft_mpi_add(struct sx_perf_fft_cell *cell)
{
    static const char *const variants[] = {"natural", "transposed"};
    for (int i = 0; i < 2 && cell->grid.g == 1; i++)
        if (!is_served(cell))
            leave_out(cell, variants[i], "configure found it in double precision only");
        else if (i && is_confused(cell->problem))
            leave_out(cell, variants[i], "it swaps other axes if one of the first two has one element");
        else
            add(cell, i, variants[i]);
}
