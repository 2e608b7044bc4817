/* pfft.c - PFFT (M. Pippig): natural or transposed spectral side, with or without its own tuning of
 * transposes. */
#include "fft/fft.h"

#include <pfft.h>
#include <stdlib.h>

struct context {
    MPI_Comm comm;
    pfft_plan plan[2]; /* by `from` */
};

/* The arrays that PFFT asks for in a cell. bytes: of each array. len, start: this rank's lengths and first
 * indices by side. All are in the order of the axes, even if a side is transposed. */
struct local {
    ptrdiff_t bytes, len[2][SX_PERF_FFT_NDIMS_MAX], start[2][SX_PERF_FFT_NDIMS_MAX];
};

static const char *const names[] = {"natural", "transposed", "natural/tuned", "transposed/tuned", NULL};

static const struct {
    int is_transposed;
    unsigned flags;
} variants[] = {{0, 0}, {1, 0}, {0, PFFT_TUNE}, {1, PFFT_TUNE}};

/* Get PFFT's flags for a variant in a direction. In place, rows of reals have room for their complex
 * transforms. */
static unsigned get_flags(const struct sx_perf_fft_cell *cell, size_t i, int from)
{
    const unsigned effort = sx_perf_efforts_get_flag(cell->job->settings.common.effort);
    unsigned flags = variants[i].flags | PFFT_DESTROY_INPUT;
    flags |= effort & FFTW_ESTIMATE ? PFFT_ESTIMATE : effort & FFTW_PATIENT ? PFFT_PATIENT : PFFT_MEASURE;
    if (variants[i].is_transposed)
        flags |= from == SX_PERF_FFT_FORWARD ? PFFT_TRANSPOSED_OUT : PFFT_TRANSPOSED_IN;
    if (cell->job->settings.place == SX_PERF_FFT_IN &&
        sx_perf_fft_problem_get_kind(cell->problem) == SUBX_FFT_R2C)
        flags |= PFFT_PADDED_R2C;
    return flags;
}

static MPI_Comm create_comm(const struct sx_perf_fft_cell *cell)
{
    int periods[SX_PERF_FFT_NDIMS_MAX] = {0};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, cell->grid.g, cell->grid.dims, periods, 0, &comm);
    return comm;
}

static struct local get_local(const struct sx_perf_fft_cell *cell, MPI_Comm comm, size_t i)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    const unsigned flags = get_flags(cell, i, SX_PERF_FFT_FORWARD);
    struct local l;
    if (sx_perf_fft_problem_get_kind(p) == SUBX_FFT_C2C)
        l.bytes =
            pfft_local_size_dft(p->ndims, p->sizes, comm, flags, l.len[0], l.start[0], l.len[1], l.start[1]);
    else if (sx_perf_fft_problem_get_kind(p) == SUBX_FFT_R2C)
        l.bytes = pfft_local_size_dft_r2c(p->ndims, p->sizes, comm, flags, l.len[0], l.start[0], l.len[1],
                                          l.start[1]);
    else
        l.bytes =
            pfft_local_size_r2r(p->ndims, p->sizes, comm, flags, l.len[0], l.start[0], l.len[1], l.start[1]);
    l.bytes *= sx_perf_fft_problem_get_width(p, SUBX_FFT_SPECTRAL) * sx_perf_fft_problem_get_real_bytes(p);
    return l;
}

static ptrdiff_t get_bytes(const struct sx_perf_fft_cell *cell)
{
    MPI_Comm comm = create_comm(cell);
    ptrdiff_t most = 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const ptrdiff_t bytes = get_local(cell, comm, i).bytes;
        most = bytes > most ? bytes : most;
    }
    MPI_Comm_free(&comm);
    return most;
}

static int execute(void *context, int from, void *in, void *out)
{
    (void)in, (void)out; /* the plan knows them */
    const struct context *c = context;
    pfft_execute(c->plan[from]);
    return MPI_SUCCESS;
}

static void release(void *context)
{
    struct context *c = context;
    for (int from = 0; from < 2; from++)
        if (c->plan[from])
            pfft_destroy_plan(c->plan[from]);
    MPI_Comm_free(&c->comm);
    free(c);
}

/* If the spectral side is transposed, axes 1 to g are the slowest ones in memory, in this order, and axis
 * 0 comes next. */
static void set_order(const struct sx_perf_fft_cell *cell, int is_transposed, int order[])
{
    int ndims = cell->problem->ndims, g = cell->grid.g;
    for (int i = 0; i < ndims; i++) {
        int place = ndims - 1 - i; /* counted from the slowest axis */
        order[i] = !is_transposed || place > g ? place : place == g ? 0 : place + 1;
    }
}

/* With padding, PFFT counts the gap at the end of a row as a part of the row. */
static void set_box(const struct sx_perf_fft_cell *cell, int side, const struct local *l, int is_transposed,
                    struct sx_perf_fft_box *box)
{
    int n[SX_PERF_FFT_NDIMS_MAX], s[SX_PERF_FFT_NDIMS_MAX], order[SX_PERF_FFT_NDIMS_MAX];
    for (int a = 0; a < cell->problem->ndims; a++) {
        n[a] = (int)l->len[side][a];
        s[a] = (int)l->start[side][a];
    }
    set_order(cell, side == SUBX_FFT_SPECTRAL && is_transposed, order);
    sx_perf_fft_neighbours_set_box(box, cell, side, n, s, order);
}

static pfft_plan create_plan(const struct sx_perf_fft_cell *cell, MPI_Comm comm, size_t i, int from)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    const int kind = sx_perf_fft_problem_get_kind(p), sign = sx_perf_fft_fftw_get_sign(from);
    const unsigned flags = get_flags(cell, i, from);
    void *in = cell->array[from], *out = cell->array[!from];
    pfft_r2r_kind kinds[SX_PERF_FFT_NDIMS_MAX];
    if (kind == SUBX_FFT_C2C)
        return pfft_plan_dft(p->ndims, p->sizes, in, out, comm, sign, flags);
    if (kind == SUBX_FFT_R2C && from == SX_PERF_FFT_FORWARD)
        return pfft_plan_dft_r2c(p->ndims, p->sizes, in, out, comm, sign, flags);
    if (kind == SUBX_FFT_R2C)
        return pfft_plan_dft_c2r(p->ndims, p->sizes, in, out, comm, sign, flags);
    for (int a = 0; a < p->ndims; a++)
        kinds[a] = sx_perf_fft_fftw_get_kind(p->kinds[a], from);
    return pfft_plan_r2r(p->ndims, p->sizes, in, out, comm, kinds, flags);
}

static void *create(const struct sx_perf_fft_cell *cell, int i, struct sx_perf_fft_box box[2])
{
    struct context *c = sx_perf_memory_create_small(1, sizeof *c);
    struct local l;
    c->comm = create_comm(cell);
    l = get_local(cell, c->comm, (size_t)i);
    for (int side = 0; side < 2; side++)
        set_box(cell, side, &l, variants[i].is_transposed, &box[side]);
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from) ||
            (c->plan[from] = create_plan(cell, c->comm, (size_t)i, from)))
            continue;
        release(c);
        return NULL;
    }
    return c;
}

const struct sx_perf_fft_neighbour sx_perf_fft_pfft = {.name = "pfft",
                                                       .least = 2,
                                                       .most = SX_PERF_FFT_NDIMS_MAX,
                                                       .no_float = "it was built for double precision",
                                                       .start = pfft_init,
                                                       .finish = pfft_cleanup,
                                                       .get_bytes = get_bytes,
                                                       .variants = names,
                                                       .create = create,
                                                       .execute = execute,
                                                       .free = release};
