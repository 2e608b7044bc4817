/* limit.c - a lower bound of the time of a transform: its one-dimensional transforms on data in cache, and
 * its unavoidable passes through memory. The limit of a pair is the sum of the limits of both directions.
 *
 * Transforms: for each axis a tile of pencils, which stays in the caches, is transformed as often as the
 * rank has such tiles along that axis. A smaller tile has the pencils that remain. Each tile is
 * transformed by the fastest candidate (tile.c).
 *
 * Passes: one for the axes that are whole at first, which can be transformed plane by plane, and one per
 * exchange with the transform after it. So there are two passes for slabs, and three for pencils of three
 * axes. One rank has two passes, too, because its pencils along axis 0 extend over all of its memory. A
 * pass reads and writes the rank's array once. It is measured as a memcpy on all ranks at once, also for
 * transforms in place; its size is the mean of the sizes before and after the transform.
 *
 * On a device there are no transforms in cache: the limit is only the passes, which are copies in the
 * device's memory. / */
#include "fft/fft.h"

#include <stdlib.h>

/* The largest number of different tiles. Per axis and direction these are one tile of each size, which is
 * executed several times, and a smaller one for the pencils that are left. */
enum { NTILES = 2 * SX_PERF_FFT_NDIMS_MAX * (SX_PERF_FFT_NTILE_SIZES + 1) };

/* The largest number of passes. */
enum { NPASSES = 2 * (SX_PERF_FFT_NDIMS_MAX + 1) };

struct work {
    struct sx_perf_fft_tile *tile;
    ptrdiff_t times;
};

struct sx_perf_fft_limit {
    int ntiles, npasses;
    struct work work[NTILES];
    struct sx_perf_copy pass[NPASSES];
};

static int transform(void *limit)
{
    const struct sx_perf_fft_limit *l = limit;
    for (int i = 0; i < l->ntiles; i++)
        for (ptrdiff_t k = 0; k < l->work[i].times; k++)
            sx_perf_fft_tile_execute(l->work[i].tile);
    return MPI_SUCCESS;
}

static int pass(void *limit)
{
    struct sx_perf_fft_limit *l = limit;
    int code = MPI_SUCCESS;
    for (int i = 0; i < l->npasses && code == MPI_SUCCESS; i++)
        code = sx_perf_time_copy(&l->pass[i]);
    return code;
}

/* -------------------------------------------------------------------------------- transforms */

static void add_axis(const struct sx_perf_fft_cell *cell, const struct sx_perf_fft_step *step, int a,
                     int from, struct sx_perf_fft_limit *l)
{
    const struct sx_perf_fft_box *spectral = &step->box[SUBX_FFT_SPECTRAL];
    ptrdiff_t rest = sx_perf_fft_cell_get_volume(spectral) / spectral->len[a];
    while (rest > 0) {
        struct work *w = &l->work[l->ntiles++];
        w->tile = sx_perf_fft_tile_create(cell->problem, a, from, rest, cell->job->settings.common.effort);
        w->times = rest / sx_perf_fft_tile_get_npencils(w->tile);
        rest %= sx_perf_fft_tile_get_npencils(w->tile);
    }
}

static void add_axes(const struct sx_perf_fft_cell *cell, int from, struct sx_perf_fft_limit *l)
{
    for (int i = 0; i < cell->nsteps; i++) {
        const struct sx_perf_fft_step *step = &cell->step[i];
        for (int k = 0; k < step->naxes && sx_perf_fft_cell_get_volume(&step->box[SUBX_FFT_SPECTRAL]) > 0;
             k++)
            add_axis(cell, step, step->axes[k], from, l);
    }
}

/* ------------------------------------------------------------------------------------ passes */

static ptrdiff_t get_bytes(const struct sx_perf_fft_cell *cell, int i, int side)
{
    const struct sx_perf_fft_box *box = &cell->step[i].box[side];
    return sx_perf_fft_cell_get_volume(box) * box->width * sx_perf_fft_problem_get_real_bytes(cell->problem);
}

/* Add a pass that reads and writes the mean of two numbers of bytes. On a device, it is a copy of
 * contiguous bytes. */
static void add_pass(const struct sx_perf_fft_cell *cell, ptrdiff_t a, ptrdiff_t b,
                     struct sx_perf_fft_limit *l)
{
    sx_perf_time_create_copy(&cell->job->settings.common, cell->memory[1], cell->memory[0], (a + b) / 2,
                             &l->pass[l->npasses++]);
}

static void add_passes(const struct sx_perf_fft_cell *cell, struct sx_perf_fft_limit *l)
{
    for (int i = 0; i < cell->nsteps; i++)
        add_pass(cell, get_bytes(cell, i, SUBX_FFT_PHYSICAL), get_bytes(cell, i, SUBX_FFT_SPECTRAL), l);
    if (cell->nsteps == 1)
        add_pass(cell, get_bytes(cell, 0, SUBX_FFT_SPECTRAL), get_bytes(cell, 0, SUBX_FFT_SPECTRAL), l);
}

struct sx_perf_fft_limit *sx_perf_fft_limit_create(const struct sx_perf_fft_cell *cell,
                                                   struct sx_perf_case parts[])
{
    struct sx_perf_fft_limit *l = sx_perf_memory_create_small(1, sizeof *l);
    const int is_on_device = sx_perf_fft_cell_is_on_device(cell);
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from))
            continue;
        if (!is_on_device)
            add_axes(cell, from, l);
        add_passes(cell, l);
    }
    const int inner = cell->job->settings.executions;
    parts[0] = (struct sx_perf_case){.run = transform, .context = l, .inner = inner, .alone = 1};
    parts[1] = (struct sx_perf_case){.run = pass, .context = l, .inner = inner, .alone = 1};
    return l;
}

void sx_perf_fft_limit_free(struct sx_perf_fft_limit *limit)
{
    for (int i = 0; i < limit->ntiles; i++)
        sx_perf_fft_tile_free(limit->work[i].tile);
    for (int i = 0; i < limit->npasses; i++)
        subx_copy_free(&limit->pass[i].on_device);
    free(limit);
}
