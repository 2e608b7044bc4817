/* serial.c - FFTW's transform over all axes, on one rank. */
#include "fft/fft.h"

/* Set the boxes of a transform. In place, the rows of an array of reals must have room for the complex result. */
static void set_boxes(const struct sx_perf_fft_cell *cell, int in_place, struct sx_perf_fft_transform *t)
{
    t->from = cell->step[0].from;
    t->to = cell->step[0].to;
    if (!in_place || t->from.width == 2)
        return;
    for (int a = 0; a < t->from.ndims - 1; a++)
        t->from.stride[a] = 2 * t->to.stride[a];
}

static fftw_plan create_plan(const struct sx_perf_fft_cell *cell, void *to)
{
    unsigned flag = sx_perf_efforts_get_flag(cell->job->settings.common.effort) | FFTW_DESTROY_INPUT;
    int n[SX_PERF_FFT_NDIMS_MAX], ndims = cell->problem->ndims;
    for (int a = 0; a < ndims; a++)
        n[a] = (int)cell->problem->sizes[a];
    if (cell->problem->kind == SUBX_FFT_C2C)
        return fftw_plan_dft(ndims, n, cell->in, to, FFTW_FORWARD, flag);
    return fftw_plan_dft_r2c(ndims, n, cell->in, to, flag);
}

int sx_perf_fft_serial_execute(void *plan)
{
    fftw_execute(plan);
    return MPI_SUCCESS;
}

void sx_perf_fft_serial_release(void *plan)
{
    fftw_destroy_plan(plan);
}

void sx_perf_fft_serial_add(struct sx_perf_fft_cell *cell)
{
    for (int in_place = 0; in_place < 2 && sx_perf_program_get_nranks() == 1; in_place++) {
        void *to = in_place ? cell->in : cell->out;
        struct sx_perf_fft_transform t = {.library = "fftw",
                                          .run = sx_perf_fft_serial_execute,
                                          .release = sx_perf_fft_serial_release,
                                          .result = to};
        snprintf(t.variant, sizeof t.variant, "%s", in_place ? "in-place" : "out-of-place");
        set_boxes(cell, in_place, &t);
        sx_perf_fft_peak_start(&cell->peak);
        t.context = create_plan(cell, to);
        if (!t.context)
            sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %s", cell->problem_name);
        sx_perf_fft_cell_add(cell, &t);
    }
}
