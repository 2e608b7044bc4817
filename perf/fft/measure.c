/* measure.c - one problem on one grid: the transforms of all libraries are verified, then timed
 * alternately with the parts of the limit. */
#include "fft/fft.h"

enum { NCASES = SX_PERF_FFT_NPARTS + SX_PERF_FFT_NTRANSFORMS };

static void add_row(const struct sx_perf_fft_cell *cell, int i, const struct sx_perf_case *c, double limit,
                    const char *mark)
{
    const struct sx_perf_fft_settings *s = &cell->job->settings;
    const struct sx_perf_fft_transform *t = &cell->transform[i];
    const struct sx_perf_value values[] = {{sx_perf_machine_query_mpi(), 0},
                                           {t->library, 0},
                                           {t->variant, 0},
                                           {cell->problem_name, 0},
                                           {sx_perf_fft_settings_directions[s->direction], 0},
                                           {sx_perf_fft_settings_places[s->place], 0},
                                           {NULL, sx_perf_program_get_nranks()},
                                           {cell->grid_name, 0},
                                           {NULL, c->min},
                                           {NULL, c->median},
                                           {NULL, limit},
                                           {NULL, c->median / limit},
                                           {NULL, t->error},
                                           {NULL, t->memory},
                                           {sx_perf_options_efforts[t->effort], 0},
                                           {t->choice, 0},
                                           {NULL, 1000 * t->planning}};
    sx_perf_table_add(&cell->job->table, values, mark);
}

static void add_rows(const struct sx_perf_fft_cell *cell, const struct sx_perf_case cases[])
{
    const struct sx_perf_case *mine = cases + SX_PERF_FFT_NPARTS;
    double limit = cases[0].median + cases[1].median;
    int best = 0;
    for (int i = 1; i < cell->n; i++)
        if (mine[i].median < mine[best].median)
            best = i;
    for (int i = 0; i < cell->n; i++) {
        char mark[SX_PERF_TEXT_MAX] = "";
        if (i == best)
            snprintf(mark, sizeof mark, "<- best; limit: transforms %.6f, memory %.6f", cases[0].median,
                     cases[1].median);
        add_row(cell, i, &mine[i], limit, mark);
    }
    sx_perf_fft_summary_add(cell, mine, limit);
}

/* Set the arrays to 0: transforms of zeros remain zeros. Other data would overflow, because some
 * transforms overwrite their input. */
static void clear(const struct sx_perf_fft_cell *cell)
{
    for (int i = 0; i < 2; i++)
        sx_perf_fft_cell_fill(cell, cell->memory[i], 0);
}

static void set_times_zero(const struct sx_perf_fft_cell *cell)
{
    for (int i = 0; i < cell->n; i++)
        if (sx_perf_fft_subx_is(&cell->transform[i]))
            sx_perf_fft_subx_set_times_zero(&cell->transform[i]);
}

/* With --efforts, FFTW's wisdom is forgotten before an effort's plans. */
static void add_transforms(struct sx_perf_fft_cell *cell, int effort)
{
    struct sx_perf_fft_settings *s = &cell->job->settings;
    s->common.effort = effort;
    for (int precision = 0; precision <= SUBX_FFT_DOUBLE && s->has_efforts; precision++)
        if (sx_perf_fft_fftw_get(precision))
            sx_perf_fft_fftw_get(precision)->forget();
    sx_perf_fft_subx_add(cell);
    if (!cell->grid.is_free)
        sx_perf_fft_neighbours_add(cell);
}

void sx_perf_fft_measure_execute(struct sx_perf_fft_job *job, const struct sx_perf_fft_problem *problem,
                                 const struct sx_perf_fft_grid *grid)
{
    struct sx_perf_fft_cell cell;
    struct sx_perf_fft_limit *limit;
    struct sx_perf_case cases[NCASES];
    sx_perf_fft_cell_create(job, problem, grid, &cell);
    sx_perf_progress_set(&job->progress, "%s on grid %s", cell.problem_name, cell.grid_name);
    for (int effort = 0; effort < SX_PERF_NEFFORTS; effort++)
        if (job->settings.efforts[effort])
            add_transforms(&cell, effort);
    limit = sx_perf_fft_limit_create(&cell, cases);
    for (int i = 0; i < cell.n; i++)
        cases[SX_PERF_FFT_NPARTS + i] = (struct sx_perf_case){.run = sx_perf_fft_cell_execute,
                                                              .context = &cell.transform[i],
                                                              .inner = job->settings.executions};
    clear(&cell);
    sx_perf_time_raise(SX_PERF_FFT_NPARTS + cell.n, cases);
    set_times_zero(&cell);
    sx_perf_time_execute(SX_PERF_FFT_NPARTS + cell.n, cases, job->settings.common.repeat, &job->progress);
    add_rows(&cell, cases);
    sx_perf_fft_limit_free(limit);
    sx_perf_fft_cell_free(&cell);
}
