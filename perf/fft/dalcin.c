/* dalcin.c - the method of Dalcin, Mortensen & Keyes 2019 (algorithms 2 and 3) in plain C: serial transforms
 * by FFTW in C order, and MPI_Alltoallw with MPI's own subarray types between them. */
#include "fft/fft.h"

#include <limits.h>
#include <stdlib.h>

/* A step: an exchange (none if comm is null) from `before` to `after`, followed by a transform (none if
 * the rank has no data). Backward undoes the transform first. Members with two entries belong to these two
 * sides of the exchange. */
struct step {
    MPI_Comm comm;
    void *before, *after;
    int *counts[2], *starts; /* starts are all 0, because the types contain the places of their blocks */
    MPI_Datatype *types[2];
    int nparts;
    void *plan[2]; /* by `from` */
};

struct dalcin {
    const struct sx_perf_fft_fftw *fftw;
    int nsteps;
    struct step step[SX_PERF_FFT_NDIMS_MAX];
    void *work;
};

static int exchange(const struct step *s, int from)
{
    if (s->comm == MPI_COMM_NULL)
        return MPI_SUCCESS;
    return MPI_Alltoallw(from ? s->after : s->before, s->counts[from], s->starts, s->types[from],
                         from ? s->before : s->after, s->counts[!from], s->starts, s->types[!from], s->comm);
}

static int execute(void *context, int from, void *in, void *out)
{
    (void)in, (void)out; /* the steps know them */
    const struct dalcin *d = context;
    int code = MPI_SUCCESS;
    for (int i = 0; i < d->nsteps && code == MPI_SUCCESS; i++) {
        const struct step *s = &d->step[from ? d->nsteps - 1 - i : i];
        if (from == SX_PERF_FFT_FORWARD)
            code = exchange(s, from);
        if (s->plan[from])
            d->fftw->execute(s->plan[from]);
        if (from == SX_PERF_FFT_BACKWARD)
            code = exchange(s, from);
    }
    return code;
}

static void free_step(const struct dalcin *d, struct step *s)
{
    for (int side = 0; side < 2; side++) {
        sx_perf_types_free(s->nparts, s->types[side]);
        if (s->plan[side])
            d->fftw->destroy(s->plan[side]);
        free(s->types[side]);
        free(s->counts[side]);
    }
    if (s->comm != MPI_COMM_NULL)
        MPI_Comm_free(&s->comm);
    free(s->starts);
}

static void release(void *context)
{
    struct dalcin *d = context;
    for (int i = 0; i < d->nsteps; i++)
        free_step(d, &d->step[i]);
    fftw_free(d->work);
    free(d);
}

/* -------------------------------------------------------------------------------- exchanges */

/* Get MPI's type of an element of the spectral side. */
static MPI_Datatype get_element(const struct sx_perf_fft_problem *p)
{
    const int is_complex = sx_perf_fft_problem_get_width(p, SUBX_FFT_SPECTRAL) == 2;
    if (p->precision == SUBX_FFT_FLOAT)
        return is_complex ? MPI_C_FLOAT_COMPLEX : MPI_FLOAT;
    return is_complex ? MPI_C_DOUBLE_COMPLEX : MPI_DOUBLE;
}

/* Create the exchange of step i, as in algorithms 2 and 3, except that the types are created only once, not
 * in each execution. */
static void create_exchange(const struct sx_perf_fft_cell *cell, int i, MPI_Comm grid, struct step *s)
{
    const MPI_Datatype element = get_element(cell->problem);
    const int dim = cell->step[i].dim;
    int remains[SX_PERF_FFT_NDIMS_MAX] = {0};
    remains[dim] = 1;
    MPI_Cart_sub(grid, remains, &s->comm);
    s->nparts = cell->grid.dims[dim];
    s->starts = sx_perf_memory_create_small(s->nparts, sizeof *s->starts);
    for (int side = 0; side < 2; side++) {
        const struct sx_perf_fft_box *box =
            side == 0 ? &cell->step[i - 1].box[SUBX_FFT_SPECTRAL] : &cell->step[i].box[SUBX_FFT_PHYSICAL];
        s->counts[side] = sx_perf_memory_create_small(s->nparts, sizeof *s->counts[side]);
        s->types[side] = sx_perf_memory_create_small(s->nparts, sizeof *s->types[side]);
        sx_perf_types_create(box->ndims, box->len, side == 0 ? dim + 1 : dim, element, s->nparts,
                             s->counts[side], s->types[side]);
    }
}

/* ------------------------------------------------------------------------------- transforms */

static void create_step(const struct sx_perf_fft_cell *cell, int i, MPI_Comm grid, void *before, void *after,
                        struct dalcin *d)
{
    const struct sx_perf_fft_step *step = &cell->step[i];
    struct step *s = &d->step[i];
    void *array[2] = {step->dim < 0 ? before : after, after};
    *s = (struct step){.comm = MPI_COMM_NULL, .before = before, .after = after};
    if (step->dim >= 0)
        create_exchange(cell, i, grid, s);
    if (sx_perf_fft_cell_get_volume(&step->box[SUBX_FFT_SPECTRAL]) == 0)
        return;
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from))
            continue;
        s->plan[from] = sx_perf_fft_fftw_create_plan(cell, step, from, array[from], array[!from]);
        if (!s->plan[from])
            sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %s", cell->problem_name);
    }
}

/* Forward steps write into the output and a work array alternately (section 3.6), the last step into the
 * output. Out of place, no step writes into the input. Backward goes the same way back, and overwrites its
 * input. */
static void create_steps(const struct sx_perf_fft_cell *cell, struct dalcin *d)
{
    int periods[SX_PERF_FFT_NDIMS_MAX] = {0};
    void *before = cell->array[SUBX_FFT_PHYSICAL];
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, cell->grid.g, cell->grid.dims, periods, 0, &grid);
    d->nsteps = cell->nsteps;
    for (int i = 0; i < d->nsteps; i++) {
        void *after = (d->nsteps - i) % 2 ? cell->array[SUBX_FFT_SPECTRAL] : d->work;
        create_step(cell, i, grid, before, after, d);
        before = after;
    }
    MPI_Comm_free(&grid);
}

static void *create(const struct sx_perf_fft_cell *cell, int variant, struct sx_perf_fft_box box[2])
{
    struct dalcin *d = sx_perf_memory_create_small(1, sizeof *d);
    (void)variant;
    box[SUBX_FFT_PHYSICAL] = cell->step[0].box[SUBX_FFT_PHYSICAL];
    box[SUBX_FFT_SPECTRAL] = cell->step[cell->nsteps - 1].box[SUBX_FFT_SPECTRAL];
    for (int a = 0; a < cell->problem->ndims; a++)
        if (cell->problem->sizes[a] > INT_MAX)
            sx_perf_program_exit(MPI_SUCCESS, "%s: too long for MPI's types", cell->problem_name);
    d->fftw = sx_perf_fft_fftw_get(cell->problem->precision);
    d->work = fftw_malloc((size_t)cell->bytes);
    if (!d->work)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for a work array of %td bytes", cell->bytes);
    create_steps(cell, d);
    return d;
}

static const char *const variants[] = {"alltoallw", NULL};

const struct sx_perf_fft_neighbour sx_perf_fft_dalcin = {.name = "dalcin",
                                                         .is_fftw = 1,
                                                         .query_obstacle = sx_perf_fft_fftw_query_obstacle,
                                                         .variants = variants,
                                                         .create = create,
                                                         .execute = execute,
                                                         .free = release};
