/* limit.c - the time that no transform of this kind can beat: its one-dimensional transforms on data in
 * cache, and the passes through memory that it cannot avoid.
 *
 * Transforms: for each axis a few pencils are transformed from one buffer to another, as often as the rank
 * has pencils along that axis. Both buffers stay in the nearest caches. In place FFTW is a fifth slower.
 *
 * Passes: one for the axes that are whole at first, which can be transformed plane by plane, and one per
 * exchange with the transform after it. That makes two for slabs and three for pencils of three axes. One
 * rank counts as slabs do, since its pencils along axis 0 extend over all of its memory. A pass reads and
 * writes the rank's array once. It is measured as a memcpy on all ranks at once; its size is the mean of
 * the sizes before and after the transform.
 */
#include "fft/fft.h"

#include <stdlib.h>
#include <string.h>

/* Two such buffers fit into a usual first-level cache. */
enum { BUFFER_BYTES = 16 << 10 };

struct axis {
    fftw_plan plan;
    void *from, *to;
    ptrdiff_t times;
};

struct sx_perf_fft_limit {
    int naxes, npasses;
    struct axis axis[SX_PERF_FFT_NDIMS_MAX];
    ptrdiff_t pass_bytes[SX_PERF_FFT_NDIMS_MAX + 1];
    void *to;
    const void *from;
};

static int transform(void *limit)
{
    const struct sx_perf_fft_limit *l = limit;
    for (int i = 0; i < l->naxes; i++)
        for (ptrdiff_t k = 0; k < l->axis[i].times; k++)
            fftw_execute(l->axis[i].plan);
    return MPI_SUCCESS;
}

static int pass(void *limit)
{
    const struct sx_perf_fft_limit *l = limit;
    for (int i = 0; i < l->npasses; i++)
        memcpy(l->to, l->from, (size_t)l->pass_bytes[i]);
    return MPI_SUCCESS;
}

/* -------------------------------------------------------------------------------- transforms */

static void *create_buffer(ptrdiff_t bytes)
{
    void *buffer = fftw_malloc((size_t)bytes);
    if (!buffer)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for a buffer of %td bytes", bytes);
    return memset(buffer, 0, (size_t)bytes);
}

/* The number of pencils per buffer divides the number of all pencils, so that exactly all are transformed. */
static ptrdiff_t get_batch(ptrdiff_t n, ptrdiff_t pencils)
{
    ptrdiff_t batch = BUFFER_BYTES / (n * (ptrdiff_t)sizeof(fftw_complex));
    batch = batch < 1 ? 1 : batch;
    while (pencils % batch)
        batch--;
    return batch;
}

static void create_axis(struct sx_perf_fft_cell *cell, const struct sx_perf_fft_step *step, int a,
                        struct axis *axis)
{
    /* This plan is measured even if all others are only estimated: the limit must be fast. */
    unsigned flag =
        (sx_perf_efforts_get_flag(cell->job->settings.effort) & FFTW_PATIENT) | FFTW_DESTROY_INPUT;
    int n = (int)cell->problem->sizes[a], is_real = step->from.width == 1 && a == step->to.ndims - 1;
    ptrdiff_t pencils = sx_perf_fft_cell_get_volume(&step->to) / step->to.len[a];
    ptrdiff_t batch = get_batch(n, pencils);
    axis->times = pencils / batch;
    axis->from = create_buffer(batch * n * (ptrdiff_t)sizeof(fftw_complex));
    axis->to = create_buffer(batch * n * (ptrdiff_t)sizeof(fftw_complex));
    if (is_real)
        axis->plan = fftw_plan_many_dft_r2c(1, &n, (int)batch, axis->from, NULL, 1, n, axis->to, NULL, 1,
                                            n / 2 + 1, flag);
    else
        axis->plan = fftw_plan_many_dft(1, &n, (int)batch, axis->from, NULL, 1, n, axis->to, NULL, 1, n,
                                        FFTW_FORWARD, flag);
    if (!axis->plan)
        sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %d numbers", n);
    /* Zeros stay zeros however often they are transformed. Planning may leave anything in the buffers. */
    memset(axis->from, 0, (size_t)(batch * n) * sizeof(fftw_complex));
}

static void create_axes(struct sx_perf_fft_cell *cell, struct sx_perf_fft_limit *l)
{
    for (int i = 0; i < cell->nsteps; i++)
        for (int k = 0; k < cell->step[i].naxes && sx_perf_fft_cell_get_volume(&cell->step[i].to) > 0; k++)
            create_axis(cell, &cell->step[i], cell->step[i].axes[k], &l->axis[l->naxes++]);
}

/* ------------------------------------------------------------------------------------ passes */

static ptrdiff_t get_bytes(const struct sx_perf_fft_box *box)
{
    return sx_perf_fft_cell_get_volume(box) * box->width * (ptrdiff_t)sizeof(double);
}

static void set_passes(const struct sx_perf_fft_cell *cell, struct sx_perf_fft_limit *l)
{
    for (int i = 0; i < cell->nsteps; i++)
        l->pass_bytes[l->npasses++] = (get_bytes(&cell->step[i].from) + get_bytes(&cell->step[i].to)) / 2;
    if (cell->nsteps == 1)
        l->pass_bytes[l->npasses++] = get_bytes(&cell->step[0].to);
    l->to = cell->out;
    l->from = cell->in;
}

struct sx_perf_fft_limit *sx_perf_fft_limit_create(struct sx_perf_fft_cell *cell, struct sx_perf_case parts[])
{
    struct sx_perf_fft_limit *l = sx_perf_memory_create_small(1, sizeof *l);
    create_axes(cell, l);
    set_passes(cell, l);
    parts[0] = (struct sx_perf_case){.run = transform, .context = l, .inner = SX_PERF_FFT_INNER, .alone = 1};
    parts[1] = (struct sx_perf_case){.run = pass, .context = l, .inner = SX_PERF_FFT_INNER, .alone = 1};
    return l;
}

void sx_perf_fft_limit_free(struct sx_perf_fft_limit *limit)
{
    for (int i = 0; i < limit->naxes; i++) {
        fftw_destroy_plan(limit->axis[i].plan);
        fftw_free(limit->axis[i].from);
        fftw_free(limit->axis[i].to);
    }
    free(limit);
}
