/* pfft.c - PFFT (M. Pippig): natural or transposed output, with or without its own tuning of transposes. */
#include "fft/fft.h"

#include <pfft.h>
#include <stdlib.h>

struct context {
    MPI_Comm comm;
    pfft_plan plan;
};

/* The arrays that PFFT asks for in a cell. bytes: of each array. ni, si: this rank's lengths and first indices of
 * the input. no, so: the same of the output. All are in the order of the axes, even if the output is transposed. */
struct local {
    ptrdiff_t bytes, ni[SX_PERF_FFT_NDIMS_MAX], si[SX_PERF_FFT_NDIMS_MAX], no[SX_PERF_FFT_NDIMS_MAX],
        so[SX_PERF_FFT_NDIMS_MAX];
};

static const struct {
    const char *name;
    unsigned flags;
} variants[] = {{"natural", PFFT_TRANSPOSED_NONE},
                {"transposed", PFFT_TRANSPOSED_OUT},
                {"natural/tuned", PFFT_TRANSPOSED_NONE | PFFT_TUNE},
                {"transposed/tuned", PFFT_TRANSPOSED_OUT | PFFT_TUNE}};

static MPI_Comm create_comm(const struct sx_perf_fft_cell *cell)
{
    int periods[SX_PERF_FFT_NDIMS_MAX] = {0};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, cell->grid.g, cell->grid.dims, periods, 0, &comm);
    return comm;
}

static struct local get_local(const struct sx_perf_fft_cell *cell, MPI_Comm comm, unsigned flags)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    struct local l;
    if (p->kind == SUBX_FFT_C2C)
        l.bytes = pfft_local_size_dft(p->ndims, p->sizes, comm, flags, l.ni, l.si, l.no, l.so);
    else
        l.bytes = pfft_local_size_dft_r2c(p->ndims, p->sizes, comm, flags, l.ni, l.si, l.no, l.so);
    l.bytes *= (ptrdiff_t)sizeof(fftw_complex);
    return l;
}

static ptrdiff_t get_bytes(const struct sx_perf_fft_cell *cell)
{
    MPI_Comm comm = create_comm(cell);
    ptrdiff_t natural = get_local(cell, comm, PFFT_TRANSPOSED_NONE).bytes;
    ptrdiff_t transposed = get_local(cell, comm, PFFT_TRANSPOSED_OUT).bytes;
    MPI_Comm_free(&comm);
    return natural > transposed ? natural : transposed;
}

static int execute(void *context)
{
    const struct context *c = context;
    pfft_execute(c->plan);
    return MPI_SUCCESS;
}

static void release(void *context)
{
    struct context *c = context;
    pfft_destroy_plan(c->plan);
    MPI_Comm_free(&c->comm);
    free(c);
}

static void set_box(const struct sx_perf_fft_cell *cell, int side, const ptrdiff_t len[],
                    const ptrdiff_t start[], const int order[], struct sx_perf_fft_box *box)
{
    int n[SX_PERF_FFT_NDIMS_MAX], s[SX_PERF_FFT_NDIMS_MAX];
    for (int a = 0; a < cell->problem->ndims; a++) {
        n[a] = (int)len[a];
        s[a] = (int)start[a];
    }
    sx_perf_fft_neighbours_set_box(box, cell, side, n, s, order);
}

/* If the output is transposed, axes 1 to g are the slowest ones in memory, in this order, and axis 0 comes next. */
static void set_order(const struct sx_perf_fft_cell *cell, unsigned flags, int order[])
{
    int ndims = cell->problem->ndims, g = cell->grid.g;
    for (int i = 0; i < ndims; i++) {
        int place = ndims - 1 - i; /* counted from the slowest axis */
        order[i] = !(flags & PFFT_TRANSPOSED_OUT) || place > g ? place : place == g ? 0 : place + 1;
    }
}

static pfft_plan create_plan(const struct sx_perf_fft_cell *cell, MPI_Comm comm, unsigned flags)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    unsigned effort = sx_perf_efforts_get_flag(cell->job->settings.common.effort);
    flags |= effort & FFTW_ESTIMATE ? PFFT_ESTIMATE : effort & FFTW_PATIENT ? PFFT_PATIENT : PFFT_MEASURE;
    flags |= PFFT_DESTROY_INPUT;
    if (p->kind == SUBX_FFT_C2C)
        return pfft_plan_dft(p->ndims, p->sizes, cell->in, cell->out, comm, PFFT_FORWARD, flags);
    return pfft_plan_dft_r2c(p->ndims, p->sizes, cell->in, cell->out, comm, PFFT_FORWARD, flags);
}

static void add_variant(struct sx_perf_fft_cell *cell, const char *name, unsigned flags)
{
    struct context *c = sx_perf_memory_create_small(1, sizeof *c);
    struct sx_perf_fft_transform t = {
        .library = "pfft", .run = execute, .release = release, .context = c, .result = cell->out};
    int order[SX_PERF_FFT_NDIMS_MAX];
    struct local l;
    snprintf(t.variant, sizeof t.variant, "%s", name);
    sx_perf_fft_peak_start(&cell->peak);
    c->comm = create_comm(cell);
    l = get_local(cell, c->comm, flags);
    set_box(cell, SUBX_FFT_PHYSICAL, l.ni, l.si, NULL, &t.from);
    set_order(cell, flags, order);
    set_box(cell, SUBX_FFT_SPECTRAL, l.no, l.so, order, &t.to);
    c->plan = create_plan(cell, c->comm, flags);
    if (c->plan) {
        sx_perf_fft_cell_add(cell, &t);
        return;
    }
    MPI_Comm_free(&c->comm);
    free(c);
    sx_perf_fft_neighbours_note(cell, "pfft %s makes no plan for %s on grid %s", name, cell->problem_name,
                                cell->grid_name);
}

static void add(struct sx_perf_fft_cell *cell)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        add_variant(cell, variants[i].name, variants[i].flags);
}

const struct sx_perf_fft_neighbour sx_perf_fft_pfft = {.name = "pfft",
                                                       .least = 2,
                                                       .most = SX_PERF_FFT_NDIMS_MAX,
                                                       .start = pfft_init,
                                                       .finish = pfft_cleanup,
                                                       .get_bytes = get_bytes,
                                                       .add = add};
