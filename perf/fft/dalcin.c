/* dalcin.c - the method of Dalcin, Mortensen & Keyes 2019 (algorithms 2 and 3) in plain C: serial transforms
 * by FFTW in C order, and MPI_Alltoallw with MPI's own subarray types between them. */
#include "fft/fft.h"

#include <limits.h>
#include <stdlib.h>

/* A step: an exchange (none if comm is null), followed by a transform (none if the rank has no data). */
struct step {
    MPI_Comm comm;
    const void *from;
    void *to;
    int *counts, *starts; /* starts are all 0, because the types contain the places of their blocks */
    MPI_Datatype *types;  /* types of the send side, then of the receive side */
    int *rcounts, nparts;
    fftw_plan plan;
};

struct dalcin {
    int nsteps;
    struct step step[SX_PERF_FFT_NDIMS_MAX];
    void *work;
};

static int execute(void *context)
{
    struct dalcin *d = context;
    int code = MPI_SUCCESS;
    for (int i = 0; i < d->nsteps && code == MPI_SUCCESS; i++) {
        const struct step *s = &d->step[i];
        if (s->comm != MPI_COMM_NULL)
            code = MPI_Alltoallw(s->from, s->counts, s->starts, s->types, s->to, s->rcounts, s->starts,
                                 s->types + s->nparts, s->comm);
        if (s->plan)
            fftw_execute(s->plan);
    }
    return code;
}

static void release(void *context)
{
    struct dalcin *d = context;
    for (int i = 0; i < d->nsteps; i++) {
        struct step *s = &d->step[i];
        for (int q = 0; q < 2 * s->nparts; q++)
            if (s->types[q] != MPI_BYTE)
                MPI_Type_free(&s->types[q]);
        if (s->comm != MPI_COMM_NULL)
            MPI_Comm_free(&s->comm);
        if (s->plan)
            fftw_destroy_plan(s->plan);
        free(s->types);
        free(s->counts);
    }
    fftw_free(d->work);
    free(d);
}

/* -------------------------------------------------------------------------------- exchanges */

/* Algorithm 2: create the types of the blocks into which a box is divided along an axis. If a block is empty, its type
 * is not created, because Open MPI refuses types without elements. */
static void create_types(const struct sx_perf_fft_box *box, int axis, int nparts, int counts[],
                         MPI_Datatype types[])
{
    int sizes[SX_PERF_FFT_NDIMS_MAX], subsizes[SX_PERF_FFT_NDIMS_MAX], starts[SX_PERF_FFT_NDIMS_MAX] = {0};
    for (int a = 0; a < box->ndims; a++)
        sizes[a] = subsizes[a] = (int)box->len[a];
    for (int q = 0; q < nparts; q++) {
        ptrdiff_t len, start;
        subx_block_get(box->len[axis], nparts, q, &len, &start);
        subsizes[axis] = (int)len;
        starts[axis] = (int)start;
        types[q] = MPI_BYTE;
        counts[q] = sx_perf_fft_cell_get_volume(box) > 0 && len > 0;
        if (counts[q] == 0)
            continue;
        MPI_Type_create_subarray(box->ndims, sizes, subsizes, starts, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX,
                                 &types[q]);
        MPI_Type_commit(&types[q]);
    }
}

/* Create the exchange of step i, as in algorithm 3, except that the types are created only once, not in each
 * execution. */
static void create_exchange(const struct sx_perf_fft_cell *cell, int i, MPI_Comm grid, struct step *s)
{
    int dim = cell->step[i].dim, remains[SX_PERF_FFT_NDIMS_MAX] = {0};
    remains[dim] = 1;
    MPI_Cart_sub(grid, remains, &s->comm);
    s->nparts = cell->grid.dims[dim];
    s->counts = sx_perf_memory_create_small(3 * (ptrdiff_t)s->nparts, sizeof *s->counts);
    s->rcounts = s->counts + s->nparts;
    s->starts = s->counts + 2 * s->nparts;
    s->types = sx_perf_memory_create_small(2 * (ptrdiff_t)s->nparts, sizeof *s->types);
    create_types(&cell->step[i - 1].to, dim + 1, s->nparts, s->counts, s->types);
    create_types(&cell->step[i].from, dim, s->nparts, s->rcounts, s->types + s->nparts);
}

/* ------------------------------------------------------------------------------- transforms */

/* One plan transforms all axes of a step; its loops are over all other axes. */
static fftw_plan create_plan(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_step *step,
                             void *from, void *to)
{
    fftw_iodim64 dims[SX_PERF_FFT_NDIMS_MAX], loops[SX_PERF_FFT_NDIMS_MAX];
    unsigned flag = sx_perf_efforts_get_flag(cell->job->settings.common.effort) | FFTW_DESTROY_INPUT;
    int rank = 0, nloops = 0;
    for (int a = 0; a < step->to.ndims; a++) {
        fftw_iodim64 level = {step->from.len[a], step->from.stride[a], step->to.stride[a]};
        int is_whole = rank < step->naxes && step->axes[rank] == a;
        *(is_whole ? &dims[rank++] : &loops[nloops++]) = level;
    }
    if (step->from.width == 1)
        return fftw_plan_guru64_dft_r2c(rank, dims, nloops, loops, from, to, flag);
    return fftw_plan_guru64_dft(rank, dims, nloops, loops, from, to, FFTW_FORWARD, flag);
}

static void create_step(const struct sx_perf_fft_cell *cell, int i, MPI_Comm grid, const void *from, void *to,
                        struct step *s)
{
    const struct sx_perf_fft_step *step = &cell->step[i];
    *s = (struct step){.comm = MPI_COMM_NULL, .from = from, .to = to};
    if (step->dim >= 0)
        create_exchange(cell, i, grid, s);
    if (sx_perf_fft_cell_get_volume(&step->to) == 0)
        return;
    s->plan = create_plan(cell, step, step->dim < 0 ? cell->in : to, to);
    if (!s->plan)
        sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %s", cell->problem_name);
}

/* The steps write into the output and a work array alternately (section 3.6), the last step into the output. No step
 * writes into the input. */
static void create_steps(const struct sx_perf_fft_cell *cell, struct dalcin *d)
{
    int periods[SX_PERF_FFT_NDIMS_MAX] = {0};
    const void *from = cell->in;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, cell->grid.g, cell->grid.dims, periods, 0, &grid);
    d->nsteps = cell->nsteps;
    for (int i = 0; i < d->nsteps; i++) {
        void *to = (d->nsteps - i) % 2 ? cell->out : d->work;
        create_step(cell, i, grid, from, to, &d->step[i]);
        from = to;
    }
    MPI_Comm_free(&grid);
}

void sx_perf_fft_dalcin_add(struct sx_perf_fft_cell *cell)
{
    struct dalcin *d = sx_perf_memory_create_small(1, sizeof *d);
    struct sx_perf_fft_transform t = {.library = "dalcin",
                                      .variant = "alltoallw",
                                      .run = execute,
                                      .release = release,
                                      .context = d,
                                      .result = cell->out,
                                      .from = cell->step[0].from,
                                      .to = cell->step[cell->nsteps - 1].to};
    for (int a = 0; a < cell->problem->ndims; a++)
        if (cell->problem->sizes[a] > INT_MAX)
            sx_perf_program_exit(MPI_SUCCESS, "%s: too long for MPI's types", cell->problem_name);
    sx_perf_fft_peak_start(&cell->peak);
    d->work = fftw_malloc((size_t)cell->bytes);
    if (!d->work)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for a work array of %td bytes", cell->bytes);
    create_steps(cell, d);
    sx_perf_fft_cell_add(cell, &t);
}
