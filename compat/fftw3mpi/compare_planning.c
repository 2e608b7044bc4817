/* compare_planning.c - while a plan is created, find out whether our plan or FFTW's own plan is faster. */
#include "fftw3mpi/fftw3mpi.h"
#include <string.h>

/* Set the arrays to 0. Transforms are not scaled, so other values would grow with each execution until they
 * are infinite, and infinite values would change the times. */
static void clear(const sx_fftw_request *q, const sx_fftw_plan *ours)
{
    const int forward = ours->direction == SUBX_FFT_FORWARD;
    void *array[2];
    array[SUBX_FFT_PHYSICAL] = forward ? q->in : q->out;
    array[SUBX_FFT_SPECTRAL] = forward ? q->out : q->in;
    for (int side = 0; side < 2 && ours->plan; side++) {
        ptrdiff_t bytes = 0;
        (void)subx_fft_plan_get_local(ours->plan, side, NULL, NULL, NULL, &bytes);
        memset(array[side], 0, (size_t)bytes);
    }
}

static double execute(const sx_fftw_request *q, void *plan)
{
    (void)MPI_Barrier(q->comm);
    const double start = MPI_Wtime();
    q->precision->execute(plan, q->in, q->out);
    return MPI_Wtime() - start;
}

/* Get the times of one execution of both plans. They execute in turns, so that other programs disturb both
 * alike. Each rank takes the shortest of its times; best[] becomes the longest of these over all ranks. The
 * first executions only decide how many further ones are timed. Collective. Returns the error code of MPI. */
static int measure(const sx_fftw_request *q, void *const plan[2], double best[2])
{
    double first = execute(q, plan[0]) + execute(q, plan[1]);
    int rc = MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_DOUBLE, MPI_MAX, q->comm);
    best[0] = best[1] = 1e30;
    for (int i = 0;
         i < SX_FFTW_MOST_EXECUTIONS && (i < SX_FFTW_LEAST_EXECUTIONS || i * first < 2 * SX_FFTW_SECONDS);
         i++)
        for (int k = 0; k < 2; k++) {
            const double time = execute(q, plan[k]);
            best[k] = time < best[k] ? time : best[k];
        }
    return rc ? rc : MPI_Allreduce(MPI_IN_PLACE, best, 2, MPI_DOUBLE, MPI_MAX, q->comm);
}

/* Returns 0, and no times, if some rank has no arrays (NULL), because then nothing can be measured. A program
 * may give no arrays for a plan that it never executes. */
int sx_fftw_is_slower(const sx_fftw_request *q, sx_fftw_plan *ours, sx_fftw_plan *stock, double seconds[2])
{
    int is_missing = !q->in || !q->out;
    if (MPI_Allreduce(MPI_IN_PLACE, &is_missing, 1, MPI_INT, MPI_MAX, q->comm) || is_missing)
        return 0;
    clear(q, ours);
    return !measure(q, (void *const[]){ours, stock}, seconds) && seconds[0] > seconds[1];
}
