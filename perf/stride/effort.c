/* effort.c - the cost and the benefit of FFTW's planning efforts, for transforms over all axes of an array. */
#include "stride/stride.h"

#include <math.h>
#include <string.h>

static int execute(void *plan)
{
    fftw_execute(plan);
    return MPI_SUCCESS;
}

/* Create a plan without FFTW's wisdom from earlier plans. Returns the seconds of planning on the slowest rank. */
static double create_plan(const struct sx_perf_shape *shape, fftw_complex *array, int effort, fftw_plan *plan)
{
    int n[SUBX_NDIMS_MAX];
    double seconds;
    for (int a = 0; a < shape->ndims; a++)
        n[a] = (int)shape->n[a];
    fftw_forget_wisdom();
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    *plan = fftw_plan_dft(shape->ndims, n, array, array, FFTW_FORWARD, sx_perf_efforts_get_flag(effort));
    seconds = MPI_Wtime() - seconds;
    if (!*plan)
        sx_perf_program_abort(MPI_SUCCESS, "FFTW makes no plan");
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static void add_row(struct sx_perf_stride_job *job, const char *problem, int effort, double setup,
                    const struct sx_perf_case *mine, const struct sx_perf_case *first)
{
    const struct sx_perf_stride_row row = {"effort", problem, "",    sx_perf_options_efforts[effort],
                                           NAN,      1,       setup, mine->median / first->median,
                                           *mine};
    sx_perf_stride_add_row(job, &row);
}

static void measure(struct sx_perf_stride_job *job, const struct sx_perf_shape *shape)
{
    struct sx_perf_case cases[SX_PERF_NEFFORTS];
    int effort[SX_PERF_NEFFORTS], n = 0;
    double setup[SX_PERF_NEFFORTS];
    size_t bytes = (size_t)sx_perf_values_get_volume(shape) * sizeof(fftw_complex);
    fftw_complex *array = fftw_malloc(bytes);
    char problem[SX_PERF_TEXT_MAX];
    if (!array)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for an array of %zu bytes", bytes);
    /* Touch the pages now. Otherwise the time for this would count as planning of the first effort. */
    memset(array, 0, bytes);
    sx_perf_values_print_shape(shape, sizeof problem, problem);
    for (int e = 0; e < SX_PERF_NEFFORTS; e++)
        if (job->settings.efforts[e]) {
            fftw_plan plan;
            sx_perf_progress_set(&job->progress, "%s, effort %s", problem, sx_perf_options_efforts[e]);
            setup[n] = create_plan(shape, array, e, &plan);
            cases[n] = (struct sx_perf_case){.run = execute, .context = plan, .inner = 1, .alone = 1};
            effort[n++] = e;
        }
    /* Planning may have left numbers in the array that would overflow after many transforms. Zeros remain zeros. */
    memset(array, 0, bytes);
    sx_perf_time_raise(n, cases);
    sx_perf_time_execute(n, cases, job->settings.common.repeat, &job->progress);
    for (int i = 0; i < n; i++) {
        add_row(job, problem, effort[i], setup[i], &cases[i], &cases[0]);
        fftw_destroy_plan(cases[i].context);
    }
    fftw_free(array);
}

ptrdiff_t sx_perf_stride_effort_get_rounds(const struct sx_perf_stride_settings *settings)
{
    return (ptrdiff_t)settings->shapes.n * settings->common.repeat;
}

void sx_perf_stride_effort_execute(struct sx_perf_stride_job *job)
{
    for (int i = 0; i < job->settings.shapes.n; i++)
        measure(job, &job->settings.shapes.shape[i]);
}
