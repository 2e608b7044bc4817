/* compare_running.c - while the program runs, find out whether FFTW's own plan is faster than ours.
 *
 * With FFTW_ESTIMATE the planner may not touch the arrays, so nothing can be timed when the plan is created.
 * Therefore some executions of the program are timed: first only ours run, then ours and FFTW's take turns,
 * and then the faster plan is kept. All ranks execute a plan equally often, so they take the same steps
 * without asking each other; only the decision needs their times.
 *
 * A trial takes place only if the ranks of the plan are those of MPI_COMM_WORLD, because the program may have
 * freed the communicator of the plan. */
#include "fftw3mpi/fftw3mpi.h"
#include <string.h>

struct sx_fftw_trial {
    sx_fftw_request request;
    sx_fftw_plan *stock; /* NULL before the execution SX_FFTW_FIRST */
    int executions;
    sx_fftw_times times; /* execution: the least of each library so far */
};

/* There is no trial with MPI_THREAD_MULTIPLE: several threads may execute a plan at the same time. Without
 * memory there would be a trial on some ranks only, so the ranks agree. */
sx_fftw_trial *sx_fftw_trial_create(const sx_fftw_request *q)
{
    int level = MPI_THREAD_MULTIPLE;
    if (!q->is_world)
        return NULL;
    sx_fftw_trial *trial = sx_base_alloc(1, sizeof *trial);
    int can = trial && !MPI_Query_thread(&level) && level != MPI_THREAD_MULTIPLE && q->in && q->out &&
              q->precision->has_stock();
    if (MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) || !can) {
        sx_base_free(trial);
        return NULL;
    }
    *trial = (sx_fftw_trial){.request = *q, .times.execution = {1e30, 1e30}};
    trial->request.comm = MPI_COMM_WORLD;
    return trial;
}

void sx_fftw_trial_free(sx_fftw_trial *trial, int is_late)
{
    if (trial && trial->stock && !is_late)
        sx_fftw_free_stock(trial->stock);
    sx_base_free(trial);
}

/* Compare the times of the slowest rank. FFTW's plan wins only if it is clearly faster: otherwise other
 * programs on the node would decide, by the time that they take from one of the two. is_last: the trial must
 * end; if it is 0, the trial ends only if our plan is much faster. Collective. */
static int decide(sx_fftw_trial *trial, int is_last)
{
    double all[2];
    double *mine = trial->times.execution;
    const int failed = MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (!failed)
        memcpy(mine, all, sizeof all);
    if (failed || all[0] < SX_FFTW_MUCH * all[1])
        return SX_FFTW_OURS;
    if (!is_last)
        return SX_FFTW_UNKNOWN;
    return all[1] < SX_FFTW_CLEARLY * all[0] ? SX_FFTW_STOCK : SX_FFTW_OURS;
}

int sx_fftw_trial_next(sx_fftw_trial *trial, sx_fftw_plan **stock)
{
    const int i = trial->executions++;
    int result = SX_FFTW_UNKNOWN;
    *stock = NULL;
    if (i == SX_FFTW_FIRST && !(trial->stock = sx_fftw_create_stock(&trial->request, &trial->times)))
        return SX_FFTW_OURS;
    if (i == SX_FFTW_LOOK || i == SX_FFTW_LAST)
        result = decide(trial, i == SX_FFTW_LAST);
    if (i >= SX_FFTW_FIRST &&
        (result == SX_FFTW_STOCK || (result == SX_FFTW_UNKNOWN && (i - SX_FFTW_FIRST) % 2 == 1)))
        *stock = trial->stock;
    if (result == SX_FFTW_STOCK)
        trial->stock = NULL;
    return result;
}

void sx_fftw_trial_add(sx_fftw_trial *trial, int is_stock, double seconds)
{
    if (trial->executions > SX_FFTW_FIRST && seconds < trial->times.execution[is_stock])
        trial->times.execution[is_stock] = seconds;
}

void sx_fftw_trial_report(const sx_fftw_trial *trial, int result, sx_fftw_line **line)
{
    const sx_fftw_times *t = &trial->times;
    if (result == SX_FFTW_STOCK) {
        *line = sx_fftw_count_plan(&trial->request, "passed on: FFTW was faster in the program", t);
    } else if (*line && t->planning[1] > 0) {
        (*line)->times.planning[1] += t->planning[1];
        memcpy((*line)->times.execution, t->execution, sizeof t->execution);
    }
}
