/* serial.c - FFTW's transform over all axes, on one rank. */
#include "fft/fft.h"

void sx_perf_fft_serial_add(struct sx_perf_fft_cell *cell)
{
    struct sx_perf_fft_plans *plans = sx_perf_memory_create_small(1, sizeof *plans);
    const struct sx_perf_fft_step *all = &cell->step[0];
    struct sx_perf_fft_transform t = {.library = "fftw",
                                      .variant = "natural",
                                      .run = sx_perf_fft_fftw_execute,
                                      .release = sx_perf_fft_fftw_release,
                                      .context = plans,
                                      .box = {all->box[0], all->box[1]}};
    plans->fftw = sx_perf_fft_fftw_get(cell->problem->precision);
    sx_perf_fft_peak_start(&cell->peak);
    for (int from = 0; from < 2; from++) {
        if (!sx_perf_fft_settings_query(&cell->job->settings, from))
            continue;
        plans->plan[from] =
            sx_perf_fft_fftw_create_plan(cell, all, from, cell->array[from], cell->array[!from]);
        if (!plans->plan[from])
            sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan for %s", cell->problem_name);
    }
    sx_perf_fft_cell_add(cell, &t);
}
